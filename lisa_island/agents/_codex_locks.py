"""Which process has which Codex thread open: by the lock it holds, or by the rollout it writes. Blocking.

A lock is never tried, for that alone could make Codex's own attempt fail: on Linux the kernel lists who holds
which. Builds without locks keep the rollout open, which the kernel shows of one's own processes. No
environment is read, and no file is opened but the kernel's list.
"""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lisa_island.agents import _proc, _running
from lisa_island.agents._folders import listing

LOCKS = "thread-writer-locks"
THREAD = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
ROLLOUT = re.compile(rf"rollout-[0-9T:.-]{{10,40}}-({THREAD.pattern})(?:_[\w-]{{1,64}})?\.jsonl")
MOST_LOCKS = 2_000
MOST_FILES = 512
KERNEL_LOCKS = Path("/proc/locks")

_LOCK = re.compile(rf"({THREAD.pattern})\.lock")
_HELD = re.compile(r"FLOCK\s+ADVISORY\s+WRITE\s+(-?\d+)\s+([0-9a-f]+):([0-9a-f]+):(\d+)\s")


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that has a thread open; pid 0 where it is known that one does, but not which."""

    pid: int = 0
    start: str = ""
    started_at: int | None = None
    cwd: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """What one look found: who holds which thread, threads of which this cannot be told, and rollouts that
    are open (by thread). `has_locks`: this build keeps locks, so that a thread without one is closed.
    """

    holders: Mapping[str, Holder]
    unsure: frozenset[str]
    paths: Mapping[str, Path]
    has_locks: bool


def held(roots: Sequence[Path], unreadable: set[Path]) -> Held:
    """Who has which thread of these roots open now; never raises."""
    locks: dict[str, tuple[int, int]] = {}
    has_locks = False
    for root in roots:
        locks |= _locks(root / LOCKS, unreadable)
        has_locks = has_locks or (root / LOCKS).is_dir()
    programs = _programs()
    holders, unsure = _by_locks(locks, programs)
    paths: dict[str, Path] = {}
    real = [os.path.realpath(root) for root in roots]
    for pid in programs or ():
        found = {t: p for t, p in _open_rollouts(pid).items() if any(p.is_relative_to(r) for r in real)}
        paths |= found
        for thread in found.keys() - holders.keys():
            holders[thread] = _holder(pid)
    return Held(holders, unsure - holders.keys(), paths, has_locks)


def _by_locks(
    locks: Mapping[str, tuple[int, int]], programs: Mapping[int, str] | None
) -> tuple[dict[str, Holder], frozenset[str]]:
    by_inode = _kernel_locks() if locks else {}
    if by_inode is None:  # a lock that nobody is there to hold was left behind
        return {}, frozenset() if programs == {} else frozenset(locks)
    pids = {thread: _holder_of(by_inode, place, programs or {}) for thread, place in locks.items()}
    holders = {thread: _holder(pid) for thread, pid in pids.items() if pid}
    return holders, frozenset(thread for thread, pid in pids.items() if pid == 0)


def _programs() -> dict[int, str] | None:
    """Names of the processes that may be Codex, by id; None where that cannot be told."""
    import psutil  # type: ignore[import-untyped]

    try:
        names = _running.LISTING.names()
    except (psutil.Error, OSError):
        return None
    # Not the sandbox that it runs a command in.
    return {p: n for p, n in names.items() if n.startswith("codex") and not n.startswith("codex-linux-san")}


def _locks(folder: Path, unreadable: set[Path]) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for entry in listing(folder, MOST_LOCKS, unreadable):
        match = _LOCK.fullmatch(entry.name)
        try:
            if match is not None and entry.is_file(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                found[match[1]] = (status.st_ino, status.st_dev)
        except OSError:
            continue
    return found


def _kernel_locks() -> dict[int, list[tuple[int, int]]] | None:
    """By inode: device and process of each whole-file lock; None where the kernel does not tell."""
    if sys.platform != "linux":
        return None
    try:
        text = KERNEL_LOCKS.read_text("ascii", "replace")
    except OSError:
        return None
    found: dict[int, list[tuple[int, int]]] = {}
    for match in _HELD.finditer(text):
        device = os.makedev(int(match[2], 16), int(match[3], 16))
        found.setdefault(int(match[4]), []).append((device, int(match[1])))
    return found


def _holder_of(
    by_inode: Mapping[int, list[tuple[int, int]]], place: tuple[int, int], programs: Mapping[int, str]
) -> int | None:
    """The process that holds a file's lock, 0 for one of another namespace, None for nobody."""
    for device, pid in by_inode.get(place[0], []):
        # Layered file systems name another device than `stat` does; then the holder's name has to tell.
        if device == place[1] or pid in programs:
            return max(0, pid)
    return None


def _holder(pid: int) -> Holder:
    import psutil

    try:
        process = psutil.Process(pid)
        return Holder(pid, _proc.ticks(pid), int(process.create_time() * 1000), _proc.cwd(process))
    except (psutil.Error, OSError):
        return Holder(pid, _proc.ticks(pid))


def _open_rollouts(pid: int) -> dict[str, Path]:
    """The rollouts that a process of ours has open."""
    if sys.platform != "linux":
        return {}
    found: dict[str, Path] = {}
    for entry in listing(Path(f"/proc/{pid}/fd"), MOST_FILES, set()):
        try:
            path = Path(entry.path).readlink()
        except OSError:
            continue
        if match := ROLLOUT.fullmatch(path.name):
            found[match[1]] = path
    return found
