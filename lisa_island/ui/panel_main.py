"""The panel's first page: banners, needs you, sessions, command bar; or what to do when there is nothing.

Parts written elsewhere are handed in. Each is a QWidget; what it may have besides:
    requests   opened(str) signal; `focus_first()`; `room` px before it scrolls; 0 high when nothing waits
    command    `focus_text(prefill)`, `focus_first()` or plain focus; `has_draft`
    banners    nothing; its sizeHint is 0 high when there is none
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lisa_island.core.roster import Roster
from lisa_island.core.words import say
from lisa_island.ui import assets, theme
from lisa_island.ui.controls import Button, PlainLabel, Separator
from lisa_island.ui.roster_view import RosterView
from lisa_island.ui.shell import Shell


class Nothing(QWidget):
    """What the panel says when there is no row: picture, two lines, one button."""

    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = _Picture()
        self._title = PlainLabel("", "lead.600", "text.1")
        self._text = PlainLabel("", "body", "text.2", wrap=True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.button = Button("", "outline", tall=True)
        self.button.clicked.connect(self.pressed)
        column = QVBoxLayout(self)
        column.setContentsMargins(48, 24, 48, 28)
        column.setSpacing(6)
        for widget in (self._picture, self._title):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._text)
        column.addSpacing(8)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)

    def say(self, lang: str, key: str, icon: str, ink: str, primary: bool) -> None:
        """Take the words below `panel.<key>`."""
        self._picture.show_icon(icon, ink)
        self._title.setText(say(lang, f"panel.{key}.title"))
        self._text.setText(say(lang, f"panel.{key}.text"))
        self.button.setText(say(lang, f"panel.{key}.button"))
        self.button.set_kind("primary" if primary else "outline")


class _Picture(PlainLabel):
    SIDE = 40

    def __init__(self) -> None:
        super().__init__("")
        self._shown = ("", "")
        theme.watcher().changed.connect(self.update)

    def show_icon(self, icon: str, ink: str) -> None:
        self._shown = (icon, ink)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.SIDE, self.SIDE)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _: QPaintEvent) -> None:
        icon, ink = self._shown
        if icon:
            picture = assets.pixmap(icon, self.SIDE, ink, self.devicePixelRatioF(), theme.current())
            QPainter(self).drawPixmap(0, 0, picture)


class MainPage(QWidget):
    """Everything at once; what does not fit scrolls inside its own part."""

    command_asked = Signal()
    agents_asked = Signal()

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
        self.nothing = Nothing()
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
        self.nothing.pressed.connect(self._nothing_pressed)
        self.refresh(shell.store.roster)

    def set_room(self, height: int) -> None:
        """The highest that the panel may become: the cards take at most half of it, then they scroll."""
        if self.requests is not None and getattr(self.requests, "room", height // 2) != height // 2:
            self.requests.room = height // 2  # type: ignore[attr-defined]
            self.requests.updateGeometry()

    def refresh(self, roster: Roster) -> None:
        """Rows or the reason why there are none."""
        empty = not roster.sessions
        self.roster.setVisible(not empty)
        self.nothing.setVisible(empty)
        if empty:
            self._say_nothing(roster)

    def _say_nothing(self, roster: Roster) -> None:
        if any(status.enabled for status in roster.sources.values()):
            self.nothing.say(self._shell.lang, "quiet", "app/lisa-island-symbolic", "accent", primary=False)
            self.nothing.button.setVisible(self.command is not None)
        else:
            self.nothing.say(self._shell.lang, "none", "action/terminal", "text.3", primary=True)
            self.nothing.button.setVisible(True)

    def _nothing_pressed(self) -> None:
        is_none = self.nothing.button.kind == "primary"
        (self.agents_asked if is_none else self.command_asked).emit()

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
