"""Sleep is told by logind, on a bus of the test's own."""

import asyncio
import contextlib
import gc
import tempfile
from contextlib import aclosing
from pathlib import Path

import pytest
from dbus_fast import Message, RequestNameReply
from dbus_fast.aio import MessageBus

from lisa_island.system import session_bus
from lisa_island.system.resume import INTERFACE, NAME, resumes
from lisa_island.system.worker import Worker
from tests.desktop.private_bus import private_bus


@pytest.fixture
def bus_address():
    with tempfile.TemporaryDirectory(prefix="li.") as folder, private_bus(Path(folder)) as address:
        yield address


@pytest.fixture
def worker():
    made = Worker()
    yield made
    made.close()


async def logind(address: str) -> MessageBus:
    bus = await MessageBus(bus_address=address).connect()
    assert await bus.request_name(NAME) is RequestNameReply.PRIMARY_OWNER
    return bus


def sleeps(bus: MessageBus, before: bool) -> None:
    bus.send(Message.new_signal("/org/freedesktop/login1", INTERFACE, "PrepareForSleep", "b", [before]))


async def test_it_is_told_after_sleep_and_not_before(bus_address, worker):
    bus = await logind(bus_address)
    async with aclosing(resumes(worker, {"DBUS_SYSTEM_BUS_ADDRESS": bus_address})) as told:
        first = asyncio.ensure_future(anext(told))
        async with asyncio.timeout(20):
            while not first.done():
                # Until the rule is in place nothing can be heard; then the first signal is.
                sleeps(bus, True)
                sleeps(bus, False)
                await asyncio.wait([first], timeout=0.05)
        await first
    bus.disconnect()


async def test_a_machine_without_that_bus_is_told_nothing(worker):
    told = [_ async for _ in resumes(worker, {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"})]
    assert told == []


async def test_whoever_is_cancelled_while_connecting_leaves_no_socket(bus_address, worker):
    """A warning of an unclosed socket fails the test; a few moments of cancelling are tried."""
    for turns in range(0, 40, 3):
        asking = asyncio.ensure_future(session_bus.connect(worker, {"DBUS_SESSION_BUS_ADDRESS": bus_address}))
        for _ in range(turns):
            await asyncio.sleep(0)
        asking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            if (bus := await asking) is not None:
                bus.disconnect()
        gc.collect()
