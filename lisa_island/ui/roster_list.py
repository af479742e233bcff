"""The list of sessions itself: one stop for Tab, arrows inside, Enter opens, typing searches."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QSizePolicy, QWidget

from lisa_island.core.rows import Kind, Row
from lisa_island.ui import modality, theme
from lisa_island.ui.roster_delegate import RosterDelegate
from lisa_island.ui.roster_model import RosterModel

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class RosterList(QListView):
    """The list itself: one stop for Tab, arrows inside, Enter opens, typing searches."""

    chosen = Signal(object)
    search_asked = Signal(str)
    menu_asked = Signal(object, QPoint)

    def __init__(self, model: RosterModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = model
        self._delegate = RosterDelegate(self)
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.clicked.connect(self._choose)

    def set_compact(self, compact: bool) -> None:
        if self._delegate.compact != compact:
            self._delegate.compact = compact
            self.relayout()

    def relayout(self) -> None:
        """Heights have changed: language, font, compact rows."""
        self.scheduleDelayedItemsLayout()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(200, sum(map(self._delegate.height, self.rows.rows)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, min(self.sizeHint().height(), 2 * theme.current().metrics.row))

    def visible_rows(self) -> list[Row]:
        """Rows of which at least the middle is in sight."""
        area, x = self.viewport().rect(), self.viewport().rect().center().x()
        first = max(0, self.indexAt(QPoint(x, area.top())).row())
        found = []
        for i, row in enumerate(self.rows.rows[first:], first):
            rect = self.visualRect(self.rows.index(i, 0))
            if rect.top() > area.bottom():
                break
            if not rect.isEmpty() and area.contains(QPoint(x, rect.center().y())):
                found.append(row)
        return found

    def _choose(self, index: QModelIndex) -> None:
        if row := self.rows.row(index):
            self.chosen.emit(row)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The row under the pointer; by the keyboard's own key the current one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        row = self.rows.row(index)
        if row is None or row.key is None:
            return
        self.setCurrentIndex(index)
        at = self.visualRect(index).center() if by_key else event.pos()
        self.menu_asked.emit(row, self.viewport().mapToGlobal(at))

    def _by_keyboard(self, on: bool) -> None:
        if self._delegate.keyboard != on:
            self._delegate.keyboard = on
            self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        text = event.text()
        if not held and (event.key() in ENTER or self._turns_group(event.key())):
            self._choose(self.currentIndex())
        elif text and text.isprintable() and not text.isspace() and not held:
            self.search_asked.emit("" if text == "/" else text)
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            self._by_keyboard(True)
            super().keyPressEvent(event)

    def _turns_group(self, key: int) -> bool:
        """→ opens an agent's line, ← folds it, as in a tree."""
        row = self.rows.row(self.currentIndex())
        if row is None or row.kind is not Kind.GROUP:
            return False
        return key == (Qt.Key.Key_Left if row.open else Qt.Key.Key_Right)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._by_keyboard(False)
        super().mousePressEvent(event)

    def show_ring(self) -> None:
        """The owner has taken to the keyboard."""
        self._by_keyboard(True)

    def focusInEvent(self, event: QFocusEvent) -> None:
        modality.watch(self)
        self._by_keyboard(modality.wants_ring(event.reason()))
        if self._delegate.keyboard and not self.currentIndex().isValid():
            self.setCurrentIndex(self.rows.index(0, 0))
        super().focusInEvent(event)
