"""Whether a process lives and is still the same one: by its id and its start time. Reads no environment.

A probe that fails says unknown, never dead. Blocking, but for `Deaths`.
"""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

START_SLACK_MS = 2_000
STAT_LIMIT = 4_096


class Life(StrEnum):
    """What is known of a process."""

    ALIVE = "alive"
    DEAD = "dead"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Process:
    """A running program: its id, its start (Linux' ticks, else ""), its folder ("" if that is hidden)."""

    pid: int
    start: str
    cwd: str


def life(pid: int, ticks: str = "", started_at: int | None = None) -> Life:
    """Whether the process that was noted down is the one that has the id now.

    `ticks` is field 22 of Linux' `/proc/<pid>/stat`; without it `started_at` (epoch ms) is held against the
    start that the system names: a process that began later has taken the id over.
    """
    if ticks and sys.platform == "linux":
        try:
            return Life.ALIVE if start_ticks(pid) == ticks else Life.DEAD
        except FileNotFoundError:
            return Life.DEAD
        except (OSError, ValueError):
            return Life.UNKNOWN
    import psutil  # type: ignore[import-untyped]

    try:
        began = psutil.Process(pid).create_time() * 1000
    except psutil.NoSuchProcess:
        return Life.DEAD
    except (psutil.Error, OSError):
        return Life.UNKNOWN
    if started_at is None:
        return Life.UNKNOWN
    return Life.ALIVE if began <= started_at + START_SLACK_MS else Life.DEAD


def start_ticks(pid: int) -> str:
    """Field 22 of `/proc/<pid>/stat`. Raises OSError, ValueError; FileNotFoundError for one that is dead."""
    try:
        fd = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
        try:
            text = os.read(fd, STAT_LIMIT)
        finally:
            os.close(fd)
    except ProcessLookupError:
        raise FileNotFoundError(pid) from None
    fields = text[text.rindex(b")") + 2 :].split()
    if fields[0] in (b"Z", b"X"):  # ended, and waits for its parent alone
        raise FileNotFoundError(pid)
    return fields[19].decode("ascii")


def domain() -> str:
    """Where process ids mean what they mean here: machine and pid namespace, "" where that is not known."""
    if sys.platform != "linux":
        return ""
    try:
        machine = Path("/etc/machine-id").read_text("ascii").strip()
        return f"linux:{machine}:{Path('/proc/self/ns/pid').readlink()}"
    except (OSError, ValueError):
        return ""


def process(pid: int) -> Process | None:
    """The running program of this id, or None when there is none or it is not told."""
    import psutil

    try:
        return Process(pid, ticks(pid), cwd(psutil.Process(pid)))
    except (psutil.Error, OSError):
        return None


def ticks(pid: int) -> str:
    """The same, "" where it cannot be read."""
    try:
        return start_ticks(pid)
    except (OSError, ValueError):
        return ""


def cwd(process: object) -> str:
    """The folder of a psutil process, "" where it is hidden."""
    import psutil

    try:
        return str(process.cwd())  # type: ignore[attr-defined]
    except (psutil.Error, OSError):
        return ""


class Deaths:
    """Tells the loop when a process ends, where the kernel has pidfds; elsewhere it does nothing."""

    def __init__(self, ended: Callable[[int], None]) -> None:
        self._tell = ended
        self._fds: dict[int, int] = {}

    def follow(self, pids: frozenset[int]) -> None:
        """Wait for exactly these; on the loop."""
        for pid in self._fds.keys() - pids:
            self._drop(pid)
        for pid in pids - self._fds.keys():
            self._add(pid)

    def close(self) -> None:
        """Wait for none."""
        self.follow(frozenset())

    def _add(self, pid: int) -> None:
        if not hasattr(os, "pidfd_open"):
            return
        import asyncio

        try:
            fd = os.pidfd_open(pid)
        except OSError:
            return
        self._fds[pid] = fd
        asyncio.get_running_loop().add_reader(fd, self._ended, pid)

    def _ended(self, pid: int) -> None:
        self._drop(pid)
        self._tell(pid)

    def _drop(self, pid: int) -> None:
        import asyncio

        fd = self._fds.pop(pid)
        asyncio.get_running_loop().remove_reader(fd)
        os.close(fd)
