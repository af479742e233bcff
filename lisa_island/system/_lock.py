"""A lock file among our own processes, with the system's flock.

Files and meaning are those of `filelock`, which is used where there is no flock. Not everywhere: to import it
brings asyncio, sqlite and OpenSSL along, 3 MB that an island at rest can do without.
Where a disk knows no flock, a second file that is there or not says who holds the first.

    with FileLock(path, timeout=4.0, mode=0o600): …      Timeout when another holds it for too long
    held = FileLock(path); held.acquire(blocking=False); held.release()
"""

import errno
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

POLL_SECONDS = 0.05
_HELD_ELSEWHERE = (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK)
_NO_FLOCK = (errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)


class Timeout(Exception):  # noqa: N818 (the name that its readers know)
    """Another process, or another lock of this one, holds the file."""


class FileLock:
    """One lock on one file. The file stays when it is let go. `timeout` in seconds; below 0 for ever."""

    def __init__(self, path: Path, timeout: float = -1, mode: int = 0o600) -> None:
        self._path, self._timeout, self._mode = path, timeout, mode
        self._descriptor: int | None = None
        self._other: Any = None

    def acquire(self, *, blocking: bool = True) -> "FileLock":
        """Take it, for a `with` or until `release`. Blocks for up to `timeout`.

        Raises Timeout, or OSError when the file cannot be had.
        """
        until = None if self._timeout < 0 else time.monotonic() + self._timeout
        while not self._try():
            if not blocking or (until is not None and time.monotonic() >= until):
                raise Timeout(self._path)
            time.sleep(POLL_SECONDS)
        return self

    def release(self) -> None:
        """Let it go; nothing happens when it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
        if self._other is not None:
            self._other.release()
            self._other = None

    def __enter__(self) -> "FileLock":
        return self if self._is_held else self.acquire()

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.release()

    @property
    def _is_held(self) -> bool:
        return self._descriptor is not None or self._other is not None

    def _try(self) -> bool:
        if fcntl is None:
            return self._try_other("FileLock", self._path)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, self._mode)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_there = (
                os.fstat(descriptor).st_nlink != 0
            )  # Else it was deleted under us: nobody else sees it.
        except OSError as error:
            os.close(descriptor)
            if error.errno in _NO_FLOCK:
                return self._try_other("SoftFileLock", self._path.with_name(f"{self._path.name}.held"))
            if error.errno in _HELD_ELSEWHERE:
                return False
            raise
        if not is_there:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def _try_other(self, kind: str, path: Path) -> bool:
        import filelock

        other = getattr(filelock, kind)(path, mode=self._mode, thread_local=False)
        try:
            other.acquire(blocking=False)
        except filelock.Timeout:
            return False
        self._other = other
        return True
