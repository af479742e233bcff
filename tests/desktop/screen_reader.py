"""A screen reader, as far as a bus knows one: the accessibility bus of a desktop, and what stands on it.

async with accessibility(address) as reader:       address of a session bus
    await reader.find(role, begins)                the element, once it is there
    await element.name()  .role()  .states()  .children()  .press()
    reader.announcements                           (text, politeness: 1 polite, 2 assertive)
await reader.announced()
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from tests.desktop.private_bus import connected, until_owned

LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
REGISTRY = "org.a11y.atspi.Registry"
ROOT = "/org/a11y/atspi/accessible/root"
ACCESSIBLE = "org.a11y.atspi.Accessible"
LIMIT = 30.0
# Bits of a state set, by the numbers of atspi-constants.h.
STATES = {"expandable": 9, "expanded": 10, "focusable": 11, "focused": 12, "showing": 25, "visible": 30}


async def call(bus: MessageBus, name: str, path: str, interface: str, member: str, *args: Variant) -> list:
    signature, body = "".join(a.signature for a in args), [a.value for a in args]
    asked = Message(name, path, interface, member, signature=signature, body=body)
    reply = await bus.call(asked)
    if reply is None or reply.message_type is not MessageType.METHOD_RETURN:
        raise LookupError(f"{member} of {path}: {reply and reply.body}")
    return reply.body


@dataclass(frozen=True)
class Element:
    """One accessible object: who has it, and where."""

    bus: MessageBus
    owner: str
    path: str

    async def _ask(self, member: str, *args: Variant, interface: str = ACCESSIBLE) -> list:
        return await call(self.bus, self.owner, self.path, interface, member, *args)

    async def name(self) -> str:
        properties = "org.freedesktop.DBus.Properties"
        found = await self._ask("Get", Variant("s", ACCESSIBLE), Variant("s", "Name"), interface=properties)
        return found[0].value

    async def role(self) -> str:
        return (await self._ask("GetRoleName"))[0]

    async def states(self) -> set[str]:
        low, high = (await self._ask("GetState"))[0]
        return {name for name, bit in STATES.items() if (low | high << 32) >> bit & 1}

    async def children(self) -> "list[Element]":
        found = (await self._ask("GetChildren"))[0]
        return [Element(self.bus, owner, path) for owner, path in found]

    async def press(self) -> None:
        action = "org.a11y.atspi.Action"
        names = [row[0] for row in (await self._ask("GetActions", interface=action))[0]]
        assert "Press" in names, names
        await self._ask("DoAction", Variant("i", names.index("Press")), interface=action)


class Reader:
    """Walks the tree from the registry's root, and hears announcements."""

    def __init__(self, bus: MessageBus) -> None:
        self.bus = bus
        self.announcements: list[tuple[str, int]] = []
        self._announced = asyncio.Event()
        bus.add_message_handler(self._hear)

    def _hear(self, message: Message) -> None:
        if message.message_type is not MessageType.SIGNAL:
            return
        if message.member == "Announcement":
            self.announcements.append((message.body[3].value, message.body[1]))
            self._announced.set()

    async def listen(self) -> None:
        """As a screen reader registers: programs tell only what somebody wants to hear."""
        for event in ("object:announcement", "object:state-changed", "window:", "object:children-changed"):
            registry = "/org/a11y/atspi/registry"
            await call(self.bus, REGISTRY, registry, REGISTRY, "RegisterEvent", Variant("s", event))
        rule = "type='signal',interface='org.a11y.atspi.Event.Object'"
        daemon = "org.freedesktop.DBus"
        await call(self.bus, daemon, "/org/freedesktop/DBus", daemon, "AddMatch", Variant("s", rule))

    async def announced(self) -> None:
        """Wait for the first announcement."""
        await self._announced.wait()

    async def walk(self, at: Element | None = None) -> AsyncIterator[Element]:
        at = at or Element(self.bus, REGISTRY, ROOT)
        for child in await at.children():
            yield child
            async for below in self.walk(child):
                yield below

    async def find(self, role: str, begins: str, within: Element | None = None) -> Element:
        """The first that shows, of this role and with a name that begins so; waits until there is one."""
        async with asyncio.timeout(LIMIT):
            while True:
                with contextlib.suppress(LookupError):  # what went away while it was asked
                    async for at in self.walk(within):
                        if await at.role() == role and (await at.name()).startswith(begins):
                            return at
                # Another program's tree: its bus tells of no event for "it has a name now".
                await asyncio.sleep(0.05)


@contextlib.asynccontextmanager
async def accessibility(address: str) -> AsyncIterator[Reader]:
    """Bring up the accessibility bus beside a session bus, with a screen reader on it."""
    environ = dict(os.environ) | {"DBUS_SESSION_BUS_ADDRESS": address}
    launcher = await asyncio.create_subprocess_exec(
        LAUNCHER, "--launch-immediately", "--a11y=1", env=environ, stderr=asyncio.subprocess.DEVNULL
    )
    session = await connected(address)
    try:
        await until_owned(session, "org.a11y.Bus")
        told = await call(session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
        bus = await connected(told[0])
        reader = Reader(bus)
        await reader.listen()
        yield reader
        bus.disconnect()
    finally:
        session.disconnect()
        launcher.terminate()
        await launcher.wait()
