"""The tray on a real bus: a host sees the item, clicks it and its menu, comes late, and is replaced."""

from __future__ import annotations

import os
import sys
from asyncio import create_subprocess_exec
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.desktop.tray_watcher import MENU, TrayItem, TrayWatcher, tray_watcher

pytestmark = pytest.mark.desktop

ROOT = Path(__file__).parents[2]

# The real tray over a shell that the test drives by lines; every line is answered with "ok".
PROGRAM = """
import sys
from PySide6.QtCore import QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication
from lisa_island.core.agent import AgentSession, Blocked, RequestKind, SessionKey, State, Task
from lisa_island.ui.tray import Tray
from tests.fakes.shell import FakeShell

app = QApplication([])
app.setQuitOnLastWindowClosed(False)
tell = lambda *words: print(*words, flush=True)
shell = FakeShell()
tray = Tray(shell)
tray.activated_by_owner.connect(lambda: tell("activated"))
tray.request_opened.connect(lambda request: tell("request", request))
tray.show_requested.connect(lambda: tell("show"))
tray.command_requested.connect(lambda: tell("command"))
tray.settings_requested.connect(lambda page: tell("settings", page))
tray.quit_requested.connect(lambda: tell("quit"))
tray.availability_changed.connect(lambda: tell("available", tray.is_available()))
shell.on_preferences(lambda p: tell("muted", p.muted_until > shell.now(), "presenting", p.presenting))

def put(slug, state, *requests):
    session = AgentSession(
        SessionKey("takoapi", slug + "/1"), slug, state, last_activity=shell.now(), unread=True,
        requests=requests, task=Task(slug),
    )
    shell.put(session)
    shell.clock.advance(0.2)

def hear():
    word, _, rest = sys.stdin.readline().strip().partition(" ")
    if word == "need":
        put(rest, State.WAITING, Blocked(RequestKind.INPUT, "r-" + rest, shell.now(), "What?"))
    elif word == "work":
        put(rest, State.WORKING)
    elif word == "fail":
        put(rest, State.ERROR)
    # Behind the timer on which the tray says what changed.
    QTimer.singleShot(0, lambda: tell("ok"))

reader = QSocketNotifier(0, QSocketNotifier.Type.Read)
reader.activated.connect(hear)
tell("ready", tray.is_available())
app.exec()
"""


class Island:
    """The program, by its lines."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def line(self) -> str:
        assert self._process.stdout is not None
        return (await self._process.stdout.readline()).decode().strip()

    async def do(self, command: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n".encode())
        assert await self.line() == "ok"


@pytest.fixture
async def start(rig_bus: str) -> AsyncIterator[object]:
    """Starts the island when the test wants it; it is gone at the end."""
    running: list[Process] = []

    async def run() -> Island:
        process = await create_subprocess_exec(
            sys.executable, "-c", PROGRAM, stdin=PIPE, stdout=PIPE, cwd=ROOT, env=dict(os.environ)
        )
        running.append(process)
        return Island(process)

    yield run
    for process in running:
        process.kill()
        await process.communicate()


async def labels(item: TrayItem) -> list[str]:
    """The labels as a host draws them: `__` is an underscore, another `_` the mnemonic. Asks no update."""
    path = await item.property("Menu")
    _, layout = await item._call(path, MENU, "GetLayout", "iias", 0, -1, [])
    return [drawn(raw) for raw in _raw(layout)]


def _raw(node) -> list[str]:
    _, properties, children = node
    hidden = "visible" in properties and not properties["visible"].value
    found = [properties["label"].value] if "label" in properties and not hidden else []
    return found + [raw for child in children for raw in _raw(child.value)]


def drawn(raw: str) -> str:
    return raw.replace("__", "\0").replace("_", "").replace("\0", "_")


async def tooltip(item: TrayItem) -> str:
    return (await item.property("ToolTip"))[2]


async def test_the_item_says_its_state_and_opens_by_a_click(tray: TrayWatcher, start) -> None:
    island = await start()
    item = await tray.until_item()
    assert await island.line() == "ready True"
    assert await tooltip(item) == "LISA Island: All quiet"
    quiet = await item.property("IconPixmap")
    await island.do("work acme-research")
    await island.do("fail tone-check")
    assert await tooltip(item) == "LISA Island: 1 working, 1 failed"
    assert await item.property("IconPixmap") != quiet
    await item.activate()
    assert await island.line() == "activated"


async def test_every_entry_of_the_menu_does_its_work(tray: TrayWatcher, start) -> None:
    island = await start()
    item = await tray.until_item()
    await island.line()
    for label, heard in (
        ("Show island", "show"),
        ("Command bar", "command"),
        ("Settings…", "settings general"),
        ("For 1 hour", "muted True presenting False"),
        ("Presenting: hide the island", "muted True presenting True"),
        ("Off", "muted False presenting True"),
        ("Until tomorrow", "muted True presenting True"),
        ("Quit", "quit"),
    ):
        await item.choose(label)
        assert await island.line() == heard, label


async def test_a_need_stands_in_the_menu_literally_and_opens_its_card(tray: TrayWatcher, start) -> None:
    island = await start()
    item = await tray.until_item()
    await island.line()
    await island.do("need acme_corp_& co & sons")
    assert await tooltip(item) == "LISA Island: 1 needs you"
    shown = await labels(item)
    assert shown[:2] == ["1 needs you", "acme_corp_& co & sons: input"]
    number = next(i for label, i in (await item.menu()).items() if label.startswith("acmecorp"))
    path = await item.property("Menu")
    from dbus_fast import Variant

    await item._call(path, MENU, "Event", "isvu", number, "clicked", Variant("i", 0), 0)
    assert await island.line() == "request r-acme_corp_& co & sons"


async def test_a_menu_that_is_open_is_right_without_being_asked_again(tray: TrayWatcher, start) -> None:
    island = await start()
    item = await tray.until_item()
    await island.line()
    before = await labels(item)
    assert before[0] == "Nothing needs you"
    for n in range(5):
        await island.do(f"need agent-{n}")
    shown = await labels(item)
    assert shown[0] == "5 need you"
    assert shown[4] == "2 more"
    assert not any("\t" in label for label in shown)


async def test_a_host_that_comes_late_gets_the_item(rig_bus: str, start) -> None:
    island = await start()
    assert await island.line() == "ready False"
    await island.do("need acme-research")
    watcher = await tray_watcher(rig_bus)
    try:
        item = await watcher.until_item()
        assert await island.line() == "available True"
        assert await tooltip(item) == "LISA Island: 1 needs you"
        assert "acme-research: input" in await labels(item)
    finally:
        await watcher.leave()
    assert await island.line() == "available False"
    again = await tray_watcher(rig_bus)
    try:
        item = await again.until_item()
        assert await island.line() == "available True"
        await item.activate()
        assert await island.line() == "activated"
    finally:
        await again.leave()
