"""The whole island on a clock that the test moves: real windows, house, disk and door; nobody talks to it.

run(home, scenario)      scenario: async (Whole) -> None; raises if something outlives the island
"""

import asyncio
import contextlib
import ctypes
import gc
import os
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication

from lisa_island.app import loop
from lisa_island.app.desktop import application
from lisa_island.app.desktop.face import Face
from lisa_island.app.headless import open_door
from lisa_island.app.house import House, Plan
from lisa_island.core.agent import AgentSession, Origin, SessionKey, State
from lisa_island.core.events import SessionOpened
from lisa_island.core.evidence import Fact
from tests.fakes.clock import FakeClock

LIMIT = 20.0
ROWS = 10
PAGE = os.sysconf("SC_PAGESIZE")


@dataclass
class Whole:
    """What a scenario holds in its hands."""

    face: Face
    house: House
    clock: FakeClock

    async def breathe(self, turns: int = 3) -> None:
        """Let Qt paint and the tasks run."""
        for _ in range(turns):
            await asyncio.sleep(0)

    async def told(self) -> None:
        """Let what the bus is asked be answered: it keeps another time than our clock."""
        await self.until(lambda: not {"notice", "withdraw notice"} & set(self.house.nursery.names))

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for what Qt's own timers bring about."""
        async with asyncio.timeout(LIMIT):
            while not holds():  # noqa: ASYNC110 (what brings it about has no event in common)
                await asyncio.sleep(0.01)

    def open_rows(self) -> list[SessionKey]:
        """Local sessions that work."""
        keys = [SessionKey("claude-code", f"s{n}") for n in range(ROWS)]
        for n, key in enumerate(keys):
            at = self.clock.now()
            session = AgentSession(
                key, f"project-{n}", State.WORKING, "working", at, at, Origin.LOCAL, followed=True,
                fact=Fact("soak", "soak", at=at),
            )  # fmt: skip
            self.house.store.dispatch(SessionOpened(session, at))
        return keys


def resident() -> float:
    """Resident memory in MB, without what the allocators keep for later."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * PAGE / 2**20


def constants() -> tuple[int, int]:
    """How often None and True are referred to. PySide6 6.12 loses one at each void call."""
    return sys.getrefcount(None), sys.getrefcount(True)


def descriptors() -> list[str]:
    """What every open descriptor of this process leads to: files, sockets, pipes."""
    found = []
    for link in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            # The number of a socket says nothing.
            found.append(str(link.readlink()).partition(":")[0])
    return sorted(found)


def active_timers() -> list[QTimer]:
    gc.collect()
    found = [o for o in gc.get_objects() if isinstance(o, QTimer) and shiboken6.isValid(o)]
    return [timer for timer in found if timer.isActive()]


def run(home: Path, scenario: Callable[[Whole], Awaitable[None]], *, first: bool = False) -> None:
    """Build everything, play the scenario, take everything down; nothing may be left behind.

    The `first` island of a process may leave descriptors: Qt opens a few that it keeps.
    """
    environ = dict(os.environ) | {
        "HOME": str(home),
        "LISA_HOME": str(home / "lisa"),
        "LISA_ISLAND_LANG": "en",
    }
    left: list[str] = []

    async def play() -> int:
        clock = FakeClock()
        house = House(Plan(home / "lisa", environ, clock=clock, kinds=()))
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(house.close)
            door = await open_door(house)
            stack.push_async_callback(door.close)
            face = Face(house, asyncio.Event())
            stack.callback(face.close)
            face.start()
            await house.open()
            await house.settings.change(welcomed=True, reduced_motion=True)
            face.ready()
            await scenario(Whole(face, house, clock))
        left.extend(t.get_name() for t in asyncio.all_tasks() if t is not asyncio.current_task())
        return 0

    app = application()
    before = descriptors()
    windows = set(map(id, QApplication.topLevelWidgets()))
    assert loop.run(app, play()) == 0
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not left, "tasks"
    assert not active_timers(), "timers"
    assert not [w for w in QApplication.topLevelWidgets() if id(w) not in windows], "windows"
    assert first or not (Counter(descriptors()) - Counter(before)), "descriptors"
