"""Every row of the status matrix, by exact body, and what each call costs."""

from decimal import Decimal

import httpx
import pytest

from lisa_island.sandbox.faults import HTML
from lisa_island.sandbox.state import State
from tests.sandbox.child import KEY

TEXT = {"text": "hello"}
UNREACHABLE = b'{"error":"Agent unreachable"}'
# slug, route, generation or "", status, whole body
ROWS = [
    ("nobody-here", "message", "", 404, b'{"error":"Agent not found"}'),
    ("nobody-here", "stream", "", 404, b'{"error":"Agent not found"}'),
    (
        "project-only",
        "message",
        "",
        400,
        b'{"error":"This agent is an open-source project, not an invokable endpoint"}',
    ),
    ("own-401", "message", "", 401, b'{"error":"This agent wants its own token"}'),
    ("own-403", "stream", "", 403, b'{"error":"Members only"}'),
    ("own-404", "message", "", 404, b'{"error":"No such notebook"}'),
    ("own-429", "message", "", 429, b'{"error":"Model quota used up"}'),
    ("own-429", "stream", "", 429, b'{"error":"Model quota used up"}'),
    ("own-500", "message", "", 500, b'{"error":"Stack overflow in the agent"}'),
    ("always-busy", "stream", "", 429, b'{"error":"Too many requests"}'),
    ("slow-30s", "message", "", 502, UNREACHABLE),
    ("slow-30s", "stream", "", 502, UNREACHABLE),
    ("cut-mid", "message", "", 502, UNREACHABLE),
    ("no-stream", "stream", "", 502, b'{"error":"Agent did not return a stream"}'),
    ("null-body", "message", "", 200, b"null"),
    ("html-body", "message", "G0", 200, b"null"),
    ("html-body", "message", "G1", 502, UNREACHABLE),
    ("html-body", "stream", "", 200, HTML),
    ("empty-body", "stream", "", 200, b""),
    ("no-envelope", "message", "", 200, b'{"status":"ok"}'),
    ("captive-portal", "message", "", 200, HTML),
    ("platform-504", "message", "", 504, b""),
    ("redirect", "message", "", 302, b""),
    (
        "broke",
        "message",
        "",
        402,
        b'{"error":"Insufficient credit","detail":"Your balance does not cover this call.",'
        b'"balanceUsd":10.0,"requiredUsd":500.0}',
    ),
]


@pytest.mark.parametrize(("slug", "route", "generation", "status", "body"), ROWS)
async def test_answers_by_the_matrix(
    client: httpx.AsyncClient,
    state: State,
    slug: str,
    route: str,
    generation: str,
    status: int,
    body: bytes,
) -> None:
    state.generation = generation or state.generation
    answer = await client.post(f"/v1/agents/{slug}/{route}", json=TEXT)
    assert (answer.status_code, answer.content) == (status, body)


@pytest.mark.parametrize("route", ["message", "stream"])
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"authorization": f"Bearer {KEY}"}, 200),
        ({"authorization": KEY}, 200),
        ({"authorization": f"bearer {KEY}"}, 401),
        ({"authorization": f"Bearer {KEY[:-1]}x"}, 401),
        ({"x-api-key": KEY}, 200),
        ({"x-api-key": KEY, "authorization": "Bearer nonsense"}, 401),
    ],
)
async def test_only_the_key_opens(
    client: httpx.AsyncClient, route: str, headers: dict[str, str], status: int
) -> None:
    client.headers.pop("authorization")
    answer = await client.post(f"/v1/agents/sheet-wizard/{route}", json=TEXT, headers=headers)
    assert answer.status_code == status
    if status == 401:
        assert answer.content == b'{"error":"Invalid or missing API key"}'


async def test_the_key_comes_before_the_slug(client: httpx.AsyncClient, state: State) -> None:
    state.key_valid = False
    assert (await client.post("/v1/agents/nobody-here/message", json=TEXT)).status_code == 401


async def test_the_limit_is_a_window_of_calls(client: httpx.AsyncClient, state: State) -> None:
    state.limiter.limit = 2
    codes = [(await client.post("/v1/agents/tone-check/message", json=TEXT)).status_code for _ in range(3)]
    last = await client.post("/v1/agents/nobody-here/stream", json=TEXT)
    assert codes == [200, 200, 429]
    assert (last.status_code, last.content) == (429, b'{"error":"Too many requests"}')
    assert 0 < int(last.headers["retry-after"]) <= 60


async def test_busy_once_then_served(client: httpx.AsyncClient, state: State) -> None:
    first = await client.post("/v1/agents/busy-429/message", json=TEXT)
    second = await client.post("/v1/agents/busy-429/message", json=TEXT)
    assert (first.status_code, first.headers["retry-after"], second.status_code) == (429, "1", 200)
    assert state.counts["busy-429"] == 1


@pytest.mark.parametrize(
    ("slug", "route", "g0", "g1"),
    [
        ("acme-research", "message", "0.02", "0.02"),
        ("acme-research", "stream", "0.02", "0.02"),
        ("strict-paid", "stream", "0.01", "0.01"),
        ("late-paid", "message", "0.01", "0"),
        ("late-paid", "stream", "0.01", "0"),
        ("strict-paid", "message", "0.01", "0.01"),
        ("slow-30s", "message", "0", "0"),
        ("sheet-wizard", "message", "0", "0"),
        ("broke", "message", "0", "0"),
    ],
)
async def test_what_a_call_costs(
    client: httpx.AsyncClient, state: State, slug: str, route: str, g0: str, g1: str
) -> None:
    await client.post(f"/v1/agents/{slug}/{route}", json=TEXT)
    wanted = g0 if state.generation == "G0" else g1
    assert Decimal("10.00") - state.balance == Decimal(wanted)


async def test_a_refused_stream_without_frames_is_charged_as_a_good_one(
    client: httpx.AsyncClient, state: State
) -> None:
    """The body is JSON without a `data:` line, so the gateway sees no failure frame in it."""
    answer = await client.post("/v1/agents/strict-paid/stream", json=TEXT)
    assert answer.headers["content-type"] == "text/event-stream"
    assert answer.json()["error"]["code"] == -32602
    assert state.charges == [{"slug": "strict-paid", "usd": "0.01"}]
