"""`python -m lisa_island.sandbox`: one JSON line when it listens, and it ends with its parent."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import secrets
import socket
import sys
import threading

import uvicorn

from .program import make_app, make_state

KEY = re.compile(r"tako_live_[A-Za-z0-9_-]{32}")


class Program(uvicorn.Server):
    """Says where it listens, and stops when whoever started it lets go of its input."""

    def __init__(self, config: uvicorn.Config, greeting: dict[str, str]) -> None:
        super().__init__(config)
        self._greeting = greeting

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._watch, args=(loop,), daemon=True).start()
        print(json.dumps(self._greeting), flush=True)

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        while os.read(sys.stdin.fileno(), 4096):
            pass
        loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        self.should_exit = self.force_exit = True


def main(argv: list[str] | None = None) -> int:
    arguments = _arguments()
    asked = arguments.parse_args(argv)
    state = make_state(
        asked.key,
        generation=asked.generation,
        speed=asked.speed,
        relays=dict(asked.relay),
        fillers=asked.registry,
        limit=asked.limit,
    )
    try:
        door = socket.create_server(("127.0.0.1", asked.port))
    except OSError as fault:
        arguments.error(f"argument --port: cannot listen on 127.0.0.1:{asked.port}: {fault.strerror}")
    url = f"http://127.0.0.1:{door.getsockname()[1]}"
    greeting = {"type": "listening", "url": url, "generation": asked.generation, "key": asked.key}
    config = uvicorn.Config(
        make_app(state),
        lifespan="off",
        ws="none",
        access_log=False,
        log_level="critical",  # a cut connection is played on purpose and is no error here
        timeout_keep_alive=75,
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    Program(config, greeting).run(sockets=[door])
    return 0


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("lisa_island.sandbox", description=__doc__, allow_abbrev=False)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--generation", choices=("G0", "G1"), default="G1")
    parser.add_argument("--key", type=_key, default="tako_live_" + secrets.token_urlsafe(24))
    parser.add_argument("--relay", type=_relay, action="append", default=[], metavar="SLUG=URL")
    parser.add_argument("--speed", type=float, default=1.0, help="factor of every delay; 0 is no delay")
    parser.add_argument("--registry", type=int, default=0, metavar="N", help="N more hosted agents")
    parser.add_argument("--limit", type=int, default=120, help="calls per key and minute")
    return parser


def _key(text: str) -> str:
    if not KEY.fullmatch(text):
        raise argparse.ArgumentTypeError("a key is tako_live_ and 32 letters, digits, - or _")
    return text


def _relay(text: str) -> tuple[str, str]:
    slug, mark, url = text.partition("=")
    if not re.fullmatch(r"[a-z0-9-]+", slug) or not mark or not url.startswith(("http://", "https://")):
        raise argparse.ArgumentTypeError("SLUG=URL, with an http address")
    return slug, url


if __name__ == "__main__":
    sys.exit(main())
