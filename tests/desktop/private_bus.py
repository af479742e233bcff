"""A session bus of the test's own, with nothing on it that the test did not put there."""

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


@contextmanager
def private_bus(folder: Path) -> Iterator[str]:
    """Run a bus and give its address, the same each time. `folder` needs a short name for the socket."""
    config = folder / "bus.conf"
    config.write_text(CONFIG.format(folder=folder))
    command = ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address=1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as daemon:
        assert daemon.stdout is not None
        try:
            address = daemon.stdout.readline().strip().partition(",guid")[0]
            assert address, "the bus did not start"
            yield address
        finally:
            daemon.kill()


async def connected(address: str) -> MessageBus:
    """A connection for the test itself."""
    return await MessageBus(bus_address=address).connect()


async def until_owned(bus: MessageBus, name: str, owned: bool = True) -> None:
    """Wait until somebody has the name, or nobody."""
    changed = asyncio.Event()

    def hear(message: Message) -> None:
        if message.member == "NameOwnerChanged" and message.body[0] == name:
            changed.set()

    bus.add_message_handler(hear)
    rule = f"type='signal',member='NameOwnerChanged',arg0='{name}'"
    await _ask(bus, "AddMatch", rule)
    try:
        while bool((await _ask(bus, "NameHasOwner", name))[0]) is not owned:
            await changed.wait()
            changed.clear()
    finally:
        bus.remove_message_handler(hear)
        await _ask(bus, "RemoveMatch", rule)


async def _ask(bus: MessageBus, member: str, argument: str) -> list[object]:
    reply = await bus.call(
        Message(
            "org.freedesktop.DBus",
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus",
            member,
            signature="s",
            body=[argument],
        )
    )
    assert reply is not None and reply.message_type is MessageType.METHOD_RETURN, reply
    return reply.body or [None]
