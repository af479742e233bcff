"""The pill: a small window that says the loudest thing in one line. It never takes the focus by itself.

Pill(mode)
    .set_view(view, step=0)   .view   .set_mode(mode)   .set_open(bool)   .set_dragging(bool)
    .pulse(times=2)           a new need: the outline glows, then stands still
    .visited()                pointer or focus has been here: a standing outline goes
    .ring_margin              px around the pill for the focus ring, else 0
    clicked()  resized()  entered()  left()  drag_began()  dragged(QPoint)  drag_ended()
    menu_asked(QPoint)  nudged(dx, dy)  centred()  toward_panel()
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sin

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QColor,
    QContextMenuEvent,
    QCursor,
    QEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QPushButton, QWidget

from lisa_island.core.pill import PillView
from lisa_island.ui import accessible, modality, pill_line, theme
from lisa_island.ui.paint import RING_GAP, RING_WIDTH, rounded
from lisa_island.ui.window_mode import WindowMode, dress, paint_body, redress, shape

DRAG_THRESHOLD = 4
PULSE_FRAME_MS = 84
GLOW_WIDTH = 2
ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_FLAGS = (
    Qt.WindowType.Tool
    | Qt.WindowType.FramelessWindowHint
    | Qt.WindowType.WindowStaysOnTopHint
    | Qt.WindowType.WindowDoesNotAcceptFocus
)


def flags(mode: WindowMode) -> Qt.WindowType:
    """On top, in no taskbar, never with the focus; a shadow only where the system draws one."""
    return _FLAGS if mode.has_shadow else _FLAGS | Qt.WindowType.NoDropShadowWindowHint


class Pill(QPushButton):
    """A real button, so that a screen reader finds one; everything on it is painted here."""

    told_as = QAccessible.Role.Button

    resized = Signal()
    entered = Signal()
    left = Signal()
    drag_began = Signal()
    dragged = Signal(QPoint)
    drag_ended = Signal()
    menu_asked = Signal(QPoint)
    nudged = Signal(int, int)
    centred = Signal()

    def __init__(self, mode: WindowMode = WindowMode.OFFSCREEN) -> None:
        super().__init__()
        self.setWindowFlags(flags(mode))
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_MacAlwaysShowToolWindow)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setMouseTracking(True)
        self.setObjectName("pill")
        self.setWindowTitle("LISA Island")
        self.setFlat(True)
        self._mode = mode
        self._resting: QPoint | None = None
        self._view = PillView()
        self._step = 0
        self._open = self._focused = self._dragging = False
        self._pressed: QPoint | None = None
        self._glow = 0.0
        self._outlined = False
        self._pulse: QTimer | None = None
        dress(self, mode)
        theme.watcher().changed.connect(self._refit)
        self._refit()

    # What it shows.

    @property
    def view(self) -> PillView:
        return self._view

    @property
    def mode(self) -> WindowMode:
        return self._mode

    def set_view(self, view: PillView, step: int = 0) -> None:
        """Show a view; nothing is painted when it is the one that stands there."""
        if (view, step) == (self._view, self._step):
            return
        self._view, self._step = view, step
        if self.accessibleName() != view.name:
            self.setAccessibleName(view.name)
        self._refit()

    def set_mode(self, mode: WindowMode, floats: Callable[[QWidget], None]) -> None:
        """Rebuild the window for another mode, where it stands."""
        if mode is self._mode:
            return
        self._mode = mode
        redress(self, mode, flags(mode), self.height() / 2, floats)
        self._refit()

    def set_open(self, is_open: bool) -> None:
        """Whether the panel is open: then hovering has nothing more to offer."""
        if is_open != self._open:
            self._open = is_open
            accessible.changed(self, "expanded", "collapsed")
            self._refit()

    def told_states(self) -> dict[str, bool]:
        """It expands into the panel."""
        return {"expandable": True, "expanded": self._open, "collapsed": not self._open, "hasPopup": False}

    def told_press(self) -> None:
        """As a click."""
        modality.by_keyboard_now()
        self.clicked.emit()

    def set_dragging(self, dragging: bool) -> None:
        """In the owner's hand. It loses its chevron there and stays under the pointer by its middle."""
        before = self.width()
        self._dragging = dragging
        self._refit()
        if self._pressed is not None:
            self._pressed -= QPoint((before - self.width()) // 2, 0)

    # Its size.

    @property
    def ring_margin(self) -> int:
        return RING_GAP + RING_WIDTH if self._focused else 0

    def sizeHint(self) -> QSize:
        t, m = theme.current(), theme.current().metrics
        height = t.height(m.pill_height)
        if self._view.shrunk:
            width = max(m.pill_shrunk, height)
        else:
            widest = round(m.pill_max * t.scale)
            width = min(max(self._line().width + m.pill_pad_left + m.pill_pad_right, m.pill_min), widest)
        extra = 2 * self.ring_margin
        return QSize(width + extra, height + extra)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _line(self) -> pill_line.Line:
        t, m = theme.current(), theme.current().metrics
        room = round(m.pill_max * t.scale) - m.pill_pad_left - m.pill_pad_right
        return pill_line.layout(self._view, t, room, self._has_chevron())

    def _has_chevron(self) -> bool:
        return self.underMouse() and not self._open and not self._dragging and not self._view.shrunk

    def _refit(self) -> None:
        size = self.sizeHint()
        if size != self.size():
            self.setFixedSize(size)
            shape(self, self._mode, size.height() / 2)
            self.resized.emit()
        self.update()

    # A new need.

    def pulse(self, times: int = 2) -> None:
        """Glow `times` times and stand still; with reduced motion an outline stays until it was visited."""
        duration = theme.current().motion("m.notice")
        if not duration or self._mode.is_masked:
            self._outlined = True
            self.update()
            return
        self._end_pulse()
        timer = QTimer(self)
        timer.setInterval(PULSE_FRAME_MS)
        frames = max(1, round(duration * times / PULSE_FRAME_MS))
        frame = 0

        def advance() -> None:
            nonlocal frame
            frame += 1
            self._glow = sin(pi * (frame / frames * times % 1)) ** 2
            if frame >= frames:
                self._end_pulse()
            self.update()

        timer.timeout.connect(advance)
        timer.start()
        self._pulse = timer

    def _end_pulse(self) -> None:
        self._glow = 0.0
        if self._pulse is not None:
            self._pulse.stop()
            self._pulse.deleteLater()
            self._pulse = None

    @property
    def is_glowing(self) -> bool:
        return self._pulse is not None or self._outlined

    def visited(self) -> None:
        if self._outlined:
            self._outlined = False
            self.update()

    # Painting.

    def paintEvent(self, _: QPaintEvent) -> None:
        t, m = theme.current(), theme.current().metrics
        painter = QPainter(self)
        margin = self.ring_margin
        rect = QRectF(self.rect()).adjusted(margin, margin, -margin, -margin)
        fill, edge = self._body()
        if margin:  # Inside the ring nothing is cut, so the corners are its own in every mode.
            rounded(painter, rect, rect.height() / 2, fill, edge, t.line_width)
        else:
            paint_body(painter, rect, rect.height() / 2, self._mode, fill, edge)
        self._paint_glow(painter, rect)
        line = self._line()
        if self._view.shrunk:
            free = (rect.width() - line.width) / 2
            inner = rect.adjusted(free, 0, -free, 0)
        else:
            free = max(0.0, rect.width() - line.width - m.pill_pad_left - m.pill_pad_right) / 2
            inner = rect.adjusted(m.pill_pad_left + free, 0, -m.pill_pad_right - free, 0)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        pill_line.paint(painter, inner, line, t, self._step, mirrored)
        if margin:
            rounded(painter, QRectF(self.rect()), self.height() / 2, None, t.color("focus"), RING_WIDTH)

    def _body(self) -> tuple[QColor, QColor]:
        t = theme.current()
        if self._view.tone == "urgent":
            return t.color("urgent.fill"), t.color("urgent.outline")
        hot = self.underMouse() and not self._dragging
        fill = t.color("surface.raised" if hot else "surface.pill")
        return fill, t.color("line.control") if self._dragging else t.edge(self._mode.has_shadow)

    def _paint_glow(self, painter: QPainter, rect: QRectF) -> None:
        strength = 1.0 if self._outlined else self._glow
        if strength <= 0:
            return
        color = theme.current().color("state.waiting.fill")
        color.setAlphaF(strength)
        rounded(painter, rect, rect.height() / 2, None, color, GLOW_WIDTH)

    # The owner's hands.

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._resting = QCursor.pos()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._refit()
        self._pointer_at(event.globalPosition().toPoint())

    def _pointer_at(self, at: QPoint) -> None:
        """A pill that appears under a pointer at rest is not visited until that moves.

        XWayland also keeps a pointer where it was last seen, while it is long over a window of Wayland's own.
        """
        if self._resting is None or (at - self._resting).manhattanLength() > 1:
            self._resting = None
            self.visited()
            self.entered.emit()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._refit()
        self.left.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        modality.by_pointer_now()
        if event.button() is Qt.MouseButton.LeftButton:
            # From the global position: the pill may have grown under the pointer a moment ago.
            self._pressed = event.globalPosition().toPoint() - self.pos()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.globalPosition().toPoint()
        if self._resting is not None:
            self._pointer_at(at)
        if self._pressed is None:
            return
        way = at - self.pos() - self._pressed
        if not self._dragging and max(abs(way.x()), abs(way.y())) >= DRAG_THRESHOLD:
            self.set_dragging(True)
            self.drag_began.emit()
        if self._dragging:
            self.dragged.emit(at - self._pressed)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or self._pressed is None:
            return
        self._pressed = None
        if self._dragging:
            # First where it is, then its full width again: it grows around its middle.
            self.drag_ended.emit()
            self.set_dragging(False)
        elif self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Nothing: it would be too easy to hit by accident."""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_asked.emit(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if way := ARROWS.get(Qt.Key(event.key())):
            self.nudged.emit(*way)
        elif event.key() == Qt.Key.Key_Home:
            self.centred.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Space has acted when it went down."""
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._focused = True
        self.visited()
        self._refit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._focused = False
        self._refit()
