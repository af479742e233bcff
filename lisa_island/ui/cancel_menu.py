"""Tasks that their agents can be asked to cancel, as a part of the tray's menu; hidden while there is none.

CancelMenu(parent, cancel, show)
    .show_tasks(sessions, lang, native)     entries are made once; only their texts change
cancelable(roster) -> sessions, most urgent first
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from heapq import nsmallest

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from lisa_island.core.agent import AgentSession, Can, SessionKey
from lisa_island.core.looks import order
from lisa_island.core.roster import Roster
from lisa_island.core.row_words import state_word
from lisa_island.core.summary import title
from lisa_island.core.text import clean, elide_middle
from lisa_island.core.words import count, say
from lisa_island.ui.popup import literal

SHOWN_TASKS = 8
NAME_LIMIT = 28
TAG_LENGTH = 4


@dataclass(frozen=True, slots=True)
class Tasks:
    """The first of them as (key, words), most urgent first, and how many more there are."""

    shown: tuple[tuple[SessionKey, str], ...] = ()
    rest: int = 0


def cancelable(roster: Roster, lang: str) -> Tasks:
    """Every task that offers it."""
    found = [s for s in roster.sessions.values() if Can.CANCEL in s.capabilities]
    shown = tuple((s.key, _line(s, lang)) for s in nsmallest(SHOWN_TASKS, found, key=order))
    return Tasks(shown, len(found) - len(shown))


class CancelMenu(QMenu):
    """An entry leads to the task's page, where it is asked once."""

    def __init__(
        self, parent: QWidget, cancel: Callable[[SessionKey], object], show: Callable[[], object]
    ) -> None:
        super().__init__(parent)
        self._cancel, self._show = cancel, show
        self._keys: list[SessionKey | None] = [None] * SHOWN_TASKS
        self.entries = [self._entry(i) for i in range(SHOWN_TASKS)]
        self.more = QAction(self)
        self.more.triggered.connect(lambda _checked: self._show())
        self.addAction(self.more)
        self.menuAction().setVisible(False)

    def _entry(self, i: int) -> QAction:
        entry = QAction(self)
        entry.triggered.connect(lambda _checked: self._chosen(i))
        self.addAction(entry)
        return entry

    def _chosen(self, i: int) -> None:
        key = self._keys[i]
        self._cancel(key) if key is not None else self._show()

    def show_tasks(self, tasks: Tasks, lang: str, *, native: bool) -> None:
        """What can be cancelled now."""
        self.setTitle(say(lang, "deed.cancel.menu"))
        self.setAccessibleName(self.title())
        for i, entry in enumerate(self.entries):
            self._keys[i], words = tasks.shown[i] if i < len(tasks.shown) else (None, "")
            entry.setVisible(bool(words))
            entry.setText(literal(words, native=native))
        self.more.setVisible(tasks.rest > 0)
        self.more.setText(count(lang, "menu.more", max(tasks.rest, 1)))
        self.menuAction().setVisible(bool(tasks.shown))


def _line(session: AgentSession, lang: str) -> str:
    """Its name, its tag (many tasks of one agent have one name), and its state."""
    name = elide_middle(clean(title(session), 200), NAME_LIMIT)
    tag = session.key.session_id.rpartition("/")[2][:TAG_LENGTH]
    return say(lang, "deed.cancel.entry", name=name, tag=tag, state=state_word(session, lang))
