# ruff: noqa: E501  (one case a line reads best)
"""One A2A endpoint, called: what is sent, what is never sent twice, and what comes out of every answer."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from lisa_island.agents import _a2a_answer
from lisa_island.agents._a2a_answer import hide, retry_after
from lisa_island.agents._a2a_card import Endpoint
from lisa_island.agents._a2a_client import (
    MOST_PAGES,
    Client,
    CutError,
    NotSentError,
    Outgoing,
    RefusedError,
)
from lisa_island.agents._a2a_wire import ArtifactUpdate, Fault, Frame, Message, Noise, Snapshot, StatusUpdate
from lisa_island.agents._http import Http
from lisa_island.core.task_state import read_task_state
from tests.agents.fault_streams import CASES
from tests.agents.rig import Feed, envelope, fault, sse, stream, streamed, task, update
from tests.fakes.clock import START, FakeClock

RPC = "https://a.example/rpc"
RPC_1 = Endpoint(RPC, "JSONRPC", "1.0")
RPC_3 = Endpoint(RPC, "JSONRPC", "0.3")
REST_1 = Endpoint("https://a.example/rest", "HTTP+JSON", "1.0")
REST_3 = Endpoint("https://a.example/rest", "HTTP+JSON", "0.3")
SECRET = "sesame-0123456789"
HELLO = Outgoing("hello", "m1")

Answer = httpx.Response | Exception | Callable[[httpx.Request], httpx.Response]


@dataclass
class Peer:
    """Answers in order, the last for ever."""

    answers: list[Answer]
    asked: list[httpx.Request] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(found, Exception):
            raise found
        return found if isinstance(found, httpx.Response) else found(request)

    @property
    def methods(self) -> list[str]:
        """What was called, by JSON-RPC name or by route."""
        return [_name(request) for request in self.asked]


def _name(request: httpx.Request) -> str:
    body = json.loads(request.content) if request.content else {}
    return body.get("method") or f"{request.method} {request.url.path}"


@dataclass
class Bench:
    peer: Peer
    client: Client
    clock: FakeClock
    raw: list[str]

    async def send(self, *, stream: bool = False, message: Outgoing = HELLO) -> list[Frame]:
        return [frame async for frame in self.client.send(message, stream=stream)]

    async def subscribe(self, task_id: str = "T1") -> list[Frame]:
        return [frame async for frame in self.client.subscribe(task_id)]


def bench(*answers: Answer, to: Endpoint = RPC_1, headers: dict[str, str] | None = None) -> Bench:
    peer, clock, raw = Peer(list(answers)), FakeClock(), []

    async def credentials() -> dict[str, str]:
        return headers or {}

    http = Http(httpx.MockTransport(peer))
    return Bench(peer, Client(http, to, credentials, keep_raw=raw.append, clock=clock), clock, raw)


def ok(result: object) -> httpx.Response:
    return httpx.Response(200, json=envelope(result))


def error(code: int, message: str = "no", status: int = 200) -> httpx.Response:
    return httpx.Response(status, json=fault(code, message))


def no_route(status: int = 404) -> httpx.Response:
    return httpx.Response(status, text="Not Found")


DONE = task("completed", "Done")


# --- the plain way ---


async def test_a_unary_answer_is_one_frame():
    made = bench(ok(DONE))
    (frame,) = await made.send()
    assert isinstance(frame, Snapshot) and frame.task_id == "T1"
    assert made.peer.methods == ["SendMessage"]


async def test_an_answer_without_a_task_is_a_message():
    (frame,) = await bench(ok({"kind": "message", "messageId": "m", "parts": [{"text": "hi"}]})).send()
    assert isinstance(frame, Message) and frame.text == "hi"


@pytest.mark.parametrize("stream", [False, True])
async def test_a_stream_is_a_frame_for_each_event(stream):
    made = bench(streamed(sse(task("working")), b": ping\n\n", sse(update("completed")), b"data: [DONE]\n\n"))
    first, last = await made.send(stream=stream)
    assert isinstance(first, Snapshot) and isinstance(last, StatusUpdate)


async def test_f02_a_document_in_place_of_a_stream_counts():
    made = bench(ok(DONE), error(-32004, "no streaming"))
    assert isinstance((await made.send(stream=True))[0], Snapshot)
    (frame,) = await made.send(stream=True)
    assert isinstance(frame, Fault) and frame.code == -32004


@pytest.mark.parametrize("body", [b"", b" \n", b"null", b"<html>", b'"just a word"', b"{oops"])
async def test_at5_an_answer_that_says_nothing_is_noise(body):
    (frame,) = await bench(httpx.Response(200, content=body)).send()
    assert isinstance(frame, Noise)


async def test_at5_no_content_at_all():
    made = bench(httpx.Response(204))
    assert await made.send(stream=True) == []
    assert isinstance(await made.client.get("T1"), Noise)


async def test_what_comes_back_is_kept_for_show_json():
    made = bench(streamed(sse(task("working")), sse(DONE)))
    await made.send(stream=True)
    assert [json.loads(text)["result"]["id"] for text in made.raw] == ["T1", "T1"]


async def test_get_cancel_and_their_limits():
    made = bench(ok(DONE), error(-32001), ok(task("canceled")), error(-32002, "already done"))
    assert isinstance(await made.client.get("T1"), Snapshot)
    lost = await made.client.get("T2")
    assert isinstance(lost, Fault) and lost.code == -32001
    assert isinstance(await made.client.cancel("T1"), Snapshot)
    refused = await made.client.cancel("T1")
    assert isinstance(refused, Fault) and (refused.code, refused.message) == (-32002, "already done")
    assert made.peer.asked[0].extensions["timeout"]["read"] == 10.0
    assert made.peer.asked[2].extensions["timeout"]["read"] == 30.0


async def test_f16_a_stream_may_be_silent_for_as_long_as_it_likes():
    made = bench(streamed(sse(DONE)), streamed(sse(DONE)))
    await made.send(stream=True)
    await made.subscribe()
    assert [r.extensions["timeout"]["read"] for r in made.peer.asked] == [None, None]


# --- the other dialect ---

REST_LOST = {"error": {"code": 404, "message": "Task not found", "details": [{"reason": "TASK_NOT_FOUND"}]}}
UNSPOKEN = {
    "no such method": error(-32601),
    "another version": error(-32009),
    "another version, as HTTP": httpx.Response(400, json={"code": -32009, "message": "version"}),
    "a version that it dislikes": error(-32600, "unsupported A2A-Version", 400),
    "no such route": no_route(),
    "no such verb": no_route(405),
}


@pytest.mark.parametrize("endpoint", [RPC_1, RPC_3, REST_1, REST_3], ids=lambda e: f"{e.binding} {e.version}")
@pytest.mark.parametrize("case", UNSPOKEN)
@pytest.mark.parametrize("streams", [False, True])
async def test_f26_a_dialect_that_is_not_spoken_is_changed_once_and_remembered(endpoint, case, streams):
    made = bench(UNSPOKEN[case], ok(DONE), to=endpoint)
    assert isinstance((await made.send(stream=streams))[0], Snapshot)
    await made.client.get("T1")
    assert made.client.endpoint.version != endpoint.version
    assert [("a2a-version" in r.headers) for r in made.peer.asked] == [
        endpoint.version == "1.0",
        *[endpoint.version != "1.0"] * 2,
    ]


@pytest.mark.parametrize("case", UNSPOKEN)
async def test_where_neither_is_spoken_the_first_answer_counts(case):
    made = bench(UNSPOKEN[case], no_route(), to=RPC_1)
    try:
        (frame,) = await made.send()
        assert isinstance(frame, Fault) and frame.code in (-32601, -32009, -32600)
    except RefusedError as refused:
        assert refused.status in (404, 405)
    assert len(made.peer.asked) == 2 and made.client.endpoint == RPC_1


PROVES_NOTHING: dict[str, tuple[Answer, type[Exception] | type[Frame]]] = {
    "a plain 400": (httpx.Response(400, text="Bad Request"), RefusedError),
    "400 of another kind": (error(-32602, status=400), Fault),
    "500": (httpx.Response(500, text="Internal Server Error"), RefusedError),
    "502": (httpx.Response(502), RefusedError),
    "429": (httpx.Response(429), RefusedError),
    "503": (httpx.Response(503, json=fault(-32601)), RefusedError),
    "401": (httpx.Response(401, json=fault(-32601)), RefusedError),
    "internal": (error(-32603), Fault),
    "bad params": (error(-32602), Fault),
    "invalid": (error(-32600), Fault),
    "no task": (error(-32001), Fault),
    "no task, as HTTP": (httpx.Response(404, json=REST_LOST), Fault),
    "unsupported": (error(-32004), Fault),
    "html": (httpx.Response(200, html="<html>"), Noise),
    "empty": (httpx.Response(200), Noise),
    "reset": (httpx.ReadError("reset"), CutError),
    "silence": (httpx.ReadTimeout("silence"), CutError),
    "half written": (httpx.WriteError("broken"), CutError),
    "refused": (httpx.ConnectError("no"), NotSentError),
    "elsewhere": (httpx.Response(307, headers={"location": "https://b.example/"}), RefusedError),
    "see other": (httpx.Response(302, headers={"location": "/x"}), RefusedError),
    "in a loop": (httpx.Response(307, headers={"location": "/rpc"}), RefusedError),
}


@pytest.mark.parametrize("endpoint", [RPC_1, REST_3], ids=lambda e: f"{e.binding} {e.version}")
@pytest.mark.parametrize("call", ["send", "stream", "cancel"])
@pytest.mark.parametrize("case", PROVES_NOTHING)
async def test_i12_what_proves_nothing_is_never_sent_again(case, call, endpoint):
    answer, kind = PROVES_NOTHING[case]
    made = bench(answer, to=endpoint)
    frames: list[Frame] = []
    try:
        frames = (
            [await made.client.cancel("T1")] if call == "cancel" else await made.send(stream=call == "stream")
        )
    except (NotSentError, CutError, RefusedError) as raised:
        assert type(raised) is kind
    else:
        assert all(isinstance(frame, kind) for frame in frames)
    loops = case == "in a loop" and endpoint.binding == "HTTP+JSON"
    assert len(made.peer.asked) == (2 if loops else 1)
    assert made.client.endpoint == endpoint


async def test_i12_after_the_first_that_was_understood_nothing_is_a_matter_of_dialects():
    made = bench(ok(DONE), error(-32601), no_route())
    await made.send()
    (frame,) = await made.send()
    assert isinstance(frame, Fault) and frame.code == -32601
    with pytest.raises(RefusedError):
        await made.send()
    assert made.peer.methods == ["SendMessage"] * 3


async def test_a_stream_that_breaks_is_not_sent_again():
    feed = Feed(sse(task("working")))
    feed.cut()
    made = bench(stream(feed))
    with pytest.raises(CutError):
        await made.send(stream=True)
    assert len(made.peer.asked) == 1


# --- redirects ---


@pytest.mark.parametrize("status", [307, 308])
async def test_a_redirect_on_the_same_origin_is_followed_once_with_body_and_credential(status):
    moved = httpx.Response(status, headers={"location": "/rpc/"})
    made = bench(moved, ok(DONE), headers={"authorization": f"Bearer {SECRET}"})
    assert isinstance((await made.send())[0], Snapshot)
    first, second = made.peer.asked
    assert str(second.url) == "https://a.example/rpc/" and first.content == second.content
    assert second.headers["authorization"] == f"Bearer {SECRET}"


@pytest.mark.parametrize(
    "target", ["https://b.example/rpc", "http://a.example/rpc", "https://a.example:444/", "//b.example/"]
)
async def test_i7_a_redirect_to_another_origin_gets_nothing(target):
    made = bench(httpx.Response(307, headers={"location": target}), headers={"x-key": SECRET})
    with pytest.raises(RefusedError) as refused:
        await made.send()
    assert len(made.peer.asked) == 1 and refused.value.status == 307 and refused.value.said == target


# --- refusals ---


async def test_f02_a_refusal_keeps_its_status_and_words():
    made = bench(httpx.Response(401, json={"detail": "token missing\x1b[2J"}))
    with pytest.raises(RefusedError) as refused:
        await made.send(stream=True)
    assert (refused.value.status, refused.value.said) == (401, "token missing")


WAITS = {
    "7": 7.0, "0": 0.0, "999999": 3600.0, "soon": None, "": None, "-5": None, "²": None,
    "Sun, 15 Jun 2025 15:06:47 GMT": 7.0, "Sun, 15 Jun 2025 15:06:00 GMT": 0.0,
    "Fri, 31 Dec 9999 23:59:59 GMT": 3600.0, "Sun, 99 Jun 2025 15:06:47 GMT": None,
}  # fmt: skip


@pytest.mark.parametrize("value", WAITS)
def test_f19_retry_after_is_seconds_or_a_date_and_has_a_cap(value):
    assert retry_after(value, START) == WAITS[value]


@pytest.mark.parametrize("status", [429, 503])
async def test_f19_who_is_busy_says_for_how_long(status):
    made = bench(httpx.Response(status, headers={"retry-after": "7"}, json=fault(-32603, "later")))
    with pytest.raises(RefusedError) as refused:
        await made.client.get("T1")
    assert (refused.value.status, refused.value.retry_after, refused.value.said) == (status, 7.0, "later")


async def test_a_page_for_people_says_nothing():
    with pytest.raises(RefusedError) as refused:
        await bench(httpx.Response(502, html="<html><h1>Bad Gateway</h1>")).send()
    assert refused.value.said == ""


async def test_a_refusal_without_end_is_read_no_further():
    with pytest.raises(RefusedError):
        await bench(httpx.Response(500, content=b"x" * 1_000_000)).send()


REST_ERRORS = [
    (httpx.Response(404, json=REST_LOST), -32001),
    (httpx.Response(404, json={"message": "Task not found"}), -32001),
    (httpx.Response(400, json={"error": {"code": 400, "message": "x", "details": [{"reason": "TASK_NOT_CANCELABLE"}]}}), -32002),
    (httpx.Response(400, json={"code": -32602, "message": "Invalid role: -1"}), -32602),
    (httpx.Response(404, json={"type": "https://x.example/errors/task-not-found", "title": "t", "status": 404}), -32001),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(REST_ERRORS)))
async def test_a6_errors_over_rest_have_the_codes_of_the_protocol(number):
    answer, code = REST_ERRORS[number]
    frame = await bench(answer, to=REST_1).client.get("T1")
    assert isinstance(frame, Fault) and frame.code == code and frame.http_status >= 400


# --- errors inside a stream ---

INSIDE = {
    "event of JSON-RPC": (
        b"event: error\ndata: " + json.dumps(fault(-32603, "boom")).encode() + b"\n\n",
        -32603,
        "boom",
    ),
    "data of JSON-RPC": (b"data: " + json.dumps(fault(-32603, "boom")).encode() + b"\n\n", -32603, "boom"),
    "status of REST": (b"data: " + json.dumps(REST_LOST).encode() + b"\n\n", -32001, "Task not found"),
    "bare": (b'event: error\ndata: {"code":-32603,"message":"boom"}\n\n', -32603, "boom"),
    "words": (b"event: error\ndata: upstream timeout\n\n", 0, "upstream timeout"),
}


@pytest.mark.parametrize("case", INSIDE)
async def test_d10_an_error_inside_a_stream_is_a_fault_and_the_stream_goes_on(case):
    event, code, words = INSIDE[case]
    frames = await bench(streamed(sse(task("working")), event, sse(update("working")))).send(stream=True)
    assert isinstance(frames[1], Fault) and (frames[1].code, frames[1].message) == (code, words)
    assert len(frames) == 3


async def test_a_bad_frame_among_good_ones_is_noise():
    frames = await bench(streamed(sse(task("working")), b"data: {oops\n\n", sse(DONE))).send(stream=True)
    assert [type(f) for f in frames] == [Snapshot, Noise, Snapshot]


# --- re-attaching ---


async def test_f25_subscribe_is_post_then_get_and_that_is_remembered():
    made = bench(no_route(405), streamed(sse(DONE)), streamed(sse(DONE)), to=REST_1)
    assert len(await made.subscribe()) == 1
    assert len(await made.subscribe()) == 1
    path = "/rest/tasks/T1:subscribe"
    assert made.peer.methods == [f"POST {path}", f"GET {path}", f"GET {path}"]


async def test_f25_a_verb_that_was_taken_for_an_id():
    lost = httpx.Response(404, json={"code": -32001, "message": "Task not found: T1:subscribe"})
    made = bench(lost, streamed(sse(DONE)), to=REST_1)
    assert isinstance((await made.subscribe())[0], Snapshot)


async def test_f25_a_task_that_is_lost_is_lost_at_once():
    made = bench(httpx.Response(404, json=REST_LOST), to=REST_1)
    (frame,) = await made.subscribe()
    assert isinstance(frame, Fault) and frame.code == -32001 and len(made.peer.asked) == 1


async def test_f25_neither_verb_is_a_refusal_of_both_dialects():
    made = bench(no_route(405), to=REST_1)
    with pytest.raises(RefusedError):
        await made.subscribe()
    assert [m.split()[0] for m in made.peer.methods] == ["POST", "GET", "GET"]


async def test_over_json_rpc_there_is_one_verb():
    made = bench(error(-32601), streamed(sse(DONE)))
    assert len(await made.subscribe()) == 1
    assert made.peer.methods == ["SubscribeToTask", "tasks/resubscribe"]


@pytest.mark.parametrize("code", [-32001, -32004, -32602])
async def test_at7_what_a_finished_task_answers_is_a_fault(code):
    for answer in (error(code), streamed(b"data: " + json.dumps(fault(code)).encode() + b"\n\n")):
        (frame,) = await bench(answer).subscribe()
        assert isinstance(frame, Fault) and frame.code == code


# --- lists ---


def page(*ids: str, token: Any = "") -> httpx.Response:
    return ok({"tasks": [{"id": i, "status": {"state": "working"}} for i in ids], "nextPageToken": token})


async def test_e_an_empty_token_ends_the_list():
    made = bench(page("a", "b", token="2"), page("b", "c", token=""))
    assert [t.task_id for t in await made.client.list("C")] == ["a", "b", "c"]
    assert [json.loads(r.content)["params"].get("pageToken") for r in made.peer.asked] == [None, "2"]


async def test_e_a_token_that_repeats_is_not_asked_for_ever():
    made = bench(page("a", token="2"), page("b", token="2"))
    assert len(await made.client.list("C")) == 2 and len(made.peer.asked) == 2


async def test_e_a_list_without_end_is_cut():
    count = iter(range(1000))
    made = bench(lambda _: page(str(next(count)), token=str(next(count))))
    assert len(await made.client.list("C")) == MOST_PAGES == len(made.peer.asked)


@pytest.mark.parametrize(
    "answer",
    [
        error(-32601),
        error(-32004),
        no_route(),
        ok({"tasks": None}),
        ok({"tasks": [5, None, {}]}),
        ok([]),
        httpx.Response(200),
    ],
)
async def test_no_list_is_an_empty_one(answer):
    made = bench(ok(DONE), answer)
    await made.send()
    assert await made.client.list("C") == ()


async def test_0_3_over_json_rpc_is_never_asked_for_a_list():
    made = bench(ok({}), to=RPC_3)
    assert await made.client.list("C") == () and made.peer.asked == []


async def test_a_list_that_is_not_allowed_is_said():
    with pytest.raises(RefusedError):
        await bench(httpx.Response(403)).client.list("C")


# --- sizes ---


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_a2a_answer, "EVENT_LIMIT", 32 * 1024)
    monkeypatch.setattr(_a2a_answer, "SKIP_LIMIT", 256 * 1024)
    monkeypatch.setattr(_a2a_answer, "ANSWER_LIMIT", 64 * 1024)


async def test_at4_f18_an_event_that_is_too_large_is_dropped_and_the_stream_lives_on(small):
    big = b"data: " + b"y" * 100_000 + b"\n\n"
    frames = await bench(streamed(sse(task("working")), big, sse(DONE))).send(stream=True)
    assert [type(f) for f in frames] == [Snapshot, Noise, Snapshot]


async def test_at4_a_line_without_end_ends_the_stream(small):
    made = bench(streamed(sse(task("working")), *[b"data: " + b"y" * 60_000] * 20))
    frames: list[Frame] = []
    with pytest.raises(CutError):
        async for frame in made.client.send(HELLO, stream=True):
            frames.append(frame)
    assert [type(f) for f in frames] == [Snapshot, Noise, Noise]


async def test_a_document_that_is_too_large_is_noise_and_a_cut(small):
    with pytest.raises(CutError):
        await bench(httpx.Response(200, content=b'{"x":"' + b"y" * 100_000)).send()


async def test_a_stream_may_go_on_for_more_than_any_event(small):
    many = [sse(update("working", "x" * 1000)) for _ in range(300)]
    assert len(await bench(streamed(*many)).send(stream=True)) == 300


async def test_at9_six_megabytes_come_through():
    big = {
        "artifactUpdate": {
            "taskId": "T1",
            "artifact": {"artifactId": "a", "parts": [{"text": "x" * 6_000_000}]},
        }
    }
    (frame,) = await bench(streamed(sse(big))).send(stream=True)
    assert isinstance(frame, ArtifactUpdate) and frame.artifact and len(frame.artifact.text) == 6_000_000


# --- secrets ---


async def test_at13_i7_a_credential_is_in_nothing_that_is_kept_or_raised():
    echoed = {"kind": "message", "messageId": "m", "parts": [{"text": f"you sent Bearer {SECRET}"}]}
    made = bench(ok(echoed), httpx.Response(403, text=f"bad token {SECRET}"), httpx.ReadError(SECRET))
    made.client._headers = _credentials
    await made.send()
    said = [*made.raw, repr(made.client), repr(HELLO)]
    with pytest.raises(RefusedError) as refused:
        await made.send()
    with pytest.raises(CutError) as cut:
        await made.send()
    said += [refused.value.said, repr(refused.value), repr(cut.value), repr(cut.value.__cause__)]
    assert all(r.headers["authorization"] == f"Bearer {SECRET}" for r in made.peer.asked)
    assert not [text for text in said if SECRET in text] and "…" in made.raw[0]


async def _credentials() -> dict[str, str]:
    return {"authorization": f"Bearer {SECRET}"}


def test_what_is_too_short_to_be_a_secret_is_no_reason_to_hide_words():
    assert hide("a b", {"x-key": "a"}) == "a b"


async def test_no_header_of_the_owner_overrides_one_of_the_protocol():
    made = bench(ok(DONE), headers={"A2A-Version": "9", "accept": "x"})
    await made.send()
    assert made.peer.asked[0].headers["a2a-version"] == "1.0"


# --- leaving ---


@pytest.mark.parametrize("way", ["break", "close", "cancel"])
async def test_who_leaves_a_stream_closes_it(way):
    feed = Feed(sse(task("working")))
    made = bench(stream(feed))
    reading = asyncio.Event()

    async def read() -> None:
        async with aclosing(made.client.send(HELLO, stream=True)) as frames:
            async for _ in frames:
                reading.set()
                if way == "break":
                    break
                if way == "close":
                    return

    job = asyncio.create_task(read())
    await reading.wait()
    if way == "cancel":
        job.cancel()
    await asyncio.wait([job])
    assert feed.is_closed


# --- the fault matrix ---

# What a row shows after each case of the matrix when its stream alone has spoken: the last state, or "" for
# none, and how the stream ended. What the stream does not prove, GetTask does, which is its follower's part.
ENDS = {
    "cut": ("working", "cut"), "cutmid": ("working", "cut"), "noterm": ("working", "end"), "empty": ("", "end"),
    "html200": ("", "end"), "err200": ("", "end"), "errnull": ("working", "end"), "errsse": ("working", "end"),
    "errevent": ("working", "end"), "errtext": ("working", "end"), "oldenum": ("input-required", "end"),
    "shortenum": ("input-required", "end"), "numenum": ("input-required", "end"),
    "v03cancelled": ("canceled", "end"), "s401": ("", "401"), "s429": ("", "429"), "s503": ("", "503"),
    "s302": ("", "302"), "afterfinal": ("working", "end"), "toobig": ("working", "cut"),
}  # fmt: skip


@pytest.mark.parametrize("case", [name for name in CASES if name not in ("noclose", "toobig")])
async def test_all_53_variations(case):
    made = bench(CASES[case].response())
    state, end = "", "end"
    try:
        async for frame in made.client.send(HELLO, stream=True):
            if isinstance(frame, Snapshot | StatusUpdate) and frame.status:
                state = read_task_state(frame.status.state).word
    except CutError:
        end = "cut"
    except RefusedError as refused:
        end = str(refused.status)
    assert (state, end) == ENDS.get(case, ("completed", "end"))
    assert len(made.peer.asked) == 1


# --- a real socket ---


@asynccontextmanager
async def served(*answer: bytes) -> AsyncIterator[tuple[str, list[bytes]]]:
    """A server that sends these bytes to each connection and closes it."""
    got: list[bytes] = []
    gone: list[asyncio.Event] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        gone.append(asyncio.Event())
        got.append(await reader.readuntil(b"\r\n\r\n"))
        for piece in answer:
            writer.write(piece)
            await writer.drain()
        writer.close()
        gone[-1].set()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/rpc", got
        for event in gone:
            await event.wait()


async def _nothing() -> dict[str, str]:
    return {}


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


async def test_d09_a_body_that_is_cut_gives_what_came_and_then_the_cut():
    async with served(HEAD, chunk(sse(task("working")))) as (url, got):
        http = Http()
        client = Client(http, Endpoint(url, "JSONRPC", "1.0"), _nothing, clock=FakeClock())
        frames: list[Frame] = []
        with pytest.raises(CutError):
            async for frame in client.send(HELLO, stream=True):
                frames.append(frame)
        await http.close()
    assert len(frames) == 1 and len(got) == 1 and b"a2a-version: 1.0" in got[0].lower()


async def test_d16_the_last_chunk_ends_a_stream_whatever_the_socket_does():
    async with served(HEAD, chunk(sse(DONE)), b"0\r\n\r\n") as (url, _):
        http = Http()
        client = Client(http, Endpoint(url, "JSONRPC", "1.0"), _nothing, clock=FakeClock())
        assert len([frame async for frame in client.send(HELLO, stream=True)]) == 1
        await http.close()


async def test_where_nobody_listens_nothing_was_sent():
    http = Http()
    client = Client(http, Endpoint("http://127.0.0.1:9/", "JSONRPC", "1.0"), _nothing, clock=FakeClock())
    with pytest.raises(NotSentError):
        await client.cancel("T1")
    await http.close()
