"""Stand-ins for servers that tell whether they disturb, each in the way of the real one."""

from typing import Annotated, Any

from dbus_fast import PropertyAccess, RequestNameReply
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusBool, DBusSignature
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property, dbus_signal

from lisa_island.system.do_not_disturb import MAKO, MAKO_PATH, SWAYNC, SWAYNC_PATH
from lisa_island.system.notifier import NAME, PATH
from tests.desktop.private_bus import connected

Strings = Annotated[list[str], DBusSignature("as")]
Four = Annotated[list[str], DBusSignature("ssss")]


class Named(ServiceInterface):
    """A server that says its name and nothing else."""

    def __init__(self, name: str) -> None:
        super().__init__(NAME)
        self.server = name

    @dbus_method()
    def GetServerInformation(self) -> Four:
        return [self.server, "tests", "1", "1.2"]


class Plasma(Named):
    """KDE's property; other servers have it too."""

    on: Any = False

    @dbus_property(access=PropertyAccess.READ)
    def Inhibited(self) -> DBusBool:
        return self.on

    def turn(self, on: bool) -> None:
        self.on = on
        self.emit_properties_changed({"Inhibited": on})


class Odd(Named):
    """Answers with another type."""

    @dbus_property(access=PropertyAccess.READ)
    def Inhibited(self) -> Strings:
        return ["yes"]


class MakoModes(ServiceInterface):
    """What mako 1.9 and later have."""

    def __init__(self) -> None:
        super().__init__(MAKO)
        self.modes = ["default"]

    @dbus_property(access=PropertyAccess.READ)
    def Modes(self) -> Strings:
        return self.modes

    def turn(self, *modes: str) -> None:
        self.modes = list(modes)
        self.emit_properties_changed({"Modes": self.modes})


class Swaync(ServiceInterface):
    """What SwayNotificationCenter 0.7 has, as it was seen on a real bus."""

    def __init__(self) -> None:
        super().__init__(SWAYNC)
        self.on = False

    @dbus_method()
    def GetDnd(self) -> DBusBool:
        return self.on

    @dbus_signal()
    def Subscribe(self, count: int, dnd: bool, is_open: bool) -> Annotated[list[Any], DBusSignature("ubb")]:
        return [count, dnd, is_open]

    def turn(self, on: bool) -> None:
        self.on = on
        self.Subscribe(0, on, False)


PLACES = {MAKO: MAKO_PATH, SWAYNC: SWAYNC_PATH, NAME: PATH}


async def serve(address: str, *interfaces: ServiceInterface) -> MessageBus:
    """Put them on a bus; the first becomes the notification server. Ends with the bus."""
    bus = await connected(address)
    for interface in interfaces:
        bus.export(PLACES[interface.name], interface)
        if interface.name == SWAYNC:
            assert await bus.request_name(SWAYNC) is RequestNameReply.PRIMARY_OWNER
    assert await bus.request_name(NAME) is RequestNameReply.PRIMARY_OWNER
    return bus
