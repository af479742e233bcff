"""The menu behind the bell: how long to be quiet. What waits stays in the queue all the while."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QTime
from PySide6.QtWidgets import QMenu, QWidget

from lisa_island.core.times import HOUR, MINUTE
from lisa_island.core.words import say
from lisa_island.ui.shell import Shell

MORNING = QTime(8, 0)


def mute_menu(shell: Shell, parent: QWidget | None = None) -> QMenu:
    """A menu made for this moment; the caller opens it with `popup`."""
    menu = QMenu(say(shell.lang, "panel.mute"), parent)
    now = shell.now()

    def offer(word: str, until: int) -> None:
        action = menu.addAction(say(shell.lang, word))
        action.triggered.connect(lambda: shell.prefer(muted_until=until))

    if shell.preferences.muted_until > now:
        offer("panel.mute.off", 0)
        menu.addSeparator()
    offer("panel.mute.half-hour", now + 30 * MINUTE)
    offer("panel.mute.hour", now + HOUR)
    offer("panel.mute.morning", morning_after(now))
    return menu


def morning_after(now: int) -> int:
    """The next 8 o'clock of the owner's time zone, epoch ms."""
    moment = QDateTime.fromMSecsSinceEpoch(now)
    day = moment.date() if moment.time() < MORNING else moment.date().addDays(1)
    return QDateTime(day, MORNING).toMSecsSinceEpoch()
