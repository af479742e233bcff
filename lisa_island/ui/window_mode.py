"""Which kind of windows this desktop allows, by name, and how a rounded window is made in each.

WindowMode: x11, x11-plain (no compositor), xwayland, wayland, mac, windows, offscreen
ModeWatcher(): .mode  .changed()  .refresh()  .close()
latest() -> WindowMode                    what a watcher has seen last, for windows that live for a moment
dress(window, mode)                       before show(): translucent or opaque
shape(window, mode, radius)               after each change of size: the 1-bit mask where one is needed
paint_body(painter, rect, radius, mode, fill, edge)
words: `window-mode.<mode>` names it, `window-mode.<mode>.limit` says what it cannot do (where it cannot)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from enum import StrEnum

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QBitmap, QColor, QGuiApplication, QPainter
from PySide6.QtWidgets import QWidget

from lisa_island.core.geometry import Rect
from lisa_island.core.stacking import Window, is_covered
from lisa_island.ui import theme
from lisa_island.ui.paint import rounded
from lisa_island.ui.x11 import XServer


class WindowMode(StrEnum):
    """How windows look and what they may do."""

    X11 = "x11"
    X11_PLAIN = "x11-plain"
    XWAYLAND = "xwayland"
    WAYLAND = "wayland"
    MAC = "mac"
    WINDOWS = "windows"
    OFFSCREEN = "offscreen"

    @property
    def is_masked(self) -> bool:
        """Opaque windows cut to shape; no fades."""
        return self is WindowMode.X11_PLAIN

    @property
    def has_pill(self) -> bool:
        """Whether a window may choose its place and stay on top."""
        return self is not WindowMode.WAYLAND

    @property
    def has_shadow(self) -> bool:
        """Whether the system draws one around a frameless window."""
        return self is WindowMode.MAC


def detect(platform: str, environ: Mapping[str, str], compositor: bool | None) -> WindowMode:
    """The mode for a Qt platform name. `compositor` None is not known, and taken as there."""
    if platform.startswith("wayland"):
        return WindowMode.WAYLAND
    match platform:
        case "cocoa":
            return WindowMode.MAC
        case "windows":
            return WindowMode.WINDOWS
        case "xcb":
            if environ.get("WAYLAND_DISPLAY") or environ.get("XDG_SESSION_TYPE") == "wayland":
                return WindowMode.XWAYLAND
            return WindowMode.X11_PLAIN if compositor is False else WindowMode.X11
        case _:
            return WindowMode.OFFSCREEN


_latest = WindowMode.OFFSCREEN


def latest() -> WindowMode:
    """The mode as it was detected last."""
    return _latest


class ModeWatcher(QObject):
    """The mode now; `changed` when a compositor appears or leaves.

    `is_covered(display)`: whether one window fills that display (px of the server); known of X11's alone.
    """

    changed = Signal()
    full_screen_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._platform = QGuiApplication.platformName()
        follows = self._platform == "xcb" and sys.platform.startswith("linux")
        self._server = XServer(self.refresh) if follows else None
        self.mode = self._detect()
        self._windows = self._look()

    def _detect(self) -> WindowMode:
        global _latest
        present = self._server.has_compositor if self._server else None
        _latest = detect(self._platform, os.environ, present)
        return _latest

    def refresh(self) -> None:
        """Look again; also after waking up."""
        mode = self._detect()
        if mode is not self.mode:
            self.mode = mode
            self.changed.emit()
        windows = self._look()
        if windows != self._windows:
            self._windows = windows
            self.full_screen_changed.emit()

    def _look(self) -> tuple[Window, ...]:
        if self._server is None:
            return ()
        if self.mode is WindowMode.XWAYLAND and not self._server.has_active_window:
            return ()  # One of Wayland's own has the keyboard, and may lie over all that X11 knows of.
        return self._server.windows()

    def is_covered(self, display: Rect) -> bool:
        """Whether one window fills this display now."""
        return is_covered(display, self._windows)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    def activate(self, window: QWidget) -> None:
        """After Qt was told to: where the desktop doubts that the owner wanted it."""
        if self._server is not None:
            self._server.activate(int(window.winId()))

    def float_window(self, window: QWidget) -> None:
        """Before each show: out of taskbars and on every desktop, where that must be asked."""
        if self._server is not None:
            self._server.float_window(int(window.winId()))


def dress(window: QWidget, mode: WindowMode) -> None:
    """Give a top-level window its surface. A window that exists is made anew by Qt when this changes."""
    window.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, not mode.is_masked)
    window.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground, not mode.is_masked)
    if not mode.is_masked:
        window.clearMask()


def redress(
    window: QWidget, mode: WindowMode, flags: Qt.WindowType, radius: float, floats: Callable[[QWidget], None]
) -> None:
    """Make the window anew for another mode, where it stands and without activating it.

    `floats` asks the desktop again for what it was asked of the old window.
    """
    shown, place = window.isVisible(), window.geometry()
    window.hide()
    window.destroy()
    window.setWindowFlags(flags)
    dress(window, mode)
    shape(window, mode, radius)
    if shown:
        window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        floats(window)
        window.show()
        window.setGeometry(place)


def shape(window: QWidget, mode: WindowMode, radius: float) -> None:
    """Cut an opaque window to its rounded shape."""
    if not mode.is_masked:
        return
    bitmap = QBitmap(window.size())
    bitmap.clear()
    painter = QPainter(bitmap)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(Qt.GlobalColor.color1)
    painter.drawRoundedRect(bitmap.rect(), radius, radius)
    painter.end()
    window.setMask(bitmap)


def paint_body(
    painter: QPainter, rect: QRectF, radius: float, mode: WindowMode, fill: QColor, edge: QColor | None = None
) -> None:
    """The surface of a window with its outline. Masked: the line fills all, the surface lies inset on it."""
    t = theme.current()
    line, width = edge or t.edge(mode.has_shadow), t.line_width
    if not mode.is_masked:
        rounded(painter, rect, radius, fill, line, width)
        return
    painter.fillRect(rect, line)
    inner = rect.adjusted(width, width, -width, -width)
    rounded(painter, inner, max(0.0, radius - width), fill)
