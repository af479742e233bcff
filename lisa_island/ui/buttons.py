"""Push buttons drawn to the theme: Button, IconButton. Signatures: see `controls`."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from lisa_island.ui import assets, theme
from lisa_island.ui.labels import set_tip
from lisa_island.ui.paint import KeyboardRing, rounded

Kind = Literal["primary", "outline", "quiet", "danger"]
ICON_ROOM = 16 + 7
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _Press(KeyboardRing, QPushButton):
    """What every push button here does: literal text, Enter presses, inert for a while when armed."""

    ready = Signal()

    def __init__(self, parent: QWidget | None = None, arm_ms: int = 0) -> None:
        super().__init__(parent)
        self._text = ""
        self._arm_ms = arm_ms
        self._held_over = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._disarm)
        self.setAutoDefault(False)
        self.setFlat(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.watcher().changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        return self._text

    def setText(self, text: str) -> None:
        """Plain text: an ampersand is an ampersand. A changed text arms the button again."""
        if text == self._text:
            return
        self._text = text
        super().setText(text.replace("&", "&&"))
        self.setAccessibleName(text)
        self._restyle()
        if self.isVisible():
            self.arm()

    def arm(self, ms: int | None = None) -> None:
        """Take no press for `ms` (else the button's own `arm_ms`): the eye must get there before the hand.

        Not greyed and the focus stays. A press that began before does not count either.
        """
        wait = self._arm_ms if ms is None else ms
        if wait <= 0:
            return
        self._held_over = self.isDown()
        self.setDown(False)
        self.blockSignals(True)  # also holds back the press that a screen reader sends
        self._timer.start(wait)

    def is_inert(self) -> bool:
        """Whether a press now would do nothing."""
        return self._timer.isActive()

    def _disarm(self) -> None:
        self.blockSignals(False)
        self.ready.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.arm()

    def hitButton(self, pos: QPoint) -> bool:
        return not self.is_inert() and not self._held_over and self.rect().contains(pos)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._held_over = False
        super().mousePressEvent(event)
        event.accept()  # what an inert button does not take must not reach what lies under it

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            if not self.is_inert() and not event.isAutoRepeat():
                self.click()
            return
        if self.is_inert() and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Select):
            return
        super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Button(_Press):
    """A text button, 28 px high, in footers (`tall`) 32."""

    def __init__(
        self,
        text: str,
        kind: Kind = "outline",
        *,
        icon: str = "",
        tall: bool = False,
        arm_ms: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, arm_ms)
        self._kind, self._icon, self._tall, self._cut = kind, icon, tall, ""
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setText(text)

    @property
    def kind(self) -> Kind:
        return self._kind

    def set_kind(self, kind: Kind) -> None:
        self._kind = kind
        self._restyle()

    def _style(self) -> str:
        return "row.title" if self._kind == "quiet" else "body.600"

    def _font(self) -> QFont:
        return theme.current().font(self._style())

    def _pad(self) -> int:
        return 13 if self._tall else 12

    def sizeHint(self) -> QSize:
        t = theme.current()
        width = QFontMetrics(self._font()).horizontalAdvance(self._text) + 2 * self._pad() + 1
        if self._icon:
            width += ICON_ROOM
        height = t.height(t.metrics.button_footer if self._tall else t.metrics.button)
        return QSize(max(width, t.metrics.target_min), height)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 96), self.sizeHint().height())

    def focus_shape(self) -> tuple[QRectF, float]:
        return QRectF(self.rect()), self._radius()

    def _radius(self) -> int:
        return theme.current().radius("r.control" if self._tall else "r.control.s")

    def _tokens(self) -> tuple[str, str, str]:
        """(fill, outline, ink); an empty word is nothing drawn."""
        if not self.isEnabled():
            return self._disabled_tokens()
        hot = self.underMouse() and not self.is_inert()
        body = "surface.select" if self.isDown() else "surface.hover" if hot else ""
        match self._kind:
            case "primary":
                return (
                    ("accent.press" if self.isDown() else "accent.hover" if hot else "accent"),
                    "",
                    "accent.ink",
                )
            case "outline":
                return body, "line.control", "text.1"
            case "danger":
                return body, "state.error", "state.error"
            case "quiet":
                edge = "line.control" if theme.current().name == "contrast" else ""
                return body, edge, "text.1" if hot else "text.2"

    def _disabled_tokens(self) -> tuple[str, str, str]:
        strong = theme.current().name == "contrast"
        match self._kind:
            case "primary":
                return "surface.hover", "", "text.disabled"
            case "quiet":
                return "", "", "text.disabled"
            case "outline" | "danger":
                return "", "text.disabled" if strong else "line.subtle", "text.disabled"

    def _restyle(self) -> None:
        super()._restyle()
        self._tell_when_cut()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_when_cut()

    def _room(self) -> int:
        return self.width() - 2 * self._pad() - (ICON_ROOM if self._icon else 0) + 1

    def _tell_when_cut(self) -> None:
        cut = self._text if QFontMetrics(self._font()).horizontalAdvance(self._text) > self._room() else ""
        if cut != self._cut:  # else a tooltip that the owner of the button gave stays
            self._cut = cut
            set_tip(self, cut)

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        fill, line, ink = self._tokens()
        rounded(
            painter,
            QRectF(self.rect()),
            self._radius(),
            t.color(fill) if fill else None,
            t.color(line) if line else None,
            t.line_width,
        )
        self._paint_label(painter, ink)

    def _paint_label(self, painter: QPainter, ink: str) -> None:
        t, font = theme.current(), self._font()
        metrics = QFontMetrics(font)
        text = metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, self._room())
        used = metrics.horizontalAdvance(text) + (ICON_ROOM if self._icon else 0)
        left = (self.width() - used) / 2
        if self._icon:
            picture = assets.pixmap(self._icon, 16, ink, self.devicePixelRatioF(), t)
            mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            x = left + used - 16 if mirrored else left
            painter.drawPixmap(QPoint(round(x), (self.height() - 16) // 2), picture)
            left += 0 if mirrored else ICON_ROOM
        painter.setFont(font)
        painter.setPen(t.color(ink))
        area = QRectF(left, 0, metrics.horizontalAdvance(text) + 1, self.height())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)


class IconButton(_Press):
    """A square button with a picture; its accessible name is also its tooltip."""

    def __init__(
        self,
        icon: str,
        accessible_name: str,
        *,
        size: int = 32,
        icon_size: int = 20,
        ink: str = "text.2",
        arm_ms: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, arm_ms)
        self._ink = ink
        self._side = max(size, theme.current().metrics.target_min)
        self._icon_size = icon_size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_icon(icon, accessible_name)

    def set_icon(self, icon: str, accessible_name: str) -> None:
        self._icon = icon
        self.setAccessibleName(accessible_name)
        set_tip(self, accessible_name)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._side, self._side)

    def focus_shape(self) -> tuple[QRectF, float]:
        return QRectF(self.rect()).adjusted(2, 2, -2, -2), theme.current().radius("r.control.s") - 1

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        hot = self.isEnabled() and self.underMouse() and not self.is_inert()
        if hot or self.isDown():
            fill = t.color("surface.select" if self.isDown() else "surface.hover")
            edge = t.color("line.control") if t.name == "contrast" else None
            rounded(painter, QRectF(self.rect()).adjusted(1, 1, -1, -1), t.radius("r.control.s"), fill, edge)
        ink = "accent" if self.isChecked() else self._ink
        if hot and ink == "text.2":
            ink = "text.1"
        picture = assets.pixmap(
            self._icon,
            self._icon_size,
            ink if self.isEnabled() else "text.disabled",
            self.devicePixelRatioF(),
            t,
        )
        side = self._icon_size
        painter.drawPixmap(QPoint((self.width() - side) // 2, (self.height() - side) // 2), picture)
