"""The island's own notice under the pill, where no server shows one with buttons. It never takes the focus.

    Toasts(shell, mode=…)
        .show(note, below: QRect, beside: QRect = …)    below the pill, or beside the open panel;
                                     a note with the same id is replaced
        .withdraw(note_id)           it was answered, or is no longer true
        .set_mode(mode)
        .shown() -> tuple[str, ...]  ids, newest first
        pressed(str note_id, str action)   "default" is a click on the notice itself

8 seconds, longer while the pointer is on it, then it goes; what needs the owner stays in the queue. One
single-shot timer a notice, none while none is shown.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QEnterEvent,
    QGuiApplication,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lisa_island.core.notices import Note
from lisa_island.core.pill import badge
from lisa_island.core.text import clean
from lisa_island.core.words import say
from lisa_island.ui import assets, modality, theme
from lisa_island.ui.announce import Announcer
from lisa_island.ui.controls import Button, IconButton, PlainLabel
from lisa_island.ui.page_parts import ARM_MS, Badge
from lisa_island.ui.shell import Shell
from lisa_island.ui.window_mode import WindowMode, dress, paint_body, shape

SHOWN_MS = 8000
GAP = 8
MOST = 3
TITLE_LIMIT = 120
BODY_LIMIT = 300
_FLAGS = (
    Qt.WindowType.Tool
    | Qt.WindowType.FramelessWindowHint
    | Qt.WindowType.WindowStaysOnTopHint
    | Qt.WindowType.WindowDoesNotAcceptFocus
    | Qt.WindowType.NoDropShadowWindowHint
)


class _AppIcon(QWidget):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.setFixedSize(size, size)

    def paintEvent(self, _: QPaintEvent) -> None:
        picture = assets.app_pixmap(self.width(), self.devicePixelRatioF())
        QPainter(self).drawPixmap(QPoint(0, 0), picture)


class Toast(QWidget):
    """One notice in a window of its own."""

    told_as = QAccessible.Role.Notification

    pressed = Signal(str, str)
    gone = Signal(str)

    def __init__(self, note: Note, shown_as: tuple[str, str] | None, shell: Shell, mode: WindowMode) -> None:
        super().__init__()
        self.note, self._mode = note, mode
        self.setObjectName("toast")
        flags = _FLAGS & ~Qt.WindowType.NoDropShadowWindowHint if mode.has_shadow else _FLAGS
        self.setWindowFlags(flags)
        for attribute in (
            Qt.WidgetAttribute.WA_ShowWithoutActivating,
            Qt.WidgetAttribute.WA_MacAlwaysShowToolWindow,
            Qt.WidgetAttribute.WA_X11DoNotAcceptFocus,
        ):
            self.setAttribute(attribute)
        title, body = clean(note.title, TITLE_LIMIT), clean(note.body, BODY_LIMIT)
        self.setWindowTitle(say(shell.lang, "toast.app"))
        self.setAccessibleName(say(shell.lang, "row.name-comma").join(p for p in (title, body) if p))
        dress(self, mode)
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.timeout.connect(lambda: self.gone.emit(self.note.note_id))
        self._build(title, body, shown_as, shell.lang)
        self.setFixedWidth(theme.current().metrics.toast_width)
        theme.watcher().changed.connect(self.update)

    def _build(self, title: str, body: str, shown_as: tuple[str, str] | None, lang: str) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(_AppIcon(16))
        head.addWidget(PlainLabel(say(lang, "toast.app"), "small", "text.2", elide="end"), 1)
        head.addWidget(PlainLabel(say(lang, "time.now"), "small", "text.2"))
        close = IconButton("action/close", say(lang, "toast.close"), size=28, icon_size=14)
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close.clicked.connect(lambda: self.gone.emit(self.note.note_id))
        head.addWidget(close)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(PlainLabel(title, "body.600", wrap=True, max_lines=2))
        if body:
            words.addWidget(PlainLabel(body, "body", "text.2", wrap=True, max_lines=3))
        words.addSpacing(6)
        words.addLayout(self._buttons())
        picture: QWidget
        if shown_as is None:
            picture = _AppIcon(theme.current().metrics.badge_large)
        else:
            picture = Badge(theme.current().metrics.badge_large)
            picture.show_badge(shown_as)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 12, 14)
        column.setSpacing(4)
        column.addLayout(head)
        column.addLayout(row)

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.current().metrics.target_gap)
        self.buttons: list[Button] = []
        for action, label in self.note.buttons:
            button = Button(clean(label, 40), "outline", arm_ms=ARM_MS)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(
                lambda _=False, action=action: self.pressed.emit(self.note.note_id, action)
            )
            row.addWidget(button)
            self.buttons.append(button)
        row.addStretch(1)
        return row

    def sizeHint(self) -> QSize:
        width = theme.current().metrics.toast_width
        layout = self.layout()
        return QSize(width, layout.totalHeightForWidth(width) if layout else 0)

    def start(self) -> None:
        self.timer.start(SHOWN_MS)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.timer.stop()

    def leaveEvent(self, event: object) -> None:
        if self.isVisible():
            self.start()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and inside:
            self.pressed.emit(self.note.note_id, "default")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        shape(self, self._mode, theme.current().radius("r.card"))

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        edge = t.color("state.waiting.fill") if self.note.urgent else None
        painter, rect = QPainter(self), QRectF(self.rect())
        paint_body(painter, rect, t.radius("r.card"), self._mode, t.color("surface.raised"), edge)


class Toasts(QObject):
    """At most three at a time, newest next to the pill."""

    pressed = Signal(str, str)

    def __init__(self, shell: Shell, mode: WindowMode = WindowMode.OFFSCREEN, parent: QObject | None = None):
        super().__init__(parent)
        self._shell, self._mode = shell, mode
        self._toasts: list[Toast] = []
        self._below = self._beside = QRect()

    def shown(self) -> tuple[str, ...]:
        return tuple(t.note.note_id for t in self._toasts)

    def toast(self, note_id: str) -> Toast | None:
        return next((t for t in self._toasts if t.note.note_id == note_id), None)

    def set_mode(self, mode: WindowMode) -> None:
        """For what is shown from now on."""
        self._mode = mode

    def show(self, note: Note, below: QRect, beside: QRect | None = None) -> None:
        """Show under `below`, in screen coordinates; the same id is replaced where it stands.

        `beside` is the open panel, which they must not cover.
        """
        self._below, self._beside = below, beside or QRect()
        self.withdraw(note.note_id)
        toast = Toast(note, self._shown_as(note), self._shell, self._mode)
        toast.pressed.connect(self._pressed)
        toast.gone.connect(self.withdraw)
        self._toasts.insert(0, toast)
        for old in self._toasts[MOST:]:
            self.withdraw(old.note.note_id)
        toast.resize(toast.sizeHint())
        self._place()
        toast.show()
        self._place()
        toast.start()
        if note.urgent:  # All else the island has said already, or it is not worth an interruption.
            Announcer(toast).say(toast.accessibleName(), urgent=True)

    def withdraw(self, note_id: str) -> None:
        """Take one away; an id that is not shown is fine."""
        toast = self.toast(note_id)
        if toast is None:
            return
        self._toasts.remove(toast)
        toast.timer.stop()
        toast.hide()
        toast.deleteLater()
        self._place()

    def close(self) -> None:
        """Take all away."""
        for note_id in self.shown():
            self.withdraw(note_id)

    def _pressed(self, note_id: str, action: str) -> None:
        modality.by_pointer_now()
        self.withdraw(note_id)
        self.pressed.emit(note_id, action)

    def _shown_as(self, note: Note) -> tuple[str, str] | None:
        """The badge of the one session it speaks of; a notice about several wears the app's picture."""
        session = self._shell.store.roster.get(note.keys[0]) if len(note.keys) == 1 else None
        return badge(session) if session is not None else None

    def _place(self) -> None:
        screen = QGuiApplication.screenAt(self._below.center()) or QGuiApplication.primaryScreen()
        area = screen.availableGeometry() if screen is not None else QRect(self._below)
        for toast in self._toasts:
            toast.resize(toast.width(), toast.sizeHint().height())
        x, y = self._corner(area)
        for toast in self._toasts:
            toast.move(x, y)
            y += toast.height() + GAP

    def _corner(self, area: QRect) -> tuple[int, int]:
        """Top left of the first one: right of the panel, left of it, else under the pill."""
        width = self._toasts[0].width() if self._toasts else 0
        if not self._beside.isEmpty():
            right, left = self._beside.right() + 1 + GAP, self._beside.left() - GAP - width
            for x in (right, left):
                if area.left() <= x <= area.right() - width:
                    return x, self._beside.top()
        middle = self._below.center().x() - width // 2
        x = max(area.left() + GAP, min(middle, area.right() - width - GAP))
        return x, self._below.bottom() + 1 + GAP
