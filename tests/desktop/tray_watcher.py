"""A StatusNotifierWatcher that is its own host: it records the items that register, and can click them."""

import asyncio
from dataclasses import dataclass, field
from typing import Annotated, Any

from dbus_fast import Message, MessageType, PropertyAccess, RequestNameReply
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusBool, DBusInt32, DBusSignature, DBusStr
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property, dbus_signal

from tests.desktop.private_bus import connected

NAME = "org.kde.StatusNotifierWatcher"
PATH = "/StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
Strings = Annotated[list[str], DBusSignature("as")]


class _Interface(ServiceInterface):
    def __init__(self) -> None:
        super().__init__(NAME)
        self.items: list[tuple[str, str]] = []
        self.changed = asyncio.Event()
        self.sender = ""

    @dbus_method()
    def RegisterStatusNotifierItem(self, service: DBusStr) -> None:
        # Qt names its bus name or its path; the other half is known or standard.
        bus_name, path = (
            (self.sender, service) if service.startswith("/") else (service, "/StatusNotifierItem")
        )
        self.items.append((bus_name, path))
        self.StatusNotifierItemRegistered(bus_name + path)
        self.changed.set()

    @dbus_method()
    def RegisterStatusNotifierHost(self, service: DBusStr) -> None:
        pass

    @dbus_property(access=PropertyAccess.READ)
    def RegisteredStatusNotifierItems(self) -> Strings:
        return [bus_name + path for bus_name, path in self.items]

    @dbus_property(access=PropertyAccess.READ)
    def IsStatusNotifierHostRegistered(self) -> DBusBool:
        return True

    @dbus_property(access=PropertyAccess.READ)
    def ProtocolVersion(self) -> DBusInt32:
        return 0

    @dbus_signal()
    def StatusNotifierItemRegistered(self, service: str) -> DBusStr:
        return service

    @dbus_signal()
    def StatusNotifierHostRegistered(self) -> None:
        pass


@dataclass
class TrayItem:
    """One icon in the tray, as a panel of the desktop sees it."""

    bus: MessageBus
    service: str
    path: str

    async def property(self, name: str) -> Any:
        """One property of the item, its variants opened."""
        [value] = await self._call(self.path, "org.freedesktop.DBus.Properties", "Get", "ss", ITEM, name)
        return value.value

    async def activate(self) -> None:
        """A click on the icon."""
        await self._call(self.path, ITEM, "Activate", "ii", 0, 0)

    async def menu(self) -> dict[str, int]:
        """Label to id of every item of the menu, submenus included."""
        path = await self.property("Menu")
        await self._call(path, MENU, "AboutToShow", "i", 0)
        _, layout = await self._call(path, MENU, "GetLayout", "iias", 0, -1, [])
        return dict(_labels(layout))

    async def choose(self, label: str) -> None:
        """Click a menu item."""
        path = await self.property("Menu")
        number = (await self.menu())[label]
        from dbus_fast import Variant

        await self._call(path, MENU, "Event", "isvu", number, "clicked", Variant("i", 0), 0)

    async def _call(self, path: str, interface: str, member: str, signature: str, *body: Any) -> list[Any]:
        message = Message(self.service, path, interface, member, signature=signature, body=list(body))
        async with asyncio.timeout(10):
            reply = await self.bus.call(message)
        assert reply is not None and reply.message_type is MessageType.METHOD_RETURN, reply
        return reply.body


@dataclass
class TrayWatcher:
    """The running watcher."""

    bus: MessageBus
    interface: _Interface
    seen: list[TrayItem] = field(default_factory=list)

    async def until_item(self, count: int = 1) -> TrayItem:
        """Wait until so many items have registered; the last of them."""
        while len(self.interface.items) < count:
            self.interface.changed.clear()
            await self.interface.changed.wait()
        return TrayItem(self.bus, *self.interface.items[count - 1])

    async def leave(self) -> None:
        """Give the name back, as a panel does that ends."""
        await self.bus.release_name(NAME)
        self.bus.disconnect()


def _labels(node: Any) -> list[tuple[str, int]]:
    number, properties, children = node
    label = properties["label"].value.replace("_", "") if "label" in properties else ""
    found = [(label, number)] if label else []
    return found + [pair for child in children for pair in _labels(child.value)]


async def tray_watcher(address: str) -> TrayWatcher:
    """Run one on the bus at `address`."""
    bus = await connected(address)
    interface = _Interface()

    def note_sender(message: Message) -> None:
        if message.member == "RegisterStatusNotifierItem":
            interface.sender = message.sender or ""

    bus.add_message_handler(note_sender)
    bus.export(PATH, interface)
    assert await bus.request_name(NAME) is RequestNameReply.PRIMARY_OWNER
    return TrayWatcher(bus, interface)
