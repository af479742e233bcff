"""Whether an island runs for a home, asked of its lock: nobody is disturbed by that."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from lisa_island.system import door_place
from lisa_island.system.door_place import AlreadyRunningError

__all__ = ["AlreadyRunningError", "nobody_else", "wait_until_gone"]

LEAVE_SECONDS = 15.0


@contextmanager
def nobody_else(home: Path) -> Iterator[None]:
    """Keep every island of this home from starting. Raises AlreadyRunningError."""
    held = door_place.lock(home)
    try:
        yield
    finally:
        held.release()


def wait_until_gone(home: Path) -> bool:
    """Wait for the ordered shutdown of the island; False when it takes too long. Blocks."""
    try:
        with FileLock(home / door_place.LOCK, timeout=LEAVE_SECONDS, mode=0o600):
            return True
    except (Timeout, OSError):
        return False
