"""What adding an agent stores: exactly what was shown, under a name that can be called."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core.adding import MOST_AGENTS, Wish, agent_of, auth_of, free_name, is_auth, origins
from lisa_island.core.preferences import AGENT_NAME, DirectAgent
from tests.fakes.cards import AGENTS, CARD, CARD_URL

BOTH = ("https://box.example", "https://api.box-cloud.example")


def test_the_origins_are_those_of_the_interfaces_each_once() -> None:
    assert origins(CARD) == BOTH
    twice = replace(
        CARD, interfaces=(*CARD.interfaces, "JSONRPC 0.3 https://BOX.example:443/old", "GRPC 1.0 box:1")
    )
    assert origins(twice) == BOTH


def test_an_endpoint_replaces_them() -> None:
    assert origins(CARD, "http://127.0.0.1:9/x") == ("http://127.0.0.1:9",)
    made = agent_of((), CARD, "", Wish(endpoint="http://127.0.0.1:9/x"))
    assert made == DirectAgent("build-box", CARD_URL, "", "http://127.0.0.1:9/x", ("http://127.0.0.1:9",))


def test_a_card_that_was_not_fetched_is_kept_itself() -> None:
    made = agent_of((), CARD, '{"name": 1}', Wish("box"))
    assert made == DirectAgent("box", "", '{"name": 1}', "", BOTH)


@pytest.mark.parametrize(
    ("wish", "word"),
    [
        (Wish("two words"), "agent.bad-name"),
        (Wish("x" * 41), "agent.bad-name"),
        (Wish("Build-Box"), "agent.name-taken"),
        (Wish("box", endpoint="ftp://x"), "agent.bad-endpoint"),
        (Wish("box", auth="oauth2"), "agent.bad-auth"),
        (Wish("box", auth="header"), "agent.bad-header"),
        (Wish("box", auth="header", header="X: y"), "agent.bad-header"),
        (Wish("box", auth="header", header="Host"), "agent.bad-header"),
        (Wish("box", auth="header", header="content-length"), "agent.bad-header"),
    ],
)
def test_what_cannot_be_stored_says_why(wish: Wish, word: str) -> None:
    assert agent_of(AGENTS, CARD, "", wish) == word


def test_there_is_an_end() -> None:
    many = tuple(DirectAgent(f"a{n}", "https://a.example") for n in range(MOST_AGENTS))
    assert agent_of(many, CARD, "", Wish("one-more")) == "agent.too-many"


@pytest.mark.parametrize(
    ("needs", "auth"),
    [
        ((), ("", "")),
        (("oauth2", "bearer"), ("bearer", "")),
        (("basic",), ("basic", "")),
        (("header X-Box-Key",), ("header", "X-Box-Key")),
        (("header", "mtls", "api-key", ""), ("", "")),
    ],
)
def test_the_first_need_that_a_credential_can_meet(needs: tuple[str, ...], auth: tuple[str, str]) -> None:
    assert auth_of(needs) == auth


@given(st.text(max_size=80), st.sets(st.sampled_from(["agent", "box", "box-2"])))
def test_a_proposed_name_can_be_called_and_is_free(shown: str, taken: set[str]) -> None:
    name = free_name(shown, taken)
    assert AGENT_NAME.fullmatch(name) and name not in taken and is_auth("", "")
