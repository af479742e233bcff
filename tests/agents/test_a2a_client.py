# ruff: noqa: E501  (one case a line reads best)
"""One A2A endpoint, called: what is sent, what is never sent twice, and what comes out of every answer."""

import json

import httpx
import pytest

from lisa_island.agents._a2a_answer import retry_after
from lisa_island.agents._a2a_client import (
    CutError,
    NotSentError,
    RefusedError,
)
from lisa_island.agents._a2a_wire import Fault, Frame, Message, Noise, Snapshot, StatusUpdate
from tests.agents.client_bench import (
    DONE,
    REST_1,
    REST_3,
    REST_LOST,
    RPC_1,
    RPC_3,
    SECRET,
    Answer,
    bench,
    error,
    no_route,
    ok,
)
from tests.agents.rig import Feed, fault, sse, stream, streamed, task, update
from tests.fakes.clock import START

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
