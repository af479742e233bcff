"""Our own restraint: fewer calls a minute than the gateway allows, four at once, and a breaker per slug.

One agent that hangs holds at most three of the four places, so it never stands in the way of another.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from lisa_island.core.backoff import Breaker, Gate
from lisa_island.core.ports import Clock

CALLS_A_WINDOW = 100
# The gateway counts in fixed windows of 60 s; any 61 s of ours hold fewer calls than one of its windows.
WINDOW_SECONDS = 61.0
IN_FLIGHT = 4
IN_FLIGHT_PER_SLUG = 3


class Limits:
    """Places, tokens, the pause that a busy gateway asked for, and the breakers."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._places = asyncio.Semaphore(IN_FLIGHT)
        self._of_slug: dict[str, asyncio.Semaphore] = {}
        self._sent: deque[float] = deque()
        self._paused_until = 0.0
        self._sleepers: set[asyncio.Future[None]] = set()
        self._breakers: dict[str, Breaker] = {}

    @asynccontextmanager
    async def place(self, slug: str) -> AsyncIterator[None]:
        """Hold one of the places; waits for it."""
        async with self._of_slug.setdefault(slug, asyncio.Semaphore(IN_FLIGHT_PER_SLUG)), self._places:
            yield

    async def token(self) -> None:
        """Wait until one more call may go out, then count it."""
        while (wait := self._wait()) > 0:
            await self.rest(wait)
        self._sent.append(self._clock.monotonic())

    def _wait(self) -> float:
        now = self._clock.monotonic()
        while self._sent and now - self._sent[0] >= WINDOW_SECONDS:
            self._sent.popleft()
        full = WINDOW_SECONDS - (now - self._sent[0]) if len(self._sent) >= CALLS_A_WINDOW else 0.0
        return max(full, self._paused_until - now)

    async def rest(self, seconds: float) -> None:
        """Wait, unless the owner says "try now"."""
        future = asyncio.get_running_loop().create_future()
        cancel = self._clock.call_later(seconds, lambda: _wake(future))
        self._sleepers.add(future)
        try:
            await future
        finally:
            self._sleepers.discard(future)
            cancel()

    def pause(self, seconds: float) -> None:
        """The gateway asked everybody to wait."""
        self._paused_until = max(self._paused_until, self._clock.monotonic() + seconds)

    @property
    def paused(self) -> float:
        """Seconds until the gateway may be asked again."""
        return max(0.0, self._paused_until - self._clock.monotonic())

    def hurry(self) -> None:
        """Forget every waiting time: the owner wants it now."""
        self._paused_until = 0.0
        self._breakers.clear()
        for future in tuple(self._sleepers):
            _wake(future)

    # --- breakers ---

    def resting(self, slug: str) -> float | None:
        """Seconds for which calls to an agent that keeps failing are refused; None when one may try."""
        breaker, now = self._breakers.get(slug, Breaker()), self._now()
        if breaker.gate(now) is not Gate.OPEN:
            return None
        return max(1.0, (breaker.until - now) / 1000)

    def gate(self, slug: str) -> Gate:
        """The named state of an agent's breaker."""
        return self._breakers.get(slug, Breaker()).gate(self._now())

    def tried(self, slug: str) -> None:
        """A call to it goes out."""
        self._change(slug, lambda b: b.tried())

    def failed(self, slug: str, jitter: float) -> None:
        """It proved nothing good."""
        self._change(slug, lambda b: b.failed(self._now(), jitter))

    def worked(self, slug: str) -> None:
        """It answered."""
        self._breakers.pop(slug, None)

    def spared(self, slug: str) -> None:
        """The call never reached it: a try that was begun counts as none."""
        self._change(slug, lambda b: Breaker(b.failures, b.until))

    def _now(self) -> int:
        # Waiting is no matter of the wall clock: it may be set back.
        return int(self._clock.monotonic() * 1000)

    def _change(self, slug: str, change: Callable[[Breaker], Breaker]) -> None:
        breaker = change(self._breakers.get(slug, Breaker()))
        if breaker == Breaker():
            self._breakers.pop(slug, None)
        else:
            self._breakers[slug] = breaker


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
