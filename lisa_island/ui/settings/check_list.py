"""A list of which any number may be chosen: one stop for Tab, arrows inside, Space or Enter chooses.

CheckRow(key, title, note, on, live)            cleaned strings; a row that is not live cannot change
CheckList(accessible_name, (on, off), comma)    .show_rows(rows)  .rows  .toggled(CheckRow)
Painted rows, as in `agent_list`: hundreds of them cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from lisa_island.ui import assets, modality, theme
from lisa_island.ui.controls import rounded

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
ROW_HEIGHT = 36
MOST_SHOWN = 6
LEFT = 30
_PRESS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One line."""

    key: str
    title: str
    note: str = ""
    on: bool = False
    live: bool = True


class CheckModel(QAbstractListModel):
    """Rows as values."""

    def __init__(self, words: tuple[str, str], comma: str) -> None:
        super().__init__()
        self._words, self._comma = words, comma
        self.rows: tuple[CheckRow, ...] = ()

    def show(self, rows: Sequence[CheckRow]) -> None:
        """Only what changed is told, and the current row stays."""
        new = tuple(rows)
        if [r.key for r in new] != [r.key for r in self.rows]:
            self.beginResetModel()
            self.rows = new
            self.endResetModel()
            return
        changed = [i for i, (a, b) in enumerate(zip(self.rows, new, strict=True)) if a != b]
        self.rows = new
        for i in changed:
            self.dataChanged.emit(self.index(i, 0), self.index(i, 0))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        on = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable
        live = index.isValid() and index.row() < len(self.rows) and self.rows[index.row()].live
        return on if live else Qt.ItemFlag.ItemIsEnabled

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if row.on else Qt.CheckState.Unchecked
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            state = (self._words[0] if row.on else self._words[1]) if row.live else ""
            return self._comma.join(p for p in (row.title, row.note, state) if p)
        return None


class CheckDelegate(QStyledItemDelegate):
    """Box, title, note."""

    keyboard = False

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(option.rect.width(), theme.current().height(ROW_HEIGHT))

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
        self._words(painter, rect, LEFT, title, row.title, "row.title", words_ink, mirrored)
        rest = room - title - 10
        if row.note and rest > 24:
            self._words(painter, rect, LEFT + title + 10, rest, row.note, "small", "text.2", mirrored)

    @staticmethod
    def _words(
        painter: QPainter,
        rect: QRectF,
        left: float,
        width: float,
        text: str,
        style: str,
        ink: str,
        mirrored: bool,
    ) -> None:
        t = theme.current()
        x = rect.right() - left - width if mirrored else rect.left() + left
        painter.setFont(t.font(style))
        painter.setPen(t.color(ink))
        cut = QFontMetrics(t.font(style)).elidedText(text, Qt.TextElideMode.ElideRight, int(width))
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
        painter.drawText(QRectF(x, rect.top(), width, rect.height()), flags | Qt.TextFlag.TextSingleLine, cut)


class CheckList(QListView):
    """Tells what is to change; whoever holds the truth shows it again."""

    toggled = Signal(object)

    def __init__(self, accessible_name: str, words: tuple[str, str], comma: str) -> None:
        super().__init__()
        self._model = CheckModel(words, comma)
        self._model.setParent(self)
        self._delegate = CheckDelegate(self)
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(accessible_name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.watcher().changed.connect(self._relayout)

    @property
    def rows(self) -> tuple[CheckRow, ...]:
        return self._model.rows

    def show_rows(self, rows: Sequence[CheckRow]) -> None:
        at = self.currentIndex().row()
        self._model.show(rows)
        if rows and self.hasFocus() and not self.currentIndex().isValid():
            self.setCurrentIndex(self._model.index(min(max(at, 0), len(rows) - 1), 0))
        self.setVisible(bool(rows))
        self._relayout()

    def _relayout(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(240, min(len(self.rows), MOST_SHOWN) * theme.current().height(ROW_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def _toggle(self, index: QModelIndex) -> None:
        row: CheckRow | None = index.data(ROW_ROLE) if index.isValid() else None
        if row is not None and row.live:
            self.toggled.emit(row)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._by_keyboard(False)
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._toggle(self.indexAt(event.position().toPoint()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _PRESS:
            if not event.isAutoRepeat():
                self._toggle(self.currentIndex())
            return
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
            return
        self._by_keyboard(True)
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        modality.watch(self)
        self._by_keyboard(modality.wants_ring(event.reason()))
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self._model.index(0, 0))
        super().focusInEvent(event)

    def _by_keyboard(self, on: bool) -> None:
        if self._delegate.keyboard != on:
            self._delegate.keyboard = on
            self.viewport().update()
