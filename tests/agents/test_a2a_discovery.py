# ruff: noqa: E501  (one case a line reads best)
"""Where a card is looked for, what is kept of it, and what is doubted (contract a2a.md A1, D21, D22, AT10)."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents._a2a_card import CardFault, Endpoint
from lisa_island.agents._a2a_discovery import (
    CARD_LIMIT,
    MOST_KEPT,
    Discovery,
    Doubt,
    Found,
    is_closed,
    places_of,
)
from lisa_island.agents._guard import PRIVATE
from lisa_island.agents._http import UNTRUSTED, Http, NotSentError
from tests.fakes.clock import FakeClock

HOST = "https://a.example"
CARD = f"{HOST}/.well-known/agent-card.json"
OLD = f"{HOST}/.well-known/agent.json"


def card(url: str = f"{HOST}/rpc", **more: Any) -> dict[str, Any]:
    listed = [{"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]
    return {"name": "Lab", "supportedInterfaces": listed, **more}


Answer = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


@dataclass
class Web:
    """Answers by address; what it does not know is 404."""

    pages: dict[str, Answer] = field(default_factory=dict)
    asked: list[httpx.Request] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        found = self.pages.get(str(request.url), httpx.Response(404, text="Not Found"))
        if isinstance(found, Exception):
            raise found
        if not isinstance(found, httpx.Response):
            return found(request)
        return httpx.Response(found.status_code, headers=found.headers, content=found.content)

    @property
    def urls(self) -> list[str]:
        return [str(request.url) for request in self.asked]


def looking(**pages: Answer) -> tuple[Web, Discovery, FakeClock]:
    web, clock = Web(), FakeClock()
    return web, Discovery(Http(httpx.MockTransport(web)), clock), clock


async def found_in(pages: dict[str, Answer], given: str) -> tuple[Found | CardFault, Web]:
    web, discovery, _ = looking()
    web.pages = pages
    return await discovery.find(given), web


# --- places ---

PLACES = {
    HOST: [CARD, OLD],
    "a.example": [CARD, OLD],
    "localhost:41241": [f"http://localhost:41241/.well-known/{n}" for n in ("agent-card.json", "agent.json")],
    "127.0.0.1:9": [f"http://127.0.0.1:9/.well-known/{n}" for n in ("agent-card.json", "agent.json")],
    "[::1]:9/": [f"http://[::1]:9/.well-known/{n}" for n in ("agent-card.json", "agent.json")],
    f"{HOST}/hello/": [
        f"{HOST}/hello/.well-known/agent-card.json", f"{HOST}/hello/.well-known/agent.json", CARD, OLD,
    ],
    f"{CARD}?assistant_id=7#top": [f"{CARD}?assistant_id=7"],
    f"{HOST}/cards/mine.json": [f"{HOST}/cards/mine.json"],
    f"{HOST}/?assistant_id=7": [f"{CARD}?assistant_id=7", f"{OLD}?assistant_id=7"],
    "": [], "ftp://a.example": [], "https://u:p@a.example": [], "two words": [], "http://": [],
}  # fmt: skip


@pytest.mark.parametrize("given_", PLACES)
def test_where_a_card_may_be(given_):
    assert list(places_of(given_)) == PLACES[given_]


@given(st.text(max_size=30))
def test_whatever_is_typed_is_a_place_or_none(typed):
    assert all(place.startswith(("http://", "https://")) for place in places_of(typed))


async def test_at10_the_old_path_is_tried_too():
    found, web = await found_in({OLD: httpx.Response(200, json=card())}, HOST)
    assert isinstance(found, Found) and found.card_url == OLD
    assert web.urls == [CARD, OLD]


async def test_at10_a_sub_path_comes_before_the_root():
    sub = f"{HOST}/hello/.well-known/agent-card.json"
    pages = {sub: httpx.Response(200, json=card(name="Hello")), CARD: httpx.Response(200, json=card())}
    found, web = await found_in(pages, f"{HOST}/hello")
    assert isinstance(found, Found) and found.card.name == "Hello" and web.urls == [sub]


async def test_an_endpoint_leads_to_the_card_at_the_root():
    found, _ = await found_in({CARD: httpx.Response(200, json=card())}, f"{HOST}/rpc")
    assert isinstance(found, Found) and found.doubts == ()


async def test_a_page_in_the_place_of_a_card_is_passed_over():
    pages = {CARD: httpx.Response(200, html="<html>"), OLD: httpx.Response(200, json=card())}
    found, _ = await found_in(pages, HOST)
    assert isinstance(found, Found)


# --- no card ---

ERROR = httpx.ConnectError("no")
FAULTS: dict[str, tuple[dict[str, Answer], str]] = {
    "nothing": ({}, "not-found"),
    "a page": ({CARD: httpx.Response(200, html="<html>")}, "not-json"),
    "bad json": ({CARD: httpx.Response(200, content=b"{oops")}, "not-json"),
    "no card": ({CARD: httpx.Response(200, json={"x": 1})}, "not-a-card"),
    "401": ({CARD: httpx.Response(401)}, "needs-auth"),
    "500": ({CARD: httpx.Response(500)}, "refused"),
    "down": ({CARD: ERROR}, "unreachable"),
    "cut": ({CARD: httpx.ReadError("no")}, "unreachable"),
    "elsewhere": ({CARD: httpx.Response(302, headers={"location": "https://b.example/c"})}, "moved"),
    "too large": ({CARD: httpx.Response(200, content=b" " + b"{" + b"x" * CARD_LIMIT)}, "too-large"),
    "guarded": ({CARD: NotSentError(PRIVATE)}, "not-allowed"),
    "distrusted": ({CARD: NotSentError(UNTRUSTED)}, "untrusted"),
}


@pytest.mark.parametrize("case", FAULTS)
async def test_at10_why_there_is_none(case):
    pages, why = FAULTS[case]
    found, _ = await found_in(pages, HOST)
    assert isinstance(found, CardFault) and found.why == why
    assert found.detail == ("https://b.example/c" if case == "elsewhere" else found.detail)


async def test_a_card_of_just_under_2_mb_is_read():
    body = json.dumps(card(description="x" * (CARD_LIMIT - 500)))
    found, _ = await found_in({CARD: httpx.Response(200, content=body)}, HOST)
    assert isinstance(found, Found) and len(found.card.description) == 1000


# --- manners ---


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_one_redirect_on_the_same_origin(status):
    pages = {
        CARD: httpx.Response(status, headers={"location": "/card"}),
        f"{HOST}/card": httpx.Response(200, json=card()),
    }
    found, _ = await found_in(pages, HOST)
    assert isinstance(found, Found) and found.card_url == f"{HOST}/card"


async def test_a_second_redirect_is_none_too_many_times():
    pages = {
        CARD: httpx.Response(307, headers={"location": "/card"}),
        f"{HOST}/card": httpx.Response(307, headers={"location": "/other"}),
    }
    found, web = await found_in(pages, HOST)
    assert isinstance(found, CardFault) and found.why == "moved" and len(web.asked) == 2


async def test_g15_no_credential_and_no_cookie_goes_with_it():
    answer = httpx.Response(200, json=card(), headers={"set-cookie": "a=b"})
    web, discovery, _ = looking()
    web.pages = {CARD: answer}
    await discovery.find(HOST)
    await discovery.find(HOST)
    assert len(web.asked) == 2
    assert not any({"authorization", "cookie", "x-api-key"} & set(r.headers) for r in web.asked)


async def test_d22_e_the_version_is_said_and_the_cache_knows_it():
    """Some servers answer another card to each version, under one address."""
    web, discovery, _ = looking()
    web.pages = {CARD: httpx.Response(200, json=card(), headers={"cache-control": "public, max-age=60"})}
    await discovery.find(HOST)
    assert web.asked[0].headers["a2a-version"] == "1.0"
    assert all(version == "1.0" for _, version in discovery._kept)


async def test_e_a_card_is_asked_for_again_only_when_it_is_old():
    web, discovery, clock = looking()
    headers = {"etag": 'W/"1"', "cache-control": "public, max-age=60"}

    def answer(request: httpx.Request) -> httpx.Response:
        if request.headers.get("if-none-match") == 'W/"1"':
            return httpx.Response(304, headers={"cache-control": "max-age=10"})
        return httpx.Response(200, json=card(), headers=headers)

    web.pages = {CARD: answer}
    first = await discovery.find(HOST)
    clock.advance(59)
    assert await discovery.find(HOST) == first and len(web.asked) == 1
    clock.advance(2)
    assert await discovery.find(HOST) == first and len(web.asked) == 2
    assert await discovery.find(HOST) == first and len(web.asked) == 2
    clock.advance(11)
    assert await discovery.find(HOST) == first
    assert [r.headers.get("if-none-match") for r in web.asked] == [None, 'W/"1"', 'W/"1"']


async def test_so_many_cards_are_kept_and_no_more():
    web, discovery, _ = looking()
    fresh = {"cache-control": "max-age=600"}
    places = [f"{HOST}/{n}.json" for n in range(MOST_KEPT + 1)]
    web.pages = {place: httpx.Response(200, json=card(), headers=fresh) for place in places}
    for place in places:
        await discovery.find(place)
    await discovery.find(places[-1])
    assert len(web.asked) == MOST_KEPT + 1 and len(discovery._kept) == MOST_KEPT
    await discovery.find(places[0])
    assert len(web.asked) == MOST_KEPT + 2


async def test_at10_a_card_that_changed_is_the_new_one():
    web, discovery, _ = looking()
    web.pages = {CARD: httpx.Response(200, json=card(), headers={"etag": "1"})}
    await discovery.find(HOST)
    web.pages = {CARD: httpx.Response(200, json=card(name="New"), headers={"etag": "2"})}
    found = await discovery.find(HOST)
    assert isinstance(found, Found) and found.card.name == "New"


# --- doubts ---

DOUBTS = {
    "same": (f"{HOST}/rpc", None),
    "same, other port": (f"{HOST}:8443/rpc", "other-origin"),
    "another host": ("https://b.example/rpc", "other-origin"),
    "this machine": ("http://127.0.0.1:8/rpc", "private-host"),
    "by name": ("http://localhost:41241/", "private-host"),
    "a network": ("https://10.0.0.7/rpc", "private-host"),
    "link-local": ("https://169.254.169.254/latest", "private-host"),
    "odd spelling": ("https://0x7f000001/rpc", "private-host"),
    "plain": ("http://b.example/rpc", "plain-http"),
}


@pytest.mark.parametrize("case", DOUBTS)
async def test_at10_a_card_that_points_away_is_doubted_and_not_followed(case):
    says, kind = DOUBTS[case]
    found, web = await found_in({CARD: httpx.Response(200, json=card(says))}, HOST)
    assert isinstance(found, Found) and len(web.asked) == 1
    assert [d.kind for d in found.doubts] == ([kind] if kind else [])
    for doubt in found.doubts:
        assert (doubt.says, doubt.fetched_from) == (says, CARD)
        assert doubt.instead.startswith(f"{HOST}/")


async def test_a_card_of_this_machine_may_point_at_this_machine():
    at = "http://127.0.0.1:9/.well-known/agent-card.json"
    found, _ = await found_in({at: httpx.Response(200, json=card("http://localhost:41241/"))}, at)
    assert isinstance(found, Found)
    assert [(d.kind, d.instead) for d in found.doubts] == [("other-origin", "http://127.0.0.1:9/")]


def lost(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, json={"jsonrpc": "2.0", "id": 1, "error": {"code": -32001, "message": "no"}})


async def test_d21_where_a_card_points_away_its_own_origin_is_tried_and_both_are_told():
    web, discovery, _ = looking()
    says = "http://127.0.0.1:41241/rpc"
    web.pages = {CARD: httpx.Response(200, json=card(says)), f"{HOST}/rpc": lost}
    found = await discovery.find(HOST)
    assert isinstance(found, Found)
    checked = await discovery.check(found)
    assert [d.kind for d in checked.doubts] == ["private-host", "answers-here"]
    assert checked.doubts[1] == Doubt("answers-here", says, CARD, f"{HOST}/rpc", instead_answers=True)
    # Nothing was asked of the other: a card must not make us knock at doors of the owner's network.
    assert {r.url.host for r in web.asked} == {"a.example"}


@pytest.mark.parametrize(
    "answer", [httpx.Response(404), httpx.Response(200, html="<html>"), ERROR, httpx.ReadError("x")]
)
async def test_d21_what_is_no_agent_is_no_way_out(answer):
    web, discovery, _ = looking()
    web.pages = {CARD: httpx.Response(200, json=card("https://b.example/rpc")), f"{HOST}/rpc": answer}
    found = await discovery.find(HOST)
    assert isinstance(found, Found) and await discovery.check(found) == found


async def test_a_dead_endpoint_of_the_card_s_own_is_said():
    web, discovery, _ = looking()
    web.pages = {CARD: httpx.Response(200, json=card()), f"{HOST}/rpc": ERROR}
    found = await discovery.find(HOST)
    assert isinstance(found, Found)
    assert (await discovery.check(found)).doubts == (Doubt("unreachable", f"{HOST}/rpc", CARD),)


async def test_a_card_in_a_file_makes_nobody_be_asked():
    web, discovery, _ = looking()
    found = await discovery.read_file(json.dumps(card()).encode(), "card.json")
    assert isinstance(found, Found) and await discovery.check(found) == found and web.asked == []


@pytest.mark.parametrize("status", [401, 403])
async def test_an_agent_that_asks_who_it_is_is_one(status):
    web, discovery, _ = looking()
    web.pages = {f"{HOST}/rpc": httpx.Response(status)}
    assert await discovery.speaks(Endpoint(f"{HOST}/rpc"))


async def test_an_endpoint_that_answers_anything_is_there():
    web, discovery, _ = looking()
    web.pages = {f"{HOST}/rpc": httpx.Response(405)}
    assert await discovery.reaches(Endpoint(f"{HOST}/rpc"))
    assert await discovery.reaches(Endpoint(f"{HOST}/other"))
    web.pages = {f"{HOST}/rpc": ERROR}
    assert not await discovery.reaches(Endpoint(f"{HOST}/rpc"))


@pytest.mark.parametrize(
    ("url", "closed"),
    [
        ("https://a.example/", False), ("https://8.8.8.8/", False), ("http://printer/", True),
        ("https://x.local/", True), ("https://[::ffff:10.0.0.1]/", True), ("https://100.64.0.1/", True),
    ],
)  # fmt: skip
def test_what_is_closed_by_its_address(url, closed):
    assert is_closed(url) is closed


# --- files ---


async def test_a_card_in_a_file_came_from_nowhere():
    _, discovery, _ = looking()
    found = await discovery.read_file(b"\xef\xbb\xbf" + json.dumps(card()).encode(), "card.json")
    assert isinstance(found, Found) and found.card_url == ""
    assert [d.kind for d in found.doubts] == ["other-origin"] and found.doubts[0].instead == ""


@pytest.mark.parametrize(
    ("data", "why"), [(b"{oops", "not-json"), (b"[]", "not-a-card"), (b" " * 3_000_000, "too-large")]
)
async def test_a_file_that_is_no_card(data, why):
    _, discovery, _ = looking()
    found = await discovery.read_file(data, "card.json")
    assert isinstance(found, CardFault) and (found.why, found.url) == (why, "card.json")


def test_nothing_of_a_card_is_in_what_is_shown_of_it():
    assert "raw" not in repr(Found(None, CARD, "raw"))  # type: ignore[arg-type]
