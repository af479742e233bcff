"""Finds and reads what Claude Code writes, and nothing else of its folder. Blocking: for the worker alone.

Two names are ever opened: `sessions/<pid>.json`, and `projects/<folder>/<session id>.jsonl` of a session
whose process lives (or may live on another machine that shares the folder). All else is only listed.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from lisa_island.agents import _claude_record as records
from lisa_island.agents import _claude_registry as registry
from lisa_island.agents import _proc
from lisa_island.agents._claude_record import Happened
from lisa_island.agents._claude_registry import Entered
from lisa_island.agents._claude_turn import Turn, fold
from lisa_island.agents._folders import listing
from lisa_island.agents._jsonl import Line, Tail, read_small
from lisa_island.agents._proc import Life, Process
from lisa_island.agents._running import LISTING

PROGRAM = "claude"
RECENT_MS = 30 * 60_000
SWEEP_MS = 15_000
FULL_SWEEP_MS = 10 * 60_000
SETTLED_MS = 30_000
MOST_ENTRIES = 50_000
MOST_RECORDS = 200
MOST_SESSIONS = 64
ENCODED_LIMIT = 200

_FILE = re.compile(rf"({registry.SESSION.pattern})\.jsonl")
_UNDECIDED = frozenset({Happened.NOTHING, Happened.OTHER, Happened.PROGRESS, Happened.META})


@dataclass(frozen=True, slots=True)
class Seen:
    """One session. `pid` is 0 where no process is known; `is_left`: its process has another session now."""

    session: str
    turn: Turn
    life: Life
    entered: Entered | None = None
    pid: int = 0
    is_left: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """What one look found. `folders` are those that hints are worth having of; `again`: look again soon."""

    sessions: tuple[Seen, ...] = ()
    folders: frozenset[str] = frozenset()
    unreadable: int = 0
    again: bool = False
    is_here: bool = False


@dataclass(slots=True)
class _Folder:
    """A folder of transcripts as it was listed: its place and time (device, inode, ns), and the sessions."""

    stamp: tuple[int, int, int]
    sessions: tuple[str, ...] = ()


@dataclass(slots=True)
class _Followed:
    """A session that had a process once."""

    session: str
    entered: Entered | None = None
    process: Process | None = None
    path: Path | None = None
    tail: Tail | None = None
    turn: Turn = field(default_factory=Turn)
    was_alive: bool = False
    is_left: bool = False


class ClaudeFiles:
    """The folders of Claude Code at some roots. One call at a time."""

    def __init__(self, roots: Iterable[Path]) -> None:
        self._roots = tuple(roots)
        self._domain = _proc.domain()
        self._records: dict[Path, tuple[tuple[int, ...], Entered | None]] = {}
        self._followed: dict[str, _Followed] = {}
        self._listed: dict[str, _Folder] = {}
        self._index: dict[str, tuple[str, ...]] = {}
        self._swept = -SWEEP_MS
        self._full = -FULL_SWEEP_MS
        self._lives: dict[int, Life] = {}
        self._unreadable: set[Path] = set()
        self._again = False

    def look(self, now: int) -> Look:
        """Everything that changed since the last look; never raises for what a folder holds."""
        self._again = False
        self._unreadable = set()
        self._lives = {}
        if not 0 <= now - self._swept < SWEEP_MS:
            self._sweep(now)
        entered = self._registry(now)
        self._bind(entered)
        self._bind_unregistered(now, {e.pid for e in entered})
        sessions = tuple(self._seen(f, entered, now) for f in list(self._followed.values()))
        return Look(sessions, self._folders(), len(self._unreadable), self._again, self._is_here())

    def forget(self, session: str) -> None:
        """Follow it no more, until it has a process again."""
        self._followed.pop(session, None)

    # --- the registry ---

    def _registry(self, now: int) -> list[Entered]:
        found: dict[Path, tuple[tuple[int, ...], Entered | None]] = {}
        for root in self._roots:
            for entry in listing(root / "sessions", MOST_RECORDS, self._unreadable):
                match = registry.FILE.fullmatch(entry.name)
                if match is not None:
                    path = Path(entry.path)
                    found[path] = self._record(path, entry, int(match[1]), now)
        self._records = found
        return [e for _, e in found.values() if e is not None and e.is_shown]

    def _record(
        self, path: Path, entry: "os.DirEntry[str]", pid: int, now: int
    ) -> tuple[tuple[int, ...], Entered | None]:
        before = self._records.get(path, ((), None))
        try:
            status = entry.stat(follow_symlinks=False)
            stamp = (status.st_ino, status.st_size, status.st_mtime_ns)
            if stamp == before[0]:
                return before
            data = read_small(path, registry.SIZE_LIMIT)
        except FileNotFoundError:
            return (), None
        except OSError:
            self._unreadable.add(path)
            return (), before[1]
        read = registry.read(data, pid) if data is not None else None
        if read is None and data is not None and not data.rstrip().endswith(b"}"):
            self._again = True  # half written: what was known holds for a moment more
            return (), before[1]
        return stamp, None if read is None else replace(read, since=min(read.since, now))

    def _life(self, entered: Entered) -> Life:
        if entered.domain and self._domain and entered.domain != self._domain:
            return Life.UNKNOWN
        if entered.pid not in self._lives:  # asked once a look
            self._lives[entered.pid] = _proc.life(entered.pid, entered.ticks, entered.started_at)
        return self._lives[entered.pid]

    def _bind(self, entered: list[Entered]) -> None:
        for one in entered:
            known = self._followed.get(one.session)
            if known is not None or self._may_live(one):
                self._follow(one.session).entered = self._main(one.session, entered)

    def _may_live(self, one: Entered) -> bool:
        match self._life(one):
            case Life.ALIVE:
                return True
            case Life.DEAD:
                return False
            case Life.UNKNOWN:  # another machine's, if its transcript grew lately
                return self._swept - self._newest(one.session)[0] < RECENT_MS

    def _main(self, session: str, entered: list[Entered]) -> Entered:
        """The record that counts when two processes hold one session: who waits, then who works."""
        order = {"waiting": 0, "busy": 1}
        held = [e for e in entered if e.session == session]
        alive = [e for e in held if self._life(e) is Life.ALIVE] or held
        return min(alive, key=lambda e: (order.get(e.status, 2), -e.since))

    def _follow(self, session: str) -> _Followed:
        if session not in self._followed and len(self._followed) >= MOST_SESSIONS:
            quiet = min(self._followed.values(), key=lambda f: (f.was_alive, f.turn.heard))
            del self._followed[quiet.session]
        return self._followed.setdefault(session, _Followed(session))

    # --- builds without a registry ---

    def _bind_unregistered(self, now: int, claimed: set[int]) -> None:
        """Sessions by the folder that a process works in: at most the newest of a folder lives."""
        if self._swept != now:
            return
        for process in _unclaimed(claimed):
            name = encoded(process.cwd)
            here = [
                (modified, session)
                for folder, listed in self._listed.items()
                if Path(folder).name == name
                for session in listed.sessions
                if not self._is_registered(session)
                and now - (modified := _modified(_transcript(folder, session))) < RECENT_MS
            ]
            if here:
                self._follow(max(here)[1]).process = process

    def _is_registered(self, session: str) -> bool:
        return any(e is not None and e.session == session for _, e in self._records.values())

    # --- transcripts ---

    def _sweep(self, now: int) -> None:
        """List the folders that changed, and all of them now and then: some systems do not keep their times.

        Only names are noted. The time of a file is asked for where it matters.
        """
        known: dict[str, _Folder] = self._listed
        if not 0 <= now - self._full < FULL_SWEEP_MS:
            known, self._full = {}, now
        self._swept, self._listed = now, {}
        places: set[tuple[int, int]] = set()
        left = MOST_ENTRIES
        for root in self._roots:
            for folder in listing(root / "projects", MOST_ENTRIES, self._unreadable):
                stamp = _folder_stamp(folder)
                if stamp is None or stamp[:2] in places:  # a folder may be linked, once
                    continue
                places.add(stamp[:2])
                before = known.get(folder.path)
                # One that changed a moment ago may have changed again within one tick of its clock.
                if before is None or before.stamp != stamp or now - stamp[2] // 1_000_000 < SETTLED_MS:
                    before = _Folder(stamp, self._list(Path(folder.path), left))
                self._listed[folder.path] = before
                left -= len(before.sessions)
                if left <= 0:
                    break
        self._point()

    def _list(self, folder: Path, left: int) -> tuple[str, ...]:
        matches = (_FILE.fullmatch(entry.name) for entry in listing(folder, left, self._unreadable))
        return tuple(match[1] for match in matches if match is not None)

    def _point(self) -> None:
        """Where each session's transcript is, or was before it moved: more than one place is rare."""
        self._index = {}
        for folder, listed in self._listed.items():
            for session in listed.sessions:
                self._index[session] = (*self._index.get(session, ()), folder)

    def _newest(self, session: str) -> tuple[int, str]:
        """When a session was written to last (epoch ms), and where; (0, "") for one that has no file."""
        paths = [_transcript(folder, session) for folder in self._index.get(session, ())]
        return max(((_modified(path), path) for path in paths), default=(0, ""))

    def _seen(self, followed: _Followed, entered: list[Entered], now: int) -> Seen:
        life, pid = self._alive(followed, entered)
        followed.was_alive = followed.was_alive or life is Life.ALIVE
        self._read(followed, now)
        return Seen(followed.session, followed.turn, life, followed.entered, pid, followed.is_left)

    def _alive(self, followed: _Followed, entered: list[Entered]) -> tuple[Life, int]:
        one = followed.entered
        if one is not None:
            life = self._life(one)
            others = [e for e in entered if e.pid == one.pid and e.session != one.session]
            followed.is_left = life is Life.ALIVE and bool(others)
            if life is Life.DEAD and not one.ticks and not followed.was_alive:
                life = Life.UNKNOWN  # an older build names no domain: it may live in a container
            return life, one.pid
        if followed.process is not None:
            return _proc.life(followed.process.pid, followed.process.start), followed.process.pid
        return Life.UNKNOWN, 0

    def _read(self, followed: _Followed, now: int) -> None:
        path = self._path(followed)
        if path is None:
            return
        if followed.tail is None or followed.path != path:
            followed.path, followed.tail, followed.turn = path, Tail(path, _is_enough), Turn()
        try:
            piece = followed.tail.look(path.stat(follow_symlinks=False))
        except FileNotFoundError:
            followed.path = None
            self._index.pop(followed.session, None)
            return
        except OSError:
            self._unreadable.add(path)
            return
        turn = Turn() if piece.restarted else followed.turn
        for line in piece.lines:
            if (entry := records.read(line)) is not None:
                is_later = entry.at is not None and entry.at > now  # than when it was read: none is
                turn = fold(turn, replace(entry, at=now) if is_later else entry)
        followed.turn = replace(turn, is_partial=True) if piece.partial else turn
        self._again = self._again or piece.more

    def _path(self, followed: _Followed) -> Path | None:
        if followed.path is not None:
            return followed.path
        if followed.session in self._index:
            return Path(self._newest(followed.session)[1])
        cwd = followed.entered.cwd if followed.entered else ""
        for root in self._roots if cwd else ():
            guess = root / "projects" / encoded(cwd) / f"{followed.session}.jsonl"
            if guess.exists():
                return guess
        return None

    def _folders(self) -> frozenset[str]:
        live = {str(f.path.parent) for f in self._followed.values() if f.path is not None}
        return frozenset(live | {str(root / "sessions") for root in self._roots})

    def _is_here(self) -> bool:
        return any((root / "projects").is_dir() or (root / "sessions").is_dir() for root in self._roots)


def _transcript(folder: str, session: str) -> str:
    return f"{folder}{os.sep}{session}.jsonl"


def _modified(path: str) -> int:
    try:
        return Path(path).stat(follow_symlinks=False).st_mtime_ns // 1_000_000
    except OSError:
        return 0


def _folder_stamp(folder: "os.DirEntry[str]") -> tuple[int, int, int] | None:
    try:
        status = folder.stat()
        return (status.st_dev, status.st_ino, status.st_mtime_ns) if folder.is_dir() else None
    except OSError:
        return None


def _unclaimed(claimed: set[int]) -> tuple[Process, ...]:
    """The tool's processes that have no record in the registry."""
    try:
        pids = [pid for pid, name in LISTING.names().items() if name == PROGRAM and pid not in claimed]
    except OSError:
        return ()
    found = (_proc.process(pid) for pid in pids)
    return tuple(p for p in found if p is not None and p.cwd and p.start)


def encoded(cwd: str) -> str:
    """The folder that holds a project's transcripts; lossy, and cut where a hash would follow."""
    return re.sub(r"[^A-Za-z0-9]", "-", cwd)[:ENCODED_LIMIT]


def _is_enough(lines: tuple[Line, ...]) -> bool:
    """Whether a tail holds a record that decides a state."""
    entries = (records.read(line) for line in reversed(lines))
    return any(entry is not None and entry.happened not in _UNDECIDED for entry in entries)
