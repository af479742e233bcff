"""What Qt does not tell or do on X11: the compositor, and windows that float in no taskbar, on every desktop.

No polling, one quiet socket; ctypes on the two libraries that Qt's own xcb plugin needs. Everything here
fails softly: where it cannot tell, `has_compositor` answers None, nobody is told, and a hint is not given.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import POINTER, Structure, c_char_p, c_int, c_uint8, c_uint16, c_uint32, c_void_p

from PySide6.QtCore import QSocketNotifier

_ALL_CHANGES = 7  # set, window destroyed, client closed
_XFIXES = 5
_REPLACE, _ATOM, _CARDINAL = 0, 4, 6
_EVERY_DESKTOP = 0xFFFFFFFF
_FLOATING = ("_NET_WM_STATE_ABOVE", "_NET_WM_STATE_SKIP_TASKBAR", "_NET_WM_STATE_SKIP_PAGER")


class _Cookie(Structure):
    _fields_ = (("sequence", c_uint32),)


class _Reply(Structure):
    """Both replies that are read here have their one number in the same place."""

    _fields_ = (
        ("type", c_uint8),
        ("pad", c_uint8),
        ("sequence", c_uint16),
        ("length", c_uint32),
        ("value", c_uint32),
    )


class _Roots(Structure):
    _fields_ = (("data", POINTER(c_uint32)), ("rem", c_int), ("index", c_int))


def _declare(library: ctypes.CDLL, name: str, result: object, *arguments: object) -> None:
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments


def _libraries() -> tuple[ctypes.CDLL, ctypes.CDLL, ctypes.CDLL]:
    """libxcb, its XFixes part and libc. OSError or AttributeError where one is missing."""
    xcb, fixes, libc = (ctypes.CDLL(n) for n in ("libxcb.so.1", "libxcb-xfixes.so.0", "libc.so.6"))
    _declare(xcb, "xcb_connect", c_void_p, c_char_p, POINTER(c_int))
    _declare(xcb, "xcb_connection_has_error", c_int, c_void_p)
    _declare(xcb, "xcb_disconnect", None, c_void_p)
    _declare(xcb, "xcb_get_file_descriptor", c_int, c_void_p)
    _declare(xcb, "xcb_flush", c_int, c_void_p)
    _declare(xcb, "xcb_poll_for_event", c_void_p, c_void_p)
    _declare(xcb, "xcb_get_setup", c_void_p, c_void_p)
    _declare(xcb, "xcb_setup_roots_iterator", _Roots, c_void_p)
    _declare(xcb, "xcb_intern_atom", _Cookie, c_void_p, c_uint8, c_uint16, c_char_p)
    _declare(xcb, "xcb_intern_atom_reply", POINTER(_Reply), c_void_p, _Cookie, c_void_p)
    _declare(xcb, "xcb_get_selection_owner", _Cookie, c_void_p, c_uint32)
    _declare(xcb, "xcb_get_selection_owner_reply", POINTER(_Reply), c_void_p, _Cookie, c_void_p)
    numbers = (c_uint8, c_uint32, c_uint32, c_uint32, c_uint8, c_uint32, POINTER(c_uint32))
    _declare(xcb, "xcb_change_property", _Cookie, c_void_p, *numbers)
    _declare(fixes, "xcb_xfixes_query_version", _Cookie, c_void_p, c_uint32, c_uint32)
    _declare(fixes, "xcb_xfixes_query_version_reply", c_void_p, c_void_p, _Cookie, c_void_p)
    _declare(fixes, "xcb_xfixes_select_selection_input", _Cookie, c_void_p, c_uint32, c_uint32, c_uint32)
    _declare(libc, "free", None, c_void_p)
    return xcb, fixes, libc


class XServer:
    """A connection of its own, beside Qt's. `changed` is called when a compositor comes or goes."""

    def __init__(self, changed: Callable[[], None] | None = None) -> None:
        self._changed = changed
        self._connection: int | None = None
        self._atom = 0
        self._notifier: QSocketNotifier | None = None
        try:
            self._xcb, self._fixes, self._libc = _libraries()
            self._open()
        except (OSError, AttributeError):
            self.close()

    def _open(self) -> None:
        number = c_int(0)
        self._connection = self._xcb.xcb_connect(None, ctypes.byref(number))
        if self._xcb.xcb_connection_has_error(self._connection):
            raise OSError("no X server")
        self._atom = self._intern(f"_NET_WM_CM_S{number.value}")
        if self._changed is not None:
            self._follow()

    def _follow(self) -> None:
        cookie = self._fixes.xcb_xfixes_query_version(self._connection, _XFIXES, 0)
        self._libc.free(self._fixes.xcb_xfixes_query_version_reply(self._connection, cookie, None))
        setup = self._xcb.xcb_get_setup(self._connection)
        root = self._xcb.xcb_setup_roots_iterator(setup).data[0]
        self._fixes.xcb_xfixes_select_selection_input(self._connection, root, self._atom, _ALL_CHANGES)
        self._xcb.xcb_flush(self._connection)
        descriptor = self._xcb.xcb_get_file_descriptor(self._connection)
        self._notifier = QSocketNotifier(descriptor, QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._read)

    def _intern(self, name: str) -> int:
        cookie = self._xcb.xcb_intern_atom(self._connection, 0, len(name), name.encode())
        return self._value(self._xcb.xcb_intern_atom_reply(self._connection, cookie, None))

    def _value(self, reply: ctypes._Pointer) -> int:  # type: ignore[type-arg]
        if not reply:
            raise OSError("the X server did not answer")
        found = reply.contents.value
        self._libc.free(reply)
        return int(found)

    @property
    def has_compositor(self) -> bool | None:
        """Whether a compositor owns this screen now; None where nothing can be learnt."""
        if self._connection is None:
            return None
        try:
            cookie = self._xcb.xcb_get_selection_owner(self._connection, self._atom)
            return bool(self._value(self._xcb.xcb_get_selection_owner_reply(self._connection, cookie, None)))
        except OSError:
            return None

    def float_window(self, window_id: int) -> None:
        """Before a window is shown: no taskbar, no pager, every desktop. Qt keeps what it finds there."""
        if self._connection is None:
            return
        try:
            self._put(window_id, "_NET_WM_STATE", _ATOM, [self._intern(name) for name in _FLOATING])
            self._put(window_id, "_NET_WM_DESKTOP", _CARDINAL, [_EVERY_DESKTOP])
            # A round trip: it has to stand there before Qt, on its own connection, maps the window.
            self._intern("_NET_WM_STATE")
        except OSError:
            self.close()

    def _put(self, window_id: int, name: str, kind: int, numbers: list[int]) -> None:
        data = (c_uint32 * len(numbers))(*numbers)
        atom = self._intern(name)
        self._xcb.xcb_change_property(
            self._connection, _REPLACE, window_id, atom, kind, 32, len(numbers), data
        )

    def _read(self) -> None:
        heard = False
        while event := self._xcb.xcb_poll_for_event(self._connection):
            self._libc.free(event)
            heard = True
        if self._xcb.xcb_connection_has_error(self._connection):
            self.close()
        elif heard and self._changed is not None:
            self._changed()

    def close(self) -> None:
        """Let the connection go; calling it again is fine."""
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier = None
        if self._connection is not None:
            self._xcb.xcb_disconnect(self._connection)
            self._connection = None
