"""Small files, read with a bound and replaced whole. Everything in here blocks: call it in the worker."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from lisa_island.core.errors import StorageError
from lisa_island.system._lock import FileLock, Timeout

OWNER_ONLY = 0o600
LOCK_SECONDS = 5.0

_serial = count()
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_READ_ONLY = {errno.EROFS, errno.EACCES, errno.EPERM}


class TooLargeError(Exception):
    """The file is larger than anything of that kind should be; nothing of it was kept."""


def storage_error(error: OSError, path: Path) -> StorageError:
    """The sentence for what the system said about a file."""
    if error.errno in FULL:
        return StorageError("storage.full", place=str(path))
    if error.errno in _READ_ONLY:
        return StorageError("storage.read-only", place=str(path))
    return StorageError("storage.unwritable", place=str(path))


def read_bounded(path: Path, limit: int) -> bytes | None:
    """The whole file, or None when there is none. Raises TooLargeError over `limit` bytes, and OSError."""
    try:
        # A pipe or device under that name must not hold up the thread.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        data = file.read(limit + 1)
    if len(data) > limit:
        raise TooLargeError(path.name)
    return data


def real(path: Path) -> Path:
    """Where a write has to go when the file is a symbolic link: the owner's dotfiles stay linked."""
    return Path(os.path.realpath(path))


def mode_of(path: Path) -> int | None:
    """Permission bits, or None when there is no such file."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return None


def write_temporary(target: Path, data: bytes, mode: int) -> Path:
    """A finished file beside `target`, on the disk, to be renamed. Raises OSError and leaves nothing."""
    path = target.with_name(f".{target.name}.{os.getpid()}-{next(_serial)}.tmp")
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), OWNER_ONLY)
    try:
        with os.fdopen(handle, "wb") as file:
            if hasattr(os, "fchmod"):
                os.fchmod(handle, mode)
            file.write(data)
            file.flush()
            os.fsync(handle)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def replace_file(path: Path, data: bytes, mode: int = OWNER_ONLY) -> None:
    """Replace the file whole or not at all, through a symbolic link. Raises OSError; then nothing changed."""
    target = real(path)
    temporary = write_temporary(target, data, mode)
    try:
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Make a rename last through a power cut, where folders can be synced."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:  # some network file systems cannot; the rename itself was done
        pass
    finally:
        os.close(handle)


def aside_name(path: Path, now: int) -> Path:
    """A free name for a file that is set aside at `now` (epoch ms): `<name>.broken-<stamp>`."""
    stamp = datetime.fromtimestamp(now / 1000, UTC).strftime("%Y%m%d-%H%M%S")
    for number in count(1):
        name = path.with_name(f"{path.name}.broken-{stamp}{'' if number == 1 else f'-{number}'}")
        if not os.path.lexists(name):
            return name
    raise AssertionError


def keep_aside(path: Path, now: int) -> Path:
    """Give the file a second name that nobody overwrites, and leave the first for a replacement to come."""
    aside = aside_name(path, now)
    try:
        os.link(path, aside)
    except OSError:  # no hard links here
        path.replace(aside)
    return aside


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock among our own processes. Raises StorageError when another holds it for too long."""
    try:
        with FileLock(path, timeout=LOCK_SECONDS, mode=OWNER_ONLY):
            yield
    except Timeout as error:
        raise StorageError("storage.busy", place=str(path.parent)) from error
