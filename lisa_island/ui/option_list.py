"""What an agent lets the owner choose from: radio buttons, none of them chosen before the owner chooses.

OptionList(name)
    .show_options(options)     others than before: nothing is chosen
    .chosen -> str             "" for none       .choose_none()
    changed()

Choosing sends nothing. The texts are foreign and stand in as many lines as they need.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QSizePolicy, QVBoxLayout, QWidget

from lisa_island.ui import theme
from lisa_island.ui.controls import KeyboardRing, rounded
from lisa_island.ui.labels import wrapped_lines
from lisa_island.ui.page_parts import clear

LEAST = 40
PAD = 12
MARK = 16
GAP = 10
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Option(KeyboardRing, QRadioButton):
    """One choice on a line of its own."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        super().setText(text.replace("&", "&&"))
        self.setAccessibleName(text)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.watcher().changed.connect(self._fit)

    def text(self) -> str:
        return self._text

    def _lines(self, width: int) -> list[str]:
        return wrapped_lines(self._text, theme.current().font("body"), width - 2 * PAD - MARK - GAP)

    def _fit(self) -> None:
        t = theme.current()
        height = len(self._lines(self.width())) * t.line_height("body") + 20
        self.setFixedHeight(max(t.height(LEAST), height))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(200, self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.minimumHeight())

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def focus_shape(self) -> tuple[QRectF, float]:
        return QRectF(self.rect()), theme.current().radius("r.control")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        t, on, live = theme.current(), self.isChecked(), self.isEnabled()
        painter = QPainter(self)
        hot = live and self.underMouse()
        fill = "surface.select" if on else "surface.hover" if hot else "surface.card"
        line = "accent" if on and live else "line.control"
        ink = t.color(line if live else "text.disabled")
        width = 2 if on else t.line_width
        rounded(painter, QRectF(self.rect()), t.radius("r.control"), t.color(fill), ink, width)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = self.width() - PAD - MARK if mirrored else PAD
        mark = QRectF(left, (self.height() - MARK) / 2, MARK, MARK)
        rounded(painter, mark, MARK / 2, None, ink, 1.5)
        if on:
            inner = mark.adjusted(4, 4, -4, -4)
            rounded(painter, inner, inner.height() / 2, ink, None)
        self._paint_words(painter, mirrored)

    def _paint_words(self, painter: QPainter, mirrored: bool) -> None:
        t = theme.current()
        painter.setFont(t.font("body"))
        painter.setPen(t.color("text.1" if self.isEnabled() else "text.disabled"))
        lines, high = self._lines(self.width()), t.line_height("body")
        room = self.width() - 2 * PAD - MARK - GAP
        left = PAD if mirrored else PAD + MARK + GAP
        top = (self.height() - len(lines) * high) / 2
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip
        for i, line in enumerate(lines):
            painter.drawText(QRectF(left, top + i * high, room, high), flags, line)


class OptionList(QWidget):
    """Hidden while there is nothing to choose from."""

    told_as = QAccessible.Role.Grouping

    changed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._options: tuple[str, ...] = ()
        self._group = QButtonGroup(self)
        self._group.buttonToggled.connect(lambda *_: self.changed.emit())
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.current().metrics.card_gap)
        self.hide()

    @property
    def options(self) -> tuple[str, ...]:
        return self._options

    def buttons(self) -> list[Option]:
        return [b for b in self._group.buttons() if isinstance(b, Option)]

    @property
    def chosen(self) -> str:
        found = self._group.checkedButton()
        return found.text() if isinstance(found, Option) else ""

    def choose_none(self) -> None:
        """Nothing is preselected, and the owner's own words take a choice back."""
        if self._group.checkedButton() is None:
            return
        self._group.setExclusive(False)
        for button in self.buttons():
            button.setChecked(False)
        self._group.setExclusive(True)

    def show_options(self, options: tuple[str, ...]) -> None:
        if options == self._options:
            return
        self._options = options
        for button in self.buttons():
            self._group.removeButton(button)
        clear(self._column)
        for text in options:
            option = Option(text)
            self._group.addButton(option)
            self._column.addWidget(option)
        self.changed.emit()
