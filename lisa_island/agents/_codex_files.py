"""Finds and reads the rollouts of Codex's threads that are open, and nothing else. Blocking: for the worker.

One kind of file is ever opened: `sessions/YYYY/MM/DD/rollout-…-<thread>.jsonl` of a thread that a process has
open. Locks and folders are only listed; with no process of it alive, nothing is read at all.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from lisa_island.agents import _codex_locks as locks
from lisa_island.agents import _codex_record as records
from lisa_island.agents import _proc
from lisa_island.agents._codex_head import Head, read_head
from lisa_island.agents._codex_locks import ROLLOUT, Held, Holder
from lisa_island.agents._codex_record import Happened
from lisa_island.agents._codex_turn import Turn, fold
from lisa_island.agents._folders import listing
from lisa_island.agents._jsonl import Line, Tail, read_start
from lisa_island.agents._proc import Life

SWEEP_MS = 15_000
MOST_ENTRIES = 50_000
MOST_THREADS = 64
HEAD_LIMIT = 256 * 1024
NEWEST_DAYS = 3
SETTLED_MS = 2_000

_BOUNDARIES = frozenset({Happened.STARTED, Happened.ENDED, Happened.ABORTED, Happened.FAILED})


@dataclass(frozen=True, slots=True)
class Seen:
    """One thread. `writer_since` is when the process began that has it open; `subagents` work below it."""

    thread: str
    turn: Turn
    life: Life
    head: Head
    pid: int = 0
    cwd: str = ""
    writer_since: int | None = None
    is_archived: bool = False
    subagents: int = 0


@dataclass(frozen=True, slots=True)
class Look:
    """What one look found. `folders` are those that hints are worth having of; `again`: look again soon."""

    threads: tuple[Seen, ...] = ()
    folders: frozenset[str] = frozenset()
    unreadable: int = 0
    again: bool = False
    is_here: bool = False


@dataclass(slots=True)
class _Followed:
    """A thread that a process had open once."""

    thread: str
    holder: Holder | None = None
    life: Life = Life.UNKNOWN
    path: Path | None = None
    tail: Tail | None = None
    head: Head | None = None
    turn: Turn = field(default_factory=Turn)
    is_archived: bool = False
    is_gone: bool = False


class CodexFiles:
    """The folders of Codex at some roots. One call at a time."""

    def __init__(self, roots: Iterable[Path]) -> None:
        self._roots = tuple(roots)
        self._followed: dict[str, _Followed] = {}
        self._days: dict[Path, tuple[int, dict[str, Path]]] = {}
        self._swept = -SWEEP_MS
        self._unreadable: set[Path] = set()
        self._again = False

    def look(self, now: int) -> Look:
        """Everything that changed since the last look; never raises for what a folder holds."""
        self._again, self._unreadable = False, set()
        self._bind(locks.held(self._roots, self._unreadable))
        for followed in list(self._followed.values()):
            self._read(followed, now)
        gone = [f.thread for f in self._followed.values() if f.is_gone]
        for thread in gone:
            del self._followed[thread]
        return Look(
            self._threads(), self._folders(), len(self._unreadable), self._again,
            any((root / "sessions").is_dir() for root in self._roots),
        )  # fmt: skip

    def forget(self, thread: str) -> None:
        """Follow it no more, until a process opens it again."""
        self._followed.pop(thread, None)

    # --- who has what open ---

    def _bind(self, held: Held) -> None:
        for thread in (*held.holders, *held.unsure):
            self._follow(thread)
        for followed in self._followed.values():
            followed.holder = held.holders.get(followed.thread, followed.holder)
            followed.life = self._life(followed, held)
            if followed.path is None:
                followed.path = held.paths.get(followed.thread)

    def _life(self, followed: _Followed, held: Held) -> Life:
        if followed.thread in held.holders:
            return Life.ALIVE
        if followed.thread in held.unsure:
            return Life.UNKNOWN
        if held.has_locks or followed.holder is None:
            return Life.DEAD  # it had a lock, and has none now: closed
        return _proc.life(followed.holder.pid, followed.holder.start, followed.holder.started_at)

    def _follow(self, thread: str) -> None:
        if thread in self._followed:
            return
        if len(self._followed) >= MOST_THREADS:
            quiet = min(self._followed.values(), key=lambda f: (f.life is Life.ALIVE, f.turn.heard))
            del self._followed[quiet.thread]
        self._followed[thread] = _Followed(thread)

    # --- rollouts ---

    def _read(self, followed: _Followed, now: int) -> None:
        path = self._path(followed, now)
        if path is None:
            return
        if followed.tail is None or followed.path != path:
            followed.path, followed.tail, followed.turn = path, Tail(path, _is_enough), Turn()
        try:
            status = path.stat(follow_symlinks=False)
            piece = followed.tail.look(status)
            if followed.head is None or piece.restarted:
                followed.head = read_head(read_start(path, HEAD_LIMIT).split(b"\n", 1)[0])
        except FileNotFoundError:
            self._lost(followed, now)
            return
        except OSError:
            self._unreadable.add(path)
            return
        turn = Turn() if piece.restarted else followed.turn
        # The first builds give their items no time: then the file's own is the nearest.
        written = min(now, status.st_mtime_ns // 1_000_000)
        for line in piece.lines:
            if (entry := records.read(line)) is not None:
                at = written if entry.at is None else min(entry.at, now)
                turn = fold(turn, replace(entry, at=at))
        followed.turn = replace(turn, is_partial=turn.is_partial or piece.partial)
        self._again = self._again or piece.more

    def _lost(self, followed: _Followed, now: int) -> None:
        """Moved into the archive, or deleted."""
        followed.path, followed.tail = None, None
        self._days.clear()
        moved = self._path(followed, now)
        followed.is_archived = moved is not None and "archived_sessions" in moved.parts
        followed.is_gone = moved is None
        followed.path = moved

    def _path(self, followed: _Followed, now: int) -> Path | None:
        if followed.path is not None:
            return followed.path
        if not 0 <= now - self._swept < SWEEP_MS or not self._days:
            self._swept = now
            self._sweep(self._all_days(), now)
        else:  # a thread's first prompt makes its file: in the newest day
            newest = sorted((d for d in self._days if "sessions" in d.parts), key=lambda d: d.parts[-3:])
            self._sweep([*newest[-NEWEST_DAYS:], *self._new_days()], now)
        found = [files[followed.thread] for _, files in self._days.values() if followed.thread in files]
        return max(found, key=lambda p: ("sessions" in p.parts, p.name), default=None)

    def _all_days(self) -> list[Path]:
        found: list[Path] = []
        for root in self._roots:
            years = self._below(root / "sessions")
            months = [m for y in years for m in self._below(y)]
            found += [d for m in months for d in self._below(m)]
            archive = root / "archived_sessions"
            found += [
                archive,
                *(d for y in self._below(archive) for m in self._below(y) for d in self._below(m)),
            ]
        return found

    def _new_days(self) -> list[Path]:
        """Days that began since the last sweep."""
        found = []
        for root in self._roots:
            years = sorted(self._below(root / "sessions"))[-1:]
            months = [m for y in years for m in sorted(self._below(y))[-1:]]
            found += [d for m in months for d in sorted(self._below(m))[-1:]]
        return found

    def _below(self, folder: Path) -> list[Path]:
        return [
            Path(e.path) for e in listing(folder, 400, self._unreadable)
            if e.name.isdigit() and len(e.name) <= 4 and e.is_dir(follow_symlinks=False)
        ]  # fmt: skip

    def _sweep(self, days: Iterable[Path], now: int) -> None:
        left = MOST_ENTRIES
        for day in days:
            try:
                modified = day.stat().st_mtime_ns
            except OSError:
                self._days.pop(day, None)
                continue
            if self._days.get(day, (None, {}))[0] == modified:
                continue
            entries = listing(day, left, self._unreadable)
            left -= len(entries)
            names = sorted(e.name for e in entries)
            files = {m[1]: day / name for name in names if (m := ROLLOUT.fullmatch(name))}
            # One that changed just now may change again within the same tick of its time.
            is_settled = abs(now - modified // 1_000_000) > SETTLED_MS
            self._days[day] = (modified if is_settled else -1, files)
            if left <= 0:
                return

    # --- what is told ---

    def _threads(self) -> tuple[Seen, ...]:
        shown = [f for f in self._followed.values() if not (f.head and (f.head.is_hidden or f.head.parent))]
        return tuple(self._seen(f) for f in shown)

    def _seen(self, followed: _Followed) -> Seen:
        head, holder = followed.head or Head(), followed.holder
        working = [
            f for f in self._followed.values()
            if f.head and f.head.parent == followed.thread and f.life is Life.ALIVE and f.turn.is_running
        ]  # fmt: skip
        return Seen(
            followed.thread, followed.turn, followed.life, head, holder.pid if holder else 0,
            # A daemon's own folder says nothing; the builds that write none in their files have no daemon.
            followed.turn.cwd or head.cwd or (holder.cwd if holder and followed.turn.heard else ""),
            holder.started_at if holder and followed.life is Life.ALIVE else None,
            followed.is_archived, len(working),
        )  # fmt: skip

    def _folders(self) -> frozenset[str]:
        places = {str(f.path.parent) for f in self._followed.values() if f.path is not None}
        for root in self._roots:
            places |= {str(p) for p in (root / locks.LOCKS, root / "sessions") if p.is_dir()}
        return frozenset(places)


def _is_enough(lines: tuple[Line, ...]) -> bool:
    """Whether a tail holds the beginning or the end of a turn."""
    entries = (records.read(line) for line in reversed(lines))
    return any(entry is not None and entry.happened in _BOUNDARIES for entry in entries)
