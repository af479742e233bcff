"""The island on a real X server with a window manager: pointer, focus, compositor, taskbar hints."""

from __future__ import annotations

import os
import sys
from asyncio import create_subprocess_exec
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.desktop

ROOT = Path(__file__).parents[2]

# The real island beside a stranger's window; every line that comes in is answered with one that tells all.
PROGRAM = """
import json, sys
from PySide6.QtCore import QSocketNotifier, QTimer, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from lisa_island.core.agent import AgentSession, Blocked, Health, RequestKind, SessionKey, State
from lisa_island.ui.island import Island
from tests.fakes.shell import FakeShell

app = QApplication([])
app.setQuitOnLastWindowClosed(False)
stranger = QLineEdit()
stranger.setGeometry(40, 400, 300, 60)
shell = FakeShell()
shell.report(health=Health.OK)
shell.put(AgentSession(SessionKey("takoapi", "acme/1"), "acme", State.WORKING, last_activity=shell.now()))
shell.clock.advance(1)
island = Island(shell, command_factory=lambda _: QLineEdit())
island.watchers = []

def rect(window):
    g = window.geometry()
    return [g.x(), g.y(), g.width(), g.height()]

def tell():
    active = app.activeWindow()
    names = {id(stranger): "stranger", id(island.panel): "panel", id(island.pill): "pill"}
    print(json.dumps({
        "mode": str(island.mode), "state": str(island.state.mode), "active": names.get(id(active), ""),
        "pill": rect(island.pill), "panel": rect(island.panel),
        "pill_shown": island.pill.isVisible(), "panel_shown": island.panel.isVisible(),
        "masked": not island.pill.mask().isEmpty(),
        "ids": [int(island.pill.winId()), int(island.panel.winId())],
        "positions": shell.preferences.positions,
    }), flush=True)

def hear():
    words = sys.stdin.readline().split()
    match words:
        case ["start"]:
            stranger.show()
            stranger.activateWindow()
            QTest.qWaitForWindowActive(stranger)
            island.start()
        case ["toggle"]:
            island.toggle()
        case ["need"]:
            asks = (Blocked(RequestKind.INPUT, "r1", shell.now(), "What?"),)
            key = SessionKey("takoapi", "asks/1")
            shell.put(AgentSession(key, "asks", State.WAITING, requests=asks, last_activity=shell.now()))
            shell.clock.advance(1)
        case ["full"]:
            stranger.showFullScreen()
        case ["normal"]:
            stranger.showNormal()
        case ["stranger"]:
            stranger.activateWindow()
        case ["look"]:
            pass
        case _:
            app.quit()
            return
    QTimer.singleShot(150, tell)

reader = QSocketNotifier(0, QSocketNotifier.Type.Read)
reader.activated.connect(hear)
print("ready", flush=True)
app.exec()
island.close()
"""


class Desk:
    """The program, a pointer and the X server's own view of the windows."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def do(self, word: str) -> dict[str, object]:
        import json

        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{word}\n".encode())
        return json.loads(await self._process.stdout.readline())

    async def until(self, **wanted: object) -> dict[str, object]:
        """Look until it is so; the answer paces the loop. The test's own time limit ends a vain wait."""
        while True:
            seen = await self.do("look")
            if all(seen[name] == value for name, value in wanted.items()):
                return seen

    async def hand(self, *words: str) -> str:
        """A real pointer and keyboard."""
        process = await create_subprocess_exec("xdotool", *words, stdout=PIPE)
        return (await process.communicate())[0].decode()

    async def point(self, rect: object) -> None:
        assert isinstance(rect, list)
        x, y, width, height = rect
        await self.hand("mousemove", str(x + width // 2), str(y + height // 2))

    async def hints(self, window: int) -> str:
        process = await create_subprocess_exec("xprop", "-id", str(window), stdout=PIPE)
        return (await process.communicate())[0].decode()


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    assert os.environ.get("LISA_RIG"), "run this through packaging/rig.sh"
    env = os.environ | {"QT_QPA_PLATFORM": "xcb", "PYTHONPATH": str(ROOT)}
    process = await create_subprocess_exec(sys.executable, "-c", PROGRAM, env=env, stdin=PIPE, stdout=PIPE)
    assert process.stdout is not None and process.stdin is not None
    assert await process.stdout.readline() == b"ready\n"
    found = Desk(process)
    await found.hand("mousemove", "5", "700")
    yield found
    process.stdin.write(b"quit\n")
    assert await process.wait() == 0
    # Where the next test's pill comes, no pointer lies.
    await found.hand("mousemove", "5", "700")


async def test_it_appears_and_a_need_arrives_without_taking_the_focus(desk: Desk) -> None:
    await desk.do("start")
    seen = await desk.until(pill_shown=True, active="stranger")
    seen = await desk.do("need")
    assert seen["active"] == "stranger" and seen["state"] == "peek" and not seen["panel_shown"]


async def test_a_real_pointer_opens_it_without_the_focus_and_leaving_closes_it(desk: Desk) -> None:
    seen = await desk.do("start")
    await desk.point(seen["pill"])
    seen = await desk.until(state="open")
    assert seen["panel_shown"] and seen["active"] == "stranger"
    pill, panel = seen["pill"], seen["panel"]
    assert isinstance(pill, list) and isinstance(panel, list)
    assert panel[1] == pill[1] + pill[3] + 8 and panel[2] == 440
    await desk.point(panel)
    assert (await desk.do("look"))["state"] == "open"
    await desk.hand("mousemove", "5", "700")
    await desk.until(state="peek", panel_shown=False, active="stranger")


async def test_a_click_takes_the_focus_and_losing_it_closes(desk: Desk) -> None:
    seen = await desk.do("start")
    await desk.point(seen["pill"])
    await desk.hand("click", "1")
    await desk.until(state="opened", active="panel")
    await desk.do("stranger")
    await desk.until(state="peek", panel_shown=False, active="stranger")


async def test_escape_closes_and_gives_the_focus_back(desk: Desk) -> None:
    await desk.do("start")
    await desk.do("toggle")
    await desk.until(state="opened", active="panel")
    await desk.hand("key", "Escape")
    await desk.until(state="peek", active="stranger")


async def test_a_drag_with_a_real_pointer(desk: Desk) -> None:
    seen = await desk.do("start")
    await desk.point(seen["pill"])
    await desk.hand("mousedown", "1", "mousemove_relative", "--sync", "200", "100")
    dragged = await desk.until(state="dragging")
    await desk.hand("mouseup", "1")
    dropped = await desk.until(state="peek")
    before, after = seen["pill"], dropped["pill"]
    assert isinstance(before, list) and isinstance(after, list)
    # By its middle: the chevron comes and goes with the pointer.
    moved = after[0] + after[2] // 2 - before[0] - before[2] // 2
    assert [moved, after[1] - before[1]] == [200, 100]
    assert dropped["positions"] and dragged["panel_shown"] is False


async def test_no_taskbar_lists_it_and_the_pill_refuses_the_focus(desk: Desk) -> None:
    await desk.do("start")
    seen = await desk.do("toggle")
    ids = seen["ids"]
    assert isinstance(ids, list)
    for window in ids:
        hints = await desk.hints(window)
        for word in ("ABOVE", "SKIP_TASKBAR", "SKIP_PAGER"):
            assert f"_NET_WM_STATE_{word}" in hints
        assert "_NET_WM_DESKTOP(CARDINAL) = 4294967295" in hints
    assert "Client accepts input or input focus: False" in await desk.hints(ids[0])


async def test_a_compositor_that_comes_and_goes(desk: Desk) -> None:
    await desk.do("start")
    seen = await desk.do("toggle")
    assert (seen["mode"], seen["masked"]) == ("x11-plain", True)
    place = seen["panel"]
    compositor = await create_subprocess_exec("xcompmgr")
    seen = await desk.until(mode="x11", masked=False)
    assert seen["panel_shown"] and seen["panel"] == place
    compositor.terminate()
    await compositor.wait()
    seen = await desk.until(mode="x11-plain", masked=True)
    assert seen["panel_shown"] and seen["panel"] == place


async def test_it_leaves_a_display_that_one_window_fills(desk: Desk) -> None:
    await desk.do("start")
    await desk.do("full")
    await desk.until(state="hidden", pill_shown=False)
    await desk.do("need")
    assert (await desk.do("look"))["pill_shown"] is False
    await desk.do("toggle")
    await desk.until(state="opened", active="panel")
    await desk.do("toggle")
    await desk.until(state="hidden", pill_shown=False)
    await desk.do("normal")
    await desk.until(state="peek", pill_shown=True)


@pytest.fixture
async def two_monitors() -> AsyncIterator[None]:
    """The rig's one screen as two displays side by side."""

    async def xrandr(*words: str) -> None:
        process = await create_subprocess_exec("xrandr", *words)
        assert await process.wait() == 0

    await xrandr("--setmonitor", "left", "640/160x800/200+0+0", "screen")
    await xrandr("--setmonitor", "right", "640/160x800/200+640+0", "none")
    yield
    await xrandr("--delmonitor", "left")
    await xrandr("--delmonitor", "right")


async def test_it_opens_on_the_display_with_the_pointer(two_monitors: None, desk: Desk) -> None:
    await desk.hand("mousemove", "100", "700")
    await desk.do("start")
    await desk.do("toggle")
    seen = await desk.until(state="opened", active="panel")
    assert middle(seen["pill"]) == middle(seen["panel"]) == 320
    await desk.do("toggle")
    await desk.hand("mousemove", "1000", "700")
    await desk.do("toggle")
    seen = await desk.until(state="opened")
    assert middle(seen["pill"]) == middle(seen["panel"]) == 960


def middle(rect: object) -> int:
    assert isinstance(rect, list)
    return int(rect[0] + rect[2] // 2)
