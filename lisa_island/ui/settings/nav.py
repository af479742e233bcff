"""The list of pages at the leading edge: one stop for Tab, arrows choose."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from lisa_island.ui import assets, theme
from lisa_island.ui.controls import rounded

NAME_ROLE = Qt.ItemDataRole.UserRole + 1
ICON_ROLE = Qt.ItemDataRole.UserRole + 2
LEFT, RIGHT = 42, 10  # px beside a title; the icon stands in the left one
_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)

Index = QModelIndex | QPersistentModelIndex


class NavDelegate(QStyledItemDelegate):
    """Icon and name; the chosen page stands on its own surface."""

    keyboard = False

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, theme.current().height(theme.current().metrics.nav_tab) + 2)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        t = theme.current()
        painter.save()
        rect = QRectF(option.rect).adjusted(0, 1, 0, -1)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hot = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if chosen or hot:
            line = t.color("line.control") if t.name == "contrast" and chosen else None
            fill = t.color("surface.select" if chosen else "surface.hover")
            rounded(painter, rect, t.radius("r.control.s"), fill, line, t.line_width)
        if self.keyboard and option.state & QStyle.StateFlag.State_HasFocus:
            rounded(painter, rect.adjusted(1, 1, -1, -1), t.radius("r.control.s"), None, t.color("focus"), 2)
        self._paint_words(painter, rect, index, chosen, option.direction == Qt.LayoutDirection.RightToLeft)
        painter.restore()

    def _paint_words(
        self, painter: QPainter, rect: QRectF, index: Index, chosen: bool, mirrored: bool
    ) -> None:
        t = theme.current()
        ink = "text.1" if chosen else "text.2"
        picture = assets.pixmap(index.data(ICON_ROLE), 18, ink, painter.device().devicePixelRatioF(), t)
        left = rect.right() - 12 - 18 if mirrored else rect.left() + 12
        painter.drawPixmap(round(left), round(rect.center().y() - 9), picture)
        painter.setFont(t.font("body.600" if chosen else "body"))
        painter.setPen(t.color(ink))
        words = rect.adjusted(RIGHT, 0, -LEFT, 0) if mirrored else rect.adjusted(LEFT, 0, -RIGHT, 0)
        text = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideRight, int(words.width()))
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        painter.drawText(words, side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute, text)


class NavList(QListWidget):
    """`chosen(name)` when the owner picks a page; `show_name` when somebody else did."""

    chosen = Signal(str)

    def __init__(self, accessible_name: str, pages: Sequence[tuple[str, str, str]]) -> None:
        """`pages`: (name, title, icon)."""
        super().__init__()
        self._delegate = NavDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(accessible_name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        for name, title, icon in pages:
            item = QListWidgetItem(title, self)
            item.setData(NAME_ROLE, name)
            item.setData(ICON_ROLE, icon)
        self.currentItemChanged.connect(self._changed)
        theme.watcher().changed.connect(self.scheduleDelayedItemsLayout)

    def needed_width(self) -> int:
        """Px that the longest title needs."""
        metrics = QFontMetrics(theme.current().font("body.600"))
        wide = (metrics.horizontalAdvance(self.item(i).text()) for i in range(self.count()))
        return max(wide, default=0) + LEFT + RIGHT + 2

    def show_name(self, name: str) -> None:
        for i in range(self.count()):
            if self.item(i).data(NAME_ROLE) == name:
                self.setCurrentRow(i)

    def _changed(self, item: QListWidgetItem | None, _before: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(NAME_ROLE))

    def by_keyboard(self, on: bool) -> None:
        """Whether the ring of the current page is drawn."""
        self._delegate.keyboard = on
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() in _KEYBOARD:
            self.by_keyboard(True)
        super().focusInEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.by_keyboard(False)
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
            return
        self.by_keyboard(True)
        super().keyPressEvent(event)
