"""One request as a card of the queue: one focus stop, Enter or a click opens it, → goes to its button.

NeedCard(view, first)    .opened(request_id)   .show_view(view)   .button   .walked(-1 | 1): ↑ ↓
ReceiptCard(text, height)  what stands in the slot after the request is gone, so that nothing moves at once
"""

from __future__ import annotations

from PySide6.QtCore import QMargins, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QKeyEvent, QMouseEvent, QMoveEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from lisa_island.ui import theme
from lisa_island.ui.controls import Button, Card, KeyboardRing, PlainLabel, rounded
from lisa_island.ui.needs import CardView
from lisa_island.ui.page_parts import (
    ARM_MS,
    NAME_ROOM,
    Badge,
    NameLabel,
    Picture,
    is_stacked,
)

_OPEN = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class Excerpt(PlainLabel):
    """One line of the question in an inset box, as high as a code preview."""

    padding = QMargins(10, 0, 10, 0)

    def __init__(self, text: str) -> None:
        super().__init__(text, "body", "text.1", elide="end")
        self.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading)

    def sizeHint(self) -> QSize:
        t = theme.current()
        return QSize(super().sizeHint().width(), t.height(t.metrics.code_preview))

    def paintEvent(self, event: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        fill, line = t.color("surface.inset"), t.color("line.subtle")
        rounded(painter, QRectF(self.rect()), t.radius("r.control.s"), fill, line, t.line_width)
        painter.end()
        super().paintEvent(event)


class NeedCard(KeyboardRing, Card):
    """A request that waits; the first one in the queue is large and amber."""

    told_as = QAccessible.Role.ListItem

    opened = Signal(str)
    walked = Signal(int)

    def __init__(self, view: CardView, first: bool, parent: QWidget | None = None) -> None:
        super().__init__("waiting" if first else "plain", parent=parent)
        self.first = first
        self._pressed = False
        self.view = view
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._badge = Badge(theme.current().metrics.badge)
        self._name = NameLabel("body.600", NAME_ROOM)
        self._verb = PlainLabel("", "body", "text.2", elide="end")
        self._at = PlainLabel("", "small", "text.3")
        self._below = PlainLabel("", "small", "text.2", elide="end", parent=self)
        self._question = Excerpt("") if first else PlainLabel("", "small", "text.2", elide="end")
        self._note = PlainLabel("", "small", "text.3", elide="end")
        self.button = Button(view.button or " ", "primary" if first else "outline", arm_ms=ARM_MS)
        # One stop for Tab: the arrows lead from the card to its button and back.
        self.button.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.button.clicked.connect(self._open)
        self.button.installEventFilter(self)
        self._build_large() if first else self._build_small()
        theme.watcher().changed.connect(self.updateGeometry)
        self._fill()

    def _title(self, *after: QWidget) -> QVBoxLayout:
        """Name, verb and what stands after them; where letters are very large the verb has its own line."""
        line = QHBoxLayout()
        line.setSpacing(4)
        line.addWidget(self._name)
        if not is_stacked():
            line.addWidget(self._verb)
        for widget in after:
            line.addSpacing(4)
            line.addWidget(widget)
        line.addStretch(1)
        lines = QVBoxLayout()
        lines.setSpacing(0)
        lines.addLayout(line)
        if is_stacked():
            lines.addWidget(self._verb)
        return lines

    def _build_large(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(10)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addLayout(self._title())
        words.addWidget(self._below)
        top.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignVCenter)
        top.addLayout(words, 1)
        top.addWidget(self._at, 0, Qt.AlignmentFlag.AlignTop)
        buttons = QHBoxLayout()
        buttons.addStrut(theme.current().metrics.button)  # Where a sentence stands in its place, too.
        buttons.addWidget(self._note, 1)
        buttons.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTrailing)
        m = theme.current().metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(m.card_pad_h, m.card_pad_v, m.card_pad_h, m.card_pad_v)
        column.setSpacing(9)
        column.addLayout(top)
        column.addWidget(self._question)
        column.addLayout(buttons)

    def _build_small(self) -> None:
        self._below.hide()
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addLayout(self._title(self._at))
        words.addWidget(self._question)
        m = theme.current().metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(m.card_pad_h, 8, 8, 8)
        row.setSpacing(10)
        row.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(words, 1)
        row.addWidget(self._note)
        if is_stacked():
            words.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTrailing)
        else:
            row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        self._note.hide()

    def sizeHint(self) -> QSize:
        t = theme.current()
        height = t.metrics.first_card if self.first else t.metrics.card
        grown = super().sizeHint()
        return QSize(grown.width(), max(height, grown.height()))

    def show_view(self, view: CardView) -> None:
        """Other words for the same request; a changed question makes the button inert again."""
        if view == self.view:
            return
        changed = view.question != self.view.question
        self.view = view
        self._fill()
        if changed:
            self.arm()

    def _fill(self) -> None:
        view = self.view
        self._badge.show_badge(view.badge)
        self._name.setText(view.name if self.first else f"{view.name} {view.twin}".rstrip())
        self._verb.setText(view.verb)
        self._at.setText(view.at)
        self._below.setText(view.below)
        self._question.setText(view.question)
        self._note.setText(view.note)
        self._note.setVisible(bool(view.note) and self.first)
        self.button.setVisible(bool(view.button))
        if view.button:
            self.button.setText(view.button)
        self.setAccessibleName(view.spoken)
        self.setAccessibleDescription(view.note)

    def arm(self) -> None:
        """Its button takes no press for a moment."""
        if self.isVisible() and self.view.button:
            self.button.arm()

    def told_press(self) -> None:
        """As Enter."""
        self._open()

    def _open(self) -> None:
        self.opened.emit(self.view.request_id)

    # Keys and pointer.

    def focus_shape(self) -> tuple[QRectF, float]:
        return QRectF(self.rect()), theme.current().radius("r.card")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case key if key in _OPEN and not event.isAutoRepeat():
                self._open()
            case Qt.Key.Key_Right if self.view.button:
                self.button.setFocus(Qt.FocusReason.OtherFocusReason)
            case Qt.Key.Key_Up:
                self.walked.emit(-1)
            case Qt.Key.Key_Down:
                self.walked.emit(1)
            case _:
                super().keyPressEvent(event)

    def eventFilter(self, watched: object, event: object) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QKeyEvent.Type.KeyPress:
            match event.key():
                case Qt.Key.Key_Left:
                    self.setFocus(Qt.FocusReason.OtherFocusReason)
                    return True
                case Qt.Key.Key_Up | Qt.Key.Key_Down:
                    self.walked.emit(-1 if event.key() == Qt.Key.Key_Up else 1)
                    return True
        return False

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and self._pressed and inside:
            self._open()
        self._pressed = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = True

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        if event.pos() != event.oldPos():
            self.arm()


class ReceiptCard(Card):
    """Keeps the slot for a moment: what became of the request."""

    told_as = QAccessible.Role.ListItem

    def __init__(self, name: str, text: str, height: int, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._label = PlainLabel(f"{name} · {text}", "small", "text.2", elide="end")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 14, 0)
        row.setSpacing(10)
        row.addWidget(Picture("state/done", 16, "text.3"), 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._label, 1)
        self.setFixedHeight(height)
        self.setAccessibleName(self._label.text())

    def text(self) -> str:
        return self._label.text()
