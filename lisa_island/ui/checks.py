"""On and off: Switch, CheckBox. Signatures: see `controls`."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from lisa_island.ui import assets, theme
from lisa_island.ui.paint import KeyboardRing, rounded


class _Check(KeyboardRing, QCheckBox):
    """Shared by Switch and CheckBox: the role, the states and the keys are QCheckBox's own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.watcher().changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Switch(_Check):
    """On or off, at once: 34 × 20 in a target of 28."""

    def __init__(self, accessible_name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(accessible_name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        m = theme.current().metrics
        return QSize(m.switch_width, m.target_min)

    def _track(self) -> QRectF:
        m = theme.current().metrics
        return QRectF(
            (self.width() - m.switch_width) / 2,
            (self.height() - m.switch_height) / 2,
            m.switch_width,
            m.switch_height,
        )

    def focus_shape(self) -> tuple[QRectF, float]:
        return self._track(), self._track().height() / 2

    def paintEvent(self, _: QPaintEvent) -> None:
        t, track, on = theme.current(), self._track(), self.isChecked()
        painter = QPainter(self)
        live = self.isEnabled()
        line = "accent" if on else "line.control"
        ink = t.color(line if live else "text.disabled")
        rounded(painter, track, track.height() / 2, ink if on else None, None if on else ink, 1.5)
        side = 14.0 if on else 12.0
        to_right = on != (self.layoutDirection() == Qt.LayoutDirection.RightToLeft)
        gap = (track.height() - side) / 2
        left = track.right() - gap - side if to_right else track.left() + gap
        knob = t.color("switch.knob" if live else "surface.panel") if on else ink
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(knob)
        painter.drawEllipse(QRectF(left, track.top() + gap, side, side))


class CheckBox(_Check):
    """A box of 16 in a target of 28, with a text or, without one, an accessible name."""

    def __init__(self, text: str = "", *, accessible_name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        super().setText(text.replace("&", "&&"))
        self.setAccessibleName(accessible_name or text)

    def text(self) -> str:
        return self._text

    def sizeHint(self) -> QSize:
        t = theme.current()
        words = QFontMetrics(t.font("body")).horizontalAdvance(self._text) + 9 if self._text else 0
        return QSize(max(t.metrics.target_min, 22 + words), t.height(t.metrics.checkbox_target))

    def _box(self) -> QRectF:
        side = theme.current().metrics.checkbox
        left = 6.0 if self._text else (self.width() - side) / 2
        if self._text and self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            left = self.width() - side - left
        return QRectF(left, (self.height() - side) // 2, side, side)

    def focus_shape(self) -> tuple[QRectF, float]:
        return self._box(), 4.0

    def paintEvent(self, _: QPaintEvent) -> None:
        t, box, on = theme.current(), self._box(), self.isChecked()
        painter = QPainter(self)
        live = self.isEnabled()
        ink = t.color(("accent" if on else "line.control") if live else "text.disabled")
        rounded(painter, box, 4.5, ink if on else None, None if on else ink, 1.5)
        if on:
            check = assets.pixmap("action/approve", 14, "accent.ink", self.devicePixelRatioF(), t)
            painter.drawPixmap(box.topLeft() + QPoint(1, 1), check)
        painter.setFont(t.font("body"))
        painter.setPen(t.color("text.1" if live else "text.disabled"))
        words = QRectF(self.rect()).adjusted(30, 0, 0, 0)
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            words.translate(-30, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, self._text)
