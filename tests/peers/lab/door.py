"""How every Python peer is started, steered and ended.

Prints one JSON line with its address. Each line on standard input steers it and is answered with one JSON
line: `drop` cuts the open streams, all others go to the tasks that wait. It ends when its input closes.
"""

import argparse
import asyncio
import json
import logging
import os
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn
from lab.script import Gates

CARD = ".well-known/agent-card.json"


def asked() -> argparse.Namespace:
    """The command line that all peers share."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--store", type=Path, help="a folder that keeps the tasks over a restart")
    parser.add_argument("--binding", action="append", choices=["JSONRPC", "HTTP+JSON"])
    parser.add_argument("--dialect", action="append", choices=["1.0", "0.3"])
    parser.add_argument("--token", default="", help="refuse all but the card without this bearer token")
    parser.add_argument("--lenient", action="store_true", help="give a message the id that it lacks")
    return parser.parse_args()


def opened(port: int) -> tuple[socket.socket, str]:
    """A listening socket and its address."""
    door = socket.create_server(("127.0.0.1", port))
    return door, f"http://127.0.0.1:{door.getsockname()[1]}/"


def tell(**fields: Any) -> None:
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def serve(app: Any, door: socket.socket, url: str, gates: Gates, ask: argparse.Namespace) -> None:
    """Serve until standard input closes."""
    # What breaks here is meant to: the tests look at what is sent, not at a log.
    logging.disable(logging.CRITICAL)
    if ask.lenient:
        app = Lenient(app)
    if ask.token:
        app = Guarded(app, ask.token)
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))

    def steer(line: str) -> None:
        if line == "drop":
            drop(server)
        else:
            gates.tell(line)
        tell(type="did", line=line)

    async def run() -> None:
        threading.Thread(target=listen, args=(asyncio.get_running_loop(), steer), daemon=True).start()
        tell(type="listening", url=url, card=url + CARD)
        await server.serve(sockets=[door])

    asyncio.run(run())


def drop(server: uvicorn.Server) -> None:
    """Cut what is being answered, without the chunk that would end it."""
    for connection in tuple(server.server_state.connections):
        cycle = getattr(connection, "cycle", None)
        if cycle is not None and not cycle.response_complete:
            connection.transport.close()


def listen(loop: asyncio.AbstractEventLoop, steer: Callable[[str], None]) -> None:
    for line in sys.stdin:
        loop.call_soon_threadsafe(steer, line.strip())
    # As a machine that is switched off: nothing is said to anybody.
    os._exit(0)


class Guarded:
    """Lets nobody in without the token."""

    def __init__(self, app: Any, token: str) -> None:
        self._app, self._token = app, f"Bearer {token}".encode()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope.get("headers", ()))
        is_free = scope["type"] != "http" or scope["path"].endswith(CARD)
        if is_free or headers.get(b"authorization") == self._token:
            await self._app(scope, receive, send)
            return
        told = [(b"content-type", b"application/json"), (b"www-authenticate", b'Bearer realm="painter"')]
        await send({"type": "http.response.start", "status": 401, "headers": told})
        await send({"type": "http.response.body", "body": b'{"detail":"token missing"}'})


class Lenient:
    """Gives a message its missing id before the SDK reads it."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def mended() -> Any:
            event = await receive()
            if event.get("body"):
                request = json.loads(event["body"])
                request["params"]["message"].setdefault("messageId", "given-by-the-server")
                event["body"] = json.dumps(request).encode()
            return event

        await self._app(scope, mended if scope["type"] == "http" else receive, send)
