"""Codex's threads on this machine: read only, structure only, and only where the owner switched it on.

What runs is told by the locks that its processes hold (older builds: by the files they have open), what it
does by the rollouts. Nothing that it writes tells of a pending approval.
"""

from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from lisa_island.agents import _codex_files as files
from lisa_island.agents._codex_state import doing, judge
from lisa_island.agents._fields import basename
from lisa_island.agents._local import LocalSource, Look, Seen, Verdict, counted, unproven
from lisa_island.agents._proc import Life
from lisa_island.core.agent import Activity, Step, Work
from lisa_island.core.ports import Context

AGENT = "codex"
NAME = "Codex"
MOST_STEPS = 32
# By recorded files, the newest by the program itself.
PROVEN = frozenset({"0.20.0", "0.50.0", "0.53.0", "0.77.0", "0.146.0", "0.171.0"})

__all__ = ["AGENT", "Config", "open_source"]


class Config(BaseModel):
    """Nothing but on and off is told; the folder comes from the environment."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def open_source(_config: Config, context: Context) -> LocalSource:
    """A source that looks for the first time when it is followed."""
    return LocalSource(AGENT, NAME, context, lambda: _Reader(roots(context)))


def roots(context: Context) -> tuple[Path, ...]:
    """Where the tool keeps its files: `$CODEX_HOME`, else below the home folder."""
    named = context.variable("CODEX_HOME").strip()
    home = context.variable("HOME") or context.variable("USERPROFILE")
    if named.startswith("~/") and home:
        named = str(Path(home, named[2:]))
    if named:
        return (Path(named),) if Path(named).is_absolute() else ()
    return (Path(home, ".codex"),) if home else ()


class _Reader:
    """The folders, in the shape that every kind on this machine has."""

    def __init__(self, roots: Iterable[Path]) -> None:
        self._files = files.CodexFiles(roots)

    def look(self, now: int) -> Look:
        """Everything that changed since the last look."""
        found = self._files.look(now)
        return Look(
            tuple(_seen(s) for s in found.threads), found.folders, found.unreadable, found.again,
            found.is_here,
            unverified=unproven((t.head.version for t in found.threads), PROVEN),
            unknown=counted((t.head.version, kind) for t in found.threads for kind in t.turn.unknown),
        )  # fmt: skip

    def forget(self, session: str) -> None:
        """Follow it no more, until a process opens it again."""
        self._files.forget(session)


def _seen(seen: files.Seen) -> Seen:
    def verdict(life: Life, now: int, died_at: int) -> Verdict:
        return judge(
            seen.turn, life, now, died_at,
            writer_since=seen.writer_since, is_archived=seen.is_archived, subagents=seen.subagents,
        )  # fmt: skip

    return Seen(
        seen.thread, seen.life, verdict, seen.turn.heard, _activity(seen), basename(seen.cwd), seen.cwd,
        seen.head.at, seen.pid,
    )  # fmt: skip


def _activity(seen: files.Seen) -> Activity:
    turn = seen.turn
    return Activity(
        status_text=doing(turn),
        work=Work(
            turn.turns, turn.tokens, turn.is_partial, turn.tools, turn.files, turn.program, seen.head.branch,
            turn.model, turn.policy, seen.head.version, seen.subagents,
            steps=(*turn.ended, *(Step(c.id, c.tool) for c in turn.calls[-MOST_STEPS:])),
        ),
    )  # fmt: skip
