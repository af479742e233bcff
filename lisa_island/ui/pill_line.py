"""The pill's one line, laid out and painted: the same in the pill and in the header of the panel.

layout(view, theme, room, chevron=False) -> Line       Line.width is what it takes
paint(painter, left, rect, line, theme, step=0, mirrored=False)
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPixmap

from lisa_island.core.pill import PillView
from lisa_island.ui import assets, glyphs
from lisa_island.ui.theme import Theme

BADGE = 18
ICON = 16
SEPARATOR_GAP = 10
SEPARATOR_HEIGHT = 14
NUMBER_GAP = 5
COUNT_GAP = 9

_STYLES = {"strong": "body.600", "urgent": "body.600", "quiet": "body", "faint": "body"}
_INKS = {"strong": "text.1", "urgent": "urgent.ink", "quiet": "text.2", "faint": "text.3"}


@dataclass(frozen=True, slots=True)
class Line:
    """What is shown of a view in the room there is; `width` in px."""

    view: PillView
    text: str
    counts: tuple[tuple[str, str], ...]
    chevron: bool
    width: int


def layout(view: PillView, t: Theme, room: int, chevron: bool = False) -> Line:
    """The fullest line that fits: drops the last count first, then the text down to its number."""
    for text in dict.fromkeys((view.text, view.short or view.text)):
        for kept in range(len(view.counts), -1, -1):
            line = _line(view, t, text, view.counts[:kept], chevron)
            if line.width <= room:
                return line
    short = view.short or view.text
    around = _line(view, t, "", (), chevron).width
    metrics = QFontMetrics(t.font(_STYLES[view.tone]))
    cut = metrics.elidedText(short, Qt.TextElideMode.ElideMiddle, max(0, room - around))
    return replace(_line(view, t, cut, (), chevron), width=room)


def _line(view: PillView, t: Theme, text: str, counts: tuple[tuple[str, str], ...], chevron: bool) -> Line:
    line = Line(view, text, counts, chevron, 0)
    return replace(line, width=round(_walk(line, t)))


def _walk(line: Line, t: Theme, pen: _Pen | None = None) -> float:
    """Go along the line, with a pen paint it; answers with the width. One walk, so both always agree."""
    m, view = t.metrics, line.view
    x = 0.0
    if pen:
        pen.shape(x, m.pill_glyph, view)
    x += m.pill_glyph
    if view.shrunk:
        return x
    x += m.pill_gap
    if view.badge is not None:
        if pen:
            pen.badge(x, view.badge)
        x += BADGE + m.pill_gap
    style = _STYLES[view.tone]
    width = QFontMetrics(t.font(style)).horizontalAdvance(line.text)
    if pen:
        pen.text(x, width, line.text, style, _INKS[view.tone])
    x += width
    if line.counts or view.muted:
        if pen:
            pen.separator(x + SEPARATOR_GAP, "urgent.ink" if view.tone == "urgent" else "line.subtle")
        x += 2 * SEPARATOR_GAP + t.line_width
        for i, (shape, number) in enumerate(line.counts):
            x = _walk_count(line, t, pen, x + (COUNT_GAP if i else 0), shape, number)
        if view.muted:
            x += COUNT_GAP if line.counts else 0
            if pen:
                pen.icon(x, "action/mute", "urgent.ink" if view.tone == "urgent" else "text.2")
            x += ICON
    if line.chevron:
        x += m.pill_gap
        if pen:
            pen.icon(x, "action/expand", "urgent.ink" if view.tone == "urgent" else "text.2")
        x += ICON
    return x


def _walk_count(line: Line, t: Theme, pen: _Pen | None, x: float, shape: str, number: str) -> float:
    size = t.metrics.pill_small_glyph
    width = QFontMetrics(t.font("body")).horizontalAdvance(number)
    urgent = line.view.tone == "urgent"
    if pen:
        pen.glyph(x, size, shape, "urgent.ink" if urgent else None)
        pen.text(x + size + NUMBER_GAP, width, number, "body", "urgent.ink" if urgent else "text.2")
    return x + size + NUMBER_GAP + width


def paint(
    painter: QPainter, rect: QRectF, line: Line, t: Theme, step: int = 0, mirrored: bool = False
) -> None:
    """Paint the line from the leading edge of `rect`, in the middle of its height."""
    _walk(line, t, _Pen(painter, rect, t, step, mirrored))


class _Pen:
    """Puts parts on the line; positions count from the leading edge."""

    def __init__(self, painter: QPainter, rect: QRectF, t: Theme, step: int, mirrored: bool) -> None:
        self._painter, self._rect, self._t, self._step, self._mirrored = painter, rect, t, step, mirrored
        device = painter.device()
        self._dpr = device.devicePixelRatioF() if device else 1.0

    def _box(self, x: float, width: float, height: float) -> QRectF:
        left = self._rect.right() - x - width if self._mirrored else self._rect.left() + x
        return QRectF(left, self._rect.top() + (self._rect.height() - height) / 2, width, height)

    def _picture(self, x: float, size: float, pixmap: QPixmap) -> None:
        self._painter.drawPixmap(QPointF(self._box(x, size, size).topLeft()), pixmap)

    def shape(self, x: float, size: int, view: PillView) -> None:
        if view.glyph:
            self.glyph(x, size, view.glyph, "urgent.ink" if view.tone == "urgent" else None)
            return
        ink = "text.3" if view.tone == "faint" else "accent"
        self._picture(x, size, assets.pixmap("app/lisa-island-symbolic", size, ink, self._dpr, self._t))

    def glyph(self, x: float, size: int, shape: str, ink: str | None) -> None:
        glyphs.paint(self._painter, self._box(x, size, size), shape, self._t, step=self._step, color=ink)

    def badge(self, x: float, badge: tuple[str, str]) -> None:
        self._picture(x, BADGE, assets.badge(badge[0], badge[1], BADGE, self._dpr, self._t))

    def icon(self, x: float, name: str, ink: str) -> None:
        self._picture(x, ICON, assets.pixmap(name, ICON, ink, self._dpr, self._t))

    def separator(self, x: float, ink: str) -> None:
        self._painter.fillRect(self._box(x, self._t.line_width, SEPARATOR_HEIGHT), self._t.color(ink))

    def text(self, x: float, width: float, text: str, style: str, ink: str) -> None:
        self._painter.setFont(self._t.font(style))
        self._painter.setPen(self._t.color(ink))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
        box = self._box(x, width + 2, self._rect.height())
        self._painter.drawText(box, flags | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip, text)
