"""Every recorded exchange, in every cut: the same frames each time, and never an exception."""

import json
from collections.abc import Sequence

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_island.agents._a2a_wire import Fault, Frame, Message, Noise, Snapshot, StatusUpdate, read_frame
from lisa_island.agents._sse import Document, read_events
from lisa_island.core.task_state import read_task_state
from tests.agents.captures import (
    Exchange,
    exchange,
    exchanges,
    names,
    pushes,
    recorded,
    replay,
    shortened,
)

ALL = exchanges()
# One for each framing: CR LF with pings, LF, one event over many lines, and one that broke off.
CUT = [
    exchange("01", "SendStreamingMessage -> working"),
    exchange("10", "SendStreamingMessage ask"),
    exchange("07", "POST /v1/message:stream"),
    exchange("06", "boom"),
]
STREAMS = [found for found in ALL if found.is_stream]


async def frames_of(response: httpx.Response) -> list[Frame]:
    """What our own reading makes of a response, up to its end or to where it broke."""
    found: list[Frame] = []
    try:
        async for item in read_events(response.aiter_raw()):
            text = item.data.decode("utf-8", "replace") if isinstance(item, Document) else item.data
            try:
                found.append(read_frame(json.loads(text)))
            except ValueError:
                found.append(Noise(what="no JSON"))
    except httpx.RemoteProtocolError:
        pass
    return found


async def read(
    found: Exchange, cuts: Sequence[int] | None = None, *, stop_after: int | None = None
) -> list[Frame]:
    """The frames of a recorded response that arrives in these pieces."""
    transport = recorded(found, cuts, stop_after=stop_after)
    async with httpx.AsyncClient(transport=transport, verify=False, trust_env=False) as client:
        request = client.build_request(found.method, "http://agent.example" + found.path)
        try:
            response = await client.send(request, stream=True)
        except httpx.RemoteProtocolError:
            assert stop_after is not None and stop_after < len(found.head) + 4
            return []
        try:
            assert stop_after is not None or response.status_code == found.status
            return await frames_of(response)
        finally:
            await response.aclose()


def test_the_recordings_are_all_there() -> None:
    assert len(names()) == 15 and len(ALL) == 189 and len(STREAMS) == 67
    assert shortened() == ["04: list: bad status", "10: ListTasks"]


@pytest.mark.parametrize("found", ALL, ids=lambda found: found.id)
async def test_it_is_read_alike_in_any_piece(found: Exchange) -> None:
    frames = await read(found)
    assert frames or not found.body.startswith((b"{", b"data:"))
    assert frames == await read(found, [1] * len(found.response))
    assert frames == await read(found, [len(found.response)])
    words = [f.status.state for f in frames if isinstance(f, Snapshot | StatusUpdate) and f.status]
    assert all(read_task_state(word).word != "unknown" for word in words), words


@pytest.mark.parametrize("found", STREAMS, ids=lambda found: found.id)
async def test_nothing_of_a_stream_is_lost(found: Exchange) -> None:
    """Each event of the body is a frame with a shape."""
    events = [e for e in found.body.replace(b"\r\n", b"\n").split(b"\n\n") if b"data:" in e]
    frames = await read(found)
    assert len(frames) == len(events)
    if not found.capture.startswith("13"):
        assert not [f for f in frames if isinstance(f, Noise)]


@pytest.mark.slow
@pytest.mark.parametrize("found", CUT, ids=lambda found: found.id)
async def test_cut_anywhere_it_is_a_beginning_of_the_whole(found: Exchange) -> None:
    whole = await read(found)
    counts = []
    for at in range(len(found.response) + 1):
        part = await read(found, stop_after=at)
        assert part == whole[: len(part)], at
        counts.append(len(part))
    assert counts == sorted(counts) and counts[0] == 0 and counts[-1] == len(whole)


@given(data=st.data())
@settings(max_examples=150)
async def test_random_pieces_change_nothing(data: st.DataObject) -> None:
    found = data.draw(st.sampled_from(STREAMS))
    cuts = data.draw(st.lists(st.integers(1, 400), max_size=60))
    assert await read(found, cuts) == await read(found)


@pytest.mark.parametrize("found", CUT, ids=lambda found: found.id)
async def test_over_a_socket_it_is_the_same(found: Exchange) -> None:
    async with replay(found, [1, 300, 7, 64]) as server, httpx.AsyncClient(trust_env=False) as client:
        body = found.request_body or None
        async with client.stream(found.method, server.url + found.path, content=body) as response:
            assert await frames_of(response) == await read(found)
        assert server.asked[0].endswith(found.request_body)


@pytest.mark.parametrize("push", pushes(), ids=lambda push: push.path)
def test_what_a_webhook_gets_has_the_same_shapes(push) -> None:
    assert not isinstance(read_frame(json.loads(push.body)), Noise | Fault)


def test_the_gateways_decoder_knows_a_message_from_a_task() -> None:
    said = exchange("01", "SendMessage -> direct Message")
    assert isinstance(read_frame(json.loads(said.body)), Message)
