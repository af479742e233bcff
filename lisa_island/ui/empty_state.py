"""What stands on the main page while there is no row: a picture, two lines and a way on.

    EmptyState(shell)
        settings_requested(str)  command_requested()
        .refresh(roster) -> bool   read it again; whether there is something to say
        .kind                      "", "quiet", "none" or "no-key"
    is_keyless(roster)             remote agents are on and not one has a key

It follows nothing by itself: the main page asks it.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lisa_island.core.agent import KeyState
from lisa_island.core.roster import Roster
from lisa_island.core.words import say
from lisa_island.ui import theme
from lisa_island.ui.controls import Button, PlainLabel
from lisa_island.ui.page_parts import Picture
from lisa_island.ui.shell import Shell

REMOTE_PAGE = "remote"
PICTURE = 40


class _Face(NamedTuple):
    icon: str
    ink: str
    primary: bool
    title: str
    text: str
    button: str


_FACES = {
    "quiet": _Face(
        "app/lisa-island-symbolic",
        "accent",
        False,
        "panel.quiet.title",
        "panel.quiet.text",
        "panel.quiet.button",
    ),
    "none": _Face(
        "action/terminal", "text.3", True, "panel.none.title", "panel.none.text", "panel.none.button"
    ),
    "no-key": _Face("action/key", "text.3", True, "screen.no-key.title", "screen.no-key", "screen.add-key"),
}


def is_keyless(roster: Roster) -> bool:
    """Whether something is switched on and none of it has the key it needs."""
    enabled = [s for s in roster.sources.values() if s.enabled]
    return bool(enabled) and all(s.key_state is KeyState.NONE for s in enabled)


class EmptyState(QWidget):
    """A picture, two lines and a way on, where the rows would be."""

    settings_requested = Signal(str)
    command_requested = Signal()

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._kind = ""
        self._later = False
        self._picture = Picture(size=PICTURE)
        self._title = PlainLabel("", "lead.600", wrap=True)
        self._text = PlainLabel("", "body", "text.2", wrap=True)
        for label in (self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.later = Button(say(shell.lang, "screen.not-now"), "outline", tall=True)
        self.button = Button("", "outline", tall=True)
        self.later.clicked.connect(self._not_now)
        self.button.clicked.connect(self._pressed)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.current().metrics.target_gap)
        buttons.addStretch(1)
        buttons.addWidget(self.later)
        buttons.addWidget(self.button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(48, 24, 48, 28)
        column.setSpacing(6)
        column.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._title)
        column.addWidget(self._text)
        column.addSpacing(8)
        column.addLayout(buttons)
        self.refresh(shell.store.roster)

    @property
    def kind(self) -> str:
        return self._kind

    def title(self) -> str:
        return self._title.text()

    def refresh(self, roster: Roster) -> bool:
        """Say why there is no row; False when there is one."""
        kind = self._wanted(roster)
        if kind not in ("", self._kind):
            self._say(_FACES[kind])
            self.later.setVisible(kind == "no-key")
        self._kind = kind
        return bool(kind)

    def _wanted(self, roster: Roster) -> str:
        if roster.sessions:
            return ""
        if not any(s.enabled for s in roster.sources.values()):
            return "none"
        return "no-key" if is_keyless(roster) and not self._later else "quiet"

    def _say(self, face: _Face) -> None:
        lang = self._shell.lang
        self._picture.show_picture(face.icon, face.ink)
        self._title.setText(say(lang, face.title))
        self._text.setText(say(lang, face.text))
        self.button.setText(say(lang, face.button))
        self.button.set_kind("primary" if face.primary else "outline")

    def _not_now(self) -> None:
        self._later = True
        self.refresh(self._shell.store.roster)
        self.button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _pressed(self) -> None:
        if self._kind == "quiet":
            self.command_requested.emit()
        else:
            self.settings_requested.emit(REMOTE_PAGE)
