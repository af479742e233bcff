"""Text that is never markup: PlainLabel, Tag, and tooltips. See `controls` for the signatures."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QMargins, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QWidget

from lisa_island.core.text import escaped
from lisa_island.ui import glyphs, theme
from lisa_island.ui.paint import rounded

Elide = Literal["none", "end", "middle"]
TOOLTIP_CAP = 600
_MODES = {
    "none": Qt.TextElideMode.ElideNone,
    "end": Qt.TextElideMode.ElideRight,
    "middle": Qt.TextElideMode.ElideMiddle,
}
_PREFERRED_WIDTH = 360


def plain_tooltip(text: str) -> str:
    """A tooltip that shows `text` literally, wrapped, at most 600 characters.

    Qt guesses markup in tooltips and has no plain mode: the markup is ours, the text is escaped.
    """
    if not text:
        return ""
    cut = text if len(text) <= TOOLTIP_CAP else text[: TOOLTIP_CAP - 1] + "…"
    return f'<div style="white-space:pre-wrap">{escaped(cut)}</div>'


def set_tip(widget: QWidget, text: str) -> None:
    """The tooltip, and the same without markup for a screen reader, which would read that of the tooltip."""
    widget.setToolTip(plain_tooltip(text))
    widget.setAccessibleDescription(text)


def wrapped_lines(text: str, font: QFont, width: float, max_lines: int = 0) -> list[str]:
    """Lines of `text` in `width` px. A too long word breaks anywhere; the last line may end in "…"."""
    layout = QTextLayout(text.replace("\n", "\u2028"), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    spans: list[tuple[int, int]] = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(1.0, width))
        spans.append((line.textStart(), line.textLength()))
        if max_lines and len(spans) > max_lines:
            break
    layout.endLayout()
    shown = layout.text()
    lines = [shown[a : a + n].rstrip("\u2028 ") for a, n in spans] or [""]
    if max_lines and len(spans) > max_lines:
        rest = shown[spans[max_lines - 1][0] :].replace("\u2028", " ")
        cut = QFontMetrics(font).elidedText(rest[:2000], Qt.TextElideMode.ElideRight, int(width))
        lines = [*lines[: max_lines - 1], cut]
    return lines


class PlainLabel(QLabel):
    """A label that shows its text literally; what does not fit is in the tooltip and the accessible name.

    `padding` is a class's own; `setContentsMargins` gives one label another.
    WORKAROUND Qt 6.11: an application style sheet sets the contents margins of a frame back to nought when
    the widget gets another parent, so these margins are not Qt's.
    """

    padding = QMargins()

    def __init__(
        self,
        text: str = "",
        style: str = "body",
        ink: str = "text.1",
        *,
        elide: Elide = "none",
        wrap: bool = False,
        max_lines: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._style, self._ink, self._elide, self._max_lines = style, ink, elide, max_lines
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        if elide != "none":
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.watcher().changed.connect(self._restyle)
        self._restyle()
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setAccessibleName(text)
        self._tell_when_cut()
        self._claim_height()
        self.updateGeometry()
        self.update()

    def setContentsMargins(  # type: ignore[override]
        self, left: int, top: int, right: int, bottom: int
    ) -> None:
        self.padding = QMargins(left, top, right, bottom)
        self._claim_height()
        self.updateGeometry()

    def contentsMargins(self) -> QMargins:
        return self.padding

    def contentsRect(self) -> QRect:
        return self.rect().marginsRemoved(self.padding)

    def set_ink(self, token: str) -> None:
        self._ink = token
        self._restyle()

    def is_cut(self) -> bool:
        """Whether the text does not fit and is shown with an ellipsis."""
        if self._elide == "none" and not self._max_lines:
            return False
        width = self.contentsRect().width()
        return self._lines(width) != self._lines(width, whole=True)

    def _restyle(self) -> None:
        t = theme.current()
        self.setFont(t.font(self._style))
        palette = self.palette()
        palette.setColor(self.foregroundRole(), t.color(self._ink))
        self.setPalette(palette)
        self._claim_height()
        self.updateGeometry()

    def _lines(self, width: int, whole: bool = False) -> list[str]:
        font = theme.current().font(self._style)
        if self.wordWrap():
            return wrapped_lines(self.text(), font, width, 0 if whole else self._max_lines)
        if self._elide == "none":
            return self.text().split("\n")
        line = " ".join(self.text().split("\n"))
        return [line if whole else QFontMetrics(font).elidedText(line, _MODES[self._elide], width)]

    def _tell_when_cut(self) -> None:
        set_tip(self, self.text() if self.is_cut() else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_when_cut()
        self._claim_height()

    def _claim_height(self) -> None:
        """A window does not ask for height-for-width; without a claim it would cut the last lines."""
        if self.wordWrap():
            self.setMinimumHeight(self.heightForWidth(self.width()))

    def _line_height(self) -> int:
        return theme.current().line_height(self._style)

    def heightForWidth(self, width: int) -> int:
        if not self.wordWrap():
            return -1
        margins = self.contentsMargins()
        inner = width - margins.left() - margins.right()
        return len(self._lines(inner)) * self._line_height() + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(theme.current().font(self._style))
        natural = max(metrics.horizontalAdvance(line) + 1 for line in self.text().split("\n"))
        width = min(natural, _PREFERRED_WIDTH) if self.wordWrap() else natural
        margins = self.contentsMargins()
        rows = len(self._lines(width))
        return QSize(
            width + margins.left() + margins.right(),
            rows * self._line_height() + margins.top() + margins.bottom(),
        )

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        if self._elide != "none":
            return QSize(min(24, hint.width()), hint.height())
        return QSize(min(48, hint.width()), self._line_height()) if self.wordWrap() else hint

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        painter.setFont(t.font(self._style))
        painter.setPen(t.color(self._ink if self.isEnabled() else "text.disabled"))
        area = QRectF(self.contentsRect())
        lines, height = self._lines(int(area.width())), self._line_height()
        align = QStyle.visualAlignment(self.layoutDirection(), self.alignment())
        top = area.top()
        if align & Qt.AlignmentFlag.AlignVCenter:
            top += max(0.0, (area.height() - len(lines) * height) / 2)
        flags = (align & Qt.AlignmentFlag.AlignHorizontal_Mask) | Qt.AlignmentFlag.AlignVCenter
        for i, line in enumerate(lines):
            row = QRectF(area.left(), top + i * height, area.width(), height)
            painter.drawText(row, flags | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip, line)


class Tag(PlainLabel):
    """A short word in an outline; with a state, in that state's ink, and `filled` on its tint."""

    padding = QMargins(6, 2, 6, 2)

    def __init__(
        self, text: str, shape: str = "", *, filled: bool = False, parent: QWidget | None = None
    ) -> None:
        self._shape, self._filled = shape, filled
        super().__init__(text, "caption", glyphs.word_token(shape) if shape else "text.3", parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)

    def paintEvent(self, event: QPaintEvent) -> None:
        t = theme.current()
        fill = t.color(glyphs.tint(self._shape)) if self._filled else None
        outlined = not self._filled or t.name == "contrast"
        painter = QPainter(self)
        line = t.color("line.subtle") if outlined else None
        rounded(painter, QRectF(self.rect()), t.radius("r.tag"), fill, line, t.line_width)
        painter.end()
        super().paintEvent(event)
