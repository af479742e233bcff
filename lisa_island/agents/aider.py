"""Aider's runs on this machine: read only, structure only, and only where the owner switched it on.

A run is a process; what it does stands at the end of the history in its git root. Where that is not its own
(kept elsewhere, or shared by two), nothing is claimed. Blocking parts run in the worker.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from lisa_island.agents import _fields, _proc, _running
from lisa_island.agents._aider_history import Run, fold, is_header
from lisa_island.agents._aider_state import activity, judge
from lisa_island.agents._branch import Branches, root
from lisa_island.agents._jsonl import Tail
from lisa_island.agents._local import LocalSource, Look, Seen, Verdict
from lisa_island.agents._proc import Life
from lisa_island.agents._running import Program
from lisa_island.core.ports import Context

AGENT = "aider"
NAME = "aider"
HISTORY = ".aider.chat.history.md"
MOST_RUNS = 64
HEADER_MS = 30_000
# What a line of the history may end with and still be the same; its two last spaces tell who wrote it.
TRIMS = b"\r\0"

__all__ = ["AGENT", "Config", "open_source"]

_SCRIPTS = frozenset({"aider", "aider.exe", "aider-script.py"})


class Config(BaseModel):
    """Nothing but on and off is told; where a history lies follows from where aider runs."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def open_source(_config: Config, context: Context) -> LocalSource:
    """A source that looks for the first time when it is followed."""
    chosen = context.variable("AIDER_CHAT_HISTORY_FILE").strip()
    return LocalSource(AGENT, NAME, context, lambda: AiderFiles(chosen))


def is_named(name: str) -> bool:
    """Whether a process of this name may be aider: its own, or Python's."""
    return name == "aider" or name.lower().startswith("python")


def role(argv: Sequence[str]) -> str | None:
    """ "" for aider as a script or a module of Python."""
    if argv and _bare(argv[0]) in _SCRIPTS:
        return ""
    if not argv or not _bare(argv[0]).lower().startswith("python"):
        return None
    for at, word in enumerate(argv[1:], 2):
        if word == "-m":
            return "" if list(argv[at : at + 1]) == ["aider"] else None
        if word == "-c":
            return None
        if not word.startswith("-"):
            return "" if _bare(word) in _SCRIPTS else None
    return None


def _bare(word: str) -> str:
    return word.replace("\\", "/").rpartition("/")[2]


@dataclass(slots=True)
class _Followed:
    """A process of aider that was seen alive."""

    program: Program
    path: Path | None = None
    tail: Tail | None = None
    run: Run = field(default_factory=Run)
    life: Life = Life.ALIVE
    trouble: str = ""


class AiderFiles:
    """The histories of running aiders. One call at a time."""

    def __init__(self, chosen: str) -> None:
        self._chosen = chosen
        self._followed: dict[str, _Followed] = {}
        self._branches = Branches()
        self._unreadable = 0
        self._again = False

    def look(self, now: int) -> Look:
        """Everything that changed since the last look; never raises for what a folder holds."""
        self._unreadable, self._again = 0, False
        for program in (_running.running(is_named, role) or ())[:MOST_RUNS]:
            self._followed.setdefault(_session(program), _Followed(program))
        for followed in self._followed.values():
            program = followed.program
            followed.life = _proc.life(program.pid, program.start, program.started_at)
            followed.path = self._place(followed) if followed.life is Life.ALIVE else followed.path
        for followed in self._followed.values():
            self._read(followed, now)
        return Look(
            tuple(_seen(s, f, self._branches.of(f.program.cwd), now) for s, f in self._followed.items()),
            frozenset(str(f.path.parent) for f in self._followed.values() if f.path and f.life is Life.ALIVE),
            self._unreadable, self._again, is_here=True,
        )  # fmt: skip

    def forget(self, session: str) -> None:
        """Follow it no more."""
        self._followed.pop(session, None)

    def _place(self, followed: _Followed) -> Path | None:
        """Where its history is: of the places that it may be at, the one that was written since it began."""
        cwd = followed.program.cwd
        if not cwd:
            return None
        named = [Path(cwd, self._chosen)] if self._chosen else []
        places = [*named, (root(Path(cwd)) or Path(cwd)) / HISTORY, Path(cwd, HISTORY)]
        return next((place for place in places if self._is_own(place, followed.program)), None)

    def _is_own(self, place: Path, program: Program) -> bool:
        """Every run writes its header, so a file that is older than the process is another's."""
        try:
            modified = place.stat().st_mtime_ns // 1_000_000
        except OSError:
            return False
        return modified >= program.started_at - _proc.START_SLACK_MS

    def _read(self, followed: _Followed, now: int) -> None:
        trouble = self._trouble(followed, now)
        was_shared, followed.trouble = followed.trouble == "shared", trouble
        if trouble or followed.path is None:
            followed.tail, followed.run = None, Run(at=followed.run.at)
            return
        if followed.tail is None or followed.tail.path != followed.path:
            followed.tail = Tail(followed.path, lambda lines: any(map(is_header, lines)), TRIMS)
            followed.run = Run()
            if was_shared:
                # The last run of the file may be the other's: only what comes now counts.
                self._take(followed, now)
                followed.run = Run(at=now, is_partial=True)
        self._take(followed, now)

    def _trouble(self, followed: _Followed, now: int) -> str:
        path = followed.path
        if path is None:
            return "elsewhere" if now - followed.program.started_at > HEADER_MS else ""
        sharing = [f for f in self._followed.values() if f.path == path and f.life is Life.ALIVE]
        return "shared" if len(sharing) > 1 else ""

    def _take(self, followed: _Followed, now: int) -> None:
        if followed.tail is None:
            return
        try:
            status = followed.tail.path.stat()
            piece = followed.tail.look(status)
        except FileNotFoundError:
            return
        except OSError:
            self._unreadable += 1
            return
        at = min(status.st_mtime_ns // 1_000_000, now)
        run = Run(at=at) if piece.restarted else followed.run
        for line in piece.lines:
            run = fold(run, line, at)
        followed.run = replace(run, is_partial=run.is_partial or (piece.partial and not run.is_headed))
        self._again = self._again or piece.more


def _session(program: Program) -> str:
    return f"{program.start or program.started_at}-{program.pid}"


def _seen(session: str, followed: _Followed, branch: str, now: int) -> Seen:
    run, program, trouble = followed.run, followed.program, followed.trouble
    heard = run.at or min(program.started_at, now)

    def verdict(life: Life, now: int, died_at: int) -> Verdict:
        return judge(replace(run, at=heard), trouble, life, now, died_at)

    return Seen(
        session, followed.life, verdict, heard, activity(run, branch), _fields.basename(program.cwd),
        _fields.path(program.cwd), program.started_at, program.pid,
    )  # fmt: skip
