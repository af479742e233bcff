"""Connections are kept for questions alone: what has an effect always goes out on a fresh one."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from lisa_island.agents._a2a_card import Endpoint
from lisa_island.agents._a2a_client import Client, Outgoing
from lisa_island.agents._http import ASKED_AT_ONCE, CutError, Http
from tests.agents.rig import envelope, task
from tests.fakes.clock import FakeClock


@dataclass
class Kept:
    """A server that keeps connections; `seen` has the methods of each, `drops` how many questions break."""

    url: str = ""
    seen: list[list[str]] = field(default_factory=list)
    drops: int = 0
    is_held: bool = False
    busy: int = 0
    most: int = 0
    go: asyncio.Event = field(default_factory=asyncio.Event)
    full: asyncio.Event = field(default_factory=asyncio.Event)
    ends: list[asyncio.Event] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        methods: list[str] = []
        self.seen.append(methods)
        ended = asyncio.Event()
        self.ends.append(ended)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
                method = json.loads(await reader.readexactly(length))["method"]
                methods.append(method)
                if self.drops and len(methods) > 1:
                    self.drops -= 1
                    break
                self.busy += 1
                self.most = max(self.most, self.busy)
                if self.busy == ASKED_AT_ONCE:
                    self.full.set()
                if self.is_held:
                    await self.go.wait()
                self.busy -= 1
                data = json.dumps(envelope(task("working"))).encode()
                head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
                writer.write(head % len(data) + data)
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()
            ended.set()


@asynccontextmanager
async def opened() -> AsyncIterator[tuple[Kept, Client]]:
    kept = Kept()
    server = await asyncio.start_server(kept.serve, "127.0.0.1", 0)
    kept.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/rpc"
    http = Http()

    async def nothing() -> dict[str, str]:
        return {}

    async with server:
        yield kept, Client(http, Endpoint(kept.url), nothing, clock=FakeClock())
        await http.close()
        for end in kept.ends:
            await end.wait()


async def test_questions_share_a_connection_and_calls_have_their_own():
    async with opened() as (kept, client):
        await client.get("T1")
        await client.get("T1")
        assert [frame async for frame in client.send(Outgoing("x", "m"), stream=False)]
        await client.cancel("T1")
        await client.get("T1")
    assert sorted(kept.seen) == [["CancelTask"], ["GetTask"] * 3, ["SendMessage"]]


async def test_i12_a_kept_connection_that_died_costs_a_question_no_answer_and_is_tried_once():
    async with opened() as (kept, client):
        await client.get("T1")
        kept.drops = 1
        assert (await client.get("T1")).task_id == "T1"
        assert kept.seen == [["GetTask", "GetTask"], ["GetTask"]]


async def test_a_server_that_breaks_on_fresh_connections_too_is_cut_off():
    async with opened() as (_, client):
        await client.get("T1")
        http = client._http
        tried = []

        def broken(request, *, is_kept=False):
            tried.append(is_kept)
            return _cut()

        http._open = broken
        with pytest.raises(CutError):
            await client.get("T1")
        assert tried == [True, False]


@asynccontextmanager
async def _cut() -> AsyncIterator[None]:
    raise CutError
    yield


async def test_many_questions_to_one_server_wait_for_their_turn():
    async with opened() as (kept, client):
        kept.is_held = True
        asked = asyncio.gather(*(client.get("T1") for _ in range(30)))
        await kept.full.wait()
        kept.go.set()
        assert len(await asked) == 30
    assert kept.most == ASKED_AT_ONCE
