"""The whole island in this process: real windows, real house, real gateway, on the rig's bus and screen.

    run(home, gateway, scenario)     scenario: async (Whole) -> None

Keys and clicks go to the widgets as the window system would bring them; waits are on the store's word or on
Qt's, never on time alone.
"""

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit, QWidget

from lisa_island.app import loop
from lisa_island.app.desktop import application
from lisa_island.app.desktop.face import Face
from lisa_island.app.headless import open_door
from lisa_island.app.house import REMOTE, House, Plan
from lisa_island.core.intents import Send
from lisa_island.core.origin import origin_of
from tests.sandbox.child import KEY, Running

LIMIT = 30.0


@dataclass
class Whole:
    """What a scenario holds in its hands."""

    face: Face
    house: House
    gateway: Running
    over: asyncio.Event

    async def until(self, holds: Callable[[], object], what: str = "") -> None:
        """Wait until something holds: the store, a timer of Qt or the bus will bring it about."""
        async with asyncio.timeout(LIMIT):
            while not holds():  # noqa: ASYNC110 (what brings it about has no event in common)
                await asyncio.sleep(0.01)

    def send(self, slug: str, text: str = "hello", price: str = "") -> None:
        """The owner's call, as the command bar makes it."""
        self.face.shell.perform(Send(REMOTE, slug, text, accepted_price=price))

    def session(self, slug: str):
        """The newest row of a slug."""
        rows = [s for s in self.house.store.roster.sessions.values() if s.project == slug]
        return max(rows, key=lambda s: s.started_at or 0, default=None)

    @property
    def panel(self) -> QWidget:
        return self.face.island.panel


def windows() -> list[QWidget]:
    return [w for w in QApplication.topLevelWidgets() if w.isVisible()]


def button(root: QWidget, text: str) -> QAbstractButton:
    """The visible button with this text or accessible name."""
    found = [
        b
        for b in root.findChildren(QAbstractButton)
        if b.isVisible() and text in (b.text(), b.accessibleName())
    ]
    assert found, f"no button {text!r}: {[b.text() or b.accessibleName() for b in _buttons(root)]}"
    return found[0]


def has_button(root: QWidget, text: str) -> bool:
    return any(text in (b.text(), b.accessibleName()) for b in _buttons(root))


def _buttons(root: QWidget) -> list[QAbstractButton]:
    return [b for b in root.findChildren(QAbstractButton) if b.isVisible()]


def click(root: QWidget, text: str) -> None:
    QTest.mouseClick(button(root, text), Qt.MouseButton.LeftButton)


def field(root: QWidget) -> QPlainTextEdit | QLineEdit:
    """The visible text box of a page."""
    boxes = [
        w for kind in (QPlainTextEdit, QLineEdit) for w in root.findChildren(kind)
        if w.isVisible() and not w.isReadOnly()
    ]  # fmt: skip
    assert boxes
    return boxes[0]


def plan(home: Path, gateway: Running, **environment: str) -> Plan:
    lisa = home / "lisa"
    environ = dict(os.environ) | {
        "HOME": str(home), "LISA_HOME": str(lisa), "TAKOAPI_BASE_URL": gateway.url,
        "LISA_ISLAND_LANG": "en",
    }  # fmt: skip
    environ |= environment
    return Plan(lisa, {k: v for k, v in environ.items() if v})


def run(
    home: Path,
    gateway: Running,
    scenario: Callable[[Whole], Awaitable[None]],
    *,
    key: str = KEY,
    source: str = "run",
    welcomed: bool = True,
    as_started: bool = False,
    **environment: str,
) -> None:
    """Build everything, play the scenario, take everything down; nothing may be left behind.

    The panel is closed when the scenario begins; `as_started` leaves it as it is then (open, where there is
    neither pill nor tray).
    """

    async def play() -> int:
        over = asyncio.Event()
        house = House(plan(home, gateway, **environment))
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(house.close)
            door = await open_door(house)
            stack.push_async_callback(door.close)
            face = Face(house, over)
            stack.callback(face.close)
            face.start()
            await house.open()
            if key:
                house.secrets.remember(origin_of(gateway.url), key)
            await house.settings.change(key_source=source, takoapi_enabled=True, welcomed=welcomed)
            face.ready()
            whole = Whole(face, house, gateway, over)
            await whole.until(lambda: REMOTE in house.store.roster.sources and REMOTE in house._sources)
            if not as_started:
                face.island.panel.close()
            async with asyncio.timeout(3 * LIMIT):
                await scenario(whole)
        return 0

    assert loop.run(application(), play()) == 0
