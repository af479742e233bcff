"""The fake clock is what other tests stand on."""

import asyncio

from tests.fakes.clock import FakeClock, settle


def test_timers_run_in_order_each_at_its_own_time() -> None:
    clock = FakeClock(now=1_000)
    seen: list[tuple[str, int]] = []
    clock.call_later(2, lambda: seen.append(("b", clock.now())))
    clock.call_later(1, lambda: seen.append(("a", clock.now())))
    clock.advance(1.5)
    assert seen == [("a", 2_000)]
    clock.advance(1)
    assert seen == [("a", 2_000), ("b", 3_000)]
    assert clock.now() == 3_500
    assert clock.pending == 0


def test_a_timer_that_starts_a_timer_runs_both_on_one_way() -> None:
    clock = FakeClock()
    seen: list[float] = []

    def again() -> None:
        seen.append(clock.monotonic())
        if len(seen) < 3:
            clock.call_later(1, again)

    clock.call_later(1, again)
    clock.advance(10)
    assert seen == [1.0, 2.0, 3.0]


def test_a_cancelled_timer_does_not_run() -> None:
    clock = FakeClock()
    cancel = clock.call_later(1, lambda: (_ for _ in ()).throw(AssertionError))
    assert clock.pending == 1
    cancel()
    assert clock.pending == 0
    clock.advance(2)
    cancel()
    assert clock.pending == 0


async def test_sleepers_wake_and_sleep_again() -> None:
    clock = FakeClock()
    woken: list[float] = []

    async def work() -> None:
        for _ in range(3):
            await clock.sleep(1)
            woken.append(clock.monotonic())

    task = asyncio.get_running_loop().create_task(work())
    await clock.run(2.5)
    assert woken == [1.0, 2.0]
    assert clock.pending == 1
    task.cancel()
    await settle()
    assert task.cancelled()
    assert clock.pending == 0


def test_a_jump_runs_nothing() -> None:
    clock = FakeClock(now=0)
    clock.call_later(1, lambda: (_ for _ in ()).throw(AssertionError))
    clock.jump(3_600_000)
    assert (clock.now(), clock.monotonic()) == (3_600_000, 0.0)
