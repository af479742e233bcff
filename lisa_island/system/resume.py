"""When the machine has slept: rows must age at once, displays may be others. Told by logind; nothing polls.

Where there is no logind nothing is told: rows then age with their next event, or when their timer is due.
UNTESTED on macOS and Windows, where nothing is told either.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING

from lisa_island.system import session_bus
from lisa_island.system.session_bus import BusError, call
from lisa_island.system.worker import Worker

if TYPE_CHECKING:
    from dbus_fast import Message

log = logging.getLogger(__name__)

NAME = "org.freedesktop.login1"
INTERFACE = "org.freedesktop.login1.Manager"
SIGNAL = "PrepareForSleep"
_RULE = f"type='signal',sender='{NAME}',interface='{INTERFACE}',member='{SIGNAL}'"


async def resumes(worker: Worker, environ: Mapping[str, str]) -> AsyncGenerator[None, None]:
    """Yield once after each sleep, until the bus is gone. Ends at once where there is no bus."""
    bus = await session_bus.connect(worker, environ, session_bus.system_address(environ))
    if bus is None:
        return
    awake: asyncio.Queue[bool] = asyncio.Queue()

    def hear(message: "Message") -> None:
        # True before sleep, False after it.
        if message.member == SIGNAL and message.interface == INTERFACE and message.body == [False]:
            awake.put_nowait(True)

    bus.add_message_handler(hear)
    try:
        await call(
            bus,
            "org.freedesktop.DBus",
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus.AddMatch",
            "s",
            (_RULE,),
        )
        while True:
            await awake.get()
            yield
    except (BusError, TimeoutError) as error:
        log.info("sleep is not told here: %s", type(error).__name__)
    finally:
        bus.disconnect()
