"""How the parts of a line stand: side by side, and one above the other where large text leaves no room.

Split()               a QBoxLayout that turns by itself, from 150 % on
hands(*widgets)       a QHBoxLayout of controls that keeps to the trailing edge
Labelled(title)       a block of lines beside its title: .column (QVBoxLayout)
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from lisa_island.ui import theme
from lisa_island.ui.controls import PlainLabel

STACK_FROM = 1.5
LABEL_WIDTH = 84
_FREE = 16_777_215  # Qt's own "no limit"


def is_stacked() -> bool:
    """Whether the OS font is so large that parts stand one above the other."""
    return theme.current().scale >= STACK_FROM


class Split(QBoxLayout):
    """Side by side, or stacked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(QBoxLayout.Direction.LeftToRight)
        if parent is not None:
            parent.setLayout(self)
        self.setSpacing(theme.current().metrics.target_gap)
        theme.watcher().changed.connect(self._turn)
        self._turn()

    def _turn(self) -> None:
        way = QBoxLayout.Direction.TopToBottom if is_stacked() else QBoxLayout.Direction.LeftToRight
        self.setDirection(way)


def hands(*controls: QWidget) -> QHBoxLayout:
    """Controls in a row, at the trailing edge of whatever room they get."""
    line = QHBoxLayout()
    line.setSpacing(theme.current().metrics.target_gap)
    line.addStretch(0)
    for control in controls:
        line.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
    return line


class Labelled(QWidget):
    """A title at the leading edge, as high as a field; what belongs to it goes into `column`."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._label = PlainLabel(title, "body")
        self.column = QVBoxLayout()
        self.column.setSpacing(6)
        self._split = Split(self)
        self._split.setContentsMargins(0, 8, 0, 0)
        self._split.addWidget(self._label, 0, Qt.AlignmentFlag.AlignTop)
        self._split.addLayout(self.column, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        theme.watcher().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        t = theme.current()
        stacked = is_stacked()
        self._label.setMinimumHeight(0 if stacked else t.height(t.metrics.field))
        self._label.setMinimumWidth(0 if stacked else LABEL_WIDTH)
        self._label.setMaximumWidth(_FREE if stacked else max(LABEL_WIDTH, self._label.sizeHint().width()))
