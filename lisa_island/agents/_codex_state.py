"""The state of a Codex thread from the evidence there is: one table, each answer with the rule that gave it.

Nothing that Codex writes says that it waits for an approval, so none is claimed: at most "maybe", which is no
request and needs nobody. No clock is read here: `now` is told.
"""

from dataclasses import replace

from lisa_island.agents._codex_record import ASKS
from lisa_island.agents._codex_turn import Now, Turn
from lisa_island.agents._local import Verdict
from lisa_island.agents._proc import START_SLACK_MS, Life
from lisa_island.core.agent import Blocked, RequestKind, State
from lisa_island.core.evidence import Fact, Rank

MAYBE_MS = 5_000
ONLY_SET_MS = 5_000
PROBABLE_MS = 10_000
LONG_TOOL_MS = 120_000
QUIET_MS = 5 * 60_000
QUIET_CALL_MS = 10 * 60_000
IDLE_MS = 30 * 60_000

LOCK = "lock"
TRANSCRIPT = "transcript"
PROCESS = "process"
RULE = "codex"


def judge(
    turn: Turn,
    life: Life,
    now: int,
    died_at: int,
    *,
    writer_since: int | None = None,
    is_archived: bool = False,
    subagents: int = 0,
) -> Verdict:
    """The verdict on one thread. `writer_since` is when the process began that has it open now (epoch ms);
    `subagents` are threads below it that work.
    """
    at = min(turn.at, now)
    if is_archived:
        return _say(State.DONE, "archived", "archived", at)
    if turn.now is Now.FAILED:
        return _say(State.ERROR, turn.error, "error", at)
    if life is Life.DEAD:
        reason, rule = ("ended-mid-turn", "dead-open") if turn.is_running else ("exited", "dead-closed")
        return Verdict(State.DONE, reason, Fact(f"{RULE}.{rule}", PROCESS, Rank.PROCESS, died_at))
    match turn.now:
        case Now.NOTHING:
            return _nothing(turn, life, now)
        case Now.THINKING | Now.CALLING if _is_given_up(turn, now, writer_since):
            return _rest(_say(State.WAITING, "interrupted", "crashed", at), now)
        case Now.CALLING:
            return _calling(turn, life, at, now)
        case Now.THINKING:
            return _thinking(turn, life, at, now)
        case Now.UNFINISHED if now - at < PROBABLE_MS:
            return _until(_say(State.WORKING, "working", "text-open", at), at + PROBABLE_MS)
        case Now.UNFINISHED:
            return _say(State.WAITING, "your-turn-probable", "text-probable", at)
        case Now.INTERRUPTED:
            return _rest(_say(State.WAITING, "interrupted", "interrupted", at), now)
    if subagents and life is Life.ALIVE:
        return _say(State.WAITING, "background-agents", "closed-subagents", at)
    if turn.now is Now.COMPACTED:
        return _rest(_say(State.WAITING, "compacted", "compacted", at), now)
    return _rest(_say(State.WAITING, "your-turn", "closed", at), now)


def _nothing(turn: Turn, life: Life, now: int) -> Verdict:
    if life is Life.ALIVE and not turn.heard:
        # Codex writes its file with the first prompt; before that there is the lock alone.
        return Verdict(State.IDLE, "not-started", Fact(f"{RULE}.not-started", LOCK, Rank.PROCESS, now))
    return _say(State.UNKNOWN, "nothing-decisive", "nothing", min(turn.heard, now))


def _is_given_up(turn: Turn, now: int, writer_since: int | None) -> bool:
    """Whether the process that ran this turn is gone: resuming closes no turn that a crash left open."""
    if writer_since is not None and turn.started and writer_since > turn.started + START_SLACK_MS:
        return turn.at <= writer_since + START_SLACK_MS
    return turn.is_only_set and now - turn.heard >= ONLY_SET_MS


def _calling(turn: Turn, life: Life, at: int, now: int) -> Verdict:
    call, age = turn.calls[-1], now - at
    asked = next((c for c in turn.calls if c.tool == ASKS), None)
    if asked is not None and life is Life.ALIVE:
        request = Blocked(RequestKind.QUESTION, asked.id, at)
        fact = Fact(f"{RULE}.question", TRANSCRIPT, Rank.REQUEST, at)
        return Verdict(State.WAITING, "question", fact, (request,))
    if life is not Life.ALIVE:
        return _calling_unsure(at, age)
    if _may_wait(turn):
        if age >= MAYBE_MS:
            return _say(State.WAITING, "maybe-approval", "maybe-approval", at)
        return _until(_say(State.WORKING, "working", "tool-escalated", at), at + MAYBE_MS)
    if call.tool in _WAITS:
        return _say(State.WORKING, "working", "tool-waits", at)
    if age >= LONG_TOOL_MS:
        return _say(State.WORKING, "long-tool", "tool-long", at)
    return _until(_say(State.WORKING, "working", "tool", at), at + LONG_TOOL_MS)


def _calling_unsure(at: int, age: int) -> Verdict:
    """A call, where nothing says that its process lives."""
    if age >= QUIET_CALL_MS:
        return _say(State.UNKNOWN, "quiet", "quiet", at)
    if age >= LONG_TOOL_MS:
        return _until(_say(State.WORKING, "long-tool", "tool-unsure", at), at + QUIET_CALL_MS)
    return _until(_say(State.WORKING, "working", "tool", at), at + LONG_TOOL_MS)


# Tools whose work is to wait for threads of their own.
_WAITS = frozenset({"wait", "wait_agent", "spawn_agent"})


def _may_wait(turn: Turn) -> bool:
    """Whether a call asked to leave the sandbox, and a person is who would be asked."""
    is_asked = turn.policy != "never" and turn.reviewer in ("", "user")
    return is_asked and any(c.is_escalated for c in turn.calls)


def _thinking(turn: Turn, life: Life, at: int, now: int) -> Verdict:
    if life is Life.ALIVE and turn.is_marked:
        # Its turn was begun and is not ended, and a process has it open: that is no silence.
        return _say(State.WORKING, "working", "compacting" if turn.is_compaction else "thinking", at)
    limit = QUIET_CALL_MS if life is Life.ALIVE else QUIET_MS
    if now - at >= limit:
        return _say(State.UNKNOWN, "quiet", "quiet", at)
    return _until(_say(State.WORKING, "working", "thinking-unsure", at), at + limit)


def _rest(verdict: Verdict, now: int) -> Verdict:
    at = verdict.fact.at
    if now - at >= IDLE_MS:
        return _say(State.IDLE, "quiet", "closed-long", at)
    return _until(verdict, at + IDLE_MS)


def _say(state: State, reason: str, rule: str, at: int) -> Verdict:
    return Verdict(state, reason, Fact(f"{RULE}.{rule}", TRANSCRIPT, Rank.TRANSCRIPT, at))


def _until(verdict: Verdict, at: int) -> Verdict:
    return replace(verdict, until=at)


def doing(turn: Turn) -> str:
    """The newest open call, as names: `exec_command · npm`, `apply_patch · ring.py`."""
    if not turn.calls:
        return ""
    call = turn.calls[-1]
    return " · ".join(part for part in (call.tool, call.program or call.file) if part)
