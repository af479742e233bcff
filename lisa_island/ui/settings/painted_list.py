"""A list of painted rows: one stop for Tab, arrows inside, Enter or Space presses; hundreds cost nothing.

RowModel(key)                               rows as values; `told(row)` is what a screen reader says
PaintedList(name, model, delegate, most)    .show_rows(rows)  .rows  .toggled(row)
A subclass says where a click counts (`takes`) and which row can be pressed (`press`); whoever holds the truth
shows the rows again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from lisa_island.ui import modality, theme

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
_PRESS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)

Index = QModelIndex | QPersistentModelIndex


class RowModel(QAbstractListModel):
    """Rows as values; the view paints only those in sight."""

    def __init__(self, key: Callable[[Any], str]) -> None:
        super().__init__()
        self._key = key
        self.rows: tuple[Any, ...] = ()

    def told(self, row: Any) -> str:
        """What is said of a row."""
        raise NotImplementedError

    def show(self, rows: Sequence[Any]) -> None:
        """Same rows in the same order: only what changed is told, and the current row stays."""
        new = tuple(rows)
        if [self._key(r) for r in new] != [self._key(r) for r in self.rows]:
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

    def row_at(self, index: Index) -> Any:
        """The row, or None."""
        return self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row_at(index)
        if row is None or role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.told(row)
        return None


class RowDelegate(QStyledItemDelegate):
    """Rows of one height; `keyboard` draws the ring around the current one."""

    height = 0
    keyboard = False

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(option.rect.width(), theme.current().height(self.height))


class PaintedList(QListView):
    """As high as its rows, up to `most` of them; hidden while there are none."""

    toggled = Signal(object)

    def __init__(self, accessible_name: str, model: RowModel, delegate: RowDelegate, most: int) -> None:
        super().__init__()
        self._model, self._delegate, self._most = model, delegate, most
        model.setParent(self)
        delegate.setParent(self)
        self.setModel(model)
        self.setItemDelegate(delegate)
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

    def takes(self, index: QModelIndex, where: QPoint) -> bool:
        """Whether a click at this place of a row presses it."""
        return True

    def press(self, row: Any) -> None:
        """A row was pressed, by a click or by keys."""
        self.toggled.emit(row)

    @property
    def rows(self) -> tuple[Any, ...]:
        return self._model.rows

    def show_rows(self, rows: Sequence[Any]) -> None:
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
        return QSize(240, min(len(self.rows), self._most) * theme.current().height(self._delegate.height))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._by_keyboard(False)
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        where = event.position().toPoint()
        index = self.indexAt(where)
        row = self._model.row_at(index)
        if event.button() == Qt.MouseButton.LeftButton and row is not None and self.takes(index, where):
            self.press(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _PRESS:
            row = self._model.row_at(self.currentIndex())
            if row is not None and not event.isAutoRepeat():
                self.press(row)
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


def paint_text(painter: QPainter, box: QRectF, text: str, style: str, ink: str, at_right: bool) -> None:
    """One line in a box, cut with an ellipsis."""
    t = theme.current()
    painter.setFont(t.font(style))
    painter.setPen(t.color(ink))
    cut = QFontMetrics(t.font(style)).elidedText(text, Qt.TextElideMode.ElideRight, int(box.width()))
    side = Qt.AlignmentFlag.AlignRight if at_right else Qt.AlignmentFlag.AlignLeft
    flags = side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
    painter.drawText(box, flags | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip, cut)
