"""The session bus of a Linux desktop, without which everything here simply is not there.

dbus-fast is imported in the worker: the import alone would hold the loop for a quarter of a second.
"""

import asyncio
import logging
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lisa_island.system.worker import Worker

if TYPE_CHECKING:
    from dbus_fast.aio import MessageBus

log = logging.getLogger(__name__)

CONNECT_SECONDS = 5.0
CALL_SECONDS = 5.0


class BusError(Exception):
    """A call on the bus was answered with an error; `name` is its D-Bus name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def address(environ: Mapping[str, str]) -> str:
    """Where the session bus listens, or "" ; nothing is ever started."""
    if sys.platform != "linux":
        return ""
    if named := environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return named
    path = Path(environ.get("XDG_RUNTIME_DIR", "")) / "bus"
    return f"unix:path={path}" if path.is_absolute() and path.is_socket() else ""


def system_address(environ: Mapping[str, str]) -> str:
    """Where the machine's own bus listens, or "" ."""
    if sys.platform != "linux":
        return ""
    if named := environ.get("DBUS_SYSTEM_BUS_ADDRESS"):
        return named
    path = Path("/run/dbus/system_bus_socket")
    return f"unix:path={path}" if path.is_socket() else ""


async def connect(
    worker: Worker, environ: Mapping[str, str], where: str | None = None
) -> "MessageBus | None":
    """A connection of its own, or None where there is no bus. The caller disconnects it.

    `where` is an address; without one it is the session bus.
    """
    where = address(environ) if where is None else where
    if not where:
        return None
    bus = None
    try:
        await worker.run(import_module, "dbus_fast.aio", limit=30, name="import dbus-fast")
        from dbus_fast.aio import MessageBus

        bus = MessageBus(bus_address=where)
        async with asyncio.timeout(CONNECT_SECONDS):
            return await bus.connect()
    except BaseException as error:
        # Also whoever is cancelled in the middle leaves no socket behind.
        if bus is not None:
            bus.disconnect()
        if not isinstance(error, Exception):
            raise
        # Whatever dbus-fast says of a broken address or a dead bus, it means: no bus.
        log.info("no bus: %s", type(error).__name__)
        return None


async def call(
    bus: "MessageBus",
    destination: str,
    path: str,
    member: str,
    signature: str = "",
    body: tuple[Any, ...] = (),
    seconds: float | None = None,
) -> list[Any]:
    """Call `interface.member` and wait for the answer, 5 s or `seconds`. Raises BusError or TimeoutError."""
    from dbus_fast import Message, MessageType

    # WORKAROUND dbus-fast 5.2: a message to a bus that has died leaves futures behind that asyncio reports as
    # errors. A few turns of the loop notice such a bus before anything is written.
    for _ in range(5):
        await asyncio.sleep(0)
    if not bus.connected:
        raise BusError("org.freedesktop.DBus.Error.Disconnected")
    interface, _, name = member.rpartition(".")
    message = Message(destination, path, interface, name, signature=signature, body=list(body))
    async with asyncio.timeout(CALL_SECONDS if seconds is None else seconds):
        reply = await bus.call(message)
    if reply is None or reply.message_type is not MessageType.METHOD_RETURN:
        raise BusError((reply.error_name if reply else "") or "")
    return list(reply.body)


async def get_property(bus: "MessageBus", destination: str, path: str, name: str) -> Any:
    """One property, named with its interface. Raises BusError or TimeoutError."""
    interface, _, member = name.rpartition(".")
    [value] = await call(
        bus, destination, path, "org.freedesktop.DBus.Properties.Get", "ss", (interface, member)
    )
    return value.value
