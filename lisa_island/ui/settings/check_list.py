"""A list of which any number may be chosen: one stop for Tab, arrows inside, Space or Enter chooses.

CheckRow(key, title, note, on, live)            cleaned strings; a row that is not live cannot change
CheckList(accessible_name, (on, off), comma)    .show_rows(rows)  .rows  .toggled(CheckRow)
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from lisa_island.ui import assets, theme
from lisa_island.ui.controls import rounded
from lisa_island.ui.settings.painted_list import (
    ROW_ROLE,
    Index,
    PaintedList,
    RowDelegate,
    RowModel,
    paint_text,
)

ROW_HEIGHT = 36
MOST_SHOWN = 6
LEFT = 30


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One line."""

    key: str
    title: str
    note: str = ""
    on: bool = False
    live: bool = True


class CheckModel(RowModel):
    """Rows that can be checked, but for those that are not live."""

    def __init__(self, words: tuple[str, str], comma: str) -> None:
        super().__init__(lambda row: row.key)
        self._words, self._comma = words, comma

    def told(self, row: CheckRow) -> str:
        state = (self._words[0] if row.on else self._words[1]) if row.live else ""
        return self._comma.join(p for p in (row.title, row.note, state) if p)

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.row_at(index)
        on = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable
        return on if row is not None and row.live else Qt.ItemFlag.ItemIsEnabled

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row_at(index)
        if role == Qt.ItemDataRole.CheckStateRole and row is not None:
            return Qt.CheckState.Checked if row.on else Qt.CheckState.Unchecked
        return super().data(index, role)


class CheckDelegate(RowDelegate):
    """Box, title, note."""

    height = ROW_HEIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: CheckRow | None = index.data(ROW_ROLE)
        if row is None:
            return
        painter.save()
        t, rect = theme.current(), QRectF(option.rect)
        current = self.keyboard and bool(option.state & QStyle.StateFlag.State_HasFocus)
        if current or (row.live and option.state & QStyle.StateFlag.State_MouseOver):
            fill = t.color("surface.hover")
            rounded(painter, rect.adjusted(0, 1, 0, -1), t.radius("r.control.s"), fill)
        self._paint_row(painter, rect, row, option.direction == Qt.LayoutDirection.RightToLeft)
        if current:
            ring = rect.adjusted(1, 1, -1, -1)
            rounded(painter, ring, t.radius("r.control.s"), None, t.color("focus"), 2)
        painter.restore()

    def _paint_row(self, painter: QPainter, rect: QRectF, row: CheckRow, mirrored: bool) -> None:
        t, side = theme.current(), theme.current().metrics.checkbox

        def box_at(left: float, width: float) -> QRectF:
            x = rect.right() - left - width if mirrored else rect.left() + left
            return QRectF(x, rect.top(), width, rect.height())

        at = rect.right() - 6 - side if mirrored else rect.left() + 6
        box = QRectF(at, round(rect.center().y() - side / 2), side, side)
        ink = t.color(("accent" if row.on else "line.control") if row.live else "text.disabled")
        rounded(painter, box, 4.5, ink if row.on else None, None if row.on else ink, 1.5)
        if row.on:
            dpr = painter.device().devicePixelRatioF()
            check = assets.pixmap("action/approve", 14, "accent.ink", dpr, t)
            painter.drawPixmap(round(box.left() + 1), round(box.top() + 1), check)
        room = rect.width() - LEFT - 8
        wide = QFontMetrics(t.font("row.title")).horizontalAdvance(row.title) + 2.0
        title = min(wide, room * 0.6 if row.note else room)
        words_ink = "text.1" if row.live else "text.3"
        paint_text(painter, box_at(LEFT, title), row.title, "row.title", words_ink, mirrored)
        rest = room - title - 10
        if row.note and rest > 24:
            paint_text(painter, box_at(LEFT + title + 10, rest), row.note, "small", "text.2", mirrored)


class CheckList(PaintedList):
    """Tells what is to change; whoever holds the truth shows it again."""

    def __init__(self, accessible_name: str, words: tuple[str, str], comma: str) -> None:
        super().__init__(accessible_name, CheckModel(words, comma), CheckDelegate(), MOST_SHOWN)

    def press(self, row: CheckRow) -> None:
        if row.live:
            super().press(row)
