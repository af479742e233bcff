"""What the desktop around us tells: sleep, do not disturb, whether things may move. No Qt.

While everything is off and nobody has looked, nobody is asked: the bus alone weighs 4 MB.
"""

from collections.abc import Callable, Coroutine
from typing import Any

from lisa_island.app.house import House
from lisa_island.system.do_not_disturb import do_not_disturb
from lisa_island.system.reduced_motion import reduced_motion
from lisa_island.system.resume import resumes


class Surroundings:
    """`slept()` after each sleep; `quiet(on)` and `motion()` at first and after each change."""

    def __init__(
        self,
        house: House,
        slept: Callable[[], None],
        quiet: Callable[[bool | None], None],
        motion: Callable[[], None],
    ) -> None:
        self.keeps_still = True
        """Whether the desktop asks programs to keep still; nothing moves until it is known that it may."""
        self._house = house
        self._slept, self._quiet, self._motion = slept, quiet, motion

    def watch(self) -> None:
        """Ask and listen, from the moment on that the house is awake."""
        self._start(self._watch_sleep, "sleep")
        self._start(self._watch_quiet, "do not disturb")
        self._start(self._watch_motion, "reduced motion")

    def _start(self, watch: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        async def run() -> None:
            await self._house.awake.wait()
            await watch()

        self._house.nursery.start(run(), name)

    async def _watch_sleep(self) -> None:
        async for _ in resumes(self._house.worker, self._house.plan.environ):
            self._slept()

    async def _watch_quiet(self) -> None:
        async for state in do_not_disturb(self._house.worker, self._house.plan.environ):
            self._quiet(state.is_on)
        self._quiet(None)  # Nobody tells any more: what was last heard must not keep us quiet for ever.

    async def _watch_motion(self) -> None:
        told = False
        async for still in reduced_motion(self._house.worker, self._house.plan.environ):
            told = True
            self._keep_still(still)
        if not told:  # Nobody here can ask for it.
            self._keep_still(False)

    def _keep_still(self, still: bool) -> None:
        self.keeps_still = still
        self._motion()
