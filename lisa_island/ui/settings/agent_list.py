"""A list of remote agents: the pinned ones and what the registry found, or those at their own address.

AgentRow(target, note, price, pinned)     strings are foreign and were cleaned where they came in
AgentList(accessible_name, shell)         a QListView: painted rows, so hundreds of them cost nothing
    .show_rows(rows)  .rows  .toggled(AgentRow)   pin or unpin was asked: a click on the pin, Enter, Space
AgentList(…, opens=True)                  no pins and no prices: a row opens, by a click anywhere on it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from lisa_island.core.rows import price
from lisa_island.core.text import clean
from lisa_island.core.words import say
from lisa_island.ui import assets, modality, theme
from lisa_island.ui.controls import plain_tooltip, rounded
from lisa_island.ui.shell import Shell

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
ROW_HEIGHT = 40
MOST_SHOWN = 5
BADGE = 22
PIN = 18
NOTE_LIMIT = 300
_PRESS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent. `price` is a word: free, 0.02 USD, unknown, "" for never heard."""

    target: str
    note: str = ""
    price: str = ""
    pinned: bool = False


class AgentModel(QAbstractListModel):
    """Rows as values; the view paints only those in sight."""

    def __init__(self, shell: Shell, opens: bool = False) -> None:
        super().__init__()
        self._shell = shell
        self._opens = opens
        self.rows: tuple[AgentRow, ...] = ()

    def show(self, rows: Sequence[AgentRow]) -> None:
        """Same agents in the same order: only what changed is told, and the current row stays."""
        new = tuple(rows)
        if [r.target for r in new] != [r.target for r in self.rows]:
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

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._told(row)
        return None

    def _told(self, row: AgentRow) -> str:
        lang = self._shell.lang
        if self._opens:
            return say(lang, "row.name-comma").join(p for p in (row.target, row.note) if p)
        pinned = say(lang, "settings.agent.pinned" if row.pinned else "settings.agent.loose")
        parts = (row.target, row.note, price(row.price, lang), pinned)
        return say(lang, "row.name-comma").join(p for p in parts if p)


class AgentDelegate(QStyledItemDelegate):
    """Badge, slug, note, price, pin."""

    def __init__(self, shell: Shell, parent: QListView, opens: bool = False) -> None:
        super().__init__(parent)
        self._shell = shell
        self._opens = opens
        self.keyboard = False

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(option.rect.width(), theme.current().height(ROW_HEIGHT))

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
        _text(painter, box(pin_left - 8 - cost_width, cost_width), cost, "small", "text.2", not mirrored)
        left, room = BADGE + 10.0, pin_left - 20 - cost_width - BADGE - 10.0
        wide = QFontMetrics(t.font("row.title")).horizontalAdvance(row.target) + 2.0
        title = min(wide, room if not row.note else max(room * 0.6, min(wide, 80.0)))
        _text(painter, box(left, title), row.target, "row.title", "text.1", mirrored)
        rest = room - title - 8
        if rest > 24:
            _text(painter, box(left + title + 8, rest), row.note, "small", "text.2", mirrored)

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


def _text(painter: QPainter, box: QRectF, text: str, style: str, ink: str, at_right: bool) -> None:
    t = theme.current()
    painter.setFont(t.font(style))
    painter.setPen(t.color(ink))
    cut = QFontMetrics(t.font(style)).elidedText(text, Qt.TextElideMode.ElideRight, int(box.width()))
    side = Qt.AlignmentFlag.AlignRight if at_right else Qt.AlignmentFlag.AlignLeft
    flags = side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
    painter.drawText(box, flags | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip, cut)


def pin_rect(row: QRect, direction: Qt.LayoutDirection) -> QRect:
    """The pin's target in a row: 28 px wide, as high as the row."""
    side = theme.current().metrics.target_min
    left = row.left() if direction == Qt.LayoutDirection.RightToLeft else row.right() - side + 1
    return QRect(left, row.top(), side, row.height())


class AgentList(QListView):
    """One stop for Tab, arrows inside; Enter or Space pins and unpins, or opens."""

    toggled = Signal(object)

    def __init__(self, accessible_name: str, shell: Shell, *, opens: bool = False) -> None:
        super().__init__()
        self._opens = opens
        self._model = AgentModel(shell, opens)
        self._model.setParent(self)
        self._delegate = AgentDelegate(shell, self, opens)
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
    def rows(self) -> tuple[AgentRow, ...]:
        return self._model.rows

    def show_rows(self, rows: Sequence[AgentRow]) -> None:
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

    def _row(self, index: QModelIndex) -> AgentRow | None:
        return index.data(ROW_ROLE) if index.isValid() else None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        row = self._row(index)
        if event.button() != Qt.MouseButton.LeftButton or row is None:
            return
        pin = pin_rect(self.visualRect(index), self.layoutDirection())
        if self._opens or pin.contains(event.position().toPoint()):
            self.toggled.emit(row)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._by_keyboard(False)
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self._row(self.currentIndex())
        if event.key() in _PRESS and row is not None and not event.isAutoRepeat():
            self.toggled.emit(row)
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


def shown_note(name: str, target: str, description: str) -> str:
    """What is said beside a slug: the description, else a name that says more than the slug."""
    text = clean(description, NOTE_LIMIT)
    own = clean(name, NOTE_LIMIT)
    return text or (own if own != target else "")
