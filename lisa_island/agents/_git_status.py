"""Asks `git status` without a write, a program of the repository's or a connection, and reads its answer.

Of the changed files only base names are kept, a few of them, and the time of the newest.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lisa_island.agents._git_head import modified
from lisa_island.agents._program import Ended, Program, Ran
from lisa_island.core.text import clean

LIMIT = 3.0
MOST_NAMES = 10
MOST_STATS = 50
NAME_LIMIT = 80
BRANCH_LIMIT = 120

ARGS = (
    "--no-optional-locks",
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never"),
    *("status", "--porcelain=v2", "--branch", "-z", "--no-renames", "--ignore-submodules=all"),
)
ENVIRON = {
    "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_PAGER": "cat",
    "LC_ALL": "C",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Status:
    """Counts of files; `is_cut`: there are more. `ahead` and `behind` count commits against the upstream.
    `paths` are some of the changed files, and are never shown.
    """

    branch: str = ""
    changed: int = 0
    unmerged: int = 0
    untracked: int = 0
    ahead: int = 0
    behind: int = 0
    names: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    is_cut: bool = False

    def newest(self, tree: Path) -> int:
        """When the newest of the changed files was changed, as far as they were looked at."""
        return max((modified(tree / path) for path in self.paths), default=0)


def ask(program: Program, tree: Path) -> Status | str:
    """What git says of a working tree, or the word for why it says nothing."""
    ran = program.run(*ARGS, limit=LIMIT, cwd=str(tree))
    if ran.is_good:
        return read(ran.output, ran.is_cut)
    return _why(ran)


def _why(ran: Ran) -> str:
    match ran.ended:
        case Ended.ABSENT:
            return "absent"
        case Ended.LATE:
            return "late"
        case _:
            return "refused"


def git(variable: Callable[[str], str]) -> Program:
    """The owner's git."""
    return Program("git", variable, ENVIRON)


def read(data: bytes, is_cut: bool = False) -> Status:
    """Read `--porcelain=v2 --branch -z`. Lines that are new to us are skipped; never raises."""
    parts = data.split(b"\0")
    if is_cut or (parts and parts[-1]):
        parts = parts[:-1]  # half a line
    branch, ahead, behind = "", 0, 0
    counts = {"changed": 0, "unmerged": 0, "untracked": 0}
    paths: list[str] = []
    at = 0
    while at < len(parts):
        line, at = parts[at], at + 1
        kind, _, rest = line.partition(b" ")
        match kind:
            case b"#":
                name, _, value = rest.partition(b" ")
                if name == b"branch.head":
                    branch = _branch(value)
                elif name == b"branch.ab":
                    ahead, behind = _pair(value)
            case b"1" | b"2" | b"u" | b"?":
                which = {b"u": "unmerged", b"?": "untracked"}.get(kind, "changed")
                counts[which] += 1
                if len(paths) < MOST_STATS and (path := _path(kind, rest)):
                    paths.append(path)
                at += kind == b"2"  # where it came from
    names = tuple(dict.fromkeys(n for p in paths if (n := _name(p))))[:MOST_NAMES]
    return Status(
        branch, **counts, ahead=ahead, behind=behind, names=names, paths=tuple(paths), is_cut=is_cut
    )


def _path(kind: bytes, rest: bytes) -> str:
    """The path at the end of a line: so many fields come before it."""
    before = {b"1": 7, b"2": 8, b"u": 9, b"?": 0}[kind]
    fields = rest.split(b" ", before)
    return fields[before].decode("utf-8", "surrogateescape") if len(fields) > before else ""


def _name(path: str) -> str:
    return clean(path.rstrip("/").rpartition("/")[2].encode("utf-8", "replace").decode(), NAME_LIMIT)


def _branch(value: bytes) -> str:
    shown = clean(value.decode("utf-8", "replace"), BRANCH_LIMIT)
    return "" if shown == "(detached)" else shown


def _pair(value: bytes) -> tuple[int, int]:
    found = {part[:1]: part[1:] for part in value.split() if len(part) < 12 and part[1:].isdigit()}
    return int(found.get(b"+", 0)), int(found.get(b"-", 0))
