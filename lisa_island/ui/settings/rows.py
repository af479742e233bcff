"""What the pages are made of: a line with a title, a hint and controls; choices; a sentence; a confirmation.

Row(title, hint="", *controls, glyph="", separated=True)      .set_hint(text)
Choice(accessible_name, [(text, value), ...])                 .chosen(value)   .show_value(value)
Sentence(style="small")                                       .say(text, icon="")   icon: a file, or ""
Confirm(question, yes, no)                                    .confirmed()  .ask()  .put_away()
heading(text) -> PlainLabel
has_keyboard(widget) -> bool
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from lisa_island.ui import assets, glyphs, theme
from lisa_island.ui.controls import Button, PlainLabel, Select, Switch, rounded
from lisa_island.ui.settings.lines import Split, hands

# A press that was meant for something else must not land on what cannot be undone.
ARM_MS = 600
ICON = 16


def has_keyboard(widget: QWidget) -> bool:
    """Whether the keyboard is on it, now or when its window is active again."""
    return widget.window().focusWidget() is widget


def heading(text: str) -> PlainLabel:
    """A line above a group."""
    label = PlainLabel(text, "body.600", "text.2", wrap=True)
    label.setContentsMargins(0, 12, 0, 4)
    return label


class Row(QWidget):
    """One line of a page: title and hint at the leading edge, controls at the other."""

    def __init__(
        self,
        title: str,
        hint: str = "",
        *controls: QWidget,
        glyph: str = "",
        separated: bool = True,
    ) -> None:
        super().__init__()
        self._glyph, self._separated = glyph, separated
        self.title = PlainLabel(title, "body", "text.1", wrap=True)
        self.hint = PlainLabel(hint, "small", "text.2", wrap=True)
        self.hint.setVisible(bool(hint))
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(self.title)
        words.addWidget(self.hint)
        words.addStretch(1)
        # A switch is small at any font size; everything else would squeeze the words beside it.
        line: QBoxLayout = QHBoxLayout(self) if all(isinstance(c, Switch) for c in controls) else Split(self)
        line.setContentsMargins(26 if glyph else 0, 4, 0, 5)
        line.addLayout(words, 1)
        line.addLayout(hands(*controls))
        for control in controls:
            control.setAccessibleDescription(hint)
            if isinstance(control, Select):  # on Linux its name is what is chosen; the label tells of what
                self.title.setBuddy(control)
        self._controls = controls
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        theme.watcher().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        t = theme.current()
        self.setMinimumHeight(t.height(t.metrics.settings_line))
        self.update()

    def set_hint(self, text: str) -> None:
        self.hint.setText(text)
        self.hint.setVisible(bool(text))
        for control in self._controls:
            control.setAccessibleDescription(text)

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        if self._glyph:
            top = self.title.y() + (t.line_height("body") - 14) // 2
            mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            left = self.width() - 14 if mirrored else 0
            glyphs.paint(painter, QRectF(left, top, 14, 14), self._glyph, t)
        if self._separated:
            line = t.line_width
            painter.fillRect(0, self.height() - line, self.width(), line, t.color("line.subtle"))


class Choice(Select):
    """A Select over values. The wheel scrolls the page: it must not change what it happens to pass."""

    chosen = Signal(str)

    def __init__(self, accessible_name: str, options: Sequence[tuple[str, str]]) -> None:
        super().__init__(accessible_name)
        self.set_options(options)
        self.activated.connect(lambda _i: self.chosen.emit(self.currentData()))

    def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        if [(self.itemText(i), self.itemData(i)) for i in range(self.count())] == list(options):
            return
        self.clear()
        for text, value in options:
            self.addItem(text, value)
        self.updateGeometry()

    def show_value(self, value: str) -> None:
        """Show what is chosen elsewhere; tells nobody."""
        self.setCurrentIndex(self.findData(value))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Sentence(QWidget):
    """A line that says how something stands, with its sign; empty, it takes no room."""

    def __init__(self, style: str = "small") -> None:
        super().__init__()
        self._icon = ""
        self._label = PlainLabel("", style, "text.2", wrap=True)
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.addWidget(self._label, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.hide()

    def text(self) -> str:
        return self._label.text()

    @property
    def icon(self) -> str:
        return self._icon

    def say(self, text: str, icon: str = "") -> None:
        """`icon`: a state's shape, an action icon by its path, or "" ."""
        self._icon = icon
        self._line.setContentsMargins(ICON + 6 if icon else 0, 0, 0, 0)
        self._label.setText(text)
        self.setVisible(bool(text))
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        if not self._icon:
            return
        t = theme.current()
        painter = QPainter(self)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        edge = self.contentsMargins()
        left = self.width() - ICON - edge.right() if mirrored else edge.left()
        top = self._label.y() + (t.line_height("small") - ICON) // 2
        if self._icon in glyphs.SHAPES:
            glyphs.paint(painter, QRectF(left + 1, top + 1, 14, 14), self._icon, t)
            return
        ink = "state.waiting" if self._icon == "action/warning" else "text.2"
        picture = assets.pixmap(self._icon, ICON, ink, self.devicePixelRatioF(), t)
        painter.drawPixmap(QPoint(left, top), picture)


class Confirm(QWidget):
    """Asks in place before something that cannot be undone. The focus goes to the harmless button."""

    confirmed = Signal()
    refused = Signal()

    def __init__(self, question: str, yes: str, no: str) -> None:
        super().__init__()
        self._label = PlainLabel(question, "small", "text.1", wrap=True)
        self.no = Button(no)
        self.yes = Button(yes, "danger", arm_ms=ARM_MS)
        self.no.clicked.connect(self.put_away)
        self.no.clicked.connect(self.refused)
        self.yes.clicked.connect(self.put_away)
        self.yes.clicked.connect(self.confirmed)
        line = Split(self)
        line.setContentsMargins(14, 10, 12, 10)
        line.addWidget(self._label, 1)
        line.addLayout(hands(self.no, self.yes))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.hide()

    def question(self) -> str:
        return self._label.text()

    def ask(self) -> None:
        self.show()
        self.no.setFocus(Qt.FocusReason.OtherFocusReason)

    def put_away(self) -> None:
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc takes the question away, and nothing else with it."""
        if event.key() == Qt.Key.Key_Escape:
            self.no.click()
            return
        super().keyPressEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        rounded(
            painter,
            QRectF(self.rect()),
            t.radius("r.banner"),
            t.color("tint.error"),
            t.color("line.subtle"),
            t.line_width,
        )
