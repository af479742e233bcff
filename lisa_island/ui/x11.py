"""What Qt does not tell or do on X11: the compositor, full-screen windows, and windows that float everywhere.

`core.stacking` says what that covers.

No polling, one quiet socket; ctypes on the two libraries that Qt's own xcb plugin needs. Everything here
fails softly: where it cannot tell, `has_compositor` answers None, nobody is told, and a hint is not given.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import POINTER, Structure, c_char_p, c_int, c_int16, c_uint8, c_uint16, c_uint32, c_void_p
from typing import Any

from PySide6.QtCore import QSocketNotifier, QTimer

from lisa_island.core.geometry import Rect
from lisa_island.core.stacking import Window

_ALL_CHANGES = 7  # set, window destroyed, client closed
_XFIXES = 5
_CONFIGURE_NOTIFY, _PROPERTY_NOTIFY = 22, 28
_STRUCTURE, _PROPERTY_CHANGES = 1 << 17, 1 << 22
_CLIENT_MESSAGE, _TO_MANAGER, _FROM_PROGRAM = 33, 1 << 19 | 1 << 20, 1
_EVENT_MASK = 1 << 11
_REPLACE, _ANY_TYPE, _ATOM, _CARDINAL = 0, 0, 4, 6
_EVERY_DESKTOP = 0xFFFFFFFF
_FLOATING = ("_NET_WM_STATE_ABOVE", "_NET_WM_STATE_SKIP_TASKBAR", "_NET_WM_STATE_SKIP_PAGER")
_MOST_STATES, _MOST_WINDOWS = 32, 256
# What may lie over a full-screen window and leaves it one; and what is no window but the desktop's own.
_PASSED_STATES = ("_NET_WM_STATE_ABOVE", "_NET_WM_STATE_SKIP_TASKBAR")
_FURNITURE = ("_NET_WM_WINDOW_TYPE_DOCK", "_NET_WM_WINDOW_TYPE_DESKTOP", "_NET_WM_WINDOW_TYPE_NOTIFICATION")


class _Cookie(Structure):
    _fields_ = (("sequence", c_uint32),)


class _Reply(Structure):
    """The head of every reply; `value` is the one number of those that have but one."""

    _fields_ = (
        ("type", c_uint8),
        ("pad", c_uint8),
        ("sequence", c_uint16),
        ("length", c_uint32),
        ("value", c_uint32),
    )


class _Coordinates(Structure):
    _fields_ = (*_Reply._fields_, ("x", c_int16), ("y", c_int16))


class _Geometry(Structure):
    _fields_ = (
        *_Reply._fields_,
        ("x", c_int16),
        ("y", c_int16),
        ("width", c_uint16),
        ("height", c_uint16),
    )


class _Property(Structure):
    """A property's reply; `count` items of `format` bits follow 32 bytes behind its start."""

    _fields_ = (
        ("type", c_uint8),
        ("format", c_uint8),
        ("sequence", c_uint16),
        ("length", c_uint32),
        ("kind", c_uint32),
        ("after", c_uint32),
        ("count", c_uint32),
        ("pad", c_uint8 * 12),
    )


class _PropertyEvent(Structure):
    _fields_ = (
        ("type", c_uint8),
        ("pad", c_uint8),
        ("sequence", c_uint16),
        ("window", c_uint32),
        ("atom", c_uint32),
        ("time", c_uint32),
    )


class _ClientMessage(Structure):
    _fields_ = (
        ("type", c_uint8),
        ("format", c_uint8),
        ("sequence", c_uint16),
        ("window", c_uint32),
        ("kind", c_uint32),
        ("data", c_uint32 * 5),
    )


class _Roots(Structure):
    _fields_ = (("data", POINTER(c_uint32)), ("rem", c_int), ("index", c_int))


_Numbers = POINTER(c_uint32)
# name -> (result, arguments after the connection)
_XCB: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "connection_has_error": (c_int, ()),
    "disconnect": (None, ()),
    "get_file_descriptor": (c_int, ()),
    "flush": (c_int, ()),
    "poll_for_event": (POINTER(_PropertyEvent), ()),
    "get_setup": (c_void_p, ()),
    "intern_atom": (_Cookie, (c_uint8, c_uint16, c_char_p)),
    "intern_atom_reply": (POINTER(_Reply), (_Cookie, c_void_p)),
    "get_selection_owner": (_Cookie, (c_uint32,)),
    "get_selection_owner_reply": (POINTER(_Reply), (_Cookie, c_void_p)),
    "get_property": (_Cookie, (c_uint8, c_uint32, c_uint32, c_uint32, c_uint32, c_uint32)),
    "get_property_reply": (POINTER(_Property), (_Cookie, c_void_p)),
    "change_property": (_Cookie, (c_uint8, c_uint32, c_uint32, c_uint32, c_uint8, c_uint32, _Numbers)),
    "change_window_attributes": (_Cookie, (c_uint32, c_uint32, _Numbers)),
    "send_event": (_Cookie, (c_uint8, c_uint32, c_uint32, POINTER(_ClientMessage))),
    "get_geometry": (_Cookie, (c_uint32,)),
    "get_geometry_reply": (POINTER(_Geometry), (_Cookie, c_void_p)),
    "translate_coordinates": (_Cookie, (c_uint32, c_uint32, c_int16, c_int16)),
    "translate_coordinates_reply": (POINTER(_Coordinates), (_Cookie, c_void_p)),
}
_XFIXES_CALLS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "query_version": (_Cookie, (c_uint32, c_uint32)),
    "query_version_reply": (POINTER(_Reply), (_Cookie, c_void_p)),
    "select_selection_input": (_Cookie, (c_uint32, c_uint32, c_uint32)),
}


def _library(name: str, prefix: str, calls: dict[str, tuple[Any, tuple[Any, ...]]]) -> ctypes.CDLL:
    """OSError or AttributeError where it, or a function in it, is missing."""
    library = ctypes.CDLL(name)
    for call, (result, arguments) in calls.items():
        function = getattr(library, prefix + call)
        function.restype, function.argtypes = result, (c_void_p, *arguments)
    return library


class XServer:
    """A connection of its own, beside Qt's. `changed` is called when compositor or full screen may differ."""

    def __init__(self, changed: Callable[[], None] | None = None) -> None:
        self._changed = changed
        self._connection: int | None = None
        self._notifier: QSocketNotifier | None = None
        self._atoms: dict[str, int] = {}
        self._root = 0
        self._watched: frozenset[int] = frozenset()
        self._full: frozenset[int] = frozenset()
        self._time = 0  # ms of the server, of the last event that had one
        self._selection = ""
        try:
            self._xcb = _library("libxcb.so.1", "xcb_", _XCB)
            self._fixes = _library("libxcb-xfixes.so.0", "xcb_xfixes_", _XFIXES_CALLS)
            self._free = ctypes.CDLL("libc.so.6").free
            self._free.restype, self._free.argtypes = None, (c_void_p,)
            self._open()
        except (OSError, AttributeError):
            self.close()

    def _open(self) -> None:
        number = c_int(0)
        connect, roots = self._xcb.xcb_connect, self._xcb.xcb_setup_roots_iterator
        connect.restype, connect.argtypes = c_void_p, (c_char_p, POINTER(c_int))
        roots.restype, roots.argtypes = _Roots, (c_void_p,)
        self._connection = connect(None, ctypes.byref(number))
        if self._xcb.xcb_connection_has_error(self._connection):
            raise OSError("no X server")
        self._root = int(roots(self._xcb.xcb_get_setup(self._connection)).data[0])
        self._selection = f"_NET_WM_CM_S{number.value}"
        if self._changed is not None:
            self._follow()

    def _follow(self) -> None:
        version = self._fixes.xcb_xfixes_query_version(self._connection, _XFIXES, 0)
        self._take(self._fixes.xcb_xfixes_query_version_reply(self._connection, version, None))
        selection = self._atom(self._selection)
        self._fixes.xcb_xfixes_select_selection_input(self._connection, self._root, selection, _ALL_CHANGES)
        self._watch(self._root, _PROPERTY_CHANGES)
        self._watch_windows()
        descriptor = self._xcb.xcb_get_file_descriptor(self._connection)
        self._notifier = QSocketNotifier(descriptor, QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._read)
        QTimer.singleShot(0, self._notifier, self._read)

    # What can be asked.

    @property
    def has_compositor(self) -> bool | None:
        """Whether a compositor owns this screen now; None where nothing can be learnt."""
        try:
            return bool(self._ask("get_selection_owner", self._atom(self._selection)).value)
        except OSError:
            return None

    def windows(self) -> tuple[Window, ...]:
        """Ordinary windows on the present desktop, topmost first; () while none of them is full screen."""
        try:
            ids = self._property(self._root, "_NET_CLIENT_LIST_STACKING", _MOST_WINDOWS)
            states = dict(zip(ids, self._properties(ids, "_NET_WM_STATE"), strict=True))
            full = self._atom("_NET_WM_STATE_FULLSCREEN")
            self._full = frozenset(i for i in ids if full in states[i])
            self._watch_windows()
            if not self._full:
                return ()
            passed = {self._atom(name) for name in _PASSED_STATES}
            shown = [i for i in reversed(ids) if i in self._full or not passed & set(states[i])]
            shown = [i for i in shown if self._atom("_NET_WM_STATE_HIDDEN") not in states[i]]
            return tuple(self._window(i) for i in self._on_this_desktop(shown))
        except OSError:
            return ()

    @property
    def has_active_window(self) -> bool:
        """Whether a window of X11 has the keyboard; through XWayland another may have it."""
        try:
            return bool(self._active())
        except OSError:
            return False

    def _on_this_desktop(self, ids: list[int]) -> list[int]:
        [now] = self._property(self._root, "_NET_CURRENT_DESKTOP") or [0]
        desktops = self._properties(ids, "_NET_WM_DESKTOP")
        kinds = self._properties(ids, "_NET_WM_WINDOW_TYPE")
        furniture = {self._atom(name) for name in _FURNITURE}
        return [
            window
            for window, desktop, kind in zip(ids, desktops, kinds, strict=True)
            if (not desktop or desktop[0] in (now, _EVERY_DESKTOP)) and not furniture & set(kind)
        ]

    def _window(self, window: int) -> Window:
        size = self._ask("get_geometry", window)
        corner = self._ask("translate_coordinates", window, self._root, 0, 0)
        rect = Rect(int(corner.x), int(corner.y), int(size.width), int(size.height))
        return Window(rect, window in self._full)

    def float_window(self, window_id: int) -> None:
        """Before a window is shown: no taskbar, no pager, every desktop. Qt keeps what it finds there."""
        try:
            self._put(window_id, "_NET_WM_STATE", _ATOM, [self._atom(name) for name in _FLOATING])
            self._put(window_id, "_NET_WM_DESKTOP", _CARDINAL, [_EVERY_DESKTOP])
            # A round trip: it has to stand there before Qt, on its own connection, maps the window.
            self._active()
        except OSError:
            return
        if self._notifier is not None:
            QTimer.singleShot(0, self._notifier, self._read)

    def activate(self, window_id: int) -> None:
        """Ask for the keyboard once more, with the server's time of now: the owner acted.

        Qt asks with the time of the last event that it saw. Where the owner typed in another window since,
        window managers hold that against a program; mutter leaves the keyboard in a window of Wayland while
        X11 says that it is ours.
        """
        try:
            self._watch(window_id, _PROPERTY_CHANGES)
            self._put(window_id, "_LISA_ISLAND_NOW", _CARDINAL, [0])
            self._active()  # a round trip: what we did to the property has come back as an event
            changed = self._drain()
            data = (c_uint32 * 5)(_FROM_PROGRAM, self._time)
            kind = self._atom("_NET_ACTIVE_WINDOW")
            message = _ClientMessage(_CLIENT_MESSAGE, 32, 0, window_id, kind, data)
            self._call("send_event", 0, self._root, _TO_MANAGER, message)
            self._watch(window_id, 0)
            self._watched -= {window_id}
            self._watch_windows()
        except OSError:
            return
        if changed and self._changed is not None:
            self._changed()

    def close(self) -> None:
        """Let the connection go; calling it again is fine."""
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier = None
        if self._connection is not None:
            self._xcb.xcb_disconnect(self._connection)
            self._connection = None

    # How it is asked.

    def _call(self, name: str, *arguments: object) -> Any:
        if self._connection is None:
            raise OSError("no X server")
        return getattr(self._xcb, f"xcb_{name}")(self._connection, *arguments)

    def _ask(self, name: str, *arguments: object) -> Any:
        """A copy of the reply's fixed part. OSError when there is none (the window is gone)."""
        return self._take(self._call(f"{name}_reply", self._call(name, *arguments), None))

    def _take(self, reply: Any) -> Any:
        if not reply:
            raise OSError("the X server did not answer")
        copy = type(reply.contents).from_buffer_copy(reply.contents)
        self._free(reply)
        return copy

    def _atom(self, name: str) -> int:
        if name not in self._atoms:
            self._atoms[name] = int(self._ask("intern_atom", 0, len(name), name.encode()).value)
        return self._atoms[name]

    def _property(self, window: int, name: str, most: int = _MOST_STATES) -> list[int]:
        """The numbers of a property. OSError when the window is gone."""
        [found] = self._properties([window], name, most, strict=True)
        return found

    def _properties(
        self, windows: list[int], name: str, most: int = _MOST_STATES, *, strict: bool = False
    ) -> list[list[int]]:
        """The same property of many windows, all asked before the first answer; [] for one that is gone."""
        atom = self._atom(name)
        cookies = [self._call("get_property", 0, window, atom, _ANY_TYPE, 0, most) for window in windows]
        replies = [self._call("get_property_reply", cookie, None) for cookie in cookies]
        if strict and not all(replies):
            raise OSError("the window is gone")
        return [self._numbers(reply, most) if reply else [] for reply in replies]

    def _numbers(self, reply: Any, most: int) -> list[int]:
        found = reply.contents
        count = min(found.count, most) if found.format == 32 else 0
        start = ctypes.addressof(found) + ctypes.sizeof(_Property)
        numbers = list((c_uint32 * count).from_address(start))
        self._free(reply)
        return numbers

    def _put(self, window_id: int, name: str, kind: int, numbers: list[int]) -> None:
        data = (c_uint32 * len(numbers))(*numbers)
        self._call("change_property", _REPLACE, window_id, self._atom(name), kind, 32, len(numbers), data)

    def _active(self) -> int:
        return next(iter(self._property(self._root, "_NET_ACTIVE_WINDOW")), 0)

    # What it tells.

    def _watch(self, window: int, events: int) -> None:
        self._call("change_window_attributes", window, _EVENT_MASK, (c_uint32 * 1)(events))
        self._call("flush")

    def _watch_windows(self) -> None:
        """The active window alone can come to fill the display, and those that fill one can stop to."""
        active = self._active()
        wanted = self._full | ({active} if active else set())
        for window in wanted - self._watched:
            self._watch(window, _PROPERTY_CHANGES | _STRUCTURE)
        self._watched = frozenset(wanted)

    def _read(self) -> None:
        """Hear what came. Each question of ours may bring events in with its answer, past the notifier."""
        try:
            while self._drain():
                self._watch_windows()
                if self._changed is not None:
                    self._changed()
        except OSError:
            if self._connection is not None and self._call("connection_has_error"):
                self.close()

    def _drain(self) -> bool:
        """Take every event that is here; whether one of them matters."""
        changed = False
        while event := self._call("poll_for_event"):
            changed = self._matters(self._take(event)) or changed
        if self._call("connection_has_error"):
            raise OSError("the X server is gone")
        return changed

    def _matters(self, event: _PropertyEvent) -> bool:
        kind = event.type & 0x7F
        if kind == _CONFIGURE_NOTIFY:
            # mutter says "full screen" first and moves the window there a moment later.
            return bool(self._full)
        if kind != _PROPERTY_NOTIFY:
            return bool(kind > 1)  # 0 is an error about a window that has gone, 1 a stray reply
        self._time = event.time
        if event.atom in (self._atom("_NET_ACTIVE_WINDOW"), self._atom("_NET_CLIENT_LIST_STACKING")):
            # Ids are used again: the window of this one may be another than before.
            self._watched = frozenset()
            return True
        return event.atom in (self._atom("_NET_WM_STATE"), self._atom("_NET_CURRENT_DESKTOP"))
