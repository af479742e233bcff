# ruff: noqa: E501  (one case a line reads best)
"""What comes out of an endpoint's streams and lists, whatever breaks, and what is never kept."""

import asyncio
import json
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any

import httpx
import pytest

from lisa_island.agents import _a2a_answer
from lisa_island.agents._a2a_answer import hide
from lisa_island.agents._a2a_card import Endpoint
from lisa_island.agents._a2a_client import (
    MOST_PAGES,
    Client,
    CutError,
    NotSentError,
    RefusedError,
)
from lisa_island.agents._a2a_wire import ArtifactUpdate, Fault, Frame, Noise, Snapshot, StatusUpdate
from lisa_island.agents._http import Http
from lisa_island.core.task_state import read_task_state
from tests.agents.client_bench import (
    DONE,
    HELLO,
    REST_1,
    REST_LOST,
    RPC_3,
    SECRET,
    bench,
    error,
    no_route,
    ok,
)
from tests.agents.fault_streams import CASES
from tests.agents.rig import Feed, fault, sse, stream, streamed, task, update
from tests.fakes.clock import FakeClock

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


PAIR = 'u:pa"sswort'


async def test_i7_a_peer_that_echoes_the_credential_brings_it_into_no_frame():
    echoed = {"kind": "message", "messageId": "m", "parts": [{"text": f"you sent Bearer {SECRET}"}]}
    fault = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": f"bad Bearer {SECRET}"}}
    made = bench(
        ok(echoed), streamed(sse(echoed)), httpx.Response(500, json=fault), httpx.Response(200, json=fault)
    )
    made.client._headers = _credentials
    frames = [*await made.send(), *await made.send(stream=True), *await made.send(), *await made.send()]
    assert len(frames) == 4 and not [frame for frame in frames if SECRET in repr(frame)]


@pytest.mark.parametrize("echoed", [PAIR, b64encode(PAIR.encode()).decode(), 'pa"sswort', r"pa\"sswort"])
def test_i7_what_is_behind_a_basic_credential_is_hidden_too(echoed: str):
    sent = {"authorization": f"Basic {b64encode(PAIR.encode()).decode()}"}
    assert hide(f"it was {echoed}.", sent) == "it was …."


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
