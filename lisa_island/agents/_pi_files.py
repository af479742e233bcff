"""Finds which of pi's sessions run, by its processes, and reads those. Blocking: for the worker alone.

Without a process of it no file is opened. Of what lies in its folder only the sessions themselves are opened:
sign-ins and settings lie beside them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from lisa_island.agents import _fields, _proc, _running
from lisa_island.agents import _pi_record as records
from lisa_island.agents._branch import Branches
from lisa_island.agents._folders import listing
from lisa_island.agents._jsonl import Line, Tail
from lisa_island.agents._local import Look, Seen, Verdict
from lisa_island.agents._pi_record import Entry, Happened
from lisa_island.agents._pi_turn import Now, Turn, activity, fold, judge
from lisa_island.agents._proc import Life
from lisa_island.agents._running import Candidate, Program

MOST_SESSIONS = 2_000

_FILE = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z_([\w.-]{1,128})\.jsonl", re.ASCII)
# It calls itself `pi` as soon as it runs; before that it is a script of Node or Bun.
NAMES = frozenset({"pi", "node", "bun", "MainThread", "node-MainThread"})
_SCRIPT = "/pi-coding-agent/"
_COMMANDS = frozenset({"install", "remove", "uninstall", "update", "list", "config", "--help", "--version"})


def role(argv: Sequence[str]) -> str | None:
    """ "" for a process of pi that may hold a session."""
    words = [word.replace("\\", "/") for word in argv if word]
    if not words:
        return None
    at = 0 if words[0].rpartition("/")[2] == "pi" else 1
    its = words[at : at + 1]
    if not its or (its[0].rpartition("/")[2] != "pi" and _SCRIPT not in its[0]):
        return None
    return None if _COMMANDS & set(words[at + 1 : at + 2]) else ""


@dataclass(slots=True)
class _Followed:
    """A session that had a process once."""

    path: Path
    program: Program
    tail: Tail
    turn: Turn = field(default_factory=Turn)
    life: Life = Life.ALIVE
    is_left: bool = False


class PiFiles:
    """pi's folder of sessions. One call at a time."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._followed: dict[str, _Followed] = {}
        self._branches = Branches()
        self._unreadable: set[Path] = set()
        self._again = False

    def look(self, now: int) -> Look:
        """Everything that changed since the last look; never raises for what a folder holds."""
        self._again = False
        self._unreadable.clear()
        programs = _running.running(NAMES.__contains__, role)
        pairs = self._pairs(programs or ())
        taken = {program.pid for _, program in pairs.values()}
        for session, (path, program) in pairs.items():
            known = self._followed.get(session)
            if known is None or known.path != path:
                known = self._followed[session] = _Followed(path, program, Tail(path, _is_enough))
            if known.program.pid != program.pid and known.turn.is_open:
                known.turn = replace(known.turn, now=Now.LEFT)
            known.program = program
        for session, followed in self._followed.items():
            program = followed.program
            followed.life = _proc.life(program.pid, program.start, program.started_at)
            followed.is_left = session not in pairs and followed.life is Life.ALIVE and program.pid in taken
            self._read(followed, now)
        folders = {str(self._folder(p.cwd)) for p in programs or () if p.cwd}
        return Look(
            tuple(_seen(s, f, self._branches.of(f.program.cwd)) for s, f in self._followed.items()),
            frozenset(folder for folder in folders if Path(folder).is_dir()),
            len(self._unreadable), self._again, self._root.is_dir(),
        )  # fmt: skip

    def forget(self, session: str) -> None:
        """Follow it no more, until it has a process again."""
        self._followed.pop(session, None)

    # --- which session is which process's ---

    def _folder(self, cwd: str) -> Path:
        bare = cwd[1:] if cwd[:1] in ("/", "\\") else cwd
        return self._root / f"--{re.sub(r'[/:]', '-', bare.replace(chr(92), '-'))}--"

    def _pairs(self, programs: Sequence[Program]) -> dict[str, tuple[Path, Program]]:
        known = {session: f.program.pid for session, f in self._followed.items()}
        found: dict[str, tuple[Path, Program]] = {}
        for cwd in {p.cwd for p in programs if p.cwd}:
            mine = [p for p in programs if p.cwd == cwd]
            since = min(p.started_at for p in mine) - _proc.START_SLACK_MS
            sessions = self._sessions(cwd, since)
            paired = _running.pair(mine, (candidate for _, candidate in sessions.values()), known)
            found |= {session: (sessions[session][0], program) for session, program in paired.items()}
        return found

    def _sessions(self, cwd: str, since: int) -> dict[str, tuple[Path, Candidate]]:
        """Those of a folder that changed since."""
        found: dict[str, tuple[Path, Candidate]] = {}
        for entry in listing(self._folder(cwd), MOST_SESSIONS, self._unreadable):
            match = _FILE.fullmatch(entry.name)
            if match is None:
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                self._unreadable.add(Path(entry.path))
                continue
            changed = status.st_mtime_ns // 1_000_000
            if changed >= since:
                day, hour, minute, second, part, session = match.groups()
                began = _fields.moment(f"{day}T{hour}:{minute}:{second}.{part}Z") or 0
                found[session] = Path(entry.path), Candidate(session, began, changed)
        return found

    # --- reading ---

    def _read(self, followed: _Followed, now: int) -> None:
        try:
            piece = followed.tail.look(followed.path.stat(follow_symlinks=False))
        except FileNotFoundError:
            return  # deleted: its process decides what is shown
        except OSError:
            self._unreadable.add(followed.path)
            return
        turn = Turn() if piece.restarted else followed.turn
        for line in piece.lines:
            if (entry := records.read(line)) is not None:
                turn = _told(turn, entry, now)
        followed.turn = replace(turn, is_partial=turn.is_partial or piece.partial)
        self._again = self._again or piece.more


def _told(turn: Turn, entry: Entry, now: int) -> Turn:
    """No time is later than when it was read."""
    return fold(turn, entry if entry.at is None else replace(entry, at=min(entry.at, now)))


def _is_enough(lines: tuple[Line, ...]) -> bool:
    """Whether a tail holds a record that decides a state."""
    undecided = (Happened.NOTHING, Happened.OTHER, Happened.EDITED)
    entries = (records.read(line) for line in reversed(lines))
    return any(entry is not None and entry.happened not in undecided for entry in entries)


def _seen(session: str, followed: _Followed, branch: str) -> Seen:
    turn, program = followed.turn, followed.program

    def verdict(life: Life, now: int, died_at: int) -> Verdict:
        return judge(turn, life, now, died_at, program.started_at)

    return Seen(
        session, followed.life, verdict, turn.heard, activity(turn, branch), _fields.basename(program.cwd),
        _fields.path(program.cwd), program.started_at, program.pid, followed.is_left,
    )  # fmt: skip
