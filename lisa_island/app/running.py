"""Whether an island runs for a home, asked of its lock: nobody is disturbed by that."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lisa_island.system import door_place
from lisa_island.system._lock import FileLock, Timeout
from lisa_island.system.door_place import AlreadyRunningError

__all__ = ["AlreadyRunningError", "nobody_else", "wait_until_gone"]

LEAVE_SECONDS = 15.0
POLL_SECONDS = 0.05


@contextmanager
def nobody_else(home: Path) -> Iterator[None]:
    """Keep every island of this home from starting. Raises AlreadyRunningError."""
    held = door_place.lock(home)
    try:
        yield
    finally:
        held.release()


def wait_until_gone(home: Path) -> bool:
    """Wait for the ordered shutdown of the island; False when it takes too long. Blocks.

    A demo's home goes with its island: what is gone already is not made again by looking for it.
    """
    lock = FileLock(home / door_place.LOCK, mode=0o600)
    until = time.monotonic() + LEAVE_SECONDS
    while _is_there(home):
        try:
            with lock.acquire(blocking=False):
                return True
        except Timeout:
            if time.monotonic() >= until:
                return False
            time.sleep(POLL_SECONDS)
        except OSError:
            return False
    return True


def _is_there(home: Path) -> bool:
    """Whether somebody was here and has not taken all away."""
    return (home / door_place.LOCK).exists()
