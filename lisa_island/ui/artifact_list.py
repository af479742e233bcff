"""What a task put out, by name and size; a text is seen on a page of its own, and only after a click.

ArtifactList(lang)
    .show_artifacts(artifacts, held)   `held`: their texts are in memory
    viewed(int)                        its number, counted from 0
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lisa_island.core.agent import Artifact
from lisa_island.core.text import clean
from lisa_island.core.words import count, say
from lisa_island.ui.controls import Button, PlainLabel
from lisa_island.ui.page_parts import Picture, clear
from lisa_island.ui.trail import MOST_ARTIFACTS, NAME_LIMIT, size


class _Line(QWidget):
    """One artifact, told as one."""

    told_as = QAccessible.Role.ListItem


class ArtifactList(QWidget):
    """Hidden while there is none."""

    told_as = QAccessible.Role.List

    viewed = Signal(int)

    def __init__(self, lang: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lang = lang
        self._shown: tuple[tuple[Artifact, ...], bool] = ((), False)
        self.setAccessibleName(say(lang, "artifacts.title"))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self.hide()

    def show_artifacts(self, artifacts: tuple[Artifact, ...], held: bool) -> bool:
        """The first of them, in the agent's order; whether the buttons are others now."""
        self.setVisible(bool(artifacts))
        if self._shown == (artifacts, held):
            return False
        held_focus = self.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
        self._shown = (artifacts, held)
        clear(self._column)
        self._column.addWidget(PlainLabel(say(self._lang, "artifacts.title"), "small", "text.3"))
        for number, made in enumerate(artifacts[:MOST_ARTIFACTS]):
            self._column.addWidget(self._line(number, made, held))
        if (more := len(artifacts) - MOST_ARTIFACTS) > 0:
            self._column.addWidget(PlainLabel(count(self._lang, "artifacts.more", more), "small", "text.3"))
        if held_focus and (first := self.buttons()):
            first[0].setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def buttons(self) -> list[Button]:
        """View, in the order of the list."""
        items = (self._column.itemAt(i) for i in range(self._column.count()))
        lines = (item.widget() for item in items if item is not None)
        return [b for line in lines if line is not None for b in line.findChildren(Button)]

    def _line(self, number: int, made: Artifact, held: bool) -> QWidget:
        lang = self._lang
        name = clean(made.name, NAME_LIMIT) or say(lang, "detail.artifact.unnamed")
        weight = say(lang, "artifacts.size.none") if made.size is None else size(made.size, lang)
        line = _Line()
        line.setAccessibleName(say(lang, "row.name-comma").join((name, weight)))
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(Picture("action/file", 16), 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(PlainLabel(name, "body", elide="middle"), 1)
        row.addWidget(PlainLabel(weight, "small", "text.3"))
        if held:
            view = Button(say(lang, "artifacts.view"))
            view.setAccessibleName(say(lang, "artifacts.view.name", name=name))
            view.clicked.connect(lambda: self.viewed.emit(number))
            row.addWidget(view)
        return line
