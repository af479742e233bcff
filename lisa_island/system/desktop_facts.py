"""What this desktop offers: (catalogue key, value or another key) lines for `doctor` and the About page."""

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lisa_island.core.text import name
from lisa_island.system import do_not_disturb, session_bus
from lisa_island.system.session_bus import BusError, call, get_property
from lisa_island.system.worker import Worker

if TYPE_CHECKING:
    from dbus_fast.aio import MessageBus

NOTICES = "org.freedesktop.Notifications"
WATCHER = "org.kde.StatusNotifierWatcher"
QUIET = "fact.do-not-disturb"

Fact = tuple[str, str]


async def desktop_facts(
    environ: Mapping[str, str] = os.environ, worker: Worker | None = None
) -> tuple[Fact, ...]:
    """Look once; asks nobody but the session bus, and starts nothing."""
    if sys.platform != "linux":
        return (("fact.display", sys.platform), (QUIET, f"{QUIET}.none"))
    worker = worker or Worker()
    bus = await session_bus.connect(worker, environ)
    if bus is None:
        return (("fact.display", _display(environ)), ("fact.bus", "fact.bus.none"), *_NOBODY)
    try:
        return (
            ("fact.display", _display(environ)),
            ("fact.bus", "fact.bus.on"),
            ("fact.notifications", await _told(_notices(bus), "fact.notifications.none")),
            (QUIET, await _quiet(bus, worker, environ)),
            ("fact.tray", await _told(_tray(bus), "fact.tray.none")),
        )
    finally:
        bus.disconnect()


_NOBODY: tuple[Fact, ...] = (
    ("fact.notifications", "fact.notifications.none"),
    (QUIET, f"{QUIET}.none"),
    ("fact.tray", "fact.tray.none"),
)
_QUIET = {True: "on", False: "off", None: "unknown"}


def _display(environ: Mapping[str, str]) -> str:
    desktop = name(environ.get("XDG_CURRENT_DESKTOP", ""))
    if environ.get("WAYLAND_DISPLAY"):
        kind = "Wayland"
    elif environ.get("DISPLAY"):
        kind = "X11"
    else:
        return "fact.display.none"
    return f"{kind}, {desktop}" if desktop else kind


async def _told(asked: Any, otherwise: str) -> str:
    try:
        return str(await asked)
    except (BusError, TimeoutError, OSError, EOFError, ValueError):
        return otherwise


async def _notices(bus: "MessageBus") -> str:
    await _need_owner(bus, NOTICES)
    path = "/" + NOTICES.replace(".", "/")
    server, _vendor, version, _spec = await call(bus, NOTICES, path, f"{NOTICES}.GetServerInformation")
    [words] = await call(bus, NOTICES, path, f"{NOTICES}.GetCapabilities")
    return name(f"{server} {version}") if "actions" in words else "fact.notifications.no-buttons"


async def _quiet(bus: "MessageBus", worker: Worker, environ: Mapping[str, str]) -> str:
    found = await do_not_disturb.read(bus, worker, environ)
    return f"{QUIET}.{_QUIET[found.is_on]}" if found.server else f"{QUIET}.none"


async def _tray(bus: "MessageBus") -> str:
    await _need_owner(bus, WATCHER)
    has_host = await get_property(
        bus, WATCHER, "/StatusNotifierWatcher", f"{WATCHER}.IsStatusNotifierHostRegistered"
    )
    return "fact.tray.on" if has_host else "fact.tray.none"


async def _need_owner(bus: "MessageBus", wanted: str) -> None:
    """A call to a name nobody has would start whatever the desktop can start."""
    name_, path = "org.freedesktop.DBus", "/org/freedesktop/DBus"
    [owned] = await call(bus, name_, path, f"{name_}.NameHasOwner", "s", (wanted,))
    if not owned:
        raise BusError("org.freedesktop.DBus.Error.NameHasNoOwner")
