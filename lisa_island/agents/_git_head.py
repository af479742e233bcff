"""What a repository's own files say: branch, newest action, what is under way. Starts no program.

Of the log of actions only the time and the action's own word are taken: names, addresses and messages stand
on the same line and are not. Blocking: for the worker alone.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from lisa_island.agents._branch import Places, branch, places
from lisa_island.agents._jsonl import Line, Tail, read_small

CONFIG_LIMIT = 256 * 1024
ACTIONS = 6

_AT = re.compile(rb"> (\d{1,11}) [+-]\d{4}$")
_WORDS = frozenset(
    {"commit", "checkout", "clone", "merge", "rebase", "pull", "reset", "cherry-pick", "revert", "am"}
    | {"branch", "initial", "switch", "restore"}
)
# The file that stands in the git folder while something is under way, and the word for it.
_UNDER_WAY = (
    ("rebase-merge", "rebasing"),
    ("rebase-apply", "rebasing"),
    ("MERGE_HEAD", "merging"),
    ("CHERRY_PICK_HEAD", "cherry-picking"),
    ("REVERT_HEAD", "reverting"),
    ("BISECT_LOG", "bisecting"),
)
# A repository's own settings that make `git status` start a program (also by fetching what is missing), read
# other settings, or look at another folder.
_STARTS_PROGRAMS = re.compile(
    rb"\[\s*(?:filter|include|includeif|protocol)\b|\b(?:fsmonitor|promisor|partialclone|uploadpack|worktree)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Head:
    """`branch` is "" where the files do not say it; `acted_at` is epoch ms, 0 for never. `under_way` is "" or
    a word, since `under_way_since`. `touched` only says that it is worth a closer look, and may lie ahead.
    """

    branch: str = ""
    acted_at: int = 0
    actions: tuple[str, ...] = ()
    under_way: str = ""
    under_way_since: int = 0
    touched: int = 0


class HeadReader:
    """One working tree. One call at a time."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        self._tail: Tail | None = None
        self._head = Head()
        self._marked = 0
        self.places: Places | None = None

    def read(self, now: int) -> Head | None:
        """What its files say now; None for what is no repository any more. Raises OSError for unreadable."""
        self.places = places(self._tree)
        if self.places is None:
            return None
        head = replace(self._head, branch=branch(self.places.own / "HEAD"))
        head = self._acted(head, self.places.own / "logs" / "HEAD", now)
        marked, word = _under_way(self.places.own)
        # A mark with a time of the future is skew: it stands since it was seen.
        since = head.under_way_since if marked == self._marked else min(marked, now)
        self._marked = marked
        touched = max(modified(self.places.own / "index"), modified(self.places.own / "HEAD"))
        self._head = replace(head, under_way=word, under_way_since=since, touched=touched)
        return self._head

    def _acted(self, head: Head, log: Path, now: int) -> Head:
        if self._tail is None or self._tail.path != log:
            self._tail = Tail(log)
        try:
            piece = self._tail.look(log.stat(follow_symlinks=False))
        except FileNotFoundError:
            return replace(head, acted_at=0, actions=())
        if piece.restarted:
            head = replace(head, acted_at=0, actions=())
        for line in piece.lines[-ACTIONS:]:
            at, word = action(line)
            if at:
                actions = (*head.actions, word)[-ACTIONS:] if word else head.actions
                head = replace(head, acted_at=min(at, now), actions=actions)
        return head


def action(line: Line) -> tuple[int, str]:
    """Time (epoch ms, 0 for none) and word of one line of the log of actions."""
    who, _, what = line.data.partition(b"\t")
    at = _AT.search(who)
    if at is None or line.tail:
        return 0, ""
    word = re.split(rb"[^a-z-]", what, maxsplit=1)[0].decode("ascii", "replace")
    return int(at[1]) * 1000, "commit" if word == "initial" else word if word in _WORDS else ""


def _under_way(own: Path) -> tuple[int, str]:
    for name, word in _UNDER_WAY:
        if at := modified(own / name):
            return at, word
    return 0, ""


def modified(path: Path) -> int:
    """When a file was last changed (epoch ms), 0 where there is none."""
    try:
        return path.stat(follow_symlinks=False).st_mtime_ns // 1_000_000
    except OSError:
        return 0


def may_ask(found: Places) -> bool:
    """Whether no setting of the repository's own makes `git status` start a program. Raises OSError."""
    for path in {found.common / "config", found.own / "config.worktree", found.common / "config.worktree"}:
        try:
            data = read_small(path, CONFIG_LIMIT)
        except FileNotFoundError:
            continue
        if data is None or _STARTS_PROGRAMS.search(data):
            return False
    return True
