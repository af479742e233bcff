"""What a Gemini CLI chat says so far, and the state that follows: a fold over its entries, and one table.

A call is written when it has ended. While it runs, or waits for an approval, the newest message is empty:
both look the same, so an approval is a maybe, and no need of the owner's.
"""

from dataclasses import dataclass, replace
from enum import Enum

from lisa_island.agents._gemini_record import Call, Entry, Happened
from lisa_island.agents._local import Verdict
from lisa_island.agents._proc import Life
from lisa_island.core.agent import Activity, State, Step, Work
from lisa_island.core.evidence import Fact, Rank

LATE_MS = 60_000
REPLAY_MS = 500
START_SLACK_MS = 2_000
MAYBE_MS = 10_000
QUIET_MS = 5 * 60_000
IDLE_MS = 30 * 60_000
MOST_MESSAGES = 2_000
LAST_TOOLS = 6
LAST_FILES = 10
LAST_STEPS = 16

RULE = "gemini"
CHAT = "chat"
PROCESS = "process"


class Now(Enum):
    """What decided last."""

    NOTHING = "nothing"
    PROMPT = "prompt"
    RESULT = "result"
    CALLING = "calling"  # an empty message: a call runs, or waits for an approval
    TALKED = "talked"  # a text with calls that have ended: it goes on, or not
    OVER = "over"
    REWOUND = "rewound"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


RUNNING = frozenset({Now.PROMPT, Now.RESULT, Now.CALLING, Now.TALKED})


@dataclass(frozen=True, slots=True)
class Message:
    """One message that counts: whether it is a prompt, and its tokens."""

    id: str
    is_prompt: bool
    output: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A chat's state. `at` is the time of what decided, `heard` that of the newest record (epoch ms)."""

    now: Now = Now.NOTHING
    at: int = 0
    heard: int = 0
    messages: tuple[Message, ...] = ()
    calls: tuple[Call, ...] = ()
    model: str = ""
    error: str = ""
    is_partial: bool = False
    subagents: int = 0

    @property
    def is_open(self) -> bool:
        """Whether the model or a tool still has something to do."""
        return self.now in RUNNING


def fold(turn: Turn, entry: Entry) -> Turn:
    """The turn after one more entry."""
    turn = replace(turn, heard=max(turn.heard, entry.at or 0), model=entry.model or turn.model)
    match entry.happened:
        case Happened.NOTHING | Happened.OTHER:
            return turn
        case Happened.REWOUND:
            return _rewound(turn, entry)
    if _is_replayed(turn, entry):
        return turn
    known = [m.id for m in turn.messages]
    is_again = bool(entry.id) and entry.id in known and entry.id != known[-1]
    turn = _counted(turn, entry)
    late = LATE_MS if turn.is_open else 0
    if is_again or (entry.at is not None and entry.at < turn.at - late):
        return turn  # told before, or out of order: it decides nothing
    return _decide(turn, entry, max(turn.at, entry.at or 0))


def _is_replayed(turn: Turn, entry: Entry) -> bool:
    """After an interruption the whole history is written again at once, under new ids."""
    is_said = entry.happened in (Happened.PROMPT, Happened.ANSWERED, Happened.SAID)
    is_at_once = entry.at is not None and entry.at - turn.at <= REPLAY_MS
    return turn.now is Now.INTERRUPTED and is_said and is_at_once


def _rewound(turn: Turn, entry: Entry) -> Turn:
    at = next((n for n, m in enumerate(turn.messages) if m.id == entry.id), None)
    if at is None:
        return turn
    return replace(turn, now=Now.REWOUND, at=max(turn.at, turn.heard), messages=turn.messages[:at], error="")


def _counted(turn: Turn, entry: Entry) -> Turn:
    """Each message once, as it was told last."""
    message = Message(entry.id, entry.happened is Happened.PROMPT, entry.output)
    if entry.id and any(m.id == entry.id for m in turn.messages):
        messages = tuple(message if m.id == entry.id else m for m in turn.messages)
    else:
        messages = (*turn.messages, message)[-MOST_MESSAGES:]
    again = {call.id for call in entry.calls}
    calls = (*(c for c in turn.calls if not c.id or c.id not in again), *entry.calls)[-LAST_STEPS:]
    return replace(turn, messages=messages, calls=calls)


def _decide(turn: Turn, entry: Entry, at: int) -> Turn:
    match entry.happened:
        case Happened.PROMPT:
            return replace(turn, now=Now.PROMPT, at=at, error="")
        case Happened.ANSWERED:
            return replace(turn, now=Now.RESULT, at=at)
        case Happened.INFO:
            is_its = turn.is_open or turn.now is Now.INTERRUPTED
            return replace(turn, now=Now.INTERRUPTED, at=at) if is_its else turn
        case Happened.FAILED if turn.is_open or turn.now is Now.NOTHING:
            return replace(turn, now=Now.FAILED, at=at, error=entry.error)
        case Happened.SAID:
            return replace(turn, now=_said(entry), at=at, error="")
        case _:
            return turn  # an error at rest is of a command, not of a turn


def _said(entry: Entry) -> Now:
    if any(call.status == "cancelled" for call in entry.calls):
        return Now.INTERRUPTED
    if entry.calls:
        return Now.TALKED if entry.has_text else Now.RESULT
    return Now.OVER if entry.has_text else Now.CALLING


# --- the table ---


def judge(turn: Turn, life: Life, now: int, died_at: int, began: int = 0) -> Verdict:
    """The verdict on one chat. `began` is when its process did: what was open before was left open."""
    at = min(turn.at or turn.heard, now)
    age = max(0, now - at)
    if life is Life.DEAD:
        reason, rule = ("ended-mid-turn", "dead-open") if turn.is_open else ("exited", "dead-closed")
        return Verdict(State.DONE, reason, Fact(f"{RULE}.{rule}", PROCESS, Rank.PROCESS, died_at))
    if turn.is_open and turn.at < began - START_SLACK_MS:
        return _rest(replace(turn, now=Now.INTERRUPTED), at, age, "left-open")
    match turn.now:
        case Now.NOTHING if turn.is_partial or life is not Life.ALIVE:
            return _say(State.UNKNOWN, "nothing-decisive", "nothing", at)
        case Now.NOTHING:
            return _say(State.IDLE, "not-started", "not-started", at)
        case Now.FAILED:
            return _say(State.ERROR, turn.error, "error", at)
        case Now.PROMPT | Now.RESULT:
            return _running(turn, at, age)
        case Now.CALLING:
            return _calling(life, at, age)
        case Now.TALKED if age < MAYBE_MS:
            return _until(_say(State.WORKING, "working", "talked", at), at + MAYBE_MS)
    return _rest(turn, at, age)


def _running(turn: Turn, at: int, age: int) -> Verdict:
    if age >= QUIET_MS:
        return _say(State.UNKNOWN, "quiet", "quiet", at)
    return _until(_say(State.WORKING, "working", turn.now.value, at), at + QUIET_MS)


def _calling(life: Life, at: int, age: int) -> Verdict:
    if age < MAYBE_MS:
        return _until(_say(State.WORKING, "working", "tool", at), at + MAYBE_MS)
    if life is Life.ALIVE:
        return _say(State.WORKING, "long-tool", "tool-maybe", at)
    if age < QUIET_MS:
        return _until(_say(State.WORKING, "long-tool", "tool-maybe", at), at + QUIET_MS)
    return _say(State.UNKNOWN, "quiet", "quiet", at)


def _rest(turn: Turn, at: int, age: int, rule: str = "") -> Verdict:
    if age >= IDLE_MS and turn.now is not Now.TALKED:
        return _say(State.IDLE, "quiet", "closed-long", at)
    match turn.now:
        case Now.TALKED:
            return _say(State.WAITING, "your-turn-probable", "talked-probable", at)
        case Now.INTERRUPTED:
            verdict = _say(State.WAITING, "interrupted", rule or "interrupted", at)
        case _:
            verdict = _say(State.WAITING, "your-turn", turn.now.value, at)
    return _until(verdict, at + IDLE_MS)


def _say(state: State, reason: str, rule: str, at: int) -> Verdict:
    return Verdict(state, reason, Fact(f"{RULE}.{rule}", CHAT, Rank.TRANSCRIPT, at))


def _until(verdict: Verdict, at: int) -> Verdict:
    return replace(verdict, until=at)


def activity(turn: Turn, branch: str = "") -> Activity:
    """What it did, for the roster."""
    files = dict.fromkeys(call.file for call in reversed(turn.calls) if call.file)
    steps = (Step(c.id, c.tool, True, _OK.get(c.status)) for c in turn.calls if c.id)
    return Activity(
        work=Work(
            sum(m.is_prompt for m in turn.messages), sum(m.output for m in turn.messages),
            turn.is_partial or len(turn.messages) >= MOST_MESSAGES,
            tuple(c.tool for c in turn.calls)[-LAST_TOOLS:],
            tuple(reversed(list(files)[:LAST_FILES])),
            next((c.program for c in reversed(turn.calls) if c.program), ""),
            branch=branch, model=turn.model, subagents=turn.subagents if turn.is_open else 0,
            steps=tuple(steps),
        ),
    )  # fmt: skip


_OK = {"success": True, "error": False, "cancelled": False}
