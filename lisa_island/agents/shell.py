"""Shells on this machine by their histories: the newest program's name and its time, and nothing else.

A history says neither how a command ended nor whether it runs still: nothing of that is claimed. Only names
of programs that are found on this machine are kept, for what else begins a line may be a password.
"""

import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from lisa_island.agents._jsonl import Tail
from lisa_island.agents._local import LocalSource, Look, Seen, Verdict
from lisa_island.agents._proc import Life
from lisa_island.agents._shell_history import SHELLS, Command, Shell
from lisa_island.core.agent import Activity, State, Work
from lisa_island.core.evidence import Fact, Rank
from lisa_island.core.ports import Context

AGENT = "shell"
NAME = "Shell"
WINDOW_MS = 30 * 60_000
MOST_PROGRAMS = 6
SWEEP_SECONDS = 5.0
MOST_KNOWN = 1_000

BUILTINS = frozenset(
    {
        "alias",
        "bg",
        "echo",
        "eval",
        "exit",
        "export",
        "fg",
        "history",
        "jobs",
        "logout",
        "popd",
        "pushd",
        "pwd",
    }
    | {"read", "set", "source", "test", "trap", "type", "ulimit", "umask", "unset", "wait", "which"}
)
# Where programs are that a desktop's own PATH often does not name.
MORE_PATHS = (
    *(".local/bin", "bin", ".cargo/bin", "go/bin", ".bun/bin", ".deno/bin", ".npm-global/bin"),
    *("/usr/local/bin", "/opt/homebrew/bin", "/usr/bin", "/bin"),
)

__all__ = ["AGENT", "Config", "ShellSource", "open_source"]


class Config(BaseModel):
    """Nothing but on and off is told; the files come from the environment."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def open_source(_config: Config, context: Context) -> "ShellSource":
    """A source that looks for the first time when it is followed."""
    variable = context.variable
    return ShellSource(AGENT, NAME, context, lambda: ShellReader(histories(variable), Programs(variable)))


class ShellSource(LocalSource):
    """The source."""

    cold = SWEEP_SECONDS


def histories(variable: Callable[[str], str]) -> tuple[tuple[str, Path], ...]:
    """(shell, file) for each place where a history may be."""
    home = _home(variable)
    data = Path(variable("XDG_DATA_HOME") or home / ".local/share")
    own, mine = variable("HISTFILE"), Path(variable("SHELL")).name
    found = (
        ("bash", Path(own) if own and mine == "bash" else home / ".bash_history"),
        ("zsh", Path(own) if own and mine == "zsh" else Path(variable("ZDOTDIR") or home, ".zsh_history")),
        ("zsh", home / ".zhistory"),
        ("fish", data / "fish/fish_history"),
        ("powershell", data / "powershell/PSReadLine" / _POWERSHELL),
        ("powershell", Path(variable("APPDATA"), "Microsoft/Windows/PowerShell/PSReadLine", _POWERSHELL)),
    )
    return tuple((name, path) for name, path in found if path.is_absolute())


def _home(variable: Callable[[str], str]) -> Path:
    return Path(variable("HOME") or variable("USERPROFILE"))


_POWERSHELL = "ConsoleHost_history.txt"


class Programs:
    """Which names are those of programs of this machine."""

    def __init__(self, variable: Callable[[str], str]) -> None:
        more = (path for place in MORE_PATHS if (path := _home(variable) / place).is_absolute())
        self._path = os.pathsep.join(part for part in (variable("PATH"), *map(str, more)) if part)
        self._known: dict[str, bool] = {}

    def __contains__(self, name: str) -> bool:
        if name in BUILTINS:
            return True
        if name not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[name] = shutil.which(name, path=self._path) is not None
        return self._known[name]


@dataclass(slots=True)
class _History:
    """One file. `at` is the time of its newest command, `is_timed` whether that stands in the file."""

    shell: str
    path: Path
    reader: Shell
    tail: Tail | None = None
    at: int = 0
    is_timed: bool = False
    programs: tuple[str, ...] = ()
    newest: str = ""


class ShellReader:
    """The histories of one home. One call at a time."""

    def __init__(self, files: Iterable[tuple[str, Path]], programs: Programs) -> None:
        self._histories = [_History(name, path, SHELLS[name]()) for name, path in files]
        self._programs = programs

    def look(self, now: int) -> Look:
        """The shells that were given a command within half an hour; a history that rests is not opened."""
        unreadable, here = 0, False
        for history in self._histories:
            try:
                here = self._read(history, now) or here
            except OSError:
                unreadable += 1
                here = True
        newest: dict[str, _History] = {}
        for history in self._histories:
            known = newest.get(history.shell)
            if now - history.at < WINDOW_MS and (known is None or known.at < history.at):
                newest[history.shell] = history
        return Look(tuple(_seen(h) for h in newest.values()), unreadable=unreadable, is_here=here)

    def forget(self, session: str) -> None:
        """Nothing is kept of a row that left."""

    def _read(self, history: _History, now: int) -> bool:
        """Whether the file is there. Raises OSError for one that cannot be read."""
        path = Path(os.path.realpath(history.path))  # a home's files may be links to where they are kept
        try:
            status = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        modified = status.st_mtime_ns // 1_000_000
        if now - modified >= WINDOW_MS:
            return True
        if history.tail is None or history.tail.path != path:
            history.tail, history.reader = Tail(path), SHELLS[history.shell]()
        piece = history.tail.look(status)
        if piece.restarted:
            history.reader = SHELLS[history.shell]()
        for command in list(history.reader.read(piece.lines))[-MOST_PROGRAMS:]:
            self._given(history, command, min(modified, now), now)
        return True

    def _given(self, history: _History, command: Command, modified: int, now: int) -> None:
        history.is_timed = command.at > 0
        history.at = min(command.at, now) if command.at else modified
        history.newest = command.program if command.program in self._programs else ""
        if history.newest and history.newest not in history.programs[-1:]:
            history.programs = (*history.programs, history.newest)[-MOST_PROGRAMS:]


def _seen(history: _History) -> Seen:
    rule = "shell.timed" if history.is_timed else "shell.untimed"
    verdict = Verdict(State.IDLE, "history", Fact(rule, "history", Rank.TRANSCRIPT, history.at))
    work = Work(tools=history.programs, program=history.newest)
    return Seen(
        history.shell, Life.UNKNOWN, lambda _life, _now, _died_at: verdict, history.at,
        Activity(status_text=history.newest, work=work), history.shell,
    )  # fmt: skip
