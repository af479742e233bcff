"""The state of a session from the evidence there is: one table, each answer with the rule that gave it.

A process's own word (registry) stands above its transcript, a request above both. No clock is read
here: `now` is told. `Verdict.until` is when the same evidence will mean something else.
"""

from dataclasses import replace

from lisa_island.agents._claude_record import ASKS
from lisa_island.agents._claude_registry import Entered
from lisa_island.agents._claude_turn import Now, Turn
from lisa_island.agents._local import Verdict
from lisa_island.agents._proc import Life
from lisa_island.core.agent import Blocked, RequestKind, State
from lisa_island.core.evidence import Fact, Rank

PROBABLE_MS = 10_000
LONG_TOOL_MS = 120_000
QUIET_MS = 5 * 60_000
IDLE_MS = 30 * 60_000

REGISTRY = "registry"
TRANSCRIPT = "transcript"
PROCESS = "process"
RULE = "claude-code"

_PERMISSIONS = frozenset({"permission prompt", "sandbox request", "worker request"})


def judge(turn: Turn, entered: Entered | None, life: Life, now: int, died_at: int | None = None) -> Verdict:
    """The verdict on one session. `entered` is the registry's record that counts, if there is one."""
    if life is Life.DEAD:
        return _dead(turn, entered, died_at if died_at is not None else now)
    if life is Life.ALIVE and entered is not None and entered.status:
        return _live(turn, entered, now)
    if turn.now is Now.NOTHING and life is Life.ALIVE and entered is not None:
        return _say(State.IDLE, "not-started", "not-started", REGISTRY, Rank.LIVE, _clamp(entered.since, now))
    return _told(turn, life, now)


def _dead(turn: Turn, entered: Entered | None, at: int) -> Verdict:
    """Its process ended: never working, whatever the last line says.

    A process that leaves takes its registry's record along; one that is killed leaves it as it was, and may
    have been busy with a prompt that was never written down.
    """
    was_busy = entered is not None and entered.status == "busy" and entered.since > turn.at
    if turn.is_running or was_busy:
        return _say(State.DONE, "ended-mid-turn", "dead-open", PROCESS, Rank.PROCESS, at)
    return _say(State.DONE, "exited", "dead-closed", PROCESS, Rank.PROCESS, at)


def _live(turn: Turn, entered: Entered, now: int) -> Verdict:
    at = _clamp(max(entered.since, turn.at), now)
    match entered.status:
        case "waiting":
            return _asks(turn, entered, _clamp(entered.since, now))
        case "busy":
            return _busy(turn, entered, at)
        case "shell":
            return _live_say(State.WAITING, "background-shell", "shell", at)
        case "idle":
            return _idle(turn, at, now)
        case _:
            return _live_say(State.UNKNOWN, "new-status", "new-status", at)


def _live_say(state: State, reason: str, rule: str, at: int) -> Verdict:
    return _say(state, reason, rule, REGISTRY, Rank.LIVE, at)


def _asks(turn: Turn, entered: Entered, at: int) -> Verdict:
    kind = _request_kind(turn, entered.waits_for)
    # The wait's own time tells it from the next one; the call it is about may be written after it.
    request = Blocked(kind, f"{entered.pid}@{entered.since}", at, doing(turn) if kind in _ABOUT_CALLS else "")
    reason = _REASONS[kind]
    return Verdict(
        State.WAITING, reason, Fact(f"{RULE}.waiting-{reason}", REGISTRY, Rank.REQUEST, at), (request,)
    )


_ABOUT_CALLS = frozenset({RequestKind.PERMISSION})
_REASONS = {
    RequestKind.PERMISSION: "permission",
    RequestKind.QUESTION: "question",
    RequestKind.PLAN: "plan",
    RequestKind.EXTERNAL: "dialog",
}


def _request_kind(turn: Turn, waits_for: str) -> RequestKind:
    asked = ASKS.get(turn.calls[-1].tool) if turn.calls else None
    if asked == "plan" or waits_for == "goal proposal":
        return RequestKind.PLAN
    if waits_for in _PERMISSIONS:
        return RequestKind.PERMISSION
    return RequestKind.QUESTION if waits_for == "input needed" else RequestKind.EXTERNAL


def doing(turn: Turn) -> str:
    """The newest open call, as names: `Bash · npm`, `Edit · ring.py`."""
    if not turn.calls:
        return ""
    call = turn.calls[-1]
    return " · ".join(part for part in (call.tool, call.program or call.file) if part)


def _busy(turn: Turn, entered: Entered, at: int) -> Verdict:
    # Busy since after the failure: a prompt followed it, which is written a moment later.
    if turn.now in (Now.FAILED, Now.RETRYING) and entered.since <= turn.at:
        return _live_say(State.WORKING, "retrying", "busy-retrying", at)
    return _live_say(State.WORKING, "working", "busy-tool" if turn.calls else "busy", at)


def _idle(turn: Turn, at: int, now: int) -> Verdict:
    match turn.now:
        case Now.FAILED:
            return _live_say(State.ERROR, turn.error, "idle-error", at)
        case Now.NOTHING:
            return _live_say(State.IDLE, "not-started", "not-started", at)
    if now - at >= IDLE_MS:
        return _live_say(State.IDLE, "quiet", "idle-long", at)
    if turn.background:
        reason, rule = "background-agents", "idle-background"
    elif turn.now is Now.INTERRUPTED or turn.is_running:
        # At its prompt with a turn that never closed: it was stopped before a word came.
        reason, rule = "interrupted", "idle-interrupted"
    elif turn.now is Now.COMPACTED:
        reason, rule = "compacted", "idle-compacted"
    else:
        reason, rule = "your-turn", "idle"
    return _until(_live_say(State.WAITING, reason, rule, at), at + IDLE_MS)


def _told(turn: Turn, life: Life, now: int) -> Verdict:
    """By the transcript alone."""
    at = _clamp(turn.at, now)
    age = max(0, now - at)
    match turn.now:
        case Now.NOTHING:
            return _line(State.UNKNOWN, "nothing-decisive", "nothing", at)
        case Now.FAILED:
            return _line(State.ERROR, turn.error, "error", at)
        case Now.CALLING:
            return _calling(turn, life, at, age)
        case Now.UNFINISHED if age < PROBABLE_MS:
            return _until(_line(State.WORKING, "working", "text-open", at), at + PROBABLE_MS)
        case Now.PROMPT | Now.THINKING | Now.RESULT | Now.RETRYING:
            return _running(turn, at, age)
    return _closed(turn, at, age)


def _calling(turn: Turn, life: Life, at: int, age: int) -> Verdict:
    if age < LONG_TOOL_MS:
        return _until(_line(State.WORKING, "working", "tool", at), at + LONG_TOOL_MS)
    if life is Life.ALIVE:
        return _line(State.WORKING, "long-tool", "tool-long", at)
    if age < QUIET_MS:
        return _until(_line(State.WORKING, "long-tool", "tool-long", at), at + QUIET_MS)
    return _line(State.UNKNOWN, "quiet", "quiet", at)


def _running(turn: Turn, at: int, age: int) -> Verdict:
    if age >= QUIET_MS:
        return _line(State.UNKNOWN, "quiet", "quiet", at)
    reason = "retrying" if turn.now is Now.RETRYING else "working"
    return _until(_line(State.WORKING, reason, turn.now.value, at), at + QUIET_MS)


def _closed(turn: Turn, at: int, age: int) -> Verdict:
    if age >= IDLE_MS and turn.now is not Now.UNFINISHED:
        # Whether it still runs is not known, or it runs: either way nobody has to hurry.
        return _line(State.IDLE, "quiet", "closed-long", at)
    match turn.now:
        case Now.UNFINISHED:
            return _line(State.WAITING, "your-turn-probable", "text-probable", at)
        case Now.INTERRUPTED:
            verdict = _line(State.WAITING, "interrupted", "interrupted", at)
        case Now.COMPACTED | Now.COMMAND:
            verdict = _line(State.WAITING, "compacted", turn.now.value, at)
        case _ if turn.background:
            verdict = _line(State.WAITING, "background-agents", "closed-background", at)
        case _:
            verdict = _line(State.WAITING, "your-turn", turn.now.value, at)
    return _until(verdict, at + IDLE_MS)


def _line(state: State, reason: str, rule: str, at: int) -> Verdict:
    return _say(state, reason, f"transcript-{rule}", TRANSCRIPT, Rank.TRANSCRIPT, at)


def _say(state: State, reason: str, rule: str, signal: str, rank: Rank, at: int) -> Verdict:
    return Verdict(state, reason, Fact(f"{RULE}.{rule}", signal, rank, at))


def _until(verdict: Verdict, at: int) -> Verdict:
    return replace(verdict, until=at)


def _clamp(at: int, now: int) -> int:
    """A time of the future is skew: it counts as now."""
    return min(at, now)
