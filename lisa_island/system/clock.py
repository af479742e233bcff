"""Wall time and waiting on the running loop."""

import asyncio
import time
from collections.abc import Callable


class SystemClock:
    """`core.ports.Clock` of this machine."""

    def now(self) -> int:
        """Epoch ms."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds that never jump back; stands still while the machine sleeps."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    def call_later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        """Run once after a while on the loop; the answer cancels it."""
        return asyncio.get_running_loop().call_later(seconds, call).cancel
