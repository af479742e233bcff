"""What a pi session says so far, and the state that follows: a fold over its entries, and one table.

pi asks for no approvals, so a call without its result runs. It writes nothing while the model answers, and
an answer that ended the turn is written once, with its reason.
"""

from dataclasses import dataclass, replace
from enum import Enum

from lisa_island.agents._local import Verdict
from lisa_island.agents._pi_record import Call, Entry, Happened
from lisa_island.agents._proc import Life
from lisa_island.core.agent import Activity, State, Step, Work
from lisa_island.core.evidence import Fact, Rank

START_SLACK_MS = 2_000
QUIET_MS = 5 * 60_000
IDLE_MS = 30 * 60_000
LAST_TOOLS = 6
LAST_FILES = 10
LAST_STEPS = 16

RULE = "pi"


class Now(Enum):
    """What decided last."""

    NOTHING = "nothing"
    PROMPT = "prompt"
    CALLING = "calling"
    RESULT = "result"
    RETRYING = "retrying"
    OVER = "over"
    INTERRUPTED = "interrupted"
    LEFT = "left-open"  # by a process before this one
    FAILED = "failed"
    COMPACTED = "compacted"


RUNNING = frozenset({Now.PROMPT, Now.CALLING, Now.RESULT, Now.RETRYING})


@dataclass(frozen=True, slots=True)
class Turn:
    """A session's state. `at` is the time of what decided, `heard` that of the newest record (epoch ms).

    `ended` are the calls that have a result, with whether it was a good one.
    """

    now: Now = Now.NOTHING
    at: int = 0
    heard: int = 0
    last: str = ""
    prompts: int = 0
    output: int = 0
    calls: tuple[Call, ...] = ()
    open: tuple[str, ...] = ()
    ended: tuple[tuple[str, bool], ...] = ()
    model: str = ""
    error: str = ""
    is_partial: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the model or a tool still has something to do."""
        return self.now in RUNNING


def fold(turn: Turn, entry: Entry) -> Turn:
    """The turn after one more entry."""
    turn = replace(turn, heard=max(turn.heard, entry.at or 0), model=entry.model or turn.model)
    at = max(turn.at, entry.at or 0)
    match entry.happened:
        case Happened.PROMPT:
            prompts = turn.prompts + 1
            turn = replace(turn, now=Now.PROMPT, at=at, prompts=prompts, open=(), error="")
        case Happened.CALLED:
            turn = _called(replace(turn, at=at, output=turn.output + entry.output), entry)
        case Happened.RESULT:
            turn = _ended(replace(turn, at=at), entry)
        case Happened.OVER:
            turn = replace(turn, now=Now.OVER, at=at, output=turn.output + entry.output, open=(), error="")
        case Happened.ABORTED:
            turn = replace(turn, now=Now.INTERRUPTED, at=at, open=())
        case Happened.FAILED:
            turn = replace(turn, now=Now.FAILED, at=at, open=(), error=entry.error)
        case Happened.EDITED if turn.now is Now.FAILED and entry.target and entry.target == turn.last:
            return replace(turn, now=Now.RETRYING, at=at)
        case Happened.COMPACTED if not turn.is_open:
            turn = replace(turn, now=Now.COMPACTED, at=at)
        case _:
            return turn
    return replace(turn, last=entry.id)


def _called(turn: Turn, entry: Entry) -> Turn:
    open_ = tuple(call.id for call in entry.calls)
    return replace(
        turn, now=Now.CALLING, calls=(*turn.calls, *entry.calls)[-LAST_STEPS:], open=open_, error=""
    )


def _ended(turn: Turn, entry: Entry) -> Turn:
    open_ = tuple(id_ for id_ in turn.open if id_ != entry.target)
    ended = (*turn.ended, (entry.target, not entry.is_failed))[-LAST_STEPS:]
    turn = replace(turn, open=open_, ended=ended)
    if turn.now in (Now.CALLING, Now.NOTHING) and not open_:
        return replace(turn, now=Now.RESULT)
    return turn


# --- the table ---


def judge(turn: Turn, life: Life, now: int, died_at: int, began: int = 0) -> Verdict:
    """The verdict on one session. `began` is when its process did: what was open before was left open."""
    at = min(turn.at or turn.heard, now)
    age = max(0, now - at)
    if life is Life.DEAD:
        reason, rule = ("ended-mid-turn", "dead-open") if turn.is_open else ("exited", "dead-closed")
        return Verdict(State.DONE, reason, Fact(f"{RULE}.{rule}", "process", Rank.PROCESS, died_at))
    if turn.is_open and turn.at < began - START_SLACK_MS:
        return _rest(replace(turn, now=Now.LEFT), at, age)
    match turn.now:
        case Now.NOTHING if turn.is_partial or life is not Life.ALIVE:
            return _say(State.UNKNOWN, "nothing-decisive", "nothing", at)
        case Now.NOTHING:
            return _say(State.IDLE, "not-started", "not-started", at)
        case Now.FAILED:
            return _say(State.ERROR, turn.error, "error", at)
        case Now.CALLING:
            return _calling(life, at, age)
        case Now.PROMPT | Now.RESULT | Now.RETRYING:
            return _running(turn, at, age)
    return _rest(turn, at, age)


def _running(turn: Turn, at: int, age: int) -> Verdict:
    if age >= QUIET_MS:
        return _say(State.UNKNOWN, "quiet", "quiet", at)
    reason = "retrying" if turn.now is Now.RETRYING else "working"
    return _until(_say(State.WORKING, reason, turn.now.value, at), at + QUIET_MS)


def _calling(life: Life, at: int, age: int) -> Verdict:
    if life is Life.ALIVE:
        return _say(State.WORKING, "tool", "tool", at)
    if age < QUIET_MS:
        return _until(_say(State.WORKING, "tool", "tool", at), at + QUIET_MS)
    return _say(State.UNKNOWN, "quiet", "quiet", at)


def _rest(turn: Turn, at: int, age: int) -> Verdict:
    if age >= IDLE_MS:
        return _say(State.IDLE, "quiet", "closed-long", at)
    reasons = {Now.INTERRUPTED: "interrupted", Now.LEFT: "interrupted", Now.COMPACTED: "compacted"}
    reason = reasons.get(turn.now, "your-turn")
    return _until(_say(State.WAITING, reason, turn.now.value, at), at + IDLE_MS)


def _say(state: State, reason: str, rule: str, at: int) -> Verdict:
    return Verdict(state, reason, Fact(f"{RULE}.{rule}", "transcript", Rank.TRANSCRIPT, at))


def _until(verdict: Verdict, at: int) -> Verdict:
    return replace(verdict, until=at)


def activity(turn: Turn, branch: str = "") -> Activity:
    """What it did, for the roster."""
    files = dict.fromkeys(call.file for call in reversed(turn.calls) if call.file)
    ended = dict(turn.ended)
    steps = (Step(c.id, c.tool, c.id not in turn.open, ended.get(c.id)) for c in turn.calls if c.id)
    return Activity(
        work=Work(
            turn.prompts, turn.output, turn.is_partial, tuple(c.tool for c in turn.calls)[-LAST_TOOLS:],
            tuple(reversed(list(files)[:LAST_FILES])),
            next((c.program for c in reversed(turn.calls) if c.program), ""),
            branch=branch, model=turn.model, steps=tuple(steps),
        ),
    )  # fmt: skip
