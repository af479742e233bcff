"""The programs that run on this machine, for kinds whose files do not say which process is whose.

One listing serves all kinds for three seconds; arguments are looked at for names alone and never kept, and no
environment is read. Blocking: for the worker alone.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lisa_island.agents import _proc

SCAN_SECONDS = 3.0
# A process may become another program after it was seen: read its name twice, then now and then.
TRUSTED_SECONDS = 30.0
MOST_WORDS = 16


@dataclass(frozen=True, slots=True)
class Program:
    """A running program: `start` is Linux' ticks (else ""), `started_at` epoch ms, `cwd` "" where it is
    hidden. `role` is what the kind's own test called it.
    """

    pid: int
    start: str
    cwd: str
    started_at: int
    parent: int = 0
    role: str = ""


# Tells from the first words of a command line what it is; None: another program.
Test = Callable[[Sequence[str]], str | None]


@dataclass(frozen=True, slots=True)
class _Named:
    """A name that was read at a time (monotonic); settled: it was seen in an earlier listing too."""

    name: str
    at: float
    is_settled: bool


class Listing:
    """Ids and names of all processes, read at most every three seconds."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._names: dict[int, _Named] = {}
        self._others: dict[tuple[Test, int], float] = {}
        self._at = float("-inf")

    def names(self) -> dict[int, str]:
        """Name by id. Raises OSError."""
        with self._lock:
            now = self._monotonic()
            if now - self._at >= SCAN_SECONDS:
                self._read(now)
            return {pid: named.name for pid, named in self._names.items()}

    def may_be(self, test: Test, pid: int) -> bool:
        """Whether the test was not failed by this process since its name was read."""
        with self._lock:
            named = self._names.get(pid)
            return named is not None and self._others.get((test, pid)) != named.at

    def failed(self, test: Test, pid: int) -> None:
        """Keep that it is another program: command lines are looked at again when names are."""
        with self._lock:
            if (named := self._names.get(pid)) is not None:
                self._others[test, pid] = named.at

    def forget(self) -> None:
        """List anew the next time."""
        with self._lock:
            self._at, self._names, self._others = float("-inf"), {}, {}

    def _read(self, now: float) -> None:
        import psutil  # type: ignore[import-untyped]

        found: dict[int, _Named] = {}
        for pid in psutil.pids():
            known = self._names.get(pid)
            if known is not None and known.is_settled and now - known.at < TRUSTED_SECONDS:
                found[pid] = known
            elif (name := _name(pid)) is not None:
                found[pid] = _Named(name, now, known is not None)
        self._names, self._at = found, now
        self._others = {key: at for key, at in self._others.items() if key[1] in found}


LISTING = Listing()


def _name(pid: int) -> str | None:
    if sys.platform == "linux":
        try:
            return Path(f"/proc/{pid}/comm").read_bytes().decode("utf-8", "replace").rstrip("\n")
        except OSError:
            return None
    import psutil

    try:
        return str(psutil.Process(pid).name())
    except (psutil.Error, OSError):
        return None


def running(is_named: Callable[[str], bool], test: Test) -> tuple[Program, ...] | None:
    """The programs of such a name that pass the test, without those that only started another of them; None
    when that cannot be told.
    """
    import psutil

    try:
        pids = [pid for pid, name in LISTING.names().items() if is_named(name)]
    except (psutil.Error, OSError):
        return None
    found = [p for pid in pids if LISTING.may_be(test, pid) and (p := _program(pid, test)) is not None]
    parents = {p.parent for p in found}
    return tuple(p for p in found if p.pid not in parents)


def _program(pid: int, test: Test) -> Program | None:
    import psutil

    try:
        process = psutil.Process(pid)
        role = test(process.cmdline()[:MOST_WORDS])
        if role is None:
            LISTING.failed(test, pid)
            return None
        began, parent = int(process.create_time() * 1000), process.ppid()
    except (psutil.Error, OSError):
        return None
    return Program(pid, _proc.ticks(pid), _proc.cwd(process), began, parent, role)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A session that a program may have open: when it began and last changed, epoch ms."""

    session: str
    created: int
    updated: int


def pair(
    programs: Iterable[Program], sessions: Iterable[Candidate], known: Mapping[str, int]
) -> dict[str, Program]:
    """Which program has which session, all of one folder. As many sessions as programs, the newest; one that
    did not change since a program began is not its own. `known` pairs (session, pid) stay as they are.
    """
    free = sorted(programs, key=lambda p: (-p.started_at, p.pid))
    if not free:
        return {}
    since = free[-1].started_at - _proc.START_SLACK_MS
    newest = sorted((s for s in sessions if s.updated >= since), key=lambda s: (-s.updated, s.session))
    left = newest[: len(free)]
    found: dict[str, Program] = {}
    for session in list(left):
        kept = next((p for p in free if p.pid == known.get(session.session)), None)
        if kept is not None:
            found[session.session] = kept
            free.remove(kept)
            left.remove(session)
    for program in free:
        began = program.started_at - _proc.START_SLACK_MS
        fit = [s for s in left if s.updated >= began]
        if fit:
            mine = max(fit, key=lambda s: (s.created >= began, s.updated, s.session))
            found[mine.session] = program
            left.remove(mine)
    return found
