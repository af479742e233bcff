"""Whether the desktop asks programs to keep still, where it can be read; nothing polls or is ever started.

    reduced_motion(worker, environ) -> AsyncIterator[bool]     now and after each change

The desktop's settings portal tells it: `reduced-motion` where the portal knows that, else GNOME's
`enable-animations`, else KDE's factor of 0. Where there is no portal nothing is told. UNTESTED on macOS and
Windows, where there is no bus either.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING, Any

from lisa_island.system import session_bus
from lisa_island.system.session_bus import BusError, call
from lisa_island.system.worker import Worker

if TYPE_CHECKING:
    from dbus_fast import Message
    from dbus_fast.aio import MessageBus

log = logging.getLogger(__name__)

BUS, BUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
PORTAL, PORTAL_PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
SETTINGS = "org.freedesktop.portal.Settings"
# (namespace, key, the values that ask for stillness), the best word first.
WORDS: tuple[tuple[str, str, tuple[object, ...]], ...] = (
    ("org.freedesktop.appearance", "reduced-motion", (1,)),
    ("org.gnome.desktop.interface", "enable-animations", (False,)),
    ("org.kde.kdeglobals.KDE", "AnimationDurationFactor", ("0", "0.0", 0.0)),
)
_CHANGED = f"type='signal',sender='{PORTAL}',interface='{SETTINGS}',member='SettingChanged'"
RULES = (
    f"type='signal',sender='{BUS}',member='NameOwnerChanged',arg0='{PORTAL}'",
    *(f"{_CHANGED},arg0='{space}'" for space, _, _ in WORDS),
)
_HEARD = frozenset({"NameOwnerChanged", "SettingChanged"})


async def reduced_motion(worker: Worker, environ: Mapping[str, str]) -> AsyncGenerator[bool, None]:
    """Yield whether to keep still, now and after each change. Ends at once where there is no bus."""
    bus = await session_bus.connect(worker, environ)
    if bus is None:
        return
    changed = asyncio.Event()

    def hear(message: "Message") -> None:
        if message.member in _HEARD:
            changed.set()

    bus.add_message_handler(hear)
    told: bool | None = None
    try:
        for rule in RULES:
            await call(bus, BUS, BUS_PATH, f"{BUS}.AddMatch", "s", (rule,))
        while True:
            changed.clear()
            found = await read(bus)
            if found != told:
                told = found
                yield found
            await changed.wait()
    except (BusError, TimeoutError, OSError, EOFError) as error:
        log.info("reduced motion is not told here: %s", type(error).__name__)
    finally:
        bus.disconnect()


async def read(bus: "MessageBus") -> bool:
    """How it stands; False where nobody knows."""
    [owned] = await call(bus, BUS, BUS_PATH, f"{BUS}.NameHasOwner", "s", (PORTAL,))
    if not owned:
        return False
    for space, key, still in WORDS:
        try:
            [found] = await call(bus, PORTAL, PORTAL_PATH, f"{SETTINGS}.Read", "ss", (space, key))
        except (BusError, TimeoutError):
            continue  # This portal does not know that word.
        value = _plain(found)
        return any(type(value) is type(word) and value == word for word in still)
    return False


def _plain(value: Any) -> object:
    """Read wraps a variant in another one."""
    for _ in range(3):
        value = getattr(value, "value", value)
    return value
