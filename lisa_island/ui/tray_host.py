"""Whether a StatusNotifier host is on the session bus, and when that changes; nothing polls."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtDBus import QDBusConnection, QDBusServiceWatcher

WATCHER = "org.kde.StatusNotifierWatcher"


def has_bus() -> bool:
    """Whether a session bus is named; asking QtDBus without one may start a bus of its own."""
    if not sys.platform.startswith("linux"):
        return False
    if os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return True
    path = Path(os.environ.get("XDG_RUNTIME_DIR", "")) / "bus"
    return path.is_absolute() and path.is_socket()


class TrayHost:
    """Calls back whenever the watcher's owner changes. Without a session bus nobody is there."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self.is_present = False
        self._watcher: QDBusServiceWatcher | None = None
        if not has_bus():
            return
        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            return
        mode = QDBusServiceWatcher.WatchModeFlag.WatchForOwnerChange
        self._watcher = QDBusServiceWatcher(WATCHER, bus, mode)
        self._watcher.serviceOwnerChanged.connect(self._owner_changed)
        self.is_present = bool(bus.interface().isServiceRegistered(WATCHER).value())

    def _owner_changed(self, _name: str, _old: str, new: str) -> None:
        self.is_present = bool(new)
        self._changed()

    def close(self) -> None:
        if self._watcher is not None:
            self._watcher.deleteLater()
            self._watcher = None
