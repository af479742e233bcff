"""Linux' own word of changes in folders, as one descriptor: no thread, no wake-up while all is quiet.

The bindings are watchdog's. Its observer takes each event through four threads; here a burst costs one read,
for all that is asked is whether anything changed.
"""

import errno
import os
import struct
import threading
from typing import Any

READ_SIZE = 64 * 1024
_HEAD = struct.Struct("iIII")


class Inotify:
    """Watches folders, not what is below them. Raises OSError where the kernel gives no more instances."""

    def __init__(self) -> None:
        # Imported here: the import takes a moment that the loop does not have.
        from watchdog.observers import inotify_c

        self._c: Any = inotify_c
        of = inotify_c.InotifyConstants
        # Reading a file makes events of its own; these are the ones that a change makes.
        self._mask = (
            of.IN_CREATE | of.IN_MODIFY | of.IN_MOVE | of.IN_DELETE | of.IN_DELETE_SELF | of.IN_ONLYDIR
        )
        self._ignored = of.IN_IGNORED
        self.fd = _checked(inotify_c.inotify_init())
        os.set_blocking(self.fd, False)
        os.set_inheritable(self.fd, False)
        self._ids: dict[str, int] = {}
        self._lost: set[int] = set()
        self._busy = threading.Lock()
        self._is_open = True

    def set(self, wanted: frozenset[str]) -> frozenset[str]:
        """Watch exactly these; which of them there are. Raises OSError. Blocking."""
        with self._busy:
            try:
                if self._is_open:
                    self._change(wanted)
                return frozenset(self._ids)
            finally:
                if not self._is_open:
                    os.close(self.fd)

    def _change(self, wanted: frozenset[str]) -> None:
        gone, self._lost = self._lost, set()
        self._ids = {folder: wd for folder, wd in self._ids.items() if wd not in gone}
        for folder in self._ids.keys() - wanted:
            self._c.inotify_rm_watch(self.fd, self._ids.pop(folder))
        for folder in sorted(wanted - self._ids.keys()):
            try:
                self._ids[folder] = _checked(
                    self._c.inotify_add_watch(self.fd, os.fsencode(folder), self._mask)
                )
            except (FileNotFoundError, NotADirectoryError, PermissionError):
                continue  # the sweeps find what there is

    @property
    def is_missing(self) -> bool:
        """Whether a watched folder went away, so that its watch is to be set anew."""
        return bool(self._lost)

    def drain(self) -> bool:
        """Take what has come; whether there was any. Never blocks."""
        found = False
        while self._is_open:
            try:
                data = os.read(self.fd, READ_SIZE)
            except BlockingIOError:
                break
            found, at = True, 0
            while at < len(data):
                wd, mask, _, length = _HEAD.unpack_from(data, at)
                at += _HEAD.size + length
                if mask & self._ignored:
                    self._lost.add(wd)
        return found

    def close(self) -> None:
        """End it; a call that still hangs in a folder closes it when it comes back."""
        self._is_open = False
        if self._busy.acquire(blocking=False):
            os.close(self.fd)
            self._busy.release()


def _checked(number: int) -> int:
    if number >= 0:
        return number
    import ctypes

    code = ctypes.get_errno() or errno.EIO
    raise OSError(code, os.strerror(code))
