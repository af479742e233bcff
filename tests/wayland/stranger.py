"""Another program on the desktop: one window of text that fills the screen, and answers what happened to it.

async with stranger(platform, full=False) as window:     "wayland" or "xcb"; full: the whole display
    await window.until(active=True, text="abc", clicks=1)
"""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

LIMIT = 30.0
PROGRAM = """
import json, sys
from PySide6.QtCore import QSocketNotifier
from PySide6.QtWidgets import QApplication, QPlainTextEdit

class Window(QPlainTextEdit):
    clicks = 0

    def mousePressEvent(self, event):
        super().mousePressEvent(event)
        self.clicks += 1

def answer():
    sys.stdin.readline()
    seen = {"active": window.isActiveWindow(), "text": window.toPlainText(), "clicks": window.clicks}
    print(json.dumps(seen), flush=True)

app = QApplication([])
window = Window()
window.setWindowTitle("stranger")
window.showFullScreen() if "--full" in sys.argv else window.showMaximized()
window.activateWindow()
reader = QSocketNotifier(0, QSocketNotifier.Type.Read)
reader.activated.connect(answer)
app.exec()
"""


@dataclass
class Stranger:
    """The program, by its answers."""

    process: Process

    async def look(self) -> dict[str, Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(b"look\n")
        return json.loads(await self.process.stdout.readline())

    async def until(self, **wanted: Any) -> None:
        """Look until it is so; the answer paces the loop."""
        seen: dict[str, Any] = {}
        try:
            async with asyncio.timeout(LIMIT):
                while not wanted.items() <= seen.items():
                    seen = await self.look()
        except TimeoutError:
            raise AssertionError(f"wanted {wanted}, saw {seen}") from None


@asynccontextmanager
async def stranger(platform: str, full: bool = False) -> AsyncIterator[Stranger]:
    """Run one; it has the focus when this begins."""
    environ = os.environ | {"QT_QPA_PLATFORM": platform}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, "--full" if full else "", env=environ, stdin=PIPE, stdout=PIPE
    )
    window = Stranger(process)
    try:
        await window.until(active=True)
        yield window
    finally:
        process.kill()
        await process.communicate()
