"""The state of an aider from its history and its process. Whether it waits for a yes or no is not written
before it is answered, so it is never claimed.
"""

from dataclasses import replace

from lisa_island.agents._aider_history import Now, Run
from lisa_island.agents._local import Verdict
from lisa_island.agents._proc import Life
from lisa_island.core.agent import Activity, State, Work
from lisa_island.core.evidence import Fact, Rank

QUIET_MS = 5 * 60_000
IDLE_MS = 30 * 60_000

RULE = "aider"
HISTORY = "history"
PROCESS = "process"


def judge(run: Run, trouble: str, life: Life, now: int, died_at: int) -> Verdict:
    """The verdict on one run. `trouble`: why its history does not speak for it (elsewhere, shared), or ""."""
    at = min(run.at, now)
    if life is Life.DEAD:
        is_open = run.is_open and not trouble
        reason, rule = ("ended-mid-turn", "dead-open") if is_open else ("exited", "dead-closed")
        return Verdict(State.DONE, reason, Fact(f"{RULE}.{rule}", PROCESS, Rank.PROCESS, died_at))
    if trouble:
        return _say(State.UNKNOWN, f"history-{trouble}", trouble, at)
    match run.now:
        case Now.NOTHING if run.is_headed:
            return _say(State.IDLE, "not-started", "not-started", at)
        case Now.NOTHING:
            return _say(State.UNKNOWN, "nothing-decisive", "nothing", at)
        case Now.LEFT:
            return _say(State.DONE, "exited", "left", at)
        case Now.FAILED:
            return _say(State.ERROR, run.error, "error", at)
        case Now.PROMPT | Now.GOES_ON | Now.RETRYING:
            return _running(run, at, now)
        case Now.INTERRUPTED:
            return _rest(_say(State.WAITING, "interrupted", "interrupted", at), now)
    return _rest(_say(State.WAITING, "your-turn", "answered", at), now)


def _running(run: Run, at: int, now: int) -> Verdict:
    if now - at >= QUIET_MS:
        return _say(State.UNKNOWN, "quiet", "quiet", at)
    reason = "retrying" if run.now is Now.RETRYING else "working"
    return replace(_say(State.WORKING, reason, run.now.value, at), until=at + QUIET_MS)


def _rest(verdict: Verdict, now: int) -> Verdict:
    at = verdict.fact.at
    if now - at >= IDLE_MS:
        return _say(State.IDLE, "quiet", "closed-long", at)
    return replace(verdict, until=at + IDLE_MS)


def _say(state: State, reason: str, rule: str, at: int) -> Verdict:
    return Verdict(state, reason, Fact(f"{RULE}.{rule}", HISTORY, Rank.TRANSCRIPT, at))


def activity(run: Run, branch: str = "") -> Activity:
    """What it did, for the roster."""
    work = Work(
        run.turns, run.tokens, run.is_partial, files=run.files, branch=branch, model=run.model,
        version=run.version,
    )  # fmt: skip
    return Activity(work=work)
