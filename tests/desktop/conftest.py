"""Fixtures of real services. Each test has a bus of its own, so they do not meet on the rig's."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.desktop.keyring_daemon import Keyring, keyring_daemon
from tests.desktop.private_bus import private_bus


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
