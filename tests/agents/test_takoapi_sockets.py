"""Streams that are opened and abandoned leave no socket: a real server on loopback counts them."""

import asyncio
import sys
from contextlib import aclosing, suppress
from pathlib import Path

import pytest

from lisa_island.agents import _takoapi_http
from lisa_island.agents._http import CutError, bytes_of
from lisa_island.agents._sse import read_document, read_events
from lisa_island.agents._takoapi_http import Gateway

STREAMS = 1_000
AT_ONCE = 20
WAYS = ("break", "raise", "cancel")

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
FRAME = b'data: {"jsonrpc":"2.0","result":{"kind":"task","id":"T","status":{"state":"working"}}}\n\n'


class Server:
    """Starts every stream and ends none."""

    def __init__(self) -> None:
        self.opened = 0
        self.open: set[asyncio.StreamWriter] = set()
        self.all_closed = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.opened += 1
        self.open.add(writer)
        self.all_closed.clear()
        await reader.readuntil(b"\r\n\r\n")
        writer.write(HEAD + b"%x\r\n%s\r\n" % (len(FRAME), FRAME))
        while await reader.read(4096):
            pass
        writer.close()
        await writer.wait_closed()
        self.open.discard(writer)
        if not self.open:
            self.all_closed.set()


def sockets() -> int:
    if sys.platform != "linux":
        return 0
    count = 0
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the folder's own descriptor is gone by then
            count += str(entry.readlink()).startswith("socket:")
    return count


async def read_on(gateway: Gateway, way: str, reading: asyncio.Event) -> None:
    """Read one event, then leave by the given door, or wait for more."""
    async with (
        gateway.post("/v1/agents/a/stream", {"text": "x"}, "key", stream=True) as response,
        aclosing(bytes_of(response)) as chunks,
        aclosing(read_events(chunks)) as events,
    ):
        async for _ in events:
            reading.set()
            if way == "break":
                break
            if way == "raise":
                raise LookupError


async def abandon(gateway: Gateway, way: str) -> None:
    reading = asyncio.Event()
    task = asyncio.create_task(read_on(gateway, way, reading))
    await reading.wait()
    if way == "cancel":
        task.cancel()
    with suppress(LookupError, asyncio.CancelledError):
        await task


async def test_no_socket_is_left_of_a_thousand_abandoned_streams():
    server = Server()
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    gateway = Gateway(f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}", None)
    before = sockets()
    for _ in range(STREAMS // AT_ONCE):
        await asyncio.gather(*(abandon(gateway, WAYS[n % 3]) for n in range(AT_ONCE)))
    await gateway.close()
    await server.all_closed.wait()
    assert server.opened == STREAMS
    assert not server.open
    assert sockets() == before
    listening.close()
    await listening.wait_closed()


async def drip(writer: asyncio.StreamWriter, start: bytes, drop: bytes) -> None:
    """Send for ever, a little at a time, so that no single read is ever late."""
    with suppress(ConnectionError):
        writer.write(start)
        while not writer.is_closing():
            writer.write(drop)
            await writer.drain()
            await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("start", "drop"),
    [
        (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 999999999\r\n\r\n", b" "),
        (b"HTTP/1.1 429 Slow\r\ncontent-length: 999999999\r\n\r\n", b" "),
    ],
)
async def test_an_answer_that_only_drips_is_cut(monkeypatch, start, drop):
    """The gateway ends every message after half a minute; whoever drips on holds a place for ever."""
    monkeypatch.setattr(_takoapi_http, "HEAD_SECONDS", 0.05)
    monkeypatch.setattr(_takoapi_http, "DOCUMENT_SECONDS", 0.05)
    monkeypatch.setattr(_takoapi_http, "MESSAGE_READ", 0.05)
    monkeypatch.setattr(_takoapi_http, "REGISTRY_READ", 0.05)
    dripping = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        dripping.add(asyncio.current_task())
        await reader.readuntil(b"\r\n\r\n")
        await drip(writer, start, drop)

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    gateway = Gateway(f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}", None)
    try:
        async with asyncio.timeout(20):
            with pytest.raises(CutError):
                async with gateway.post("/v1/agents/a/message", {"text": "x"}, "key") as response:
                    await read_document(bytes_of(response), 1 << 30)
            with pytest.raises(CutError):
                await gateway.get("/api/registry")
    finally:
        await gateway.close()
        listening.close()
        await asyncio.gather(*dripping)
