"""A few numbers with their names above them, on the detail page."""

from __future__ import annotations

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from lisa_island.ui import theme
from lisa_island.ui.controls import Card, PlainLabel
from lisa_island.ui.page_parts import clear

# From here on four figures beside one another would be cut.
WIDE_UNTIL = 1.4


class Figures(Card):
    """A few numbers with their names above them."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(14, 9, 14, 9)
        self._grid.setSpacing(10)
        self._shown: tuple[tuple[str, str], ...] = ()
        theme.watcher().changed.connect(self._lay_out)

    @property
    def shown(self) -> tuple[tuple[str, str], ...]:
        return self._shown

    def show_figures(self, figures: tuple[tuple[str, str], ...]) -> None:
        if figures == self._shown:
            return
        self._shown = figures
        self._lay_out()

    def _lay_out(self) -> None:
        columns = 4 if theme.current().scale < WIDE_UNTIL else 2
        clear(self._grid)
        for i in range(4):
            self._grid.setColumnStretch(i, 1 if i < min(columns, len(self._shown)) else 0)
        for i, (name, value) in enumerate(self._shown):
            self._grid.addWidget(_figure(name, value), i // columns, i % columns)


class _Figure(QWidget):
    """A number and what it counts, told as one."""

    told_as = QAccessible.Role.Grouping


def _figure(name: str, value: str) -> QWidget:
    found = _Figure()
    found.setAccessibleName(f"{name}: {value}")
    column = QVBoxLayout(found)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(1)
    column.addWidget(PlainLabel(name, "small", "text.3", elide="end"))
    column.addWidget(PlainLabel(value, "body.600", elide="end"))
    return found
