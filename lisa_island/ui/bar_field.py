"""Where the owner types a task: one line that grows to four, and knows what was pasted.

BarField(name, placeholder)
    entered()           Enter, but never while an input method composes
    key_asked(int)      ↑ ↓ Tab while `wants_keys` is set
    .is_pasted          the text begins inside a pasted block of more than 4 kB, or in a code fence
    .mark_name(n)       the first n characters name an agent: draw them as chosen
"""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QInputMethodEvent,
    QKeyEvent,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from lisa_island.ui import theme
from lisa_island.ui.controls import TextBox

PASTE_LIMIT = 4096
MOST_LINES = 4
TEXT_LIMIT = 256 * 1024
_FENCE = "```"
_MARK = 64
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ARROWS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Tab: 0}


class BarField(TextBox):
    """Plain text only; rich clipboard content comes in as its words."""

    entered = Signal()
    key_asked = Signal(int)

    def __init__(self, name: str, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(name, placeholder=placeholder, min_lines=1, max_lines=MOST_LINES, parent=parent)
        self.wants_keys = False
        self._composes = False
        self._block = ""
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(0)
        # A space at the end of a full line would scroll all lines sideways.
        side = self.horizontalScrollBar()
        side.valueChanged.connect(lambda value: side.setValue(0) if value else None)
        self._fit()

    def _height(self, lines: int) -> int:
        t = theme.current()
        line = ceil(QFontMetricsF(self.font()).lineSpacing())
        one = t.height(t.metrics.field)
        pad = max(4, (one - line - 2) // 2)
        self.setViewportMargins(12, pad, 40, pad)
        return max(one, lines * line + 2 + 2 * pad)

    # Keys.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in _ENTER and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            if not self._composes and not event.isAutoRepeat():
                self.entered.emit()
            return
        if self.wants_keys and plain and event.key() in _ARROWS:
            self.key_asked.emit(_ARROWS[Qt.Key(event.key())])
            return
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
            return
        super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composes = bool(event.preeditString())
        super().inputMethodEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        # Tab belongs to the completion while that is open.
        return False if forward and self.wants_keys else super().focusNextPrevChild(forward)

    # What was pasted.

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText()

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = source.text()[:TEXT_LIMIT]
        at_start = not self.toPlainText()[: self.textCursor().selectionStart()].strip()
        if at_start and len(text.encode("utf-8", "replace")) > PASTE_LIMIT:
            self._block = text.lstrip()[:_MARK]
        self.textCursor().insertText(text)

    @property
    def is_pasted(self) -> bool:
        start = self.toPlainText().lstrip()
        return start.startswith(_FENCE) or bool(self._block and start.startswith(self._block))

    def put(self, text: str) -> None:
        """Replace everything with text of our own, the cursor at its end."""
        self._block = ""
        self.setPlainText(text)
        self.moveCursor(QTextCursor.MoveOperation.End)

    def mark_name(self, n: int) -> None:
        """Draw the first `n` characters as a chosen name."""
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(n, len(self.toPlainText())), QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        selection.format.setBackground(theme.current().color("surface.select"))
        self.setExtraSelections([selection] if n else [])
