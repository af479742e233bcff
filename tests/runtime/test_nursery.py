"""Every task has an owner that awaits it."""

import asyncio

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
