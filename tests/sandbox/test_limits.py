"""The limiter's window, and gates that open before or after someone waits."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from lisa_island.sandbox.state import WINDOW, Gates, Limiter


@given(st.lists(st.floats(0, 20), max_size=60), st.integers(1, 10))
def test_no_window_lets_more_calls_pass_than_its_limit(pauses: list[float], limit: int) -> None:
    limiter, now, passed = Limiter(limit), 0.0, []
    start: float | None = None
    for pause in pauses:
        now += pause
        if start is None or now >= start + WINDOW:
            start, passed = now, []
        wait = limiter.retry_after("k", now)
        if wait is None:
            passed.append(now)
        else:
            assert now + wait >= start + WINDOW
        assert len(passed) <= limit


def test_buckets_do_not_share() -> None:
    limiter = Limiter(1)
    assert [limiter.retry_after(bucket, 0.0) for bucket in "aba"] == [None, None, 60]
    assert limiter.retry_after("a", 60.0) is None


async def test_an_opening_may_come_first() -> None:
    gates = Gates()
    gates.open("x")
    async with asyncio.timeout(5):
        await gates.wait("x")


async def test_release_lets_all_waiters_go() -> None:
    gates = Gates()
    gates.held.add("x")
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        for _ in range(3):
            group.create_task(gates.wait("x"))
        await asyncio.sleep(0)
        assert gates.waiting["x"] == 3
        gates.release("x")
    assert not gates.held
