"""The demo beside a running island: a process of its own, in a folder of its own, gone with us at the latest.

It is what `lisa-island demo` is. Nothing of the owner's reaches it: neither key nor folder, and it asks no
keyring. While it runs the island steps aside, since both pills would stand at one place.
"""

import asyncio
import contextlib
import sys
from collections.abc import Callable

from lisa_island.app.house import House

STOP_SECONDS = 10.0
RUNS, OVER, FAILED = "welcome.demo.runs", "welcome.demo.over", "welcome.demo.failed"
# It would answer for what the demo decides itself.
_OURS = ("LISA_HOME", "TAKOAPI_BASE_URL", "TAKO_KEY")


class TriedDemo:
    """At most one at a time. `aside(True)` hides the island, `aside(False)` brings it back."""

    def __init__(self, house: House, aside: Callable[[bool], None]) -> None:
        self._house = house
        self._aside = aside
        self._end: asyncio.Event | None = None
        self._listeners: list[Callable[[str], None]] = []

    @property
    def runs(self) -> bool:
        """Whether it is there, or on its way."""
        return self._end is not None

    def on_change(self, call: Callable[[str], None]) -> Callable[[], None]:
        """Call with a catalogue key when it begins and when it has ended; the answer ends it."""
        self._listeners.append(call)
        return lambda: self._listeners.remove(call)

    def start(self) -> None:
        """Begin, unless it runs."""
        if self._end is None:
            self._end = asyncio.Event()
            self._house.nursery.start(self._run(self._end), "demo")

    def end(self) -> None:
        """Take it away; nothing happens when there is none."""
        if self._end is not None:
            self._end.set()

    async def _run(self, end: asyncio.Event) -> None:
        word = FAILED
        try:
            word = await self._live(end)
        except OSError:
            pass  # No process could be started; the word says it.
        finally:
            self._end = None
            self._aside(False)
        self._tell(word)

    async def _live(self, end: asyncio.Event) -> str:
        nowhere = asyncio.subprocess.DEVNULL
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "lisa_island", "demo",
            env=self._environ(), stdin=nowhere, stdout=nowhere, stderr=nowhere,
        )  # fmt: skip
        stop = self._house.nursery.start(_end_when(end, child), "end of the demo")
        try:
            self._aside(True)
            self._tell(RUNS)
            return OVER if await child.wait() == 0 else FAILED
        finally:
            stop()
            await _stop(child)

    def _environ(self) -> dict[str, str]:
        environ = {name: value for name, value in self._house.plan.environ.items() if name not in _OURS}
        return environ | {"LISA_ISLAND_LANG": self._house.lang}

    def _tell(self, word: str) -> None:
        for call in tuple(self._listeners):
            call(word)


async def _end_when(end: asyncio.Event, child: asyncio.subprocess.Process) -> None:
    await end.wait()
    with contextlib.suppress(ProcessLookupError):
        child.terminate()


async def _stop(child: asyncio.subprocess.Process) -> None:
    """It ends in order, with its folder and its gateway; one that does not is killed, and they with it."""
    if child.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        child.terminate()
    try:
        await asyncio.wait_for(child.wait(), STOP_SECONDS)
    except TimeoutError:
        child.kill()
        await child.wait()
