"""The menu behind the bell: how long to be quiet. What waits stays in the queue all the while."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QWidget

from lisa_island.core.words import say
from lisa_island.ui import mute
from lisa_island.ui.popup import round_off
from lisa_island.ui.shell import Shell


def mute_menu(shell: Shell, parent: QWidget | None = None) -> QMenu:
    """The tray menu's choices, made for this moment; the caller opens it with `popup`."""
    menu = QMenu(say(shell.lang, "menu.mute"), parent)
    menu.setAccessibleName(menu.title())
    round_off(menu)
    muted = mute.is_muted(shell.preferences, shell.now())
    if why := mute.quiet_line(shell.quiet(), shell.lang, shell.now()):
        menu.addAction(why).setEnabled(False)
        menu.addSeparator()
    for choice in mute.CHOICES:
        if choice != "off" or muted:
            _offer(menu, shell, choice)
    return menu


def _offer(menu: QMenu, shell: Shell, choice: str) -> None:
    entry = menu.addAction(say(shell.lang, f"menu.mute.{choice}"))
    entry.triggered.connect(lambda: shell.prefer(muted_until=mute.until(choice, shell.now())))
