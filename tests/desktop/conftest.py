"""Fixtures of real services: on a bus of the test's own, or on the rig's, where Qt looks for them."""

import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from PySide6.QtDBus import QDBusConnection

from lisa_island.app.desktop import application
from tests.desktop.keyring_daemon import Keyring, keyring_daemon
from tests.desktop.notification_server import NotificationServer, notification_server
from tests.desktop.private_bus import private_bus
from tests.desktop.tray_watcher import TrayWatcher, tray_watcher

# Needs an input method beside the rest: the step tests-input of check.sh runs it, once for each.
collect_ignore_glob = [] if os.environ.get("LISA_RIG_INPUT") else ["test_input_method*.py"]


@pytest.fixture(scope="session", autouse=True)
def qt_on_the_rigs_bus() -> Iterator[None]:
    """Qt connects once a process, to the bus that is named then: never to one that a test takes away."""
    running = application()
    assert QDBusConnection.sessionBus().isConnected(), "run this through packaging/rig.sh"
    yield
    del running


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder with a short name: the path of a unix socket has 107 bytes at most."""
    with tempfile.TemporaryDirectory(prefix="li.") as folder:
        yield Path(folder)


@pytest.fixture
def bus_address(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An empty session bus; our own process sees it as the desktop's."""
    with private_bus(short_path) as address:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield address


@pytest.fixture
async def keyring(bus_address: str, short_path: Path) -> AsyncIterator[Keyring]:
    """An unlocked gnome-keyring on that bus."""
    home = short_path / "keyring"
    home.mkdir(mode=0o700)
    async with keyring_daemon(bus_address, home) as running:
        yield running


@pytest.fixture
def rig_bus() -> str:
    """The rig's own bus, which Qt and everything else in this process is connected to."""
    assert os.environ.get("LISA_RIG"), "run this through packaging/rig.sh"
    return os.environ["DBUS_SESSION_BUS_ADDRESS"]


@pytest.fixture
async def notifications(rig_bus: str) -> AsyncIterator[NotificationServer]:
    """A notification server on the rig's bus."""
    server = await notification_server(rig_bus)
    yield server
    await server.leave()


@pytest.fixture
async def tray(rig_bus: str) -> AsyncIterator[TrayWatcher]:
    """A tray on the rig's bus."""
    watcher = await tray_watcher(rig_bus)
    yield watcher
    await watcher.leave()
