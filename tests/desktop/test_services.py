"""The recording services against a real toolkit: what they say of a tray icon is what Qt put there."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE

import pytest

from tests.desktop.tray_watcher import TrayWatcher

pytestmark = pytest.mark.desktop

ICON = """
import sys
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon
app = QApplication([])
tell = lambda word: print(word, flush=True)
pixmap = QPixmap(22, 22)
pixmap.fill()
icon = QSystemTrayIcon(QIcon(pixmap))
icon.setToolTip("All quiet")
menu = QMenu()
menu.addAction("Settings", lambda: tell("settings"))
sub = menu.addMenu("Mute")
sub.addAction("For an hour", lambda: tell("muted"))
icon.setContextMenu(menu)
icon.activated.connect(lambda reason: tell("activated"))
icon.show()
app.exec()
"""


async def test_a_tray_icon_is_seen_and_clicked(tray: TrayWatcher) -> None:
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-c", ICON, stdout=PIPE, env=dict(os.environ)
    )
    assert program.stdout is not None
    try:
        item = await tray.until_item()
        assert (await item.property("ToolTip"))[2] == "All quiet"
        assert set(await item.menu()) == {"Settings", "Mute", "For an hour"}
        await item.choose("Settings")
        assert await program.stdout.readline() == b"settings\n"
        await item.choose("For an hour")
        assert await program.stdout.readline() == b"muted\n"
        await item.activate()
        assert await program.stdout.readline() == b"activated\n"
    finally:
        program.kill()
        await program.communicate()
