"""Draws README's pictures from the running demo.

packaging/rig.sh --screen 2560x1800 --compositor .venv/bin/python packaging/pictures.py

Nothing in them is set by hand: the agents are the demo's, the windows are the island's own, and the pointer
was used last, so that no focus ring stands in them.
"""

import asyncio
import os
import sys
from contextlib import AsyncExitStack
from pathlib import Path

os.environ.setdefault("QT_SCALE_FACTOR", "2")
sys.path.insert(0, str(Path(__file__).parents[1]))

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QColor, QFont, QFontDatabase, QImage, QPainter
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from lisa_island.app import loop
from lisa_island.app.demo import direct, gateway, prepare, temporary_plan
from lisa_island.app.desktop import application
from lisa_island.app.desktop.face import Face
from lisa_island.app.house import House
from lisa_island.core.agent import State
from lisa_island.core.preferences import Pin
from lisa_island.ui import modality

PLACE = Path(__file__).parent / "pictures"
DESK = {"dark": "#3c4a55", "light": "#cfd9d6"}  # hex: the desk behind the windows, not a part of the app
MARGIN = 28


def draw(name: str, theme: str, *widgets: QWidget) -> None:
    """The widgets below one another on a desk."""
    scale = widgets[0].devicePixelRatioF()
    width = max(w.width() for w in widgets) + 2 * MARGIN
    height = sum(w.height() for w in widgets) + 8 * (len(widgets) - 1) + 2 * MARGIN
    image = QImage(QSize(width, height) * scale, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    image.fill(QColor(DESK[theme]))
    painter = QPainter(image)
    y = MARGIN
    for widget in widgets:
        place = QPoint((width - widget.width()) // 2, y)
        whole = QRect(QPoint(), widget.size())
        widget.render(painter, place, whole, QWidget.RenderFlag.DrawChildren)
        y += widget.height() + 8
    painter.end()
    assert image.save(str(PLACE / f"{name}.png"))


class Scenes:
    """One run of the demo, pictured again and again."""

    def __init__(self, face: Face, house: House) -> None:
        self.face, self.house = face, house

    async def until(self, holds) -> None:
        async with asyncio.timeout(60):
            while not holds():  # noqa: ASYNC110 (a script, not the app)
                await asyncio.sleep(0.05)

    def row(self, slug: str):
        return next((s for s in self.house.store.roster.sessions.values() if s.project == slug), None)

    async def settle(self) -> None:
        """Let fades and slides end."""
        await asyncio.sleep(0.6)

    async def main_page(self, name: str, theme: str, lang: str = "en") -> None:
        await self.house.settings.change(theme=theme, language=lang)
        self.face.island.show()
        while self.face.island.panel.back():
            pass
        await self.settle()
        draw(name, theme, self.face.island.pill, self.face.island.panel)

    async def play(self) -> None:
        await self.until(lambda: (s := self.row("acme-research")) and s.requests)
        await self.until(lambda: (s := self.row("flaky-build")) and s.state is State.ERROR)
        await self.until(lambda: (s := self.row("sheet-wizard")) and s.activity.artifacts)
        await asyncio.sleep(4)
        await self.main_page("panel-dark", "dark")
        await self.main_page("panel-light", "light")
        await self.main_page("panel-zh", "dark", "zh-CN")
        await self.answer()
        await self.detail()
        await self.command_bar()
        await self.settings()

    async def answer(self) -> None:
        await self.house.settings.change(theme="dark", language="en")
        self.face.open_request(self.row("acme-research").requests[0].request_id)
        await self.settle()
        box = next(w for w in self.face.answer_page.findChildren(QPlainTextEdit) if not w.isReadOnly())
        box.setPlainText("Q3 2026, in euros. Leave out the reseller figures.")
        await self.settle()
        draw("answer", "dark", self.face.island.panel)
        box.setPlainText("")

    async def detail(self) -> None:
        self.face.open_session(self.row("sheet-wizard").key)
        await self.settle()
        draw("detail", "dark", self.face.island.panel)

    async def command_bar(self) -> None:
        await self.main_page("command-bar", "dark")
        self.face.island.open_command("@sheet-wizard totals per customer, as CSV")
        await self.settle()
        draw("command-bar", "dark", self.face.island.panel)
        self.face._bar.focus_text("")

    async def settings(self) -> None:
        await self.house.settings.change(
            theme="light", pins=(Pin("acme-research", "0.02 USD"), Pin("sheet-wizard", "free"))
        )
        self.face.open_settings("remote")
        await self.settle()
        draw("settings-remote", "light", self.face._dialog)


async def main() -> int:
    async with AsyncExitStack() as stack:
        found = await stack.enter_async_context(gateway([], "G1"))
        house = House(stack.enter_context(temporary_plan(found.url)))
        stack.push_async_callback(house.close)
        face = Face(house, asyncio.Event())
        stack.callback(face.close)
        modality.by_pointer_now()
        face.start()
        await house.open()
        await prepare(house, found.key)
        await house.settings.change(notify_input=False, notify_auth=False, notify_failed=False)
        face.ready()
        house.nursery.start(direct(house), "demo")
        await Scenes(face, house).play()
    return 0


def app_in_inter() -> QApplication:
    """The rig's home has no font settings: Inter as on the drawings, where it is installed."""
    app = application()
    if "Inter" in QFontDatabase.families():
        font = QFont("Inter")
        font.setPixelSize(13)
        app.setFont(font)
    return app


if __name__ == "__main__":
    PLACE.mkdir(exist_ok=True)
    sys.exit(loop.run(app_in_inter(), main()))
