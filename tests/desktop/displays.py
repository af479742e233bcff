"""The rig's one screen as several displays, and other programs' windows on them."""

import asyncio
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

LEFT, RIGHT = "1600/400x1000/250+0+0", "1600/400x1000/250+1600+0"


async def tool(*words: str) -> str:
    """Run a program of the desktop; what it says."""
    process = await asyncio.create_subprocess_exec(*words, stdout=PIPE, stderr=DEVNULL)
    told, _ = await process.communicate()
    assert process.returncode == 0, words
    return told.decode()


async def plug(name: str, place: str, output: str = "none") -> None:
    await tool("xrandr", "--setmonitor", name, place, output)


async def unplug(name: str) -> None:
    await tool("xrandr", "--delmonitor", name)


async def until_there_are(*names: str) -> None:
    """Until Qt knows exactly these displays."""
    running, changed = QGuiApplication.instance(), asyncio.Event()
    assert isinstance(running, QGuiApplication)
    signals = (running.screenAdded, running.screenRemoved)

    def told(_: object) -> None:
        changed.set()

    for signal in signals:
        signal.connect(told)
    try:
        async with asyncio.timeout(20):
            while sorted(s.name() for s in QGuiApplication.screens()) != sorted(names):
                await changed.wait()
                changed.clear()
    finally:
        for signal in signals:
            signal.disconnect(told)


@asynccontextmanager
async def two_displays() -> AsyncIterator[None]:
    """left and right, side by side."""
    await plug("left", LEFT, "screen")
    await plug("right", RIGHT)
    await until_there_are("left", "right")
    try:
        yield
    finally:
        for monitor in (await tool("xrandr", "--listmonitors")).splitlines()[1:]:
            name = monitor.split()[1].lstrip("+*")
            if name in ("left", "right"):
                await unplug(name)
        await until_there_are("screen")


async def point(x: int, y: int) -> None:
    await tool("xdotool", "mousemove", "--sync", str(x), str(y))


def stranger(x: int, y: int, width: int = 500, height: int = 300) -> QWidget:
    """An ordinary window of somebody else's."""
    window = QWidget()
    window.setGeometry(QRect(x, y, width, height))
    window.show()
    return window
