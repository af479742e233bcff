"""Two strokes that every control shares: the rounded body, and the ring of keyboard focus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFocusFrame, QWidget

from lisa_island.ui import modality, theme

RING_WIDTH = 2
RING_GAP = 2
_SAME_PLACE = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)


def rounded(
    painter: QPainter,
    rect: QRectF,
    radius: float,
    fill: QColor | None = None,
    line: QColor | None = None,
    width: float = 1,
) -> None:
    """A rounded rectangle whose outline lies wholly inside `rect`."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inset = width / 2 if line else 0
    painter.setPen(QPen(line, width) if line else Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(fill) if fill else Qt.BrushStyle.NoBrush)
    corner = max(0.0, radius - inset)
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), corner, corner)


def _host(widget: QWidget, needed: QRectF) -> QWidget:
    """The nearest ancestor that has room for the ring, else the window or the viewport."""
    host = widget
    while (parent := host.parentWidget()) and not host.isWindow():
        if isinstance(parent, QAbstractScrollArea):
            return host if host is not widget else parent
        host = parent
        area = needed.translated(widget.mapTo(host, QPoint(0, 0)))
        if QRectF(host.rect()).contains(area):
            return host
    return host


class FocusRing(QFocusFrame):
    """2 px around a control, 2 px away from it; follows the control when that or a parent moves.

    A QFocusFrame, since assistive technology knows that one of those is no control.
    """

    def __init__(self, widget: QWidget, shape: QRectF, radius: float) -> None:
        self._reach = RING_WIDTH + RING_GAP
        needed = shape.adjusted(-self._reach, -self._reach, self._reach, self._reach)
        super().__init__(_host(widget, needed))
        self._widget, self._needed, self._radius = widget, needed, radius
        self._watched: list[QObject] = []
        self._watch()
        self._place()
        self.show()

    def end(self) -> None:
        for watched in self._watched:
            watched.removeEventFilter(self)
        self._watched.clear()
        self.hide()
        self.deleteLater()

    def reshape(self, shape: QRectF, radius: float) -> None:
        self._needed = shape.adjusted(-self._reach, -self._reach, self._reach, self._reach)
        self._radius = radius
        self._place()

    def _watch(self) -> None:
        at: QWidget | None = self._widget
        while at is not None and at is not self.parentWidget():
            at.installEventFilter(self)
            self._watched.append(at)
            at = at.parentWidget()

    def _place(self) -> None:
        host = self.parentWidget()
        corner = self._widget.mapTo(host, QPoint(0, 0)) if host else QPoint()
        self.setGeometry(self._needed.translated(corner).toAlignedRect())
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize) and self._watched:
            self._place()
        return False

    def paintEvent(self, _: QPaintEvent) -> None:
        painter = QPainter(self)
        color = theme.current().color("focus")
        rounded(painter, QRectF(self.rect()), self._radius + self._reach, None, color, RING_WIDTH)


class KeyboardRing:
    """Mixin before a QWidget: shows the ring while the control has the focus by keyboard."""

    _ring: FocusRing | None = None

    def focus_shape(self) -> tuple[QRectF, float]:
        """What the ring goes around, in own coordinates, and its corner radius."""
        raise NotImplementedError

    def has_ring(self) -> bool:
        return self._ring is not None

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)  # type: ignore[misc]
        modality.watch(self)  # type: ignore[arg-type]
        if modality.wants_ring(event.reason()):
            self.show_ring()
        elif event.reason() not in _SAME_PLACE:
            self._end_ring()

    def show_ring(self) -> None:
        """The owner works by keyboard, and this has the focus."""
        if self._ring is None:
            self._ring = FocusRing(self, *self.focus_shape())  # type: ignore[arg-type]
            self._refit_ring()  # to show it may have laid everything out anew

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)  # type: ignore[misc]
        if event.reason() not in _SAME_PLACE:
            self._end_ring()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)  # type: ignore[misc]
        self._refit_ring()

    def _refit_ring(self) -> None:
        if self._ring is not None:
            self._ring.reshape(*self.focus_shape())

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)  # type: ignore[misc]
        self._end_ring()

    def _end_ring(self) -> None:
        if self._ring is not None:
            self._ring.end()
            self._ring = None
