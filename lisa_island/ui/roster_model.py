"""The roster's rows as a list model: `show(rows)` compares by id and tells exactly what changed.

While `hold_order` is on (the list is under the owner's eyes) rows keep their places for three seconds
after a change, so that nothing slips away under the pointer; a row that begins to wait moves at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer

from lisa_island.core.agent import SessionKey
from lisa_island.core.rows import Kind, Row

HOLD_MS = 3000
TOOLTIP_LIMIT = 600
ROW_ROLE = Qt.ItemDataRole.UserRole + 1

Index = QModelIndex | QPersistentModelIndex


class RosterModel(QAbstractListModel):
    """Rows by position; the whole `Row` under ROW_ROLE, its words under the display and accessible roles."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self._wanted: tuple[Row, ...] = ()
        self._hold = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(HOLD_MS)
        self._later.timeout.connect(self.settle)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return row.name
            case _:
                return row if role == ROW_ROLE else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        leaf = Qt.ItemFlag.ItemNeverHasChildren
        if self._rows[index.row()].kind is Kind.HEADING:
            return leaf
        return leaf | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def row(self, index: Index) -> Row | None:
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def index_of(self, key: SessionKey) -> QModelIndex:
        """Where a session stands, or an invalid index."""
        found = next((i for i, r in enumerate(self._rows) if r.key == key), -1)
        return self.index(found, 0) if found >= 0 else QModelIndex()

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(self._rows)

    def hold_order(self, hold: bool) -> None:
        """Whether somebody looks. Without an eye on it the order is always right, and no timer runs."""
        self._hold = hold
        if not hold:
            self.settle()

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows, each id once."""
        self._wanted = tuple(rows)
        if self._keeps_order():
            self._apply(self._in_place())
            if not self._later.isActive():
                self._later.start()
        else:
            self.settle()

    def settle(self) -> None:
        """Take the wanted order now."""
        self._later.stop()
        self._apply(self._wanted)

    @property
    def is_holding(self) -> bool:
        """Whether the shown order is not yet the wanted one."""
        return self._later.isActive()

    def _keeps_order(self) -> bool:
        if not self._hold or self._order_is_right():
            return False
        waiting = {r.id for r in self._rows if r.needs}
        return not any(r.needs and r.id not in waiting for r in self._wanted)

    def _order_is_right(self) -> bool:
        here, wanted = {r.id for r in self._rows}, {r.id for r in self._wanted}
        return [r.id for r in self._rows if r.id in wanted] == [r.id for r in self._wanted if r.id in here]

    def _in_place(self) -> list[Row]:
        """The wanted rows, those that are here where they stand, new ones after their wanted neighbour."""
        wanted = {r.id: r for r in self._wanted}
        kept = [wanted.pop(r.id) for r in self._rows if r.id in wanted]
        before = None
        for row in self._wanted:
            if row.id in wanted:
                at = next((i + 1 for i, r in enumerate(kept) if r.id == before), 0)
                kept.insert(at, row)
            before = row.id
        return kept

    def _apply(self, target: Sequence[Row]) -> None:
        """From the rows here to `target` by the fewest kinds of steps: remove, move or insert, change."""
        ids = {r.id for r in target}
        for first, last in _runs([i for i, r in enumerate(self._rows) if r.id not in ids]):
            self._remove(first, last)
        here = {r.id for r in self._rows}
        for i, row in enumerate(target):
            if i < len(self._rows) and self._rows[i].id == row.id:
                continue
            if row.id in here:
                self._move(next(j for j in range(i + 1, len(self._rows)) if self._rows[j].id == row.id), i)
            else:
                end = next((j for j in range(i, len(target)) if target[j].id in here), len(target))
                self._insert(i, list(target[i:end]))
                here |= {r.id for r in target[i:end]}
        for i, row in enumerate(target):
            if self._rows[i] != row:
                self._change(i, row)

    def _remove(self, first: int, last: int) -> None:
        self.beginRemoveRows(QModelIndex(), first, last)
        del self._rows[first : last + 1]
        self.endRemoveRows()

    def _insert(self, at: int, rows: list[Row]) -> None:
        self.beginInsertRows(QModelIndex(), at, at + len(rows) - 1)
        self._rows[at:at] = rows
        self.endInsertRows()

    def _move(self, source: int, to: int) -> None:
        self.beginMoveRows(QModelIndex(), source, source, QModelIndex(), to)
        self._rows.insert(to, self._rows.pop(source))
        self.endMoveRows()

    def _change(self, at: int, row: Row) -> None:
        self._rows[at] = row
        index = self.index(at, 0)
        self.dataChanged.emit(index, index)


def _runs(positions: list[int]) -> list[tuple[int, int]]:
    """Consecutive positions as (first, last), the last run first, so that earlier ones stay true."""
    runs: list[tuple[int, int]] = []
    for at in positions:
        if runs and runs[-1][1] == at - 1:
            runs[-1] = (runs[-1][0], at)
        else:
            runs.append((at, at))
    return runs[::-1]


def tooltip(row: Row) -> str:
    """The whole of a row's text, for where it was cut."""
    title = f"{row.title} #{row.number}" if row.number else row.title
    return f"{title}\n{row.line}"[:TOOLTIP_LIMIT] if row.line else title
