"""Every task has an owner that awaits it."""

import asyncio

import pytest

from lisa_island.runtime import nursery as nursery_module
from lisa_island.runtime.nursery import Nursery


async def test_close_cancels_and_waits_for_every_finally():
    ended = []
    started = asyncio.Event()

    async def work():
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append(1)

    nursery = Nursery()
    nursery.start(work(), "a")
    await started.wait()
    assert nursery.names == ("a",)
    await nursery.close()
    assert ended == [1] and nursery.names == ()


async def test_a_failure_is_reported_once_and_touches_no_sibling():
    failures = []
    nursery = Nursery(lambda name, error: failures.append((name, type(error))))
    going = asyncio.Event()

    async def broken():
        raise ValueError("tako_live_secret")

    async def sound():
        await going.wait()

    nursery.start(broken(), "broken")
    nursery.start(sound(), "sound")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert failures == [("broken", ValueError)] and nursery.names == ("sound",)
    await nursery.close()


async def test_the_log_names_the_type_and_never_the_message(caplog):
    async def broken():
        raise ValueError("tako_live_secret")

    nursery = Nursery()
    nursery.start(broken(), "broken")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert "ValueError" in caplog.text and "tako_live" not in caplog.text
    await nursery.close()


async def test_who_cleans_up_after_a_cancel_is_not_cancelled_again() -> None:
    """A source that closes its connections has waits of its own to go through."""
    nursery, waits, through = Nursery(), asyncio.Event(), []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await waits.wait()
            through.append("closed")

    cancel = nursery.start(work(), "source")
    await asyncio.sleep(0)
    cancel()
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_soon(waits.set)
    await nursery.close()
    assert through == ["closed"] and nursery.names == ()


async def test_who_never_ends_its_cleaning_up_is_told_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nursery_module, "CLEAN_UP_SECONDS", 0.01)
    nursery = Nursery()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.Event().wait()

    cancel = nursery.start(work(), "stuck")
    await asyncio.sleep(0)
    cancel()
    await nursery.close()
    assert nursery.names == ()
