"""A notification server that records what it is told and can click; on whichever bus it is put."""

import asyncio
from dataclasses import dataclass, field
from typing import Annotated, Any

from dbus_fast import NameFlag, RequestNameReply
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusInt32, DBusSignature, DBusStr, DBusUInt32
from dbus_fast.service import ServiceInterface, dbus_method, dbus_signal

from tests.desktop.private_bus import connected

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
Strings = Annotated[list[str], DBusSignature("as")]
Hints = Annotated[dict[str, Any], DBusSignature("a{sv}")]
GNOME = ("actions", "body", "body-markup", "icon-static", "persistence", "sound")


@dataclass(frozen=True)
class Shown:
    """One call of Notify."""

    number: int
    app_name: str
    replaces: int
    icon: str
    title: str
    body: str
    actions: tuple[str, ...]
    hints: dict[str, Any]
    timeout: int

    @property
    def buttons(self) -> dict[str, str]:
        """Action to label."""
        return dict(zip(self.actions[::2], self.actions[1::2], strict=True))


@dataclass
class NotificationServer:
    """What stands on the screen is in `open`, all that ever came in `history`."""

    bus: MessageBus
    interface: "_Interface"
    history: list[Shown] = field(default_factory=list)
    open: dict[int, Shown] = field(default_factory=dict)
    closed: list[int] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def press(self, number: int, action: str = "default") -> None:
        """Click a button, as GNOME does: tell the action, then close."""
        self.interface.ActionInvoked(number, action)
        self.dismiss(number)

    def dismiss(self, number: int, reason: int = 2) -> None:
        """The owner closed it (2), it ran out (1), or a program closed it (3)."""
        if self.open.pop(number, None) is not None:
            self.interface.NotificationClosed(number, reason)

    async def until(self, count: int) -> Shown:
        """Wait for so many calls of Notify in all; the last one."""
        while len(self.history) < count:
            self.changed.clear()
            await self.changed.wait()
        return self.history[count - 1]

    async def until_closed(self, number: int) -> None:
        """Wait until a notice is off the screen."""
        while number in self.open:
            self.changed.clear()
            await self.changed.wait()

    async def leave(self) -> None:
        """Give the name back, as a server does that ends."""
        await self.bus.release_name(NAME)
        self.bus.disconnect()


class _Interface(ServiceInterface):
    def __init__(self, capabilities: tuple[str, ...]) -> None:
        super().__init__(NAME)
        self.capabilities = capabilities
        self.server: NotificationServer | None = None
        self.eager = ""

    @dbus_method()
    def GetCapabilities(self) -> Strings:
        return list(self.capabilities)

    @dbus_method()
    def GetServerInformation(self) -> Annotated[list[str], DBusSignature("ssss")]:
        return ["recorder", "tests", "1", "1.2"]

    @dbus_method()
    def Notify(
        self,
        app_name: DBusStr,
        replaces: DBusUInt32,
        icon: DBusStr,
        title: DBusStr,
        body: DBusStr,
        actions: Strings,
        hints: Hints,
        timeout: DBusInt32,
    ) -> DBusUInt32:
        server = self.server
        assert server is not None
        number = replaces or len(server.history) + 100
        plain = {name: value.value for name, value in hints.items()}
        shown = Shown(number, app_name, replaces, icon, title, body, tuple(actions), plain, timeout)
        server.history.append(shown)
        server.open[number] = shown
        server.changed.set()
        if self.eager:
            self.ActionInvoked(number, self.eager)
        return number

    @dbus_method()
    def CloseNotification(self, number: DBusUInt32) -> None:
        assert self.server is not None
        self.server.closed.append(number)
        self.server.dismiss(number, 3)
        self.server.changed.set()

    @dbus_signal()
    def ActionInvoked(self, number: int, action: str) -> Annotated[list[Any], DBusSignature("us")]:
        return [number, action]

    @dbus_signal()
    def NotificationClosed(self, number: int, reason: int) -> Annotated[list[int], DBusSignature("uu")]:
        return [number, reason]


async def notification_server(address: str, capabilities: tuple[str, ...] = GNOME) -> NotificationServer:
    """Run one; it ends with its bus, by `leave`, or when the next test puts one in its place."""
    bus = await connected(address)
    interface = _Interface(capabilities)
    interface.server = NotificationServer(bus, interface)
    bus.export(PATH, interface)
    flags = NameFlag.ALLOW_REPLACEMENT | NameFlag.REPLACE_EXISTING | NameFlag.DO_NOT_QUEUE
    assert await bus.request_name(NAME, flags) is RequestNameReply.PRIMARY_OWNER
    return interface.server
