"""Claude Code's sessions on this machine: read only, structure only, and only where the owner switched it on.

What runs is told by its own registry, its transcripts and its processes. Nothing here can be answered: a
permission is shown, with the terminal as the place to decide it.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from lisa_island.agents import _claude_files as files
from lisa_island.agents._claude_state import doing, judge
from lisa_island.agents._claude_turn import Now, Turn
from lisa_island.agents._fields import basename
from lisa_island.agents._local import LocalSource, Look, Seen, Verdict, counted, unproven
from lisa_island.agents._proc import Life
from lisa_island.core.agent import Activity, Step, Work
from lisa_island.core.ports import Context

AGENT = "claude-code"
NAME = "Claude Code"
MOST_STEPS = 32
CUT_OFF_HOLD_MS = 2_000
# Those of the recorded files (README names them too); others are followed by the same rules.
PROVEN = frozenset({"1.0.60", "1.0.98", "2.1.39", "2.1.332"})

__all__ = ["AGENT", "Config", "open_source"]


class Config(BaseModel):
    """Nothing but on and off is told; the folders come from the environment."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def open_source(_config: Config, context: Context) -> LocalSource:
    """A source that looks for the first time when it is followed."""
    return LocalSource(AGENT, NAME, context, lambda: _Reader(roots(context)))


def roots(context: Context) -> tuple[Path, ...]:
    """Where the tool keeps its files: its own variable (several with commas), else below the home folder."""
    named = [part.strip() for part in context.variable("CLAUDE_CONFIG_DIR").split(",") if part.strip()]
    home = context.variable("HOME") or context.variable("USERPROFILE")
    if not named:
        return (Path(home, ".claude"),) if home else ()
    expanded = [str(Path(home)) + n[1:] if home and n.startswith("~/") else n for n in named]
    return tuple(dict.fromkeys(Path(n) for n in expanded if Path(n).is_absolute()))


class _Reader:
    """The folders, in the shape that every kind on this machine has."""

    def __init__(self, roots: Iterable[Path]) -> None:
        self._files = files.ClaudeFiles(roots)

    def look(self, now: int) -> Look:
        """Everything that changed since the last look."""
        found = self._files.look(now)
        return Look(
            tuple(_seen(s) for s in found.sessions), found.folders, found.unreadable, found.again,
            found.is_here, unverified=_unverified(found.sessions), unknown=_unknown(found.sessions),
        )  # fmt: skip

    def forget(self, session: str) -> None:
        """Follow it no more, until it has a process again."""
        self._files.forget(session)


def _unverified(sessions: Iterable[files.Seen]) -> tuple[str, ...]:
    found = {s.turn.version or (s.entered.version if s.entered else "") for s in sessions}
    return unproven(found, PROVEN)


def _unknown(sessions: Iterable[files.Seen]) -> tuple[tuple[str, int], ...]:
    """How many kinds of records each version has that are not known here. What they hold is not looked at."""
    return counted(pair for s in sessions for pair in s.turn.unknown)


def _seen(seen: files.Seen) -> Seen:
    cwd = (seen.entered.cwd if seen.entered else "") or seen.turn.cwd

    def verdict(life: Life, now: int, died_at: int) -> Verdict:
        found = judge(seen.turn, seen.entered, life, now, died_at)
        return replace(found, hold_ms=CUT_OFF_HOLD_MS) if seen.turn.now is Now.CUT_OFF else found

    return Seen(
        seen.session, seen.life, verdict, seen.turn.heard, _activity(seen.turn), basename(cwd), cwd,
        seen.entered.started_at if seen.entered else None, seen.pid, seen.is_left,
    )  # fmt: skip


def _activity(turn: Turn) -> Activity:
    return Activity(
        status_text=doing(turn),
        work=Work(
            turn.turns, turn.tokens, turn.is_partial, turn.tools, turn.files, turn.program, turn.branch,
            turn.model, turn.mode, turn.version, turn.subagents, turn.background,
            steps=(*turn.ended, *(Step(c.id, c.tool) for c in turn.calls[-MOST_STEPS:])),
        ),
    )  # fmt: skip
