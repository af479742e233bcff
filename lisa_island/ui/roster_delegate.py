"""Paints one row from its values, after the metrics of the design. Asks nothing but the theme."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from lisa_island.core.rows import Kind, Row
from lisa_island.ui import assets, glyphs, theme
from lisa_island.ui.controls import plain_tooltip
from lisa_island.ui.paint import rounded
from lisa_island.ui.roster_model import ROW_ROLE, tooltip
from lisa_island.ui.theme import Theme

TAG_PAD = 6
RING_INSET = 2

Index = QModelIndex | QPersistentModelIndex


class RosterDelegate(QStyledItemDelegate):
    """`compact` rows have one line; `keyboard` draws the ring of the current row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.compact = False
        self.keyboard = False
        self._heights: dict[tuple[Kind, bool], int] = {}
        self._theme: Theme | None = None

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(option.rect.width(), self.height(index.data(ROW_ROLE)))

    def height(self, row: Row | None) -> int:
        """`row_height`, measured once for each kind of row: the list asks it of every row at every change."""
        look = theme.current()
        if look is not self._theme:
            self._theme, self._heights = look, {}
        mark = (row.kind if row is not None else Kind.FOLD, self.compact)
        if mark not in self._heights:
            self._heights[mark] = row_height(row, self.compact)
        return self._heights[mark]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row | None = index.data(ROW_ROLE)
        if row is None:
            return
        painter.save()
        t, rect = theme.current(), QRectF(option.rect)
        current = bool(option.state & QStyle.StateFlag.State_HasFocus)
        hot = bool(option.state & QStyle.StateFlag.State_MouseOver) and row.kind is not Kind.HEADING
        if hot or (current and self.keyboard):
            painter.fillRect(rect, t.color("surface.hover"))
        mirrored = option.direction == Qt.LayoutDirection.RightToLeft
        canvas = Canvas(painter, t, rect, mirrored)
        match row.kind:
            case Kind.SESSION | Kind.GROUP:
                if row.inset:
                    canvas = Canvas(painter, t, _inset(rect, mirrored), mirrored)
                _paint_session(canvas, row, self.compact)
            case Kind.HEADING:
                _paint_heading(canvas, row)
            case Kind.FOLD:
                _paint_fold(canvas, row)
        if current and self.keyboard:
            ring = rect.adjusted(RING_INSET, 0, -RING_INSET, 0)
            rounded(painter, ring, t.radius("r.control"), None, t.color("focus"), 2)
        painter.restore()

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """The whole text, only where it was cut."""
        row: Row | None = index.data(ROW_ROLE)
        if event.type() != QEvent.Type.ToolTip or row is None:
            return super().helpEvent(event, view, option, index)
        cut = is_cut(row, option.rect.width(), self.compact)
        QToolTip.showText(event.globalPos(), plain_tooltip(tooltip(row)) if cut else "", view)
        return True


class Canvas:
    """A painter with the theme; takes positions from the leading edge and mirrors them for right-to-left."""

    def __init__(self, painter: QPainter, look: Theme, rect: QRectF, mirrored: bool) -> None:
        self.painter, self.theme, self.rect, self._mirrored = painter, look, rect, mirrored

    def box(self, left: float, width: float, top: float, height: float) -> QRectF:
        """A rectangle whose `left` is counted from the leading edge."""
        x = self.rect.right() - left - width if self._mirrored else self.rect.left() + left
        return QRectF(x, self.rect.top() + top, width, height)

    def text(self, box: QRectF, text: str, style: str, ink: str, *, end: bool = False) -> None:
        """One line, cut at its end; `end` puts it at the trailing edge of the box."""
        font = self.theme.font(style)
        cut = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, int(box.width()))
        self.painter.setFont(font)
        self.painter.setPen(self.theme.color(ink))
        right = end is not self._mirrored
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        # The app decides the side: foreign right-to-left text must not jump to the other one.
        flags = side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
        self.painter.drawText(box, flags | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip, cut)

    def picture(self, left: float, size: float, name: str, ink: str) -> None:
        """An icon in the middle of the height."""
        box = self.box(left, size, (self.rect.height() - size) / 2, size)
        dpr = self.painter.device().devicePixelRatioF()
        self.painter.drawPixmap(box.topLeft(), assets.pixmap(name, size, ink, dpr, self.theme))


def row_height(row: Row | None, compact: bool) -> int:
    """Px of a row at the OS font size."""
    t = theme.current()
    m = t.metrics
    if row is None or row.kind is Kind.FOLD:
        return t.height(m.row_compact, "small")
    if row.kind is Kind.HEADING:
        return t.height(m.section_line, "small")
    if compact:
        return t.height(m.row_compact, "row.title")
    return max(m.row, t.line_height("row.title") + t.line_height("small") + 10)


def _inset(rect: QRectF, mirrored: bool) -> QRectF:
    """A row below its group's line begins where the line's badge does."""
    m = theme.current().metrics
    side = m.row_glyph + m.row_gap
    return rect.adjusted(0, 0, -side, 0) if mirrored else rect.adjusted(side, 0, 0, 0)


def _text_left(t: Theme) -> int:
    m = t.metrics
    return m.row_pad + m.row_glyph + m.row_gap + m.badge + m.row_gap


def _time_width(t: Theme, row: Row) -> int:
    width = QFontMetrics(t.font("caption")).horizontalAdvance(row.at) + 1
    return max(t.metrics.time_min, width)


def _paint_session(c: Canvas, row: Row, compact: bool) -> None:
    t, m = c.theme, c.theme.metrics
    height = c.rect.height()
    box = c.box(m.row_pad, m.row_glyph, (height - m.row_glyph) / 2, m.row_glyph)
    glyphs.paint(c.painter, box, row.glyph, t, row.grey, row.step)
    _paint_badge(c, row)
    time = _time_width(t, row)
    width = c.rect.width()
    if row.kind is Kind.GROUP:
        c.picture(width - m.row_pad - 16, 16, f"action/{'collapse' if row.open else 'expand'}", "text.3")
    else:
        c.text(c.box(width - m.row_pad - time, time, 0, height), row.at, "caption", "text.3", end=True)
    left: float = _text_left(t)
    room = width - left - m.row_pad - time - m.row_gap
    if compact:
        used = _paint_title(c, row, left, room * 0.6, 0, height)
        left, room = left + used + m.row_gap, room - used - m.row_gap
        c.text(c.box(left, max(0.0, room), 0, height), row.line, "small", _line_ink(row))
        return
    upper, lower = t.line_height("row.title"), t.line_height("small")
    top = (height - upper - lower) / 2
    _paint_title(c, row, left, room, top, upper)
    c.text(c.box(left, room, top + upper, lower), row.line, "small", _line_ink(row))


def _line_ink(row: Row) -> str:
    return "text.2" if row.needs else "text.3"


def _paint_badge(c: Canvas, row: Row) -> None:
    m = c.theme.metrics
    kind, text = row.badge
    dpr = c.painter.device().devicePixelRatioF()
    box = c.box(m.row_pad + m.row_glyph + m.row_gap, m.badge, (c.rect.height() - m.badge) / 2, m.badge)
    c.painter.drawPixmap(box.topLeft(), assets.badge(kind, text, m.badge, dpr, c.theme))


def _paint_title(c: Canvas, row: Row, left: float, room: float, top: float, height: float) -> float:
    """Title, twin number and provider; answers with the width used."""
    t = c.theme
    metrics = QFontMetrics(t.font("row.title"))
    twin = f" #{row.number}" if row.number else ""
    twin_width = metrics.horizontalAdvance(twin)
    tag_width = _tag_width(t, row.provider)
    free = room - twin_width - (tag_width + t.space(2) if row.provider else 0)
    title = metrics.elidedText(row.title, Qt.TextElideMode.ElideRight, max(0, int(free)))
    used = float(metrics.horizontalAdvance(title))
    c.text(c.box(left, used + 2, top, height), title, "row.title", "text.1")
    if twin:
        c.text(c.box(left + used, twin_width + 2, top, height), twin.strip(), "row.title", "text.3", end=True)
        used += twin_width + 2
    if row.provider:
        used += t.space(2)
        _paint_tag(c, row.provider, left + used, tag_width, top, height)
        used += tag_width
    return used


def _tag_width(t: Theme, text: str) -> int:
    return QFontMetrics(t.font("caption")).horizontalAdvance(text) + 2 * TAG_PAD + 1 if text else 0


def _paint_tag(c: Canvas, text: str, left: float, width: float, top: float, height: float) -> None:
    t = c.theme
    tall = min(height, t.line_height("caption") + 2)
    box = c.box(left, width, top + (height - tall) / 2, tall)
    rounded(c.painter, box, t.radius("r.tag"), None, t.color("line.subtle"), t.line_width)
    inner = c.box(left + TAG_PAD, width - 2 * TAG_PAD + 1, top + (height - tall) / 2, tall)
    c.text(inner, text, "caption", "text.3")


def _paint_heading(c: Canvas, row: Row) -> None:
    t, pad = c.theme, c.theme.metrics.row_pad
    width = QFontMetrics(t.font("body.600")).horizontalAdvance(row.title) + 2
    c.text(c.box(pad, width, 0, c.rect.height()), row.title, "body.600", "text.2")
    left = pad + width + t.space(2)
    c.text(c.box(left, c.rect.width() - left - pad, 0, c.rect.height()), row.line, "small", "text.3")


def _paint_fold(c: Canvas, row: Row) -> None:
    m = c.theme.metrics
    left = m.row_pad + m.row_glyph + m.row_gap
    width = c.rect.width()
    c.text(c.box(left, width - left - 48, 0, c.rect.height()), row.title, "small", "text.3")
    c.picture(width - m.row_pad - 16, 16, f"action/{'collapse' if row.open else 'expand'}", "text.3")


def is_cut(row: Row, width: int, compact: bool) -> bool:
    """Whether some of the row's text may be cut; rather once too often than a text nobody can read."""
    t, m = theme.current(), theme.current().metrics
    small, title = QFontMetrics(t.font("small")), QFontMetrics(t.font("row.title"))
    if row.kind not in (Kind.SESSION, Kind.GROUP):
        return small.horizontalAdvance(row.title) > width - 88
    room = width - _text_left(t) - m.row_pad - _time_width(t, row) - m.row_gap
    room -= m.row_glyph + m.row_gap if row.inset else 0
    name = title.horizontalAdvance(f"{row.title} #{row.number}") + _tag_width(t, row.provider) + t.space(2)
    line = small.horizontalAdvance(row.line)
    return name + line > room if compact else max(name, line) > room
