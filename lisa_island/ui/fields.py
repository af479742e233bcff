"""Places to type and to choose: Field, TextBox, Select. See `controls` for the signatures."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QEvent, QMargins, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QSizePolicy,
    QStyledItemDelegate,
    QWidget,
)

from lisa_island.ui import assets, theme
from lisa_island.ui.paint import KeyboardRing, rounded

_CLEAR = QColor(0, 0, 0, 0)


def _field_body(widget: QWidget, painter: QPainter, focused: bool) -> None:
    """The inset body; a focused field wears its ring on its own outline, however the focus came."""
    t = theme.current()
    line = "focus" if focused else "line.control" if widget.isEnabled() else "line.subtle"
    width = 2 if focused else t.line_width
    rounded(
        painter,
        QRectF(widget.rect()),
        t.radius("r.control"),
        t.color("surface.inset"),
        t.color(line),
        width,
    )


def _field_palette(widget: QWidget) -> None:
    palette = QPalette(theme.palette(theme.current()))
    for role in (QPalette.ColorRole.Base, QPalette.ColorRole.Window):
        palette.setColor(role, _CLEAR)
    widget.setPalette(palette)


class Field(QLineEdit):
    """One line of text, 36 px high."""

    def __init__(
        self,
        accessible_name: str,
        *,
        text: str = "",
        placeholder: str = "",
        icon: str = "",
        mono: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._icon, self._mono = icon, mono
        self.setAccessibleName(accessible_name)
        self.setPlaceholderText(placeholder)
        self.setFrame(False)
        self.setTextMargins(QMargins(36 if icon else 10, 0, 10, 0))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.watcher().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFont(theme.current().font("code" if self._mono else "body"))
        _field_palette(self)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        t = theme.current()
        return QSize(super().sizeHint().width(), t.height(t.metrics.field))

    def minimumSizeHint(self) -> QSize:
        return QSize(64, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        _field_body(self, painter, self.hasFocus())
        if self._icon:
            picture = assets.pixmap(self._icon, 18, "text.3", self.devicePixelRatioF())
            mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            painter.drawPixmap(
                QPoint(self.width() - 28 if mirrored else 10, (self.height() - 18) // 2), picture
            )
        painter.end()
        super().paintEvent(event)


class TextBox(QPlainTextEdit):
    """Some lines of plain text; grows from `min_lines` to `max_lines`, then scrolls inside."""

    submitted = Signal()

    def __init__(
        self,
        accessible_name: str,
        *,
        placeholder: str = "",
        min_lines: int = 2,
        max_lines: int = 8,
        mono: bool = False,
        read_only: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._min_lines, self._max_lines, self._mono = min_lines, max_lines, mono
        self.setAccessibleName(accessible_name)
        self.setPlaceholderText(placeholder)
        self.setReadOnly(read_only)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setCursorWidth(0 if read_only else 2)
        self.setViewportMargins(8, 6, 4, 6)
        self.viewport().setAutoFillBackground(False)
        bar = QScrollBar(Qt.Orientation.Vertical)
        bar.setObjectName("inField")  # the style keeps it clear of the outline; named before it is dressed
        self.setVerticalScrollBar(bar)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        theme.watcher().changed.connect(self._restyle)
        self._restyle()

    def set_mono(self, mono: bool) -> None:
        """Whether its letters are all of one width."""
        if mono != self._mono:
            self._mono = mono
            self._restyle()

    def _restyle(self) -> None:
        font = theme.current().font("code" if self._mono else "body")
        self.setFont(font)
        self.viewport().setFont(font)  # the placeholder's; under a style sheet it does not follow
        _field_palette(self)
        self._fit()
        self.update()

    def setPlainText(self, text: str) -> None:
        """Put a text in, ready to be continued."""
        super().setPlainText(text)
        if not self.isReadOnly():
            self.moveCursor(QTextCursor.MoveOperation.End)

    def lines(self) -> int:
        """Lines the text takes at the present width."""
        return max(1, round(self.document().size().height()))

    def _fit(self, *_: object) -> None:
        height = self._height(min(max(self.lines(), self._min_lines), self._max_lines))
        if height != self.height() or height != self.minimumHeight():
            self.setFixedHeight(height)
        full = self.lines() > self._max_lines
        shown = Qt.ScrollBarPolicy.ScrollBarAsNeeded if full else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if shown != self.verticalScrollBarPolicy():
            self.setVerticalScrollBarPolicy(shown)

    def _height(self, lines: int) -> int:
        margins = self.viewportMargins()
        text = lines * ceil(QFontMetricsF(self.font()).lineSpacing()) + 2 * self.document().documentMargin()
        # Qt holds back one px more before it says that all lines fit.
        return ceil(text) + 2 + margins.top() + margins.bottom()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()  # lines may break elsewhere now; Qt tells only of new text

    def sizeHint(self) -> QSize:
        return QSize(240, self.height())

    @property
    def composes(self) -> bool:
        """Whether an input method shows something here that is not yet part of the text."""
        return bool(self.textCursor().block().layout().preeditAreaText())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if not self.composes:
                self.submitted.emit()
            return
        super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """The frame around the viewport has no paint method of its own in a scroll area."""
        if event.type() == QEvent.Type.Paint:
            painter = QPainter(self)
            _field_body(self, painter, self.hasFocus())
            return True
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().event(event)


class Select(KeyboardRing, QComboBox):
    """One of several, in a menu."""

    def __init__(self, accessible_name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(accessible_name)
        # On Linux Qt tells the chosen text as the name; of what it is must stand somewhere too.
        self.setAccessibleDescription(accessible_name)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setItemDelegate(QStyledItemDelegate(self))  # the default one draws a native menu, not the theme
        theme.watcher().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFont(theme.current().font("body"))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        t = theme.current()
        metrics = QFontMetrics(t.font("body"))
        words = max((metrics.horizontalAdvance(self.itemText(i)) for i in range(self.count())), default=0)
        return QSize(max(words + 12 + 34, 128), t.height(32))

    def minimumSizeHint(self) -> QSize:
        return QSize(96, self.sizeHint().height())

    def focus_shape(self) -> tuple[QRectF, float]:
        return QRectF(self.rect()), theme.current().radius("r.control")

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        live = self.isEnabled()
        fill = t.color("surface.hover" if live and self.underMouse() else "surface.card")
        line = t.color("line.control" if live else "line.subtle")
        rounded(painter, QRectF(self.rect()), t.radius("r.control"), fill, line, t.line_width)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        arrow = assets.pixmap(
            "action/expand", 16, "text.2" if live else "text.disabled", self.devicePixelRatioF(), t
        )
        painter.drawPixmap(QPoint(10 if mirrored else self.width() - 26, (self.height() - 16) // 2), arrow)
        words = self.rect().adjusted(34 if mirrored else 12, 0, -12 if mirrored else -34, 0)
        painter.setFont(t.font("body"))
        painter.setPen(t.color("text.1" if live else "text.disabled"))
        text = painter.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, words.width() + 1
        )
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        painter.drawText(words, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)
