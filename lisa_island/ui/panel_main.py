"""The panel's first page: banners, needs you, sessions, command bar; or what to do when there is nothing.

Parts written elsewhere are handed in. Each is a QWidget; what it may have besides:
    requests   opened(str) signal; `focus_first()`; `room` px before it scrolls; 0 high when nothing waits;
               `refresh()`, called at each full minute
    command    `focus_text(prefill)`, `focus_first()` or plain focus; `has_draft`; `began(bool)`, `is_begun`
    banners    nothing; its sizeHint is 0 high when there is none

While visible it has one coarse timer for all its relative times, aligned to the full minute; hidden, none.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lisa_island.core.roster import Roster
from lisa_island.core.times import next_minute
from lisa_island.ui import theme
from lisa_island.ui.controls import Separator
from lisa_island.ui.empty_state import EmptyState
from lisa_island.ui.page_parts import is_stacked
from lisa_island.ui.roster_view import RosterView
from lisa_island.ui.shell import Shell


class MainPage(QWidget):
    """Everything at once; what does not fit scrolls inside its own part."""

    command_asked = Signal()
    settings_asked = Signal(str)

    def __init__(
        self,
        shell: Shell,
        requests: QWidget | None = None,
        command: QWidget | None = None,
        banners: QWidget | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._shell = shell
        self.requests, self.command, self.banners = requests, command, banners
        self.roster = RosterView(shell)
        self.nothing = EmptyState(shell)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        if banners is not None:
            column.addWidget(banners)
        if requests is not None:
            column.addWidget(requests)
        column.addWidget(self.roster, 1)
        column.addWidget(self.nothing)
        if command is not None:
            column.addSpacing(theme.current().metrics.card_margin // 2)
            column.addWidget(Separator())
            column.addWidget(command)
        self.nothing.command_requested.connect(self.command_asked)
        self.nothing.settings_requested.connect(self.settings_asked)
        if hasattr(command, "began"):
            command.began.connect(self._make_way)  # type: ignore[union-attr]
            theme.watcher().changed.connect(self._make_way)
        self._make_way()
        self.minute = QTimer(self)
        self.minute.setSingleShot(True)
        self.minute.setTimerType(Qt.TimerType.CoarseTimer)
        self.minute.timeout.connect(self._minute_passed)
        self.refresh(shell.store.roster)

    def set_room(self, height: int) -> None:
        """The highest that the panel may become: the cards take at most half of it, then they scroll."""
        if self.requests is not None and getattr(self.requests, "room", height // 2) != height // 2:
            self.requests.room = height // 2  # type: ignore[attr-defined]
            self.requests.updateGeometry()

    def _make_way(self, *_: object) -> None:
        """Very large letters: while the owner types, what cannot be answered meanwhile leaves its room."""
        typing = is_stacked() and getattr(self.command, "is_begun", False)
        for part in (self.banners, self.requests):
            if part is not None:
                part.setVisible(not typing)

    def refresh(self, roster: Roster) -> None:
        """Rows or the reason why there are none."""
        empty = self.nothing.refresh(roster)
        self.roster.setVisible(not empty)
        self.nothing.setVisible(empty)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.minute.start(next_minute(self._shell.now()))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.minute.stop()

    def _minute_passed(self) -> None:
        for part in (self.roster, self.requests):
            again = getattr(part, "refresh", None)
            if callable(again):
                again()
        self.minute.start(next_minute(self._shell.now()))

    def focus_first(self) -> None:
        """The first card, or the command bar if nothing waits, or the list."""
        waits = any(s.requests for s in self._shell.store.roster.sessions.values())
        if waits and self.requests is not None:
            _focus(self.requests)
        elif self.command is not None:
            _focus(self.command)
        else:
            self.roster.focus_first()

    def focus_command(self, prefill: str = "") -> None:
        """Bring the keyboard to the command bar, with something to begin from."""
        begin = getattr(self.command, "focus_text", None)
        if callable(begin):
            begin(prefill)
        elif self.command is not None:
            _focus(self.command)

    @property
    def has_draft(self) -> bool:
        """Whether some text of the owner's waits in one of the parts."""
        return any(getattr(part, "has_draft", False) for part in (self.requests, self.command))


def _focus(part: QWidget) -> None:
    first = getattr(part, "focus_first", None)
    if callable(first):
        first()
    else:
        part.setFocus(Qt.FocusReason.ShortcutFocusReason)
