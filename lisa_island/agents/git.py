"""Git repositories on this machine: read only, names and counts only, off until the owner switched it on.

A repository is no agent: what it shows is where work happened lately, and what is left half done in it. What
can be read is read from its own files; `git status` is asked for the rest, for the few that are shown.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from lisa_island.agents._git_head import Head, HeadReader, may_ask
from lisa_island.agents._git_repos import Found, find, roots
from lisa_island.agents._git_status import Status, ask, git
from lisa_island.agents._local import LocalSource, Look, Reader, Seen, Verdict
from lisa_island.agents._proc import Life
from lisa_island.agents._program import Program
from lisa_island.core.agent import Activity, State, Work
from lisa_island.core.digest import hex_digest
from lisa_island.core.evidence import Fact, Rank
from lisa_island.core.ports import Context
from lisa_island.core.text import clean

AGENT = "git"
NAME = "git"
WINDOW_MS = 60 * 60_000
SWEEP_MS = 120_000
COLD_MS = 30_000
SWEEP_SECONDS = 5.0
ASK_AGAIN_MS = 30_000
UNDER_WAY_MS = 10_000
MOST_ROWS = 10
MOST_ASKED = 2
# Git may work for a fiftieth of the time on one repository, a tenth while something happens in it.
REST, BUSY = 50, 10
NAME_LIMIT = 80

__all__ = ["AGENT", "Config", "Git", "open_source"]


class Config(BaseModel):
    """Nothing but on and off is told; the folders come from the environment."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def open_source(_config: Config, context: Context) -> "Git":
    """A source that looks for the first time when it is followed."""
    return Git(context)


class Git(LocalSource):
    """The source."""

    cold = SWEEP_SECONDS

    def __init__(self, context: Context) -> None:
        where = roots(context.variable)
        super().__init__(AGENT, NAME, context, lambda: GitReader(where, git(context.variable)))

    def _leave(self, reader: Reader) -> None:
        if isinstance(reader, GitReader):
            reader.close()


@dataclass(slots=True)
class _Repository:
    """One working tree, and what was last learnt of it. `why` is the word for an answer that did not come."""

    tree: Path
    reader: HeadReader
    head: Head = field(default_factory=Head)
    status: Status | None = None
    why: str = ""
    looked: int = 0
    asked: int = 0
    asked_of: Head | None = None
    took: int = 0
    newest: int = 0
    changed_at: int = 0

    @property
    def heard(self) -> int:
        """When something last happened in it, as far as that is written down."""
        return max(self.head.acted_at, self.head.under_way_since, self.changed_at)

    def is_due(self, now: int) -> bool:
        """Whether git is to be asked of it again: a large one, or one that hangs, is asked less often."""
        since = now - self.asked
        if self.asked_of is None or since < 0:
            return True
        if self.asked_of != self.head:
            return since >= BUSY * self.took
        return since >= max(ASK_AGAIN_MS, REST * self.took)

    def answered(self, found: Status | str, now: int) -> None:
        """Keep an answer, or why there was none."""
        self.status, self.why = (found, "") if isinstance(found, Status) else (None, found)
        newest = found.newest(self.tree) if isinstance(found, Status) else 0
        if newest != self.newest:  # a time of the future is skew: it counts as when it was first seen
            self.newest, self.changed_at = newest, min(newest, now)


class GitReader:
    """The repositories below some folders. One call at a time."""

    def __init__(self, where: Iterable[Path], program: Program) -> None:
        self._roots = tuple(where)
        self._program = program
        self._found = Found()
        self._repositories: dict[Path, _Repository] = {}
        self._swept: int | None = None
        self._unreadable = 0

    def look(self, now: int) -> Look:
        """Those in which something happened within the hour, newest first."""
        if self._swept is None or not 0 <= now - self._swept < SWEEP_MS:
            self._sweep(now)
        self._unreadable = self._found.unreadable
        near = [r for r in list(self._repositories.values()) if self._is_near(r, now)]
        near.sort(key=lambda r: -max(r.heard, r.head.touched))
        waiting = self._ask(near[: 2 * MOST_ROWS], now)
        shown = sorted((r for r in near if _is_fresh(r.heard, now)), key=lambda r: -r.heard)[:MOST_ROWS]
        folders = {str(r.reader.places.own) for r in shown if r.reader.places is not None}
        trouble = "absent" if any(r.why == "absent" for r in shown) else "cut" if self._found.is_cut else ""
        return Look(
            tuple(_seen(r) for r in shown), frozenset(folders), self._unreadable, waiting,
            bool(self._repositories), trouble,
        )  # fmt: skip

    def forget(self, session: str) -> None:
        """Nothing is kept of a row that left, but where it is."""

    def close(self) -> None:
        """End the program that may run."""
        self._program.stop()

    def _sweep(self, now: int) -> None:
        self._swept, self._found = now, find(self._roots)
        known = self._repositories
        self._repositories = {
            tree: known.get(tree) or _Repository(tree, HeadReader(tree)) for tree in self._found.repositories
        }

    def _is_near(self, one: _Repository, now: int) -> bool:
        """Whether something may have happened in it within the hour; those that rest are looked at seldom."""
        is_hot = _is_fresh(max(one.heard, one.head.touched), now)
        if is_hot or not 0 <= now - one.looked < COLD_MS:
            one.looked = now
            try:
                head = one.reader.read(now)
            except OSError:
                self._unreadable += 1
                return False
            if head is None:
                del self._repositories[one.tree]
                return False
            one.head = head
        return _is_fresh(max(one.heard, one.head.touched), now)

    def _ask(self, near: list[_Repository], now: int) -> bool:
        """Ask git of a few whose answer is old; whether more wait for that."""
        due = [r for r in near if r.is_due(now)]
        due.sort(key=lambda r: r.asked)
        for one in due[:MOST_ASKED]:
            one.asked, one.asked_of = now, one.head
            began = time.monotonic()
            one.answered(self._answer(one), now)
            one.took = round((time.monotonic() - began) * 1000)
        return len(due) > MOST_ASKED

    def _answer(self, one: _Repository) -> Status | str:
        try:
            if one.reader.places is None or not may_ask(one.reader.places):
                return "not-asked"
        except OSError:
            return "not-asked"
        return ask(self._program, one.tree)


def _is_fresh(at: int, now: int) -> bool:
    return now - at < WINDOW_MS


def _seen(one: _Repository) -> Seen:
    head, status, why = one.head, one.status, one.why

    def judged(_life: Life, now: int, _died_at: int) -> Verdict:
        return judge(head, status, why, min(one.heard, now), now)

    # The path is its name here; the digest of it is a name that tells nothing elsewhere.
    session = hex_digest(str(one.tree).encode("utf-8", "surrogateescape"))[:16]
    shown = str(one.tree).encode("utf-8", "replace").decode()
    return Seen(
        session, Life.UNKNOWN, judged, one.heard, _activity(head, status),
        clean(Path(shown).name, NAME_LIMIT), clean(shown, 400),
    )  # fmt: skip


def _activity(head: Head, status: Status | None) -> Activity:
    told = status or Status()
    return Activity(
        work=Work(
            is_partial=told.is_cut, tools=tuple(a for a in head.actions if a), files=told.names,
            branch=head.branch or told.branch, changed=told.changed + told.unmerged + told.untracked,
            ahead=told.ahead, behind=told.behind,
        )
    )  # fmt: skip


def judge(head: Head, status: Status | None, why: str, at: int, now: int) -> Verdict:
    """What a repository is. Pure."""
    if status is not None and status.unmerged:
        return _say(State.WAITING, "conflicts", "conflicts", "git-status", at)
    if head.under_way:
        since = head.under_way_since
        if now - since >= UNDER_WAY_MS:  # the usual ones are over in a moment
            return _say(State.WAITING, head.under_way, "under-way", "git-files", at)
        verdict = _rest(status, why, at)
        return Verdict(verdict.state, verdict.reason, verdict.fact, until=since + UNDER_WAY_MS)
    return _rest(status, why, at)


def _rest(status: Status | None, why: str, at: int) -> Verdict:
    if status is None:
        if why in ("refused", "late"):
            return _say(State.UNKNOWN, f"git-{why}", why, "git-status", at)
        return _say(State.IDLE, "seen", why or "unasked", "git-files", at)
    reason = "clean"
    if status.changed or status.untracked:
        reason = "changes"
    elif status.ahead or status.behind:
        reason = "diverged" if status.ahead and status.behind else "ahead" if status.ahead else "behind"
    return _say(State.IDLE, reason, reason, "git-status", at)


def _say(state: State, reason: str, rule: str, signal: str, at: int) -> Verdict:
    return Verdict(state, reason, Fact(f"git.{rule}", signal, Rank.LIVE, at))
