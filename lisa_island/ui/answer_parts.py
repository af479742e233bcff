"""Parts of the answer page: quoted foreign text, an address with its host in bold, the chain of a sent reply.

ForeignText(name, max_lines, style)   plain text, grows with its content, then scrolls; no links
QuoteBox()      .show_text(source, text)
AddressBox(copy_name)  .copied()   .show_url(url)
ChainView()     .show_steps(steps)
"""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QPalette,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from lisa_island.core.text import url_parts
from lisa_island.ui import theme
from lisa_island.ui.controls import Card, IconButton, PlainLabel
from lisa_island.ui.page_parts import Picture, clear
from lisa_island.ui.trail import Step

TEXT_LIMIT = 4000
QUOTE_LINES = 12
ADDRESS_LINES = 5


class ForeignText(QPlainTextEdit):
    """Text that somebody else wrote: plain, wrapped anywhere, selectable, as high as it needs to be."""

    def __init__(
        self, accessible_name: str, max_lines: int, style: str = "lead", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._max_lines, self._style = max_lines, style
        self.setAccessibleName(accessible_name)
        self.setReadOnly(True)
        self.setCursorWidth(0)  # it is read and marked, never written in
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        theme.watcher().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        t = theme.current()
        self.setFont(t.font(self._style))
        palette = QPalette(theme.palette(t))
        for role in (QPalette.ColorRole.Base, QPalette.ColorRole.Window):
            palette.setColor(role, Qt.GlobalColor.transparent)
        self.setPalette(palette)
        self._fit()

    def show_text(self, text: str) -> None:
        if text != self.toPlainText():
            self.setPlainText(text)
            self._fit()

    def lines(self) -> int:
        """Lines the text takes at the present width."""
        return max(1, round(self.document().size().height()))

    def _fit(self, *_: object) -> None:
        lines = self.lines()
        limit = max(3, int(self._max_lines / theme.current().scale))
        scrolls = lines > limit
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if policy != self.verticalScrollBarPolicy():
            self.setVerticalScrollBarPolicy(policy)
        # A stop for Tab only where the keyboard has something to do: scroll.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if scrolls else Qt.FocusPolicy.ClickFocus)
        line = ceil(QFontMetricsF(self.font()).lineSpacing())
        height = min(lines, limit) * line + 2
        if height != self.maximumHeight():
            self.setFixedHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(240, self.maximumHeight())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.maximumHeight())


class QuoteBox(Card):
    """What the agent said, with its source named above it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._source = PlainLabel("", "small", "text.3", wrap=True)
        self.text = ForeignText("", QUOTE_LINES)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 9, 12, 10)
        column.setSpacing(3)
        column.addWidget(self._source)
        column.addWidget(self.text)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_text(self, source: str, text: str) -> None:
        self._source.setText(source)
        self.text.setAccessibleName(source)
        self.text.show_text(text)


class AddressBox(Card):
    """A whole address in monospace, its host in bold, and a button that copies it. It is never a link."""

    copied = Signal()

    def __init__(self, name: str, copy_name: str, parent: QWidget | None = None) -> None:
        super().__init__("inset", parent=parent)
        self._text = ForeignText(name, ADDRESS_LINES, "code")
        self.copy = IconButton("action/copy", copy_name, size=28, icon_size=16)
        self.copy.clicked.connect(self.copied)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 5, 6, 5)
        row.setSpacing(8)
        row.addWidget(self._text, 1)
        row.addWidget(self.copy)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def url(self) -> str:
        return self._text.toPlainText()

    def bold(self) -> str:
        """The part that is drawn in bold, for tests."""
        cursor, found = QTextCursor(self._text.document()), ""
        for at in range(1, len(self.url()) + 1):
            cursor.setPosition(at)
            if cursor.charFormat().fontWeight() > QFont.Weight.Medium:
                found += self.url()[at - 1]
        return found

    def show_url(self, url: str) -> None:
        self._text.show_text(url)
        before, host, _ = url_parts(url)
        cursor = QTextCursor(self._text.document())
        cursor.setPosition(len(before))
        cursor.setPosition(len(before) + len(host), QTextCursor.MoveMode.KeepAnchor)
        strong = QTextCharFormat()
        strong.setFontWeight(QFont.Weight.DemiBold)
        cursor.mergeCharFormat(strong)


class ChainView(QWidget):
    """Step after step, each with its shape and time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 4, 0, 8)
        self._column.setSpacing(12)
        self._steps: tuple[Step, ...] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        return self._steps

    def show_steps(self, steps: tuple[Step, ...]) -> None:
        if steps == self._steps:
            return
        self._steps = steps
        clear(self._column)
        for step in steps:
            self._column.addWidget(_step_line(step))


def _step_line(step: Step) -> QWidget:
    line = QWidget()
    line.setAccessibleName(f"{step.at} {step.text}".strip())
    row = QHBoxLayout(line)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(10)
    row.addWidget(Picture(f"state/{step.shape}", 14))
    row.addWidget(PlainLabel(step.text, "body", elide="end"), 1)
    row.addWidget(PlainLabel(step.at, "small", "text.3"))
    return line
