"""The command bar and agents at their own address: where a text goes, what it answers, what it never does."""

from dataclasses import replace

import pytest

from lisa_island.core.agent import AgentSession, Blocked, Can, RequestKind, SessionKey, State, Task
from lisa_island.core.bar import line
from lisa_island.core.intents import Answer, Continue, Send
from lisa_island.core.naming import host, places
from lisa_island.core.preferences import DirectAgent
from lisa_island.core.roster import Roster

PRICES = {"acme": "0.02 USD", "box": ""}
PLACES = {"box": "box.example"}


def task(tag: str, agent: str = "a2a", **more: object) -> AgentSession:
    key = SessionKey(agent, f"box/{tag}0000")
    return AgentSession(key, "box", State.WAITING, task=Task("box", task_id=f"t-{tag}"), **more)  # type: ignore[arg-type]


def asks(tag: str, **more: object) -> AgentSession:
    return task(tag, requests=(Blocked(RequestKind.INPUT, f"box/{tag}0000#1", 1, "Which?"),), **more)


def ready(tag: str) -> AgentSession:
    return task(tag, state_reason="ready-for-input", capabilities=frozenset({Can.CONTINUE}))


def read(text: str, *sessions: AgentSession, where: dict[str, str] = PLACES):
    return line(text, Roster({s.key: s for s in sessions}), PRICES, "takoapi.com", places=where)


def test_a_new_task_goes_to_the_agents_own_host_without_a_price_word():
    found = read("@box build it")
    assert (found.word, dict(found.values)["host"]) == ("bar.direct-task", "box.example")
    assert found.intent == Send("a2a", "box", "build it") and found.price == ""


@pytest.mark.parametrize("here", ["127.0.0.1:9000", "localhost:9000", "[::1]:9000"])
def test_on_this_computer_it_is_not_said_to_leave_it(here: str):
    assert read("@box go", where={"box": here}).word == "bar.direct-task.here"
    assert read("@box go", asks("a1b2"), where={"box": here}).word == "bar.direct-reply.here"


def test_the_task_that_waits_is_answered():
    found = read("@box green", asks("a1b2"))
    assert found.word == "bar.direct-reply" and dict(found.values)["tag"] == "a1b2"
    assert found.intent == Answer(SessionKey("a2a", "box/a1b20000"), "box/a1b20000#1", "green")


def test_while_two_wait_nothing_is_sent_until_one_is_chosen():
    found = read("@box green", asks("a1b2"), asks("c3d4"))
    assert (found.word, found.intent) == ("bar.choose", None)
    assert [c[0] for c in found.choices] == ["#a1b2", "#c3d4", "!new"]
    chosen = read(dict(found.choices)["#c3d4"], asks("a1b2"), asks("c3d4"))
    assert isinstance(chosen.intent, Answer) and chosen.intent.key.session_id == "box/c3d40000"
    assert isinstance(read("@box !new x", asks("a1b2"), asks("c3d4")).intent, Send)


def test_a_gateways_task_of_the_same_name_is_not_answered():
    other = replace(asks("a1b2"), key=SessionKey("takoapi", "box/a1b20000"))
    assert isinstance(read("@box green", other).intent, Send)


def test_more_goes_to_a_task_that_is_ready_only_when_it_is_named():
    assert isinstance(read("@box more", ready("a1b2")).intent, Send)
    found = read("@box #a1b2 more", ready("a1b2"))
    assert found.intent == Continue(SessionKey("a2a", "box/a1b20000"), "more")
    assert found.word == "bar.direct-reply"
    assert read("@box #ffff more", ready("a1b2")).word == "bar.no-such-task"


def test_places_are_where_texts_go():
    agents = (
        DirectAgent("card", url="https://cards.example/x", origins=("https://box.example",)),
        DirectAgent("moved", url="https://a.example", endpoint="http://127.0.0.1:9000/rpc"),
        DirectAgent("bare", url="https://a.example:8443/card"),
        DirectAgent("file", card="{}"),
    )
    assert places(agents) == {
        "card": "box.example", "moved": "127.0.0.1:9000", "bare": "a.example:8443", "file": "",
    }  # fmt: skip
    assert host("ftp://x") == ""
