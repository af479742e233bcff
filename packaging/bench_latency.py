"""From a session's first event to the first changed pixel, beside a bare widget's own update, in one process.

Both end when Qt has painted and flushed the window. Rounds alternate, so that a busy machine is met by both.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from lisa_island.core.agent import SessionKey
from lisa_island.core.events import SessionRemoved

ROUNDS = 200
WARM_UP = 20


class Painted(QObject):
    """Tells when the next repaint of a window is through, to the last byte."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._done: asyncio.Future[tuple[float, float]] | None = None
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """UpdateRequest paints and flushes before it returns."""
        if watched is not self._window or event.type() is not QEvent.Type.UpdateRequest:
            return False
        self._window.event(event)
        if self._done is not None and not self._done.done():
            self._done.set_result((time.perf_counter(), time.thread_time()))
        return True

    async def after(self, act: Callable[[], object]) -> tuple[float, float]:
        """(seconds on the wall, seconds of this thread's CPU) from `act` until the pixels are there."""
        self._done = asyncio.get_running_loop().create_future()
        wall, cpu = time.perf_counter(), time.thread_time()
        act()
        async with asyncio.timeout(10):
            ended, spent = await self._done
        return ended - wall, spent - cpu


class Bare(QWidget):
    """A widget that fills itself with one colour and writes one line; `grows`: and is as wide as that."""

    def __init__(self, grows: bool) -> None:
        super().__init__()
        self._grows = grows
        self.resize(180, 36)
        self.move(40, 400)
        self.turn = 0

    def change(self) -> None:
        """The least that a change of a widget costs."""
        self.turn += 1
        if self._grows:
            self.setFixedSize(180 + 60 * (self.turn % 2), 36)
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        """One colour, one line."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(40, 40, self.turn % 256))
        painter.drawText(12, 24, f"{self.turn} working")


@dataclass(slots=True)
class Times:
    """What was measured, as (wall, cpu) in seconds."""

    widget: list[tuple[float, float]] = field(default_factory=list)
    island: list[tuple[float, float]] = field(default_factory=list)


async def measure(
    house: Any,
    face: Any,
    opened: Callable[[SessionKey, int], object],
    rounds: int = ROUNDS,
    grows: bool = False,
) -> dict[str, float]:
    """p50 and p95 of both, in microseconds."""
    bare = Bare(grows)
    bare.show()
    widget, pill = Painted(bare), Painted(face.island.pill)
    await asyncio.sleep(1)
    times = Times()
    for n in range(rounds + WARM_UP):
        key = SessionKey("claude-code", f"new-{n}")
        first = opened(key, house.clock.now())
        found = await widget.after(bare.change), await pill.after(lambda e=first: house.store.dispatch(e))  # type: ignore[misc]
        if n >= WARM_UP:
            times.widget.append(found[0])
            times.island.append(found[1])
        # Past the merge window: the next one is a first event again.
        await asyncio.sleep(0.25)
        house.store.dispatch(SessionRemoved(key, house.clock.now()))
        await asyncio.sleep(0.25)
    bare.close()
    bare.deleteLater()
    return {
        f"{name}.{kind}.{share}": at(sorted(values), share)
        for name, pairs in (("widget", times.widget), ("island", times.island))
        for kind, values in (("wall", [p[0] for p in pairs]), ("cpu", [p[1] for p in pairs]))
        for share in (50, 95)
    }


def at(values: list[float], percent: int) -> float:
    """A percentile, in microseconds."""
    return values[min(len(values) - 1, len(values) * percent // 100)] * 1e6
