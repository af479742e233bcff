"""The real clock agrees with the machine."""

import asyncio
import time

from lisa_island.core.ports import Clock
from lisa_island.system.clock import SystemClock
from tests.fakes.clock import FakeClock


def test_both_clocks_are_the_port() -> None:
    clocks: tuple[Clock, ...] = (SystemClock(), FakeClock())
    assert len(clocks) == 2


def test_time_is_the_machines() -> None:
    clock = SystemClock()
    before = time.time()
    now = clock.now()
    assert before * 1000 - 1 <= now <= time.time() * 1000 + 1
    assert clock.monotonic() <= clock.monotonic()


async def test_waiting() -> None:
    clock = SystemClock()
    rung = asyncio.Event()
    cancel = clock.call_later(0, lambda: (_ for _ in ()).throw(AssertionError))
    cancel()
    clock.call_later(0, rung.set)
    await clock.sleep(0)
    await rung.wait()
