"""The desktop's own do-not-disturb, where it can be read; nothing polls and nothing is ever started.

    read(bus, worker, environ) -> Reading                    once
    do_not_disturb(worker, environ) -> AsyncIterator         now and after each change

Each server tells it in its own way, so it is asked by the name it gives itself:

    Plasma and whoever else has it   property Inhibited of org.freedesktop.Notifications
    gnome-shell                      show-banners of GSettings; dconf says on the bus when that was changed.
                                     GNOME's settings portal leaves this schema out, so `gsettings` is asked
    Xfce Notify Daemon               do-not-disturb in its channel of xfconf
    dunst                            property paused
    mako                             property Modes; what a mode does is its owner's, and two names that are
                                     usual count. mako 1.7 tells of no change, so there it is not known
    SwayNotificationCenter           GetDnd

UNTESTED elsewhere: on macOS and Windows there is no bus and it is not known.
"""

import asyncio
import logging
import shutil
import subprocess
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lisa_island.core.text import name
from lisa_island.system import session_bus
from lisa_island.system.notifier import NAME, PATH
from lisa_island.system.session_bus import BusError, call, get_property
from lisa_island.system.worker import Worker

if TYPE_CHECKING:
    from dbus_fast import Message
    from dbus_fast.aio import MessageBus

log = logging.getLogger(__name__)

BUS, BUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
SCHEMA, BANNERS = "org.gnome.desktop.notifications", "show-banners"
XFCONF, XFCONF_PATH = "org.xfce.Xfconf", "/org/xfce/Xfconf"
XFCE_CHANNEL, XFCE_PROPERTY = "xfce4-notifyd", "/do-not-disturb"
XFCE_UNSET = "org.xfce.Xfconf.Error.PropertyNotFound"
MAKO, MAKO_PATH = "fr.emersion.Mako", "/fr/emersion/Mako"
MAKO_MODES = frozenset({"do-not-disturb", "dnd"})
SWAYNC, SWAYNC_PATH = "org.erikreider.swaync.cc", "/org/erikreider/swaync/cc"
DCONF = "ca.desrt.dconf"
GSETTINGS_SECONDS = 5.0

_PROPERTIES = "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
# Somebody else takes the name, or what was read may have become another. All of them are rare.
RULES = (
    f"type='signal',sender='{BUS}',member='NameOwnerChanged',arg0='{NAME}'",
    f"type='signal',sender='{NAME}',path='{PATH}',{_PROPERTIES}",
    f"type='signal',sender='{NAME}',path='{MAKO_PATH}',{_PROPERTIES}",
    f"type='signal',sender='{SWAYNC}',path='{SWAYNC_PATH}',interface='{SWAYNC}'",
    f"type='signal',sender='{XFCONF}',interface='{XFCONF}',arg0='{XFCE_CHANNEL}',arg1='{XFCE_PROPERTY}'",
    f"type='signal',sender='{DCONF}',interface='{DCONF}.Writer',member='Notify',"
    f"arg0path='/{SCHEMA.replace('.', '/')}/'",
)
_OURS = frozenset({BUS, "org.freedesktop.DBus.Properties", SWAYNC, XFCONF, f"{DCONF}.Writer"})


@dataclass(frozen=True, slots=True)
class Reading:
    """`is_on` is None where it cannot be read. `server` is what the server calls itself, "" without one."""

    is_on: bool | None = None
    server: str = ""


@dataclass(frozen=True, slots=True)
class _Ask:
    bus: "MessageBus"
    worker: Worker
    environ: Mapping[str, str]


async def do_not_disturb(worker: Worker, environ: Mapping[str, str]) -> AsyncGenerator[Reading, None]:
    """Yield how it stands, now and after each change. Ends at once where there is no bus."""
    bus = await session_bus.connect(worker, environ)
    if bus is None:
        return
    changed = asyncio.Event()

    def hear(message: "Message") -> None:
        if message.interface in _OURS and message.member not in ("NameAcquired", "NameLost"):
            changed.set()

    bus.add_message_handler(hear)
    told: Reading | None = None
    try:
        for rule in RULES:
            await call(bus, BUS, BUS_PATH, f"{BUS}.AddMatch", "s", (rule,))
        while True:
            changed.clear()
            found = await read(bus, worker, environ)
            if found != told:
                told = found
                yield found
            await changed.wait()
    except (BusError, TimeoutError, OSError, EOFError) as error:
        log.info("do not disturb is not told here: %s", type(error).__name__)
    finally:
        bus.disconnect()


async def read(bus: "MessageBus", worker: Worker, environ: Mapping[str, str]) -> Reading:
    """How it stands. Whatever the server answers that is no yes or no means: not known."""
    server = ""
    try:
        [owned] = await call(bus, BUS, BUS_PATH, f"{BUS}.NameHasOwner", "s", (NAME,))
        if not owned:
            return Reading()
        said, *_ = await call(bus, NAME, PATH, f"{NAME}.GetServerInformation")
        server = name(str(said))
        found = await _SERVERS.get(server, _inhibited)(_Ask(bus, worker, environ))
    except (BusError, TimeoutError, OSError, EOFError, ValueError, TypeError) as error:
        log.info("do not disturb was not read: %s", type(error).__name__)
        return Reading(None, server)
    return Reading(found if isinstance(found, bool) else None, server)


async def _inhibited(ask: _Ask) -> object:
    return await get_property(ask.bus, NAME, PATH, f"{NAME}.Inhibited")


async def _dunst(ask: _Ask) -> object:
    return await get_property(ask.bus, NAME, PATH, "org.dunstproject.cmd0.paused")


async def _swaync(ask: _Ask) -> object:
    [found] = await call(ask.bus, SWAYNC, SWAYNC_PATH, f"{SWAYNC}.GetDnd")
    return found


async def _mako(ask: _Ask) -> object:
    return not MAKO_MODES.isdisjoint(await get_property(ask.bus, NAME, MAKO_PATH, f"{MAKO}.Modes"))


async def _xfce(ask: _Ask) -> object:
    place = (XFCE_CHANNEL, XFCE_PROPERTY)
    try:
        [found] = await call(ask.bus, XFCONF, XFCONF_PATH, f"{XFCONF}.GetProperty", "ss", place)
    except BusError as error:
        if error.name == XFCE_UNSET:
            return False
        raise
    return found.value


async def _gnome(ask: _Ask) -> object:
    return await ask.worker.run(_banners_off, ask.environ, limit=GSETTINGS_SECONDS * 2, name="gsettings")


def _banners_off(environ: Mapping[str, str]) -> bool | None:
    """Blocks. `gsettings` knows the file, the defaults and what the administrator locked."""
    program = shutil.which("gsettings", path=environ.get("PATH"))
    if program is None:
        return None
    argv = [program, "get", SCHEMA, BANNERS]
    try:
        done = subprocess.run(
            argv, env=dict(environ), capture_output=True, text=True, timeout=GSETTINGS_SECONDS, check=True
        )
    except (subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return {"true": False, "false": True}.get(done.stdout.strip())


_SERVERS: dict[str, Callable[[_Ask], Awaitable[object]]] = {
    "gnome-shell": _gnome,
    "Xfce Notify Daemon": _xfce,
    "dunst": _dunst,
    "mako": _mako,
    "SwayNotificationCenter": _swaync,
}
