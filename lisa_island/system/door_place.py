"""Where the door is: the path of its socket, the line in LISA_HOME that names it, the lock on both."""

import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

from lisa_island.core.digest import hex_digest
from lisa_island.core.errors import IslandError, StorageError
from lisa_island.system._files import FULL, storage_error
from lisa_island.system._lock import FileLock, Timeout

# sockaddr_un has 108 bytes on Linux, one of them the end.
PATH_LIMIT = 107
POINTER = "endpoint"
LOCK = "island.lock"


class AlreadyRunningError(IslandError):
    """Another process holds the door of this LISA_HOME."""


def lock(home: Path) -> FileLock:
    """The single-instance lock, held until released or the process is gone.

    Raises AlreadyRunningError, or StorageError where the folder cannot be written or locked.
    """
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = FileLock(home / LOCK, mode=0o600)
        held.acquire(blocking=False)
    except Timeout:
        raise AlreadyRunningError("door.already-running") from None
    except (OSError, NotImplementedError) as error:
        raise no_place(home, error) from None
    return held


def no_place(home: Path, error: Exception) -> StorageError:
    """The sentence for a door that cannot be had; a full disk is called so."""
    if isinstance(error, OSError) and error.errno in FULL:
        return storage_error(error, home)
    return StorageError("door.no-place", folder=home)


def choose(home: Path, environ: Mapping[str, str]) -> Path:
    """The path for the socket of `home`, in a folder that is ours alone. Creates that folder."""
    name = f"lisa-island-{fingerprint(home)}.sock"
    return _in_runtime(environ, name) or _temporary() / name


def usual(home: Path, environ: Mapping[str, str]) -> Path:
    """Where the socket of `home` most likely is when the line that names it is lost. Creates nothing."""
    name = f"lisa-island-{fingerprint(home)}.sock"
    return _in_runtime(environ, name) or _usual_folder() / name


def _in_runtime(environ: Mapping[str, str], name: str) -> Path | None:
    runtime = Path(environ.get("XDG_RUNTIME_DIR", ""))
    fits = runtime.is_absolute() and _is_ours_alone(runtime) and _fits(runtime / name)
    return runtime / name if fits else None


def fingerprint(home: Path) -> str:
    """Eight hex digits of the place, the same through symbolic links."""
    return hex_digest(os.fsencode(home.resolve()))[:8]


def point(home: Path, path: Path) -> None:
    """Write the line that tells clients, and agents' hooks, where the socket is."""
    fresh = home / f".{POINTER}.{os.getpid()}"
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(os.fsencode(path) + b"\n")
    fresh.replace(home / POINTER)


def pointed(home: Path) -> Path | None:
    """What the line says, if it is ours and makes sense."""
    try:
        handle = os.open(home / POINTER, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(handle)
        line = file.read(PATH_LIMIT + 2)
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        return None
    path = Path(os.fsdecode(line.rstrip(b"\n")))
    return path if path.is_absolute() and b"\0" not in line and _fits(path) else None


def _usual_folder() -> Path:
    folder = Path(tempfile.gettempdir()) / f"lisa-island-{os.getuid()}"
    return folder if _fits(folder / "lisa-island-01234567.sock") else Path("/tmp") / folder.name


def _temporary() -> Path:
    folder = _usual_folder()
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        pass
    if _is_ours_alone(folder):
        return folder
    # Somebody else has taken the name; the line in LISA_HOME tells where we are instead.
    return Path(tempfile.mkdtemp(prefix="lisa-", dir=folder.parent))


def _is_ours_alone(folder: Path) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def _fits(path: Path) -> bool:
    return len(os.fsencode(path)) <= PATH_LIMIT
