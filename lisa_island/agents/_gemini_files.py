"""Finds which of Gemini CLI's chats run, by its processes, and reads those. Blocking: for the worker alone.

Without a process of it no file is opened. Of what lies in its folder only the list of projects, the marks of
projects and the chats themselves are opened.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from lisa_island.agents import _fields, _proc, _running
from lisa_island.agents import _gemini_record as records
from lisa_island.agents._branch import Branches
from lisa_island.agents._folders import listing
from lisa_island.agents._gemini_record import Entry
from lisa_island.agents._gemini_turn import QUIET_MS, Now, Turn, activity, fold, judge
from lisa_island.agents._jsonl import Line, Tail, read_small
from lisa_island.agents._local import Look, Seen, Verdict
from lisa_island.agents._proc import Life
from lisa_island.agents._running import Candidate, Program

PROJECTS_LIMIT = 1024 * 1024
ROOT_LIMIT = 4 * 1024
CHAT_LIMIT = 8 * 1024 * 1024
MOST_FOLDERS = 500
MOST_CHATS = 2_000

_CHAT = re.compile(r"(session-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-([0-9a-f]{8}))\.jsonl?")
_SLUG = re.compile(r"[\w.-]{1,128}")
NAMES = frozenset({"node", "nodejs", "bun", "gemini", "MainThread", "node-MainThread"})
_NO_SESSION = frozenset(
    {
        "mcp", "extensions", "extension", "skills", "skill", "hooks", "--version", "-v", "--help", "-h",
        "--list-sessions", "--list-extensions", "-l",
    }
)  # fmt: skip


def role(argv: Sequence[str]) -> str | None:
    """ "" for a process of Gemini CLI that may hold a session."""
    for at, word in enumerate(argv):
        bare = word.replace("\\", "/")
        is_its = bare.rpartition("/")[2] in ("gemini", "gemini.js") or "/@google/gemini-cli/" in bare
        if is_its and not word.startswith("-"):
            return None if _NO_SESSION & set(argv[at + 1 : at + 2]) else ""
        if at and not word.startswith("-"):
            return None
    return None


@dataclass(slots=True)
class _Followed:
    """A chat that had a process once."""

    path: Path
    program: Program
    tail: Tail | None = None
    stamp: tuple[int, int, int] | None = None
    turn: Turn = field(default_factory=Turn)
    life: Life = Life.ALIVE
    is_left: bool = False


class GeminiFiles:
    """Gemini CLI's folder. One call at a time."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._followed: dict[str, _Followed] = {}
        self._projects: dict[str, Path] = {}
        self._missed: dict[str, int] = {}
        self._spoken: dict[Path, tuple[tuple[int, int, int], int]] = {}
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
            followed = self._followed.setdefault(session, _Followed(path, program))
            if followed.program.pid != program.pid and followed.turn.is_open:
                # The one whose turn that was is gone, however soon another took the chat up again.
                followed.turn = replace(followed.turn, now=Now.INTERRUPTED)
            followed.program, followed.is_left = program, False
            if followed.path != path:  # `.json` that went on as `.jsonl`
                followed.path, followed.tail, followed.turn = path, None, Turn()
        for session, followed in self._followed.items():
            program = followed.program
            followed.life = _proc.life(program.pid, program.start, program.started_at)
            followed.is_left = session not in pairs and followed.life is Life.ALIVE and program.pid in taken
            self._read(followed, now)
        return Look(
            tuple(_seen(s, f, self._branches.of(f.program.cwd)) for s, f in self._followed.items()),
            frozenset(str(f.path.parent) for f in self._followed.values() if f.life is Life.ALIVE),
            len(self._unreadable), self._again, (self._root / "tmp").is_dir(),
        )  # fmt: skip

    def forget(self, session: str) -> None:
        """Follow it no more, until it has a process again."""
        self._followed.pop(session, None)

    # --- which chat is which process's ---

    def _pairs(self, programs: Sequence[Program]) -> dict[str, tuple[Path, Program]]:
        known = {session: f.program.pid for session, f in self._followed.items()}
        found: dict[str, tuple[Path, Program]] = {}
        for cwd in {p.cwd for p in programs if p.cwd}:
            project = self._project(cwd)
            if project is None:
                continue
            mine = [p for p in programs if p.cwd == cwd]
            since = min(p.started_at for p in mine) - _proc.START_SLACK_MS
            chats = self._chats(project / "chats", since)
            paired = _running.pair(mine, (candidate for _, candidate in chats.values()), known)
            found |= {session: (chats[session][0], program) for session, program in paired.items()}
        return found

    def _chats(self, place: Path, since: int) -> dict[str, tuple[Path, Candidate]]:
        """By name without ending; where both generations lie there, the newer one counts."""
        found: dict[str, tuple[Path, Candidate]] = {}
        for entry in sorted(listing(place, MOST_CHATS, self._unreadable), key=lambda e: e.name):
            match = _CHAT.fullmatch(entry.name)
            if match is None:
                continue
            began = _fields.moment(f"{match[2]}:{match[3]}:59.999Z") or 0
            try:
                status = entry.stat(follow_symlinks=False)
                if status.st_mtime_ns // 1_000_000 < since:
                    continue
                spoke = self._spoke(match[1], Path(entry.path), status)
            except OSError:
                self._unreadable.add(Path(entry.path))
                continue
            found[match[1]] = Path(entry.path), Candidate(match[1], began, spoke)
        return found

    def _spoke(self, session: str, path: Path, status: os.stat_result) -> int:
        """When its newest message was written, or it began. A start touches the chats of before it, too."""
        followed = self._followed.get(session)
        if followed is not None and followed.path == path and followed.turn.at:
            return followed.turn.at
        stamp = status.st_ino, status.st_size, status.st_mtime_ns
        known = self._spoken.get(path)
        if known is None or known[0] != stamp:
            if len(self._spoken) >= MOST_CHATS:
                self._spoken.clear()
            if path.suffix == ".json":
                entries = records.read_whole(read_small(path, CHAT_LIMIT) or b"")
            else:
                lines = Tail(path, _is_enough).look(status).lines
                entries = tuple(entry for line in lines if (entry := records.read(line)) is not None)
            turn = Turn()
            for entry in entries:
                turn = fold(turn, entry)
            known = self._spoken[path] = stamp, turn.at or turn.heard
        return known[1]

    def _project(self, cwd: str) -> Path | None:
        """The project's folder: by the tool's own list, by the hash of before, by the mark inside."""
        known = self._projects.get(cwd)
        if known is not None and known.is_dir():
            return known
        try:
            changed = (self._root / "tmp").stat().st_mtime_ns
        except OSError:
            return None
        if self._missed.get(cwd) == changed:  # no project has come since it was looked for
            return None
        found = next((place for place in self._places(cwd) if place.is_dir()), None)
        if found is None:
            self._missed[cwd] = changed
        else:
            self._projects[cwd] = found
        return found

    def _places(self, cwd: str) -> Iterator[Path]:
        tmp = self._root / "tmp"
        slug = self._named().get(cwd)
        if isinstance(slug, str) and _SLUG.fullmatch(slug) and slug.strip("."):
            yield tmp / slug
        yield tmp / hashlib.sha256(cwd.encode("utf-8", "surrogateescape")).hexdigest()
        for entry in listing(tmp, MOST_FOLDERS, self._unreadable):
            if self._small(Path(entry.path) / ".project_root", ROOT_LIMIT).strip() == os.fsencode(cwd):
                yield Path(entry.path)

    def _named(self) -> dict[str, object]:
        try:
            found = json.loads(self._small(self._root / "projects.json", PROJECTS_LIMIT) or b"{}")
        except (ValueError, RecursionError):
            return {}
        return _fields.mapping(_fields.mapping(found).get("projects"))

    def _small(self, path: Path, limit: int) -> bytes:
        try:
            return read_small(path, limit) or b""
        except (FileNotFoundError, NotADirectoryError):
            return b""
        except OSError:
            self._unreadable.add(path)
            return b""

    # --- reading ---

    def _read(self, followed: _Followed, now: int) -> None:
        try:
            if followed.path.suffix == ".json":
                self._whole(followed, now)
            else:
                self._lines(followed, now)
        except FileNotFoundError:
            return  # an empty session takes its file along
        except OSError:
            self._unreadable.add(followed.path)
        if followed.turn.is_open:
            followed.turn = replace(followed.turn, subagents=self._subagents(followed, now))

    def _lines(self, followed: _Followed, now: int) -> None:
        if followed.tail is None:
            followed.tail = Tail(followed.path, _is_enough)
        piece = followed.tail.look(followed.path.stat(follow_symlinks=False))
        turn = Turn() if piece.restarted else followed.turn
        for line in piece.lines:
            if (entry := records.read(line)) is not None:
                turn = _told(turn, entry, now)
        followed.turn = replace(turn, is_partial=turn.is_partial or piece.partial)
        self._again = self._again or piece.more

    def _whole(self, followed: _Followed, now: int) -> None:
        status = followed.path.stat(follow_symlinks=False)
        stamp = status.st_ino, status.st_size, status.st_mtime_ns
        if stamp == followed.stamp:
            return
        data = read_small(followed.path, CHAT_LIMIT)
        entries = records.read_whole(data) if data is not None else ()
        if data is not None and not entries:
            self._again = True  # half written: what was known holds for a moment more
            return
        followed.stamp, turn = stamp, Turn(is_partial=data is None)
        for entry in entries:
            turn = _told(turn, entry, now)
        followed.turn = turn

    def _subagents(self, followed: _Followed, now: int) -> int:
        """How many of its subagents' chats grew while this turn is open; they are listed, never opened."""
        match = _CHAT.fullmatch(followed.path.name)
        since = max(followed.turn.at, now - QUIET_MS)
        count = 0
        for place in listing(followed.path.parent, MOST_CHATS, self._unreadable) if match else ():
            if match and place.name.startswith(match[4]) and place.is_dir(follow_symlinks=False):
                for entry in listing(Path(place.path), MOST_FOLDERS, self._unreadable):
                    try:
                        count += entry.stat(follow_symlinks=False).st_mtime_ns // 1_000_000 >= since
                    except OSError:
                        continue
        return count


def _told(turn: Turn, entry: Entry, now: int) -> Turn:
    """No time is later than when it was read."""
    return fold(turn, entry if entry.at is None else replace(entry, at=min(entry.at, now)))


def _is_enough(lines: tuple[Line, ...]) -> bool:
    """Whether a tail holds a record that decides a state."""
    undecided = (records.Happened.NOTHING, records.Happened.OTHER)
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
