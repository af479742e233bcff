"""A list of remote agents: the pinned ones and what the registry found, or those at their own address.

AgentRow(target, note, price, pinned)     strings are foreign and were cleaned where they came in
AgentList(accessible_name, shell)         a QListView: painted rows, so hundreds of them cost nothing
    .show_rows(rows)  .rows  .toggled(AgentRow)   pin or unpin was asked: a click on the pin, Enter, Space
AgentList(…, opens=True)                  no pins and no prices: a row opens, by a click anywhere on it
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QToolTip

from lisa_island.core.rows import price
from lisa_island.core.text import clean
from lisa_island.core.words import say
from lisa_island.ui import assets, theme
from lisa_island.ui.controls import plain_tooltip, rounded
from lisa_island.ui.settings.painted_list import (
    ROW_ROLE,
    Index,
    PaintedList,
    RowDelegate,
    RowModel,
    paint_text,
)
from lisa_island.ui.shell import Shell

ROW_HEIGHT = 40
MOST_SHOWN = 5
BADGE = 22
PIN = 18
NOTE_LIMIT = 300


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent. `price` is a word: free, 0.02 USD, unknown, "" for never heard."""

    target: str
    note: str = ""
    price: str = ""
    pinned: bool = False


class AgentModel(RowModel):
    """Agents as values."""

    def __init__(self, shell: Shell, opens: bool = False) -> None:
        super().__init__(lambda row: row.target)
        self._shell = shell
        self._opens = opens

    def told(self, row: AgentRow) -> str:
        lang = self._shell.lang
        if self._opens:
            return say(lang, "row.name-comma").join(p for p in (row.target, row.note) if p)
        pinned = say(lang, "settings.agent.pinned" if row.pinned else "settings.agent.loose")
        parts = (row.target, row.note, price(row.price, lang), pinned)
        return say(lang, "row.name-comma").join(p for p in parts if p)


class AgentDelegate(RowDelegate):
    """Badge, slug, note, price, pin."""

    height = ROW_HEIGHT

    def __init__(self, shell: Shell, opens: bool = False) -> None:
        super().__init__()
        self._shell = shell
        self._opens = opens

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: AgentRow | None = index.data(ROW_ROLE)
        if row is None:
            return
        painter.save()
        t, rect = theme.current(), QRectF(option.rect)
        current = self.keyboard and bool(option.state & QStyle.StateFlag.State_HasFocus)
        if current or option.state & QStyle.StateFlag.State_MouseOver:
            rounded(painter, rect.adjusted(0, 1, 0, -2), t.radius("r.control.s"), t.color("surface.hover"))
        mirrored = option.direction == Qt.LayoutDirection.RightToLeft
        self._paint_row(painter, rect, row, mirrored)
        line = rect.adjusted(0, rect.height() - t.line_width, 0, 0)
        painter.fillRect(line, t.color("line.subtle"))
        if current:
            rounded(painter, rect.adjusted(1, 1, -1, -2), t.radius("r.control.s"), None, t.color("focus"), 2)
        painter.restore()

    def _paint_row(self, painter: QPainter, rect: QRectF, row: AgentRow, mirrored: bool) -> None:
        t, dpr = theme.current(), painter.device().devicePixelRatioF()

        def box(left: float, width: float) -> QRectF:
            x = rect.right() - left - width + 1 if mirrored else rect.left() + left
            return QRectF(x, rect.top(), width, rect.height())

        def picture(where: QRectF, size: int, pixmap: QPixmap) -> None:
            painter.drawPixmap(QPoint(round(where.left()), round(where.center().y() - size / 2)), pixmap)

        picture(box(0, BADGE), BADGE, assets.remote_badge(row.target, BADGE, dpr, t))
        pin_left = rect.width() - t.metrics.target_min
        ink = "accent" if row.pinned else "text.2"
        pin = assets.pixmap("action/forward" if self._opens else "action/pin", PIN, ink, dpr, t)
        picture(box(pin_left + (t.metrics.target_min - PIN) / 2, PIN), PIN, pin)
        cost = "" if self._opens else price(row.price, self._shell.lang)
        cost_width = QFontMetrics(t.font("small")).horizontalAdvance(cost) + 2
        paint_text(painter, box(pin_left - 8 - cost_width, cost_width), cost, "small", "text.2", not mirrored)
        left, room = BADGE + 10.0, pin_left - 20 - cost_width - BADGE - 10.0
        wide = QFontMetrics(t.font("row.title")).horizontalAdvance(row.target) + 2.0
        title = min(wide, room if not row.note else max(room * 0.6, min(wide, 80.0)))
        paint_text(painter, box(left, title), row.target, "row.title", "text.1", mirrored)
        rest = room - title - 8
        if rest > 24:
            paint_text(painter, box(left + title + 8, rest), row.note, "small", "text.2", mirrored)

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        row: AgentRow | None = index.data(ROW_ROLE)
        if event.type() != QEvent.Type.ToolTip or row is None:
            return super().helpEvent(event, view, option, index)
        if not self._opens and pin_rect(option.rect, view.layoutDirection()).contains(event.pos()):
            word = "settings.agent.unpin" if row.pinned else "settings.agent.pin"
            QToolTip.showText(event.globalPos(), plain_tooltip(say(self._shell.lang, word)), view)
        else:
            QToolTip.showText(event.globalPos(), plain_tooltip(f"{row.target}\n{row.note}".strip()), view)
        return True


def pin_rect(row: QRect, direction: Qt.LayoutDirection) -> QRect:
    """The pin's target in a row: 28 px wide, as high as the row."""
    side = theme.current().metrics.target_min
    left = row.left() if direction == Qt.LayoutDirection.RightToLeft else row.right() - side + 1
    return QRect(left, row.top(), side, row.height())


class AgentList(PaintedList):
    """Enter or Space pins and unpins, or opens; a click does it on the pin alone, where there are pins."""

    def __init__(self, accessible_name: str, shell: Shell, *, opens: bool = False) -> None:
        super().__init__(accessible_name, AgentModel(shell, opens), AgentDelegate(shell, opens), MOST_SHOWN)
        self._opens = opens

    def takes(self, index: QModelIndex, where: QPoint) -> bool:
        return self._opens or pin_rect(self.visualRect(index), self.layoutDirection()).contains(where)


def shown_note(name: str, target: str, description: str) -> str:
    """What is said beside a slug: the description, else a name that says more than the slug."""
    text = clean(description, NOTE_LIMIT)
    own = clean(name, NOTE_LIMIT)
    return text or (own if own != target else "")
