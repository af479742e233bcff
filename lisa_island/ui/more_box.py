"""A box to say more to one task that asks nothing and is ready for more. It sends nothing by itself.

MoreBox(lang)
    .begin(who, goes, text)    show it, bound to the task that `goes` names
    .set_ready(ready)          whether the task takes more now; the text stays either way
    .set_sending(on)
    sent(str)  closed()  typed(str)
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lisa_island.core.words import say
from lisa_island.ui.controls import Button, Card, PlainLabel, TextBox
from lisa_island.ui.page_parts import ARM_MS


class MoreBox(Card):
    """Hidden until the owner asks for it."""

    sent = Signal(str)
    closed = Signal()
    typed = Signal(str)

    def __init__(self, lang: str, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._lang = lang
        self._ready, self._sending = True, False
        self._goes = ""
        title = say(lang, "deed.more.title")
        self.setAccessibleName(title)
        self.box = TextBox(title)
        self._note = PlainLabel("", "small", "text.2", wrap=True)
        self.close_it = Button(say(lang, "deed.more.close"))
        self.send = Button(say(lang, "deed.more.send"), "primary", arm_ms=ARM_MS)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self.close_it)
        buttons.addWidget(self.send)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 9, 12, 10)
        column.setSpacing(8)
        for widget in (PlainLabel(title, "small", "text.3"), self.box, self._note):
            column.addWidget(widget)
        column.addLayout(buttons)
        self.box.textChanged.connect(self._changed)
        self.box.submitted.connect(self._submit)
        self.send.clicked.connect(self._submit)
        self.close_it.clicked.connect(self.closed)
        self.hide()

    def note(self) -> str:
        """The sentence below the box."""
        return self._note.text()

    def begin(self, who: str, goes: str, text: str) -> None:
        """Bring the keyboard in."""
        self._goes = goes
        self.box.setPlaceholderText(say(self._lang, "deed.more.hint", name=who))
        self.box.setPlainText(text)
        self.show()
        self.send.arm()
        self._fill()
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_ready(self, ready: bool) -> None:
        if ready != self._ready:
            self._ready = ready
            if ready:
                self.send.arm()
            self._fill()

    def set_sending(self, on: bool) -> None:
        self._sending = on
        self._fill()

    def _fill(self) -> None:
        lang = self._lang
        live = self._ready and not self._sending
        self._note.setText(self._goes if self._ready or self._sending else say(lang, "deed.more.gone"))
        self.send.setText(say(lang, "answer.sending" if self._sending else "deed.more.send"))
        self.box.setReadOnly(self._sending)
        self.send.setEnabled(live and bool(self.box.toPlainText().strip()))

    def _changed(self) -> None:
        self.typed.emit(self.box.toPlainText())
        self._fill()

    def _submit(self) -> None:
        if self.send.isEnabled() and not self.send.is_inert():
            self.sent.emit(self.box.toPlainText())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self._sending:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
