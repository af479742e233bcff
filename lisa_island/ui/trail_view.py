"""The history as a painted list: one item a line, a thread between the pictures, each line with a name."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from lisa_island.ui import modality, theme
from lisa_island.ui.controls import plain_tooltip
from lisa_island.ui.page_parts import paint_picture
from lisa_island.ui.paint import rounded
from lisa_island.ui.trail import Entry

GAP = 8
ABOVE = 3  # of the gap, so that the ring has air on both sides
PICTURE = 14
# Room on both sides for the ring of the current line; the page takes it out of its own margin.
SIDE_ROOM = 12
RING_INSET = 4
TEXT_LEFT = PICTURE + 12

Index = QModelIndex | QPersistentModelIndex


def _height(entry: Entry) -> int:
    t = theme.current()
    return t.line_height("body") + (t.line_height("small") if entry.note else 0) + GAP


class _Model(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.entries: tuple[Entry, ...] = ()

    def show(self, entries: tuple[Entry, ...]) -> None:
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.entries):
            return None
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return entry
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.DisplayRole):
            return entry.name
        return None


class _Delegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(option.rect.width(), _height(index.data(Qt.ItemDataRole.UserRole)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: Entry | None = index.data(Qt.ItemDataRole.UserRole)
        if entry is None:
            return
        painter.save()
        t, rect = theme.current(), QRectF(option.rect)
        view = option.widget
        if isinstance(view, TrailView) and view.has_ring() and view.currentIndex() == index:
            ring = rect.adjusted(RING_INSET, 0, -RING_INSET, -1)
            rounded(painter, ring, t.radius("r.tag"), None, t.color("focus"), 2)
        rect.adjust(SIDE_ROOM, ABOVE, -SIDE_ROOM, 0)
        high = t.line_height("body")
        picture = QRectF(rect.left() + 1, rect.top() + (high - PICTURE) / 2, PICTURE, PICTURE)
        ink = "text.3" if entry.quiet and entry.picture.startswith("state/") else ""
        paint_picture(painter, picture, entry.picture, ink)
        last = index.row() == index.model().rowCount() - 1
        if not last:
            x = round(picture.center().x())
            thread = QRectF(x, picture.bottom() + 3, 1, rect.bottom() - picture.bottom() + 2)
            painter.fillRect(thread, t.color("line.subtle"))
        self._words(painter, rect, entry, high)
        painter.restore()

    def _words(self, painter: QPainter, rect: QRectF, entry: Entry, high: int) -> None:
        t = theme.current()
        small = t.font("small")
        time = QFontMetrics(small).horizontalAdvance(entry.at)
        area = QRectF(rect.left() + TEXT_LEFT, rect.top(), rect.width() - TEXT_LEFT, high)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        _line(painter, area, entry.at, small, t.color("text.3"), right)
        words = area.adjusted(0, 0, -time - 10, 0)
        font = t.font("body.600" if entry.strong else "body")
        _line(painter, words, entry.title, font, t.color("text.1"), left)
        if entry.note:
            below = QRectF(words.left(), rect.top() + high, words.width(), t.line_height("small"))
            _line(painter, below, entry.note, small, t.color("text.2"), left)

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        entry: Entry | None = index.data(Qt.ItemDataRole.UserRole)
        if event.type() != QEvent.Type.ToolTip or entry is None:
            return super().helpEvent(event, view, option, index)
        width = option.rect.width() - TEXT_LEFT - 2 * SIDE_ROOM - 50
        cut = QFontMetrics(theme.current().font("body")).horizontalAdvance(entry.title) > width
        QToolTip.showText(event.globalPos(), plain_tooltip(entry.title) if cut else "", view)
        return True


def _line(
    painter: QPainter, area: QRectF, text: str, font: QFont, ink: QColor, align: Qt.AlignmentFlag
) -> None:
    painter.setFont(font)
    painter.setPen(ink)
    cut = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(area.width()) + 1)
    painter.drawText(area, align | Qt.TextFlag.TextSingleLine, cut)


class TrailView(QListView):
    """As high as its lines; the page around it scrolls. One stop for Tab, ↑ ↓ inside.

    It is wider than its words by SIDE_ROOM on both sides.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = _Model(self)
        self.setModel(self._model)
        self.setItemDelegate(_Delegate(self))
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        for set_policy in (self.setVerticalScrollBarPolicy, self.setHorizontalScrollBarPolicy):
            set_policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.watcher().changed.connect(self._fit)
        self._fit()

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self._model.entries

    def show_entries(self, entries: tuple[Entry, ...]) -> None:
        if entries == self._model.entries:
            return
        at = self.currentIndex().row()
        self._model.show(entries)
        if at >= 0 and entries:
            self.setCurrentIndex(self._model.index(min(at, len(entries) - 1), 0))
        self._fit()

    def has_ring(self) -> bool:
        """Whether its current line shows the ring: only for the keyboard."""
        return self.hasFocus() and modality.by_keyboard()

    def show_ring(self) -> None:
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        modality.watch(self)
        modality.wants_ring(event.reason())
        super().focusInEvent(event)

    def _fit(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.setFixedHeight(max(1, sum(map(_height, self._model.entries))))
