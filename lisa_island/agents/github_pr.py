"""The owner's own pull requests on GitHub, asked of the owner's own `gh`: read only, off until switched on.

Nothing is asked but by `gh`, which holds the sign-in. That one is no longer in an answer proves nothing: it
leaves with its window, and only the site's own word makes it merged or closed.
"""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from lisa_island.agents._github_pulls import Pull, ask, gh
from lisa_island.agents._local import LocalSource, Look, Reader, Seen, Verdict
from lisa_island.agents._proc import Life
from lisa_island.agents._program import Program
from lisa_island.core.agent import Activity, State, Work
from lisa_island.core.backoff import delay
from lisa_island.core.evidence import Fact, Rank
from lisa_island.core.ports import Context

AGENT = "github-pr"
NAME = "GitHub"
EVERY_SECONDS = 90.0
LONGEST_SECONDS = 900.0
OPEN_WINDOW_MS = 14 * 24 * 60 * 60_000
OVER_WINDOW_MS = 3 * 60 * 60_000
SIGNAL = "gh"

__all__ = ["AGENT", "Config", "GithubPr", "open_source"]


class Config(BaseModel):
    """Nothing but on and off is told; the sign-in is gh's own."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def open_source(_config: Config, context: Context) -> "GithubPr":
    """A source that asks for the first time when it is followed."""
    return GithubPr(context)


class GithubPr(LocalSource):
    """The source."""

    def __init__(self, context: Context) -> None:
        super().__init__(AGENT, NAME, context, lambda: PullReader(gh(context.variable)))

    def _wait(self, look: Look) -> float:
        # Nothing but the next question changes what is known.
        return look.pause if isinstance(look, _Answer) else EVERY_SECONDS

    def _leave(self, reader: Reader) -> None:
        if isinstance(reader, PullReader):
            reader.close()


@dataclass(frozen=True, slots=True)
class _Answer(Look):
    """A look that says when to look next."""

    pause: float = EVERY_SECONDS


class PullReader:
    """What gh says, and what it said when it says nothing. One call at a time."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._pulls: tuple[Pull, ...] = ()
        self._failures = 0

    def look(self, now: int) -> Look:
        """Ask once. What was known stays where no answer comes."""
        found = ask(self._program)
        why = found if isinstance(found, str) else ""
        if not isinstance(found, str):
            self._pulls = found
        self._failures = self._failures + 1 if why else 0
        shown = tuple(_seen(pull, now) for pull in self._pulls if _is_shown(pull, now))
        pause = max(
            EVERY_SECONDS, delay(self._failures, first=EVERY_SECONDS, longest=LONGEST_SECONDS, jitter=1.0)
        )
        return _Answer(shown, is_here=True, trouble=why, is_lost=bool(why), pause=pause)

    def forget(self, session: str) -> None:
        """Nothing is kept of a row that left."""

    def close(self) -> None:
        """End the program that may run."""
        self._program.stop()


def _is_shown(pull: Pull, now: int) -> bool:
    window = OVER_WINDOW_MS if pull.state in ("MERGED", "CLOSED") else OPEN_WINDOW_MS
    return now - pull.updated_at < window


def _seen(pull: Pull, now: int) -> Seen:
    verdict = judge(pull, min(pull.updated_at, now))
    # It lives at its site as long as that says so, whatever its age.
    return Seen(
        pull.id, Life.ALIVE, lambda _life, _now, _died_at: verdict, min(pull.updated_at, now),
        Activity(work=Work(branch=pull.branch)), f"{pull.repository}#{pull.number}",
        started_at=pull.created_at,
    )  # fmt: skip


def judge(pull: Pull, at: int) -> Verdict:
    """What a pull request is (contract local-agents.md, 7). Pure."""
    match pull.state:
        case "MERGED":
            return _say(State.DONE, "merged", at)
        case "CLOSED":
            return _say(State.DONE, "closed", at)
        case "OPEN" if pull.is_draft:
            return _say(State.WORKING, "draft", at)
        case "OPEN":
            return _open(pull, at)
        case _:
            return _say(State.UNKNOWN, "new-status", at)


def _open(pull: Pull, at: int) -> Verdict:
    match pull.checks:
        case "FAILURE" | "ERROR":
            return _say(State.ERROR, "checks-failed", at)
        case "PENDING" | "EXPECTED":
            return _say(State.WORKING, "checks-running", at)
        case "SUCCESS" | "":
            return _say(State.WAITING, _waits_for(pull), at)
        case _:
            return _say(State.UNKNOWN, "new-status", at)


def _waits_for(pull: Pull) -> str:
    if pull.mergeable == "CONFLICTING":
        return "merge-conflicts"
    return {"APPROVED": "approved", "CHANGES_REQUESTED": "changes-requested"}.get(pull.review, "review")


def _say(state: State, reason: str, at: int) -> Verdict:
    return Verdict(state, reason, Fact(f"github-pr.{reason}", SIGNAL, Rank.LIVE, at), hold_ms=0)
