"""Many streams over real sockets: at most so many are open, and leaving closes every one."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from lisa_island.core.intents import Send
from tests.agents.rig import Rig, envelope, sse, task

CARD = {"name": "Box", "description": "", "version": "1", "capabilities": {"streaming": True}, "skills": []}


class Loopback(Rig):
    """The source with one agent on loopback, over the network."""

    kind = "a2a"

    def __init__(self, origin: str) -> None:
        offered = {"url": f"{origin}/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        card = json.dumps({**CARD, "supportedInterfaces": [offered]})
        agent = {"name": "box", "url": origin, "card": card, "origins": [origin]}
        super().__init__(gateway=object(), settings={"agents": [agent]}, keys={}, is_played=False)


@dataclass
class Busy:
    """A server whose tasks work for ever; `streams` are open now, `ends` come when a connection is gone."""

    streams: int = 0
    most: int = 0
    asked: list[str] = field(default_factory=list)
    open: set[asyncio.Task[None]] = field(default_factory=set)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        me = asyncio.current_task()
        assert me is not None
        self.open.add(me)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = re.search(rb"content-length: (\d+)", head.lower())
                assert length is not None
                body = json.loads(await reader.readexactly(int(length[1])))
                self.asked.append(body["method"])
                if "Stream" in body["method"] or "Subscribe" in body["method"]:
                    await self._talk(body, reader, writer)
                    return
                params = body["params"]
                found = task("working", id=params.get("id") or params["message"]["messageId"])
                said = found if body["method"] == "GetTask" else {"task": found}
                data = json.dumps(envelope(said)).encode()
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(data), data))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.open.discard(me)
            writer.close()

    async def _talk(self, body: dict, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        params = body["params"]
        self.streams += 1
        self.most = max(self.most, self.streams)
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n")
        writer.write(sse(task("working", id=params.get("id") or params["message"]["messageId"])))
        await reader.read()
        self.streams -= 1


@asynccontextmanager
async def busy() -> AsyncIterator[tuple[Busy, str]]:
    found = Busy()
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    async with server:
        yield found, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def forty(origin: str) -> None:
    """Forty tasks at once, until each has a word of its agent; then leave."""
    async with Loopback(origin) as rig:
        sent = [asyncio.ensure_future(rig.supervisor.perform(Send("a2a", "box", "go"))) for _ in range(40)]
        await asyncio.gather(*sent)
        assert len([row for row in rig.rows if row.task and row.task.task_id]) == 40


async def test_at11_leaving_closes_every_socket() -> None:
    async with busy() as (agent, origin):
        await forty(origin)
        assert agent.most == 32 and agent.asked.count("SendMessage") == 8
        async with asyncio.timeout(10):
            await asyncio.gather(*agent.open)
    assert not agent.open and not agent.streams
