"""Asks once before quitting would lose something, and says what."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lisa_island.core.words import count, say
from lisa_island.ui.controls import Button, PlainLabel
from lisa_island.ui.shell import Shell

WIDTH = 400


class AskToLeave(QWidget):
    """A small window of its own; it opens, it never runs a loop."""

    told_as = QAccessible.Role.Dialog

    accepted = Signal()

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self._shell = shell
        self.setFixedWidth(WIDTH)
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 24, 24, 16)
        box.setSpacing(12)
        self._title = PlainLabel("", "lead.600", wrap=True)
        self._text = PlainLabel("", "body", "text.2", wrap=True)
        box.addWidget(self._title)
        box.addWidget(self._text)
        row = QHBoxLayout()
        row.addStretch(1)
        self._stay = Button("", tall=True)
        self._leave = Button("", "danger", tall=True)
        row.addWidget(self._leave)
        row.addWidget(self._stay)
        box.addLayout(row)
        self._stay.clicked.connect(self.hide)
        self._leave.clicked.connect(self._accept)

    def ask(self, replies: int, calls: int) -> None:
        """Show what would be lost; a second call only refreshes it."""
        lang = self._shell.lang
        lost = count(lang, "quit.replies", replies) if replies else ""
        open_ = count(lang, "quit.calls", calls) if calls else ""
        both = say(lang, "quit.both", replies=lost, calls=open_) if lost and open_ else lost or open_
        self.setWindowTitle(say(lang, "quit.ask.title"))
        self._title.setText(say(lang, "quit.ask.title"))
        self._text.setText(both)
        self._stay.setText(say(lang, "quit.stay"))
        self._leave.setText(say(lang, "quit.leave"))
        self.adjustSize()
        self.show()
        self.raise_()
        self.activateWindow()
        self._stay.setFocus()

    def _accept(self) -> None:
        self.hide()
        self.accepted.emit()
