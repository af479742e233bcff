"""What people say of programs like this one, about displays, places and clicks: none of it happens here.

Each test is named after the complaint; the number is its line in the list of complaints.
"""

import asyncio
import os
import sys
from contextlib import asynccontextmanager

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from lisa_island.core.panel import HOVER_MS
from tests.desktop.displays import RIGHT, plug, point, stranger, tool, two_displays, unplug
from tests.desktop.test_displays import place
from tests.desktop.test_island_windows import PROGRAM, ROOT, Desk
from tests.desktop.whole import Whole, run
from tests.sandbox.child import running, sandbox

pytestmark = pytest.mark.desktop


@pytest.fixture
def gateway():
    with running(sandbox()) as child:
        yield child


async def click(x: int, y: int) -> None:
    await point(x, y)
    await tool("xdotool", "click", "1")


def test_77_a_display_change_leaves_it_at_a_wrong_place(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        island = whole.face.island
        async with two_displays():
            await point(2400, 900)
            island.placement.choose()
            await whole.until(lambda: place(whole) == ("right", 2400, 8))
            await unplug("right")
            await whole.until(lambda: place(whole) == ("left", 800, 8))
            # Whoever moves it afterwards, while the desktop settles, is overruled a second later.
            island.pill.move(5, 700)
            await whole.until(lambda: not island.placement._again.isActive())
            assert place(whole) == ("left", 800, 8)
            await plug("right", RIGHT)
            await whole.until(lambda: place(whole) == ("right", 2400, 8))

    run(tmp_path, gateway, scenario)


def test_78_on_the_second_monitor_it_cannot_be_clicked(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        async with two_displays():
            await point(2400, 900)
            whole.face.island.placement.choose()
            await whole.until(lambda: place(whole)[0] == "right")
            await click(2400, 26)
            await whole.until(whole.panel.isActiveWindow)
            screen = QGuiApplication.screenAt(whole.panel.geometry().center())
            assert screen.name() == "right"

    run(tmp_path, gateway, scenario)


def test_79_it_is_on_the_wrong_screen_when_wanted(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        async with two_displays():
            for x, name in ((400, "left"), (2400, "right"), (400, "left")):
                await point(x, 900)
                whole.face.window("toggle")
                await whole.until(lambda name=name: whole.panel.isVisible() and place(whole)[0] == name)
                whole.face.window("toggle")
                await whole.until(lambda: not whole.panel.isVisible())

    run(tmp_path, gateway, scenario)


def test_80_it_covers_the_tabs_of_a_browser(tmp_path, gateway):
    """It is as large as its words, shrinks when quiet, and goes where it is put."""

    async def scenario(whole: Whole) -> None:
        island = whole.face.island
        assert island.placement.pill_rect().width <= 320
        await whole.house.settings.change(shrink_when_quiet=True)
        await whole.until(lambda: island.placement.pill_rect().width == 40)
        await whole.house.settings.change(positions=((island.placement.screen.name, 3700, 1000),))
        await whole.until(lambda: place(whole)[1:] == (3700, 1000))

    run(tmp_path, gateway, scenario)


def test_82_a_click_beside_the_panel_comes_twice(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        button = QPushButton("mine")
        button.setGeometry(300, 900, 300, 100)
        button.show()
        clicks = []
        button.clicked.connect(lambda: clicks.append(1))
        whole.face.window("toggle")
        await whole.until(whole.panel.isActiveWindow)
        at = button.geometry().center()
        await click(at.x(), at.y())
        await whole.until(lambda: clicks and not whole.panel.isVisible())
        # A second one would have come before this third window has heard its own.
        other = QPushButton("after")
        other.setGeometry(900, 900, 300, 100)
        other.show()
        later = []
        other.clicked.connect(lambda: later.append(1))
        await click(*other.geometry().center().toTuple())
        await whole.until(lambda: later)
        assert clicks == [1]
        button.close()
        other.close()

    run(tmp_path, gateway, scenario)


def test_83_a_click_also_works_what_lies_below(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        below = QPushButton("below")
        below.setWindowFlag(Qt.WindowType.FramelessWindowHint)
        below.setGeometry(1600, 0, 640, 200)
        clicks = []
        below.clicked.connect(lambda: clicks.append(1))
        below.show()
        pill = whole.face.island.placement.pill_rect()
        await click(pill.middle, pill.y + 18)
        await whole.until(whole.panel.isVisible)
        assert clicks == []
        whole.face.window("toggle")
        await whole.until(lambda: not whole.panel.isVisible())
        # And just beside the pill the click is the other program's: nothing transparent lies there.
        pill = whole.face.island.placement.pill_rect()
        await click(pill.x - 12, pill.y + 18)
        await whole.until(lambda: clicks == [1])
        assert not whole.panel.isVisible()
        below.close()

    run(tmp_path, gateway, scenario)


class Sizes(QObject):
    """Every size that a window has had."""

    def __init__(self, window) -> None:
        super().__init__(window)
        self.seen = []
        window.installEventFilter(self)

    def eventFilter(self, window, event) -> bool:
        if event.type() == QEvent.Type.Resize and window.isVisible():
            self.seen.append(event.size().toTuple())
        return False


def test_84_a_mouse_that_passes_by_pops_it_open_and_its_window_grows_in_steps(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        island = whole.face.island
        pill = island.placement.pill_rect()
        opened = []
        island.opened.connect(lambda: opened.append(1))
        for x in range(pill.x - 60, pill.right + 60, 12):
            await tool("xdotool", "mousemove", str(x), str(pill.y + 18))
        await point(300, 900)
        await whole.until(lambda: not island.pill.underMouse())
        assert HOVER_MS >= 300 and not opened
        sizes = Sizes(whole.panel)
        await point(pill.middle, pill.y + 18)
        await whole.until(lambda: opened and whole.panel.isVisible())
        await tool("xdotool", "getmouselocation")  # a moment in which a growing window would have grown
        assert len(set(sizes.seen)) <= 1, "it has its size when it appears"

    run(tmp_path, gateway, scenario)


def test_85_to_show_the_desktop_loses_it(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        pill, window = whole.face.island.pill, stranger(300, 600)
        await tool("wmctrl", "-k", "on")
        told = ""
        while "= 1" not in told:
            told = await tool("xprop", "-root", "_NET_SHOWING_DESKTOP")
        await tool("wmctrl", "-k", "off")
        window.activateWindow()
        await whole.until(window.isActiveWindow)
        assert pill.isVisible()
        told = await tool("xwininfo", "-id", str(int(pill.winId())))
        assert "IsViewable" in told
        rect = whole.face.island.placement.pill_rect()
        await click(rect.middle, rect.y + 18)
        await whole.until(whole.panel.isActiveWindow)
        window.close()

    run(tmp_path, gateway, scenario)


# --- scale: Qt reads it once, so in a process of its own ---


@asynccontextmanager
async def island_at(**environment: str):
    environ = os.environ | {"QT_QPA_PLATFORM": "xcb", "PYTHONPATH": str(ROOT)} | environment
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, env=environ, stdin=pipe, stdout=pipe
    )
    assert await process.stdout.readline() == b"ready\n"
    yield Desk(process)
    process.stdin.write(b"quit\n")
    assert await process.wait() == 0


async def pixels(window: int) -> list[int]:
    """Left, top, width and height in px of the server."""
    told = await tool("xdotool", "getwindowgeometry", "--shell", str(window))
    found = dict(line.split("=") for line in told.split())
    return [int(found[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")]


@pytest.mark.parametrize("scale", ["1.5", "2"])
async def test_48_scaled_it_stands_on_the_other_display_as_on_the_first(scale):
    await plug("left", "1600/400x1000/250+0+0", "screen")
    await plug("right", RIGHT)
    try:
        async with island_at(QT_SCALE_FACTOR=scale) as desk:
            for pointer, middle in ((2400, 2400), (400, 800)):
                await point(pointer, 900)
                await desk.do("start")
                seen = await desk.do("toggle")
                left, top, width, height = await pixels(seen["ids"][0])
                assert abs(left + width / 2 - middle) <= 2 and height >= 36 * float(scale)
                assert 0 <= top <= 8 * float(scale)
                left, _, width, _ = await pixels(seen["ids"][1])
                assert abs(left + width / 2 - middle) <= 2 and abs(width - 440 * float(scale)) <= 1
                await desk.do("toggle")
    finally:
        await unplug("left")
        await unplug("right")


async def test_48_a_desktop_that_scales_by_xft_dpi_gets_larger_letters_and_a_pill_to_match():
    process = await asyncio.create_subprocess_exec("xrdb", "-merge", "-", stdin=asyncio.subprocess.PIPE)
    await process.communicate(b"Xft.dpi: 192\n")
    try:
        async with island_at() as desk:
            seen = await desk.do("start")
            _, _, _, height = await pixels(seen["ids"][0])
            assert height >= 72
    finally:
        await tool("xrdb", "-remove")
