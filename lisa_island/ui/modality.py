"""How the owner acted last, by keyboard or with the pointer: the focus ring is for the keyboard only.

by_keyboard() -> bool
by_keyboard_now()  by_pointer_now()   the owner acted where no window of ours sees it: hotkey, tray, pill
watch(widget)                         follow the window of a widget; nothing is done twice
wants_ring(reason) -> bool            whether a focus that came for this reason shows a ring

Only native windows are watched, so that not every event of every widget passes through here.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QWindow
from PySide6.QtWidgets import QApplication, QWidget

_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.TouchBegin, QEvent.Type.TabletPress)
_MODIFIERS = (
    Qt.Key.Key_Shift,
    Qt.Key.Key_Control,
    Qt.Key.Key_Alt,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_Meta,
    Qt.Key.Key_CapsLock,
)


class _Watch(QObject):
    """Filters the events that a native window gets from the system."""

    keyboard = True

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in _PRESSES:
            self.keyboard = False
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            self._key(Qt.Key(event.key()))
        return False

    def _key(self, key: Qt.Key) -> None:
        if self.keyboard or key in _MODIFIERS:
            return
        self.keyboard = True
        # Who takes to the keyboard must see where it goes.
        show = getattr(QApplication.focusWidget(), "show_ring", None)
        if callable(show):
            show()


_watch = _Watch()


def by_keyboard() -> bool:
    """True until a pointer was used."""
    return _watch.keyboard


def by_keyboard_now() -> None:
    _watch.keyboard = True


def by_pointer_now() -> None:
    _watch.keyboard = False


def watch(widget: QWidget) -> None:
    """Follow the native window that the widget is shown in, if there is one yet."""
    window: QWindow | None = widget.window().windowHandle()
    if window is not None:
        window.installEventFilter(_watch)  # an installed filter is only moved to the front


def wants_ring(reason: Qt.FocusReason) -> bool:
    """A click is the pointer; for all else it counts how the owner came here.

    Also for Tab: Qt gives that reason, too, when what had the focus is hidden, whoever hid it.
    """
    if reason is Qt.FocusReason.MouseFocusReason:
        _watch.keyboard = False
    return _watch.keyboard
