"""What is said of the desktop."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from lisa_island.core import words
from lisa_island.system.desktop_facts import desktop_facts
from tests.desktop.notification_server import notification_server
from tests.desktop.private_bus import private_bus
from tests.desktop.quiet_servers import Named, Plasma, serve
from tests.desktop.tray_watcher import tray_watcher


@pytest.fixture
def address() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="li.") as folder, private_bus(Path(folder)) as where:
        yield where


async def facts(**environ: str) -> dict[str, str]:
    found = dict(await desktop_facts(environ))
    assert all(words.has(key) for key in found)
    assert all(words.has(value) for value in found.values() if value.startswith("fact."))
    return found


async def test_nothing_is_here() -> None:
    assert await facts() == {
        "fact.display": "fact.display.none",
        "fact.bus": "fact.bus.none",
        "fact.notifications": "fact.notifications.none",
        "fact.do-not-disturb": "fact.do-not-disturb.none",
        "fact.tray": "fact.tray.none",
    }


async def test_an_empty_bus(address: str) -> None:
    found = await facts(DBUS_SESSION_BUS_ADDRESS=address)
    assert found["fact.bus"] == "fact.bus.on"
    assert (found["fact.notifications"], found["fact.tray"]) == ("fact.notifications.none", "fact.tray.none")


async def test_a_whole_desktop(address: str) -> None:
    server, tray = await notification_server(address), await tray_watcher(address)
    found = await facts(DBUS_SESSION_BUS_ADDRESS=address, DISPLAY=":0", XDG_CURRENT_DESKTOP="GN\x1b[1mOME")
    assert (found["fact.notifications"], found["fact.tray"]) == ("recorder 1", "fact.tray.on")
    assert found["fact.display"] == "X11, GNOME"
    server.bus.disconnect()
    tray.bus.disconnect()


@pytest.mark.parametrize("on", [True, False])
async def test_a_desktop_that_tells_whether_it_may_be_disturbed(address: str, on: bool) -> None:
    server = Plasma("Plasma")
    server.on = on
    bus = await serve(address, server)
    found = await facts(DBUS_SESSION_BUS_ADDRESS=address)
    assert found["fact.do-not-disturb"] == f"fact.do-not-disturb.{'on' if on else 'off'}"
    bus.disconnect()


async def test_one_that_does_not_tell(address: str) -> None:
    bus = await serve(address, Named("something"))
    found = await facts(DBUS_SESSION_BUS_ADDRESS=address)
    assert found["fact.do-not-disturb"] == "fact.do-not-disturb.unknown"
    bus.disconnect()


async def test_a_server_without_buttons(address: str) -> None:
    server = await notification_server(address, ("body",))
    found = await facts(DBUS_SESSION_BUS_ADDRESS=address, WAYLAND_DISPLAY="wayland-0")
    assert found["fact.notifications"] == "fact.notifications.no-buttons"
    assert found["fact.display"] == "Wayland"
    server.bus.disconnect()
