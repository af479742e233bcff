"""The panel's window: header, pages, and how it comes and goes. What is on the pages is written elsewhere.

Panel(shell, mode, *, requests=None, command=None, banners=None)
    .add_page(name, widget)      a page with a header of its own; its `back` signal, if any, leads back
    .show_page(name)  .back() -> bool  .page_name
    .content_height() -> int     what it would like to be high
    .set_view(view, step)  .set_mode(mode)
    .appear(activate)  .vanish()
    escaped()  activated()  deactivated()  entered()  left()  pressed()  resized()  closed()
    session_opened(SessionKey)  request_opened(str)  settings_asked(page)  deed_asked(SessionKey, deed)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QCloseEvent,
    QEnterEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from lisa_island.core.pill import PillView
from lisa_island.core.words import say
from lisa_island.ui import modality, theme
from lisa_island.ui.pages import ENTER_SLIDE, PAGE_SLIDE, Pages
from lisa_island.ui.panel_header import PanelHeader
from lisa_island.ui.panel_main import MainPage
from lisa_island.ui.shell import Shell
from lisa_island.ui.window_mode import WindowMode, dress, paint_body, redress, shape

MAIN = "main"
_FLAGS = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint


def flags(mode: WindowMode) -> Qt.WindowType:
    """A floating tool; where windows cannot float, an ordinary one."""
    if not mode.has_pill:
        return Qt.WindowType.Window
    return _FLAGS if mode.has_shadow else _FLAGS | Qt.WindowType.NoDropShadowWindowHint


class Panel(QWidget):
    """Header and pages on one rounded surface."""

    told_as = QAccessible.Role.Window

    escaped = Signal()
    activated = Signal()
    deactivated = Signal()
    entered = Signal()
    left = Signal()
    pressed = Signal()
    resized = Signal()
    closed = Signal()
    session_opened = Signal(object)
    request_opened = Signal(str)
    settings_asked = Signal(str)
    deed_asked = Signal(object, str)

    def __init__(
        self,
        shell: Shell,
        mode: WindowMode = WindowMode.OFFSCREEN,
        *,
        requests: QWidget | None = None,
        command: QWidget | None = None,
        banners: QWidget | None = None,
    ) -> None:
        super().__init__()
        self._shell, self._mode = shell, mode
        self.setObjectName("panel")
        self.setWindowFlags(flags(mode))
        self.setAttribute(Qt.WidgetAttribute.WA_MacAlwaysShowToolWindow)
        dress(self, mode)
        self.pages = Pages(self)
        self.main = MainPage(shell, requests, command, banners)
        # Made last, so that Tab comes to the header's icons after everything else.
        self.header = PanelHeader(shell)
        self.header.pin.setVisible(mode.has_pill)  # An ordinary window stays open anyway.
        self._first = QVBoxLayout()
        self.pages.add(MAIN, self._with_header())
        column = QVBoxLayout(self)
        column.addWidget(self.pages)
        self._connect_main()
        self._shortcut("Ctrl+K", self._to_command)
        theme.watcher().changed.connect(self._restyle)
        self._restyle()
        self.translate()

    def _restyle(self) -> None:
        # Hovered rows reach the edge; the outline stays in sight.
        width = theme.current().line_width if self._mode.has_pill else 0
        self.setContentsMargins(width, width, width, width)
        layout = self.layout()
        assert layout is not None
        layout.setContentsMargins(0, 0, 0, 0)
        self.update()

    def _edges(self) -> int:
        return 2 * self.contentsMargins().top()

    def _with_header(self) -> QWidget:
        page = QWidget()
        page.setLayout(self._first)
        self._first.setContentsMargins(0, 0, 0, 0)
        self._first.setSpacing(0)
        self._first.addWidget(self.main, 1)
        self._first.insertWidget(0, self.header)
        return page

    def _connect_main(self) -> None:
        self.main.roster.opened.connect(self.session_opened)
        self.main.roster.deed_asked.connect(self.deed_asked)
        requests = self.main.requests
        if requests is not None and hasattr(requests, "opened"):
            requests.opened.connect(self.request_opened)
        self.main.command_asked.connect(self.main.focus_command)
        self.main.settings_asked.connect(self.settings_asked)

    def renew(self, requests: QWidget | None, command: QWidget | None, banners: QWidget | None) -> None:
        """The main page with parts made anew: they said their words in another language."""
        held = self.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
        held = held and not self.header.isAncestorOf(self.focusWidget())
        old, self.main = self.main, MainPage(self._shell, requests, command, banners)
        self._first.replaceWidget(old, self.main)
        self._first.setStretchFactor(self.main, 1)
        QWidget.setTabOrder(self.main, self.header.twin)
        self.header.raise_()  # Last again, as it was made: a screen reader comes to it after everything else.
        old.hide()
        old.deleteLater()
        self._connect_main()
        self.translate()
        if held and self.pages.current == MAIN:
            self.main.focus_first()

    def _shortcut(self, keys: str, call: Any) -> None:
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(call)

    def translate(self) -> None:
        """Say everything in the language of now."""
        self.setWindowTitle(say(self._shell.lang, "panel.window"))
        self.header.translate()
        self.main.roster.translate()
        self.main.refresh(self._shell.store.roster)

    # Pages.

    def add_page(self, name: str, widget: QWidget) -> None:
        """Take in a page that has its own header; who adds it also connects its way back."""
        self.pages.add(name, widget)

    def show_page(self, name: str) -> None:
        """Turn to a page. KeyError for a name that was not added."""
        way = self.pages.turn(name)
        if way and self.isVisible():
            # The window takes its final size first; only then its content moves.
            self.resized.emit()
            if self._moves("m.page"):
                self.pages.veil(QPointF(way * PAGE_SLIDE, 0), "m.page")

    def back(self) -> bool:
        """One page back; False on the main page."""
        name = self.pages.before
        if not name:
            return False
        self.show_page(name)
        if name == MAIN and self.isActiveWindow():
            self.main.focus_first()
        return True

    @property
    def page_name(self) -> str:
        return self.pages.current

    def _to_command(self) -> None:
        self.open_command()

    def open_command(self, prefill: str = "") -> None:
        self.show_page(MAIN)
        self.main.focus_command(prefill)

    # What it shows.

    def set_view(self, view: PillView, step: int = 0) -> None:
        """The pill's line; it is told with every change of the roster, whatever else shows that."""
        self.header.set_view(view, step)
        self.pages.content_changed()

    def set_mode(self, mode: WindowMode, floats: Callable[[QWidget], None]) -> None:
        """Rebuild the window for another mode; page, drafts and scroll stay, since the widgets do."""
        if mode is self._mode:
            return
        self._mode = mode
        redress(self, mode, flags(mode), theme.current().radius("r.panel"), floats)
        self._restyle()

    def content_height(self) -> int:
        """Height at the width it has (or will have)."""
        width = self.width() if self.isVisible() else theme.current().metrics.panel_width
        return self.pages.heightForWidth(width - self._edges()) + self._edges()

    def sizeHint(self) -> QSize:
        width = theme.current().metrics.panel_width
        return QSize(width, self.content_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(1, 1)

    @property
    def has_draft(self) -> bool:
        pages = (self.pages.page(n) for n in self.pages.names)
        return self.main.has_draft or any(getattr(p, "has_draft", False) for p in pages)

    @property
    def has_field_focus(self) -> bool:
        """Whether the owner is typing here."""
        focused = self.focusWidget()
        return self.isActiveWindow() and isinstance(focused, QLineEdit | QPlainTextEdit)

    # Coming and going.

    def prepare(self) -> None:
        """Bring the content up to now, so that its size is known before the window shows."""
        self.pages.drop_veil()
        self.main.refresh(self._shell.store.roster)
        self.main.roster.refresh()

    def appear(self, activate: bool) -> None:
        """Show at the geometry that was set; with `activate` the owner asked, and gets the keyboard."""
        place = self.geometry()
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not activate)
        self.show()
        modality.watch(self)
        # A window manager may have put a new tool window where it likes.
        self.setGeometry(place)
        self.resized.emit()
        if self._moves("m.enter"):
            self.pages.veil(QPointF(0, -ENTER_SLIDE), "m.enter")
        if activate:
            self.take_focus()

    def take_focus(self, first: bool = True) -> None:
        """The owner acted. `first` moves the focus to where work waits; a click inside has put it already."""
        self.raise_()
        self.activateWindow()
        if first and self.pages.current == MAIN:
            self.main.focus_first()

    def vanish(self) -> None:
        """Let the content leave, then hide."""
        if not self.isVisible():
            return
        if self._moves("m.leave"):
            self.pages.veil(QPointF(0, -ENTER_SLIDE), "m.leave", leaving=True, then=self.hide)
        else:
            self.hide()

    def _moves(self, motion: str) -> bool:
        return self._mode.has_pill and not self._mode.is_masked and theme.current().motion(motion) > 0

    # Events.

    def event(self, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.LayoutRequest:
                handled = super().event(event)
                self.resized.emit()
                return handled
            case QEvent.Type.WindowActivate:
                self.activated.emit()
            case QEvent.Type.WindowDeactivate:
                if not self._is_ours(QApplication.activeWindow()):
                    self.deactivated.emit()
        return super().event(event)

    def _is_ours(self, window: QWidget | None) -> bool:
        """Whether a dialog or menu of this panel has the activation now."""
        while window is not None:
            if window is self:
                return True
            window = window.parentWidget()
        return QApplication.activePopupWidget() is not None

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.entered.emit()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if not self.back():
                self.escaped.emit()
        elif event.text() == "/" and self.pages.current == MAIN and not self.has_field_focus:
            self.main.roster.start_search()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        # Never refused: a window that refuses would hold up the end of the app and of the session.
        event.accept()
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        shape(self, self._mode, theme.current().radius("r.panel"))

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        rect = QRectF(self.rect())
        if not self._mode.has_pill:
            painter.fillRect(rect, t.color("surface.panel"))
            return
        paint_body(painter, rect, t.radius("r.panel"), self._mode, t.color("surface.panel"))
