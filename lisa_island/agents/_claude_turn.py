"""What a transcript says so far: a pure fold over its entries, in the order of the file.

An entry that is a minute older than what decided last decides nothing any more, and at rest none that is
older at all; one that was seen before (a file that was read again) changes nothing.
"""

from dataclasses import dataclass, field, fields
from enum import Enum
from operator import attrgetter
from typing import Any

from lisa_island.agents._claude_record import SUBAGENTS, Call, Entry, Happened
from lisa_island.agents._ids import Ids
from lisa_island.core.agent import Step

SEEN_LIMIT = 512
OPEN_LIMIT = 64
ENDED_LIMIT = 8
LAST_TOOLS = 6
LAST_FILES = 10
LATE_MS = 60_000
NONE = Ids()


class Now(Enum):
    """What decided last."""

    NOTHING = "nothing"
    PROMPT = "prompt"
    THINKING = "thinking"
    UNFINISHED = "unfinished"  # a text whose message has no stop reason
    CALLING = "calling"
    RESULT = "result"
    RETRYING = "retrying"
    TURN_OVER = "turn-over"  # a text that ended its turn
    CUT_OFF = "cut-off"  # by length or refusal: often goes on by itself
    CLOSED = "closed"  # the turn's own end record
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    COMPACTED = "compacted"
    COMMAND = "command"


RUNNING = frozenset(
    {Now.PROMPT, Now.THINKING, Now.UNFINISHED, Now.CALLING, Now.RESULT, Now.RETRYING}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Turn:
    """A transcript's state. `at` is the time of what decided, `heard` that of the newest record (epoch ms).

    `calls` are open, oldest first; `ended` are the last that returned. `usage` holds messages whose tokens
    may still grow.
    """

    now: Now = Now.NOTHING
    at: int = 0
    heard: int = 0
    calls: tuple[Call, ...] = ()
    ended: tuple[Step, ...] = ()
    closed: Ids = NONE
    seen: Ids = NONE
    usage: tuple[tuple[str, int], ...] = ()
    error: str = ""
    cwd: str = ""
    branch: str = ""
    version: str = ""
    mode: str = ""
    model: str = ""
    program: str = ""
    turns: int = 0
    tokens: int = 0
    is_partial: bool = False
    is_marked: bool = False
    background: int = 0
    launched: int = 0
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    unknown: tuple[tuple[str, str], ...] = field(default=())

    @property
    def is_open(self) -> bool:
        """Whether the model or a tool still has something to do."""
        return self.now in RUNNING

    @property
    def is_running(self) -> bool:
        """The same, but for a text that may have been the last: older builds close none of theirs."""
        return self.is_open and self.now is not Now.UNFINISHED

    @property
    def subagents(self) -> int:
        """How many run inside this turn, and beside it."""
        return sum(c.tool in SUBAGENTS for c in self.calls) + max(self.launched, self.background)


_NAMES = tuple(f.name for f in fields(Turn))
_values = attrgetter(*_NAMES)


def replace(turn: Turn, **more: Any) -> Turn:
    """As of `dataclasses`, at a third of its time: it is what reading a line costs most."""
    return Turn(**dict(zip(_NAMES, _values(turn), strict=True)) | more)


def fold(turn: Turn, entry: Entry) -> Turn:
    """The turn after one more entry."""
    if entry.uuid and entry.uuid in turn.seen:
        return turn
    turn = _facts(turn, entry)
    # A reply's lines carry the time they began at, so a running turn takes what is a little older.
    late = LATE_MS if turn.is_open else 0
    if entry.at is not None and entry.at < turn.at - late:
        return turn
    return _decide(turn, entry)


def _facts(turn: Turn, entry: Entry) -> Turn:
    tokens, usage = (turn.tokens, turn.usage) if entry.is_copied else _tokens(turn, entry)
    calls = [c for c in entry.calls if c.id not in turn.closed]
    files = [c.file for c in calls if c.file]
    return replace(
        turn,
        heard=max(turn.heard, entry.at or 0),
        seen=turn.seen.plus((entry.uuid,)) if entry.uuid else turn.seen,
        cwd=entry.cwd or turn.cwd,
        branch=entry.branch or turn.branch,
        version=entry.version or turn.version,
        mode=entry.mode or turn.mode,
        model=entry.model or turn.model,
        program=next((c.program for c in reversed(calls) if c.program), turn.program),
        turns=turn.turns if entry.is_copied else _turns(turn, entry),
        tokens=tokens,
        usage=usage,
        is_marked=turn.is_marked or entry.is_human_marked,
        tools=(*turn.tools, *(c.tool for c in calls))[-LAST_TOOLS:],
        files=tuple(dict.fromkeys([*(f for f in turn.files if f not in files), *files]))[-LAST_FILES:],
        unknown=_unknown(turn, entry),
    )


def _turns(turn: Turn, entry: Entry) -> int:
    if entry.prompts is not None:  # the file's own count
        return max(turn.turns, entry.prompts)
    return turn.turns + (entry.happened is Happened.PROMPT and not _is_injected(turn, entry))


def _tokens(turn: Turn, entry: Entry) -> tuple[int, tuple[tuple[str, int], ...]]:
    """Each message counts once, with the most that any of its lines says."""
    if entry.usage is None or not entry.message:
        return turn.tokens, turn.usage
    output, known = entry.usage[1], turn.usage
    if known and known[-1][0] == entry.message:  # a message's lines stand together, but for a few
        before, known = known[-1][1], known[:-1]
    elif entry.message in (others := dict(known)):
        before = others.pop(entry.message)
        known = tuple(others.items())
    else:
        before = 0
    told = (entry.message, max(before, output))
    return turn.tokens + max(0, output - before), (*known[-SEEN_LIMIT + 1 :], told)


def _unknown(turn: Turn, entry: Entry) -> tuple[tuple[str, str], ...]:
    if entry.happened is not Happened.OTHER or len(turn.unknown) >= OPEN_LIMIT:
        return turn.unknown
    return tuple(dict.fromkeys([*turn.unknown, (entry.version or turn.version, entry.kind)]))


def _is_injected(turn: Turn, entry: Entry) -> bool:
    """A file that marks human prompts has said who wrote the others."""
    return turn.is_marked and not entry.is_human_marked


def _decide(turn: Turn, entry: Entry) -> Turn:
    at = max(turn.at, entry.at or 0)
    match entry.happened:
        case Happened.NOTHING | Happened.OTHER:
            return turn
        case Happened.PROMPT if _is_injected(turn, entry):
            return turn
        case Happened.PROMPT:
            return replace(turn, now=Now.PROMPT, at=at, calls=(), error="", closed=_shut(turn))
        case Happened.NOTICE:
            left = max(0, turn.launched - 1)
            return replace(turn, now=Now.RESULT, at=at, launched=left, background=max(0, turn.background - 1))
        case Happened.META:
            return replace(turn, now=Now.RESULT, at=at) if turn.now is Now.CUT_OFF else turn
        case Happened.COMMAND:
            return turn if turn.calls else replace(turn, now=Now.COMMAND, at=at)
        case Happened.PROGRESS:
            return replace(turn, at=at) if turn.is_open else turn
        case Happened.RETRYING:
            return replace(turn, now=Now.RETRYING, at=at) if turn.is_open else turn
        case Happened.COMPACTED:
            return _stop(turn, Now.COMPACTED, at)
        case Happened.INTERRUPTED:
            return _stop(_resolved(turn, entry), Now.INTERRUPTED, at)
        case Happened.FAILED:
            return replace(_stop(turn, Now.FAILED, at), error=entry.error)
        case Happened.ENDED:
            return _ended(turn, entry, at)
        case Happened.RESULT:
            return _result(turn, entry, at)
        case Happened.SAID:
            return _said(turn, entry, at)


def _stop(turn: Turn, now: Now, at: int) -> Turn:
    return replace(turn, now=now, at=at, calls=(), closed=_shut(turn))


def _shut(turn: Turn) -> Ids:
    return turn.closed.plus(c.id for c in turn.calls) if turn.calls else turn.closed


def _ended(turn: Turn, entry: Entry, at: int) -> Turn:
    """An end record says nothing new of a turn that was interrupted or failed."""
    keeps = turn.now in (Now.INTERRUPTED, Now.FAILED)
    ended = _stop(turn, turn.now if keeps else Now.CLOSED, at)
    return ended if entry.kind != "system" else replace(ended, background=entry.background or 0)


def _resolved(turn: Turn, entry: Entry, **more: Any) -> Turn:
    oks = dict(zip(entry.results, entry.oks, strict=False))
    ended = tuple(Step(c.id, c.tool, True, oks.get(c.id)) for c in turn.calls if c.id in entry.results)
    return replace(
        turn,
        ended=(*turn.ended, *ended)[-ENDED_LIMIT:],
        calls=tuple(c for c in turn.calls if c.id not in entry.results),
        closed=turn.closed.plus(entry.results),
        **more,
    )


def _result(turn: Turn, entry: Entry, at: int) -> Turn:
    known = any(c.id in entry.results for c in turn.calls)
    launched = turn.launched + entry.is_async
    if not known and not turn.is_open and turn.now is not Now.NOTHING:
        return _resolved(turn, entry, launched=launched)  # late: its turn is over
    is_calling = any(c.id not in entry.results for c in turn.calls)
    now = Now.CALLING if is_calling else Now.RESULT
    return _resolved(turn, entry, launched=launched, now=now, at=at)


def _said(turn: Turn, entry: Entry, at: int) -> Turn:
    opened = tuple(c for c in entry.calls if c.id not in turn.closed)
    calls = (*turn.calls, *(c for c in opened if c.id not in {x.id for x in turn.calls}))[-OPEN_LIMIT:]
    if not calls and entry.calls:  # told after its result
        return turn
    now = Now.CALLING if calls else _words(entry)
    if now in (Now.TURN_OVER, Now.CUT_OFF):
        return _stop(turn, now, at)
    return replace(turn, now=now, at=at, calls=calls, error="")


def _words(entry: Entry) -> Now:
    if entry.stop in ("tool_use", "pause_turn"):
        return Now.THINKING  # the call's own line follows
    if entry.thinking and not entry.text:
        return Now.THINKING
    if entry.stop in ("max_tokens", "refusal", "model_context_window_exceeded"):
        return Now.CUT_OFF
    return Now.TURN_OVER if entry.stop in ("end_turn", "stop_sequence") else Now.UNFINISHED
