"""Finds which of OpenCode's sessions run, by its processes, and reads those. Blocking: for the worker alone.

Without a process of it no file is opened. The storage is read when it changed, every two seconds at most.
"""

import os
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lisa_island.agents import _fields, _opencode_db, _opencode_tree, _proc, _running
from lisa_island.agents._branch import Branches
from lisa_island.agents._local import Look, Seen, Verdict, unproven
from lisa_island.agents._opencode_talk import Talk, activity, judge
from lisa_island.agents._proc import Life
from lisa_island.agents._running import Candidate, Program

READ_MS = 2_000
RECENT_MS = 30 * 60_000
SERVES = frozenset({"serve", "web"})
# By recorded files, the newest by the program itself.
PROVEN = frozenset({"1.3.17", "1.18.33"})
# Commands that hold no session: `attach` shows one that a server holds.
_NO_SESSION = frozenset(
    {
        "attach", "auth", "providers", "models", "upgrade", "uninstall", "stats", "export", "import",
        "github", "mcp", "agent", "debug", "session", "db", "completion", "--help", "-h", "--version", "-v",
    }
)  # fmt: skip


def role(argv: Sequence[str]) -> str | None:
    """What an OpenCode process is there for: one of `SERVES`, "" for a session of its folder."""
    first = argv[1] if len(argv) > 1 else ""
    if first in _NO_SESSION:
        return None
    return first if first in SERVES else ""


@dataclass(frozen=True, slots=True)
class _Followed:
    """A session that had a process once."""

    talk: Talk
    program: Program
    life: Life = Life.ALIVE
    is_left: bool = False


class OpenCodeFiles:
    """OpenCode's data folder. One call at a time."""

    def __init__(self, folder: Path, chosen: str) -> None:
        self._folder = folder
        self._chosen = chosen
        self._followed: dict[str, _Followed] = {}
        self._branches = Branches()
        self._talks: dict[str, Talk] = {}
        self._stamp: tuple[_opencode_db.Stamp, ...] | None = None
        self._wanted: frozenset[str] = frozenset()
        self._read_at = -READ_MS
        self._unreadable = 0

    def look(self, now: int) -> Look:
        """Everything that changed since the last look; never raises for what a folder holds."""
        self._unreadable = 0
        programs = _running.running(lambda name: name == "opencode", role)
        if programs or self._followed:
            self._read(programs or (), now)
            self._bind(programs, now)
        return Look(
            tuple(_seen(f, self._branches.of(f.talk.directory)) for f in self._followed.values()),
            frozenset(), self._unreadable, is_here=self._folder.is_dir(),
            unverified=unproven((f.talk.version for f in self._followed.values()), PROVEN),
        )  # fmt: skip

    def forget(self, session: str) -> None:
        """Follow it no more, until it has a process again."""
        self._followed.pop(session, None)

    # --- reading ---

    def _read(self, programs: Sequence[Program], now: int) -> None:
        wanted = frozenset(p.cwd for p in programs) | frozenset(p.role for p in programs)
        if 0 <= now - self._read_at < READ_MS and wanted == self._wanted:
            return
        stamp = self._now()
        if stamp is not None and stamp == self._stamp and wanted == self._wanted:
            return
        found = self._all(programs, stamp is not None)
        if found is not None:
            self._talks, self._stamp, self._wanted, self._read_at = found, stamp, wanted, now

    def _now(self) -> tuple[_opencode_db.Stamp, ...] | None:
        """What tells that a database changed; None where there is none, or it cannot be seen."""
        try:
            found = (_opencode_db.stamp(path) for path in self._databases())
            return tuple(stamp for stamp in found if stamp is not None) or None
        except OSError:
            return None

    def _databases(self) -> Sequence[Path]:
        return _opencode_db.places(self._folder, self._chosen)

    def _all(self, programs: Sequence[Program], has_database: bool) -> dict[str, Talk] | None:
        """Every session that may be one of these programs', or None when a part could not be read."""
        folders = {program.cwd for program in programs if program.cwd}
        serves = any(program.role in SERVES for program in programs)

        def is_wanted(session: str, directory: str) -> bool:
            return serves or session in self._followed or real(directory) in folders

        since = min((p.started_at for p in programs), default=0) - _proc.START_SLACK_MS
        found: dict[str, Talk] = {}
        try:
            if not has_database:  # it stays where it was when a database took over
                found = {
                    t.session: t for t in _opencode_tree.read(self._folder / "storage", since, is_wanted)
                }
            for path in self._databases():
                if _opencode_db.stamp(path) is not None:
                    found |= {talk.session: talk for talk in _opencode_db.read(path, is_wanted)}
        except (OSError, sqlite3.Error):
            self._unreadable += 1
            return None
        return {session: talk for session, talk in found.items() if session and not talk.parent}

    # --- which session is which process's ---

    def _bind(self, programs: Sequence[Program] | None, now: int) -> None:
        pairs = self._pairs(programs or (), now)
        taken = {program.pid for program in pairs.values() if program.role not in SERVES}
        for session, program in pairs.items():
            self._followed[session] = _Followed(self._talks[session], program)
        for session, followed in list(self._followed.items()):
            talk = self._talks.get(session)
            if talk is None and self._unreadable == 0 and self._stamp is not None:
                del self._followed[session]  # deleted
            elif session not in pairs:
                self._followed[session] = self._apart(followed, talk or followed.talk, taken)

    def _apart(self, followed: _Followed, talk: Talk, taken: set[int]) -> _Followed:
        """One that is not the newest of its process: it may run on beside the newest one."""
        program = followed.program
        life = _proc.life(program.pid, program.start, program.started_at)
        is_left = life is Life.ALIVE and program.pid in taken and not talk.is_open
        return _Followed(talk, program, life, is_left)

    def _pairs(self, programs: Sequence[Program], now: int) -> dict[str, Program]:
        known = {session: f.program.pid for session, f in self._followed.items()}
        pairs: dict[str, Program] = {}
        for folder in {p.cwd for p in programs if p.cwd and p.role not in SERVES}:
            mine = [p for p in programs if p.cwd == folder and p.role not in SERVES]
            here = [
                _candidate(t) for t in self._talks.values() if not t.archived and real(t.directory) == folder
            ]
            pairs |= _running.pair(mine, here, known)
        for server in (p for p in programs if p.role in SERVES):
            since = max(server.started_at - _proc.START_SLACK_MS, now - RECENT_MS)
            mine_too = {
                t.session: server for t in self._talks.values() if t.updated >= since and not t.archived
            }
            pairs = mine_too | pairs
        return pairs


def _candidate(talk: Talk) -> Candidate:
    return Candidate(talk.session, talk.created, talk.updated)


def real(directory: str) -> str:
    """The folder itself, where a name of it may be a link."""
    return os.path.realpath(directory) if directory else ""


def _seen(followed: _Followed, branch: str) -> Seen:
    talk = followed.talk
    # A server takes up what others left: of its sessions nothing is known to have been left.
    began = followed.program.started_at if followed.program.role not in SERVES else 0

    def verdict(life: Life, now: int, died_at: int) -> Verdict:
        return judge(talk, life, now, died_at, began)

    return Seen(
        talk.session, followed.life, verdict, talk.updated, activity(talk, branch),
        _fields.basename(talk.directory), talk.directory, talk.created or None, followed.program.pid,
        followed.is_left,
    )  # fmt: skip
