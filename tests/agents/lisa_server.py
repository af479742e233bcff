"""A server on the loopback that answers as LISA does (contract lisa.md, C): exact routes, no heartbeat."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

TOKEN = "lisa-token-canary-9f3b1c"


def session(
    agent: str = "claude-code", id_: str = "11111111-2222-4333-8444-555555555555", **more: Any
) -> dict[str, Any]:
    return {
        "agent": agent, "sessionId": id_, "project": "demo", "state": "working", "stateReason": "tool_use",
        "lastMtime": "2025-06-15T15:06:00.000Z", "cwd": "/w/demo", **more,
    }  # fmt: skip


def update(found: dict[str, Any]) -> dict[str, Any]:
    return {"type": "agent_session_update", **found}


class LisaServer:
    """What it answers may be changed at any time; `asked` are (route, authorization) as they came."""

    def __init__(self) -> None:
        self.sessions: Any = []
        self.status = 200
        self.headers = {"X-Lisa-API-Version": "1"}
        self.token = ""
        self.is_mute = False
        self.asked: list[tuple[str, str]] = []
        self.streams: set[asyncio.StreamWriter] = set()
        self._open: set[asyncio.StreamWriter] = set()

    @asynccontextmanager
    async def running(self, port: int = 0) -> AsyncIterator["LisaServer"]:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port)
        self.port = self._server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            await self.leave()

    async def leave(self) -> None:
        """She ends: nobody listens, every connection is closed."""
        self._server.close()
        for writer in tuple(self._open):
            writer.close()
        await self._server.wait_closed()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def push(self, *found: Any) -> None:
        for one in found:
            frame = one if isinstance(one, bytes) else b"data: " + json.dumps(one).encode() + b"\n\n"
            for writer in self.streams:
                writer.write(frame)

    def cut(self) -> None:
        """The stream ends; she goes on."""
        for writer in tuple(self.streams):
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                line, *headers = head.decode("latin-1").split("\r\n")
                route = line.split(" ")[1]
                sent = {h.partition(":")[0].lower(): h.partition(":")[2].strip() for h in headers}
                self.asked.append((route, sent.get("authorization", "")))
                if self.is_mute:
                    await reader.read()
                    return
                if not await self._answer(route, sent, reader, writer):
                    return
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self._open.discard(writer)
            self.streams.discard(writer)
            writer.close()

    async def _answer(
        self, route: str, sent: dict[str, str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        if self.token and sent.get("authorization") != f"Bearer {self.token}":
            return self._say(writer, 401, {"error": "unauthorized", "reason": "token_missing"})
        if self.status != 200:
            return self._say(writer, self.status, {"error": "no"})
        if route == "/api/agents/sessions":
            body = self.sessions if isinstance(self.sessions, bytes) else {"sessions": self.sessions}
            return self._say(writer, 200, body)
        if route != "/events":
            return self._say(writer, 404, b"")
        self._head(writer, 200, {"content-type": "text/event-stream"})
        self.streams.add(writer)
        self.push({"type": "hello", "session": "s"}, {"type": "mood", "slug": "calm"})
        await reader.read()
        return False

    def _say(self, writer: asyncio.StreamWriter, status: int, body: Any) -> bool:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self._head(writer, status, {"content-type": "application/json", "content-length": str(len(data))})
        writer.write(data)
        return True

    def _head(self, writer: asyncio.StreamWriter, status: int, headers: dict[str, str]) -> None:
        lines = [f"HTTP/1.1 {status} X", *(f"{n}: {v}" for n, v in (self.headers | headers).items()), "", ""]
        writer.write("\r\n".join(lines).encode())
