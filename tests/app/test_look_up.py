"""A resolver that hangs holds up nothing and nobody."""

import asyncio
import socket
import threading

import httpx
import pytest

from lisa_island.app import look_up


@pytest.fixture
def hanging(monkeypatch):
    """A look-up that hangs until the test is over; it tells when it has begun."""
    begun, over = threading.Event(), threading.Event()

    def hang(*_args, **_more):
        begun.set()
        over.wait()
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    yield begun
    over.set()


async def get(begun):
    async def ask():
        async with httpx.AsyncClient(trust_env=False, timeout=None) as client:
            await client.get("http://name.example/")

    asked = asyncio.ensure_future(ask())
    await asyncio.get_running_loop().run_in_executor(None, begun.wait)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked


def test_who_leaves_waits_for_no_look_up(hanging):
    """With a loop of asyncio's alone, this never ends."""
    with asyncio.Runner(loop_factory=look_up.make) as runner:
        runner.run(get(hanging))


def test_a_look_up_has_a_limit_and_nothing_was_sent_then(hanging, monkeypatch):
    monkeypatch.setattr(look_up, "LOOK_UP_SECONDS", 0.0)

    async def ask():
        async with httpx.AsyncClient(trust_env=False, timeout=None) as client:
            with pytest.raises(httpx.ConnectTimeout):
                await client.get("http://name.example/")

    with asyncio.Runner(loop_factory=look_up.make) as runner:
        runner.run(ask())


def test_names_are_found():
    async def ask():
        return await asyncio.get_running_loop().getaddrinfo("localhost", 80, type=socket.SOCK_STREAM)

    with asyncio.Runner(loop_factory=look_up.make) as runner:
        assert {entry[4][0] for entry in runner.run(ask())} & {"127.0.0.1", "::1"}
