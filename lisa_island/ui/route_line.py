"""The line under the command bar's field: where the text would go, or why it goes nowhere.

RouteLine(enter)           `enter`: the name of the key that sends
    .show_line(text, …)    one sentence, a badge or glyph before it, choices or one accepting button after it
    .text()  .buttons()
    chosen(str)  accepted()
"""

from __future__ import annotations

from PySide6.QtCore import QMargins, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from lisa_island.ui import assets, theme
from lisa_island.ui.controls import Button, PlainLabel, rounded
from lisa_island.ui.page_parts import ARM_MS, clear, paint_picture


class KeyTag(PlainLabel):
    """The name of a key in an outline."""

    padding = QMargins(10, 0, 10, 0)

    def __init__(self, text: str) -> None:
        super().__init__(text, "caption", "text.2")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width() - 8, hint.height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        line = t.color("line.subtle")
        rounded(painter, QRectF(self.rect()), t.radius("r.tag"), None, line, t.line_width)
        painter.setFont(t.font("caption"))
        painter.setPen(t.color("text.2"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())


class _Sign(QWidget):
    """A remote agent's badge, or a glyph."""

    SIDE = 18

    def __init__(self) -> None:
        super().__init__()
        self._slug = self._glyph = ""
        self.setFixedSize(self.SIDE, self.SIDE)
        theme.watcher().changed.connect(self.update)

    def show_sign(self, slug: str, glyph: str) -> None:
        self._slug, self._glyph = slug, glyph
        self.setVisible(bool(slug or glyph))
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._slug:
            picture = assets.remote_badge(self._slug, self.SIDE, self.devicePixelRatioF())
            painter.drawPixmap(QPoint(0, 0), picture)
        elif self._glyph:
            paint_picture(painter, QRectF(2, 2, 14, 14), f"state/{self._glyph}")


class RouteLine(QWidget):
    """Hidden while there is nothing to say."""

    chosen = Signal(str)
    accepted = Signal()

    def __init__(self, enter: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sign = _Sign()
        self._label = PlainLabel("", "small", "text.2", wrap=True, max_lines=3)
        self._enter = KeyTag(enter)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(theme.current().metrics.target_gap)
        self._shown: tuple[object, ...] = ()
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 12, 10)
        row.setSpacing(8)
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._label, 1)
        row.addLayout(self._buttons)
        row.addWidget(self._enter)
        self.hide()

    def text(self) -> str:
        return "" if self.isHidden() else self._label.text()

    def buttons(self) -> list[Button]:
        items = (self._buttons.itemAt(i) for i in range(self._buttons.count()))
        found = (item.widget() for item in items if item is not None)
        return [b for b in found if isinstance(b, Button)]

    def show_line(
        self,
        text: str,
        *,
        slug: str = "",
        glyph: str = "",
        ink: str = "text.2",
        enter: bool = False,
        choices: tuple[tuple[str, str], ...] = (),
        accept: str = "",
    ) -> None:
        """One sentence with what belongs to it; "" hides the line."""
        asked = (text, slug, glyph, ink, enter, choices, accept)
        if asked == self._shown:
            return
        self._shown = asked
        self._label.set_ink(ink)
        self._label.setText(text)
        self._sign.show_sign(slug, glyph)
        self._enter.setVisible(enter)
        clear(self._buttons)
        for label, put in choices:
            self._add(label, "outline", 0).clicked.connect(lambda _=False, put=put: self.chosen.emit(put))
        if accept:
            self._add(accept, "primary", ARM_MS).clicked.connect(self.accepted)
        self.setVisible(bool(text))

    def _add(self, label: str, kind: str, arm_ms: int) -> Button:
        button = Button(label, kind, arm_ms=arm_ms)  # type: ignore[arg-type]
        self._buttons.addWidget(button)
        return button
