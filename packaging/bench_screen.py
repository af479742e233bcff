"""Sees from outside when a program first draws: X damage below the root window, and the pixels it left there.

with Screen() as screen:
    screen.clear_events()
    screen.first_pixel(seconds) -> bool      until something that is not the bare root has been drawn
"""

import ctypes
import os
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import POINTER, Structure, byref, c_int, c_long, c_short, c_uint, c_ulong, c_ushort, c_void_p

ALL_PLANES = 2**64 - 1
Z_PIXMAP = 2
EVERY_TIME = 0
# A window manager draws helpers of a few pixels. A shaped window is told in bands, some of one line.
NARROWEST = 40


class _Rectangle(Structure):
    _fields_ = (("x", c_short), ("y", c_short), ("width", c_ushort), ("height", c_ushort))


class _Damage(Structure):
    """XDamageNotifyEvent."""

    _fields_ = (
        ("type", c_int),
        ("serial", c_ulong),
        ("send_event", c_int),
        ("display", c_void_p),
        ("drawable", c_ulong),
        ("damage", c_ulong),
        ("level", c_int),
        ("more", c_int),
        ("timestamp", c_ulong),
        ("area", _Rectangle),
        ("geometry", _Rectangle),
    )


class _Event(ctypes.Union):
    _fields_ = (("type", c_int), ("damage", _Damage), ("pad", c_long * 24))


class _Image(Structure):
    """The head of XImage, as far as it is read."""

    _fields_ = (
        ("width", c_int),
        ("height", c_int),
        ("xoffset", c_int),
        ("format", c_int),
        ("data", c_void_p),
        ("byte_order", c_int),
        ("bitmap_unit", c_int),
        ("bitmap_bit_order", c_int),
        ("bitmap_pad", c_int),
        ("depth", c_int),
        ("bytes_per_line", c_int),
    )


class Screen:
    """A quiet connection of its own; it learns of every drawing below the root window."""

    def __init__(self) -> None:
        self._x, self._damage = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXdamage.so.1")
        for call, result, arguments in (
            ("XOpenDisplay", c_void_p, (ctypes.c_char_p,)),
            ("XDefaultRootWindow", c_ulong, (c_void_p,)),
            ("XPending", c_int, (c_void_p,)),
            ("XNextEvent", c_int, (c_void_p, POINTER(_Event))),
            ("XConnectionNumber", c_int, (c_void_p,)),
            ("XCloseDisplay", c_int, (c_void_p,)),
            ("XFree", c_int, (c_void_p,)),
            ("XSync", c_int, (c_void_p, c_int)),
            ("XGetImage", POINTER(_Image), (c_void_p, c_ulong, c_int, c_int, c_uint, c_uint, c_ulong, c_int)),
        ):
            function = getattr(self._x, call)
            function.restype, function.argtypes = result, arguments
        self._display = self._x.XOpenDisplay(None)
        if not self._display:
            raise OSError("no X server; run this through packaging/rig.sh")
        self._root = self._x.XDefaultRootWindow(self._display)
        self._follow()

    def _follow(self) -> None:
        base, errors = c_int(), c_int()
        query, create = self._damage.XDamageQueryExtension, self._damage.XDamageCreate
        query.argtypes = (c_void_p, POINTER(c_int), POINTER(c_int))
        create.restype, create.argtypes = c_ulong, (c_void_p, c_ulong, c_int)
        if not query(self._display, byref(base), byref(errors)):
            raise OSError("the X server tells no damage")
        self._notify = base.value
        create(self._display, self._root, EVERY_TIME)
        self._x.XSync(self._display, 0)

    def close(self) -> None:
        self._x.XCloseDisplay(self._display)

    def clear_events(self) -> None:
        """Forget what was drawn so far."""
        event = _Event()
        self._x.XSync(self._display, 0)
        while self._x.XPending(self._display):
            self._x.XNextEvent(self._display, byref(event))

    def first_pixel(self, seconds: float) -> bool:
        """Wait until something is drawn that is not the black of the bare root; False when time runs out."""
        until = time.monotonic() + seconds
        return any(self._is_drawn(area) for area in self._areas(until))

    def _areas(self, until: float) -> Iterator[tuple[int, int, int, int]]:
        event, descriptor = _Event(), self._x.XConnectionNumber(self._display)
        while (left := until - time.monotonic()) > 0:
            if not self._x.XPending(self._display):
                select.select([descriptor], [], [], left)
                continue
            self._x.XNextEvent(self._display, byref(event))
            if event.type == self._notify:
                area = event.damage.area
                yield int(area.x), int(area.y), int(area.width), int(area.height)

    def _is_drawn(self, area: tuple[int, int, int, int]) -> bool:
        x, y, width, height = area
        if width < NARROWEST:
            return False
        # A band through the middle: a rounded or shaped window has black corners.
        image = self._x.XGetImage(
            self._display, self._root, x, y + height // 2, width, 1, ALL_PLANES, Z_PIXMAP
        )
        if not image:
            return False
        found = image.contents
        row = ctypes.string_at(found.data, found.bytes_per_line)
        self._x.XFree(found.data)
        self._x.XFree(image)
        return any(row[0::4]) or any(row[1::4]) or any(row[2::4])


@contextmanager
def screen() -> Iterator[Screen]:
    """The rig's screen, for as long as it is looked at."""
    opened = Screen()
    try:
        yield opened
    finally:
        opened.close()


def has_screen() -> bool:
    """Whether there is an X server to look at."""
    return bool(os.environ.get("DISPLAY"))
