"""Where the owner types a task: one line that grows to four, and knows what was pasted.

BarField(name, placeholder)
    entered()           Enter, but never while an input method composes
    key_asked(int)      ↑ ↓ Tab while `wants_keys` is set
    .is_pasted          the text begins inside a pasted block of more than 4 kB, or in a code fence
    .mark_name(n)       the first n characters name an agent: draw them as chosen
"""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QMimeData, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QInputMethodEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QWidget

from lisa_island.ui import theme
from lisa_island.ui.controls import TextBox
from lisa_island.ui.paint import rounded

PASTE_LIMIT = 4096
MOST_LINES = 4
INSET = 4  # around the words, for the ground of a name
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
        self._marked = 0
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(INSET)
        # A space at the end of a full line would scroll all lines sideways.
        side = self.horizontalScrollBar()
        side.valueChanged.connect(lambda value: side.setValue(0) if value else None)
        self._fit()

    def _height(self, lines: int) -> int:
        t = theme.current()
        line = ceil(QFontMetricsF(self.font()).lineSpacing())
        one = t.height(t.metrics.field)
        pad = max(4, (one - line - 2) // 2)
        self.setViewportMargins(12 - INSET, pad - INSET, 40 - INSET, pad - INSET)
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
        n = min(n, len(self.toPlainText()))
        if n != self._marked:
            self._marked = n
            self.viewport().update()

    def _name_area(self) -> QRectF:
        """Around the marked characters, where they stand in one line; else empty."""
        cursor = QTextCursor(self.document())
        first = self.cursorRect(cursor)
        cursor.setPosition(self._marked)
        last = self.cursorRect(cursor)
        if not self._marked or first.top() != last.top():
            return QRectF()
        left, right = sorted((first.left(), last.left()))
        # Behind the name comes a space, which is narrower than the inset.
        return QRectF(left - INSET, first.top() - 1, right - left + INSET + 2, first.height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        area = self._name_area()
        if not area.isEmpty():
            t = theme.current()
            line = t.color("line.control") if t.name == "contrast" else None
            painter = QPainter(self.viewport())
            rounded(painter, area, t.radius("r.tag"), t.color("surface.select"), line, t.line_width)
            painter.end()
        super().paintEvent(event)
