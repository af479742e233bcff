"""A clock that stands still until the test moves it."""

import asyncio
import heapq
from collections.abc import Callable
from itertools import count

START = 1_750_000_000_000


class FakeClock:
    """`core.ports.Clock` for tests. `advance` is for plain code, `run` for code with sleeping tasks."""

    def __init__(self, now: int = START) -> None:
        self._wall = float(now)
        self._mono = 0.0
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._gone: set[int] = set()
        self._serial = count()

    def now(self) -> int:
        """Epoch ms."""
        return round(self._wall)

    def monotonic(self) -> float:
        """Seconds since the clock was made."""
        return self._mono

    async def sleep(self, seconds: float) -> None:
        """Wait until the test has moved the clock so far; 0 only lets others run."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        woken = asyncio.get_running_loop().create_future()
        cancel = self.call_later(seconds, lambda: None if woken.done() else woken.set_result(None))
        try:
            await woken
        finally:
            cancel()

    def call_later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        """Run once when the clock gets there; the answer cancels it."""
        serial = next(self._serial)
        heapq.heappush(self._due, (self._mono + max(0.0, seconds), serial, call))
        return lambda: self._cancel(serial)

    def _cancel(self, serial: int) -> None:
        self._gone.add(serial)
        if len(self._gone) > 64 and len(self._gone) > len(self._due) // 2:
            # As a loop does: what was cancelled is not kept until its time comes.
            self._due = [due for due in self._due if due[1] not in self._gone]
            heapq.heapify(self._due)
            self._gone.clear()

    @property
    def pending(self) -> int:
        """How many timers and sleepers wait: 0 proves that nothing polls."""
        return sum(serial not in self._gone for _, serial, _ in self._due)

    def advance(self, seconds: float) -> None:
        """Move on and run every timer on the way, in order, each at its own time.

        Tasks that slept are woken, and run when the test next awaits; what they do then is not on the way.
        """
        end = self._mono + seconds
        while self._fire_next(end):
            pass
        self._move(end)

    async def run(self, seconds: float) -> None:
        """Move on as `advance` does, and let woken tasks run before the clock moves further."""
        end = self._mono + seconds
        await settle()
        while self._fire_next(end):
            await settle()
        self._move(end)
        await settle()

    def jump(self, milliseconds: int) -> None:
        """Set the wall clock forward or back, as a machine's owner or its sleep does; no timer runs."""
        self._wall += milliseconds

    def _fire_next(self, end: float) -> bool:
        while self._due and self._due[0][0] <= end:
            at, serial, call = heapq.heappop(self._due)
            if serial in self._gone:
                self._gone.discard(serial)
                continue
            self._move(at)
            call()
            return True
        return False

    def _move(self, to: float) -> None:
        if to > self._mono:
            self._wall += (to - self._mono) * 1000
            self._mono = to


async def settle(rounds: int = 20) -> None:
    """Let every ready task run until it waits for something."""
    for _ in range(rounds):
        await asyncio.sleep(0)
