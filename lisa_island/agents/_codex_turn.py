"""What a rollout says so far: a pure fold over its entries, in the order of the file.

A turn with an id begins and ends by records of its own, and what belongs to another turn decides nothing: a
command that was killed reports after its turn. Builds without such records are told by their last item.
"""

from dataclasses import dataclass, field, replace
from enum import Enum

from lisa_island.agents._codex_calls import Call
from lisa_island.agents._codex_record import Entry, Happened
from lisa_island.core.agent import Step

OVER_LIMIT = 128
CLOSED_LIMIT = 512
OPEN_LIMIT = 64
ENDED_LIMIT = 8
LAST_TOOLS = 6
LAST_FILES = 10
LATE_MS = 60_000


class Now(Enum):
    """What decided last."""

    NOTHING = "nothing"
    THINKING = "thinking"  # the turn is open, and no call is
    CALLING = "calling"
    UNFINISHED = "unfinished"  # a text, in a build that records no end
    CLOSED = "closed"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    COMPACTED = "compacted"


OPEN = frozenset({Now.THINKING, Now.CALLING, Now.UNFINISHED})


@dataclass(frozen=True, slots=True)
class Turn:
    """A rollout's state. `at` is the time of what decided, `heard` that of the newest record, `started` that
    of the turn's beginning (epoch ms). `id` is the current turn's, `over` are turns that ended; `is_marked`:
    this build records beginnings and ends. `is_only_set`: the newest record tells settings and nothing else,
    though work had gone on: nobody works at this turn any more.
    """

    now: Now = Now.NOTHING
    at: int = 0
    heard: int = 0
    started: int = 0
    id: str = ""
    over: tuple[str, ...] = ()
    is_marked: bool = False
    is_only_set: bool = False
    has_worked: bool = False
    calls: tuple[Call, ...] = ()
    ended: tuple[Step, ...] = ()
    closed: tuple[str, ...] = ()
    error: str = ""
    cwd: str = ""
    model: str = ""
    policy: str = ""
    reviewer: str = ""
    program: str = ""
    begun: int = 0
    compactions: int = 0
    has_prompt: bool = False
    is_compaction: bool = False
    messages: int = 0
    prompts: int = 0
    output: int = 0
    before: int = 0
    counted_at: int = 0
    is_partial: bool = False
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    unknown: tuple[str, ...] = field(default=())

    @property
    def is_open(self) -> bool:
        """Whether the model or a tool still has something to do, as far as the records go."""
        return self.now in OPEN

    @property
    def is_running(self) -> bool:
        """The same, but for a text that may have been the last."""
        return self.is_open and self.now is not Now.UNFINISHED

    @property
    def turns(self) -> int:
        """Prompts of the owner; a compaction is a turn of the tool's own."""
        if self.is_marked:
            return max(0, self.begun - self.compactions)
        return max(self.messages, self.prompts)

    @property
    def tokens(self) -> int:
        """Output tokens of the thread."""
        return self.before + self.output


def fold(turn: Turn, entry: Entry) -> Turn:
    """The turn after one more entry."""
    turn = _facts(turn, entry)
    late = LATE_MS if turn.is_open else 0
    if entry.at is not None and entry.at < turn.at - late:
        return turn
    return _decide(turn, entry)


def _facts(turn: Turn, entry: Entry) -> Turn:
    call = entry.call if entry.call and entry.call.id not in turn.closed else None
    files = dict.fromkeys([*(f for f in turn.files if f not in entry.files), *entry.files])
    unknown = turn.unknown
    if entry.happened is Happened.OTHER and len(unknown) < OPEN_LIMIT:
        unknown = tuple(dict.fromkeys([*unknown, entry.kind]))
    return replace(
        _counted(_returned(turn, entry), entry),
        heard=max(turn.heard, entry.at or 0),
        cwd=entry.cwd or turn.cwd,
        model=entry.model or turn.model,
        policy=entry.policy or turn.policy,
        reviewer=entry.reviewer or turn.reviewer,
        program=call.program if call and call.program else turn.program,
        tools=(*turn.tools, call.tool)[-LAST_TOOLS:] if call else turn.tools,
        files=tuple(files)[-LAST_FILES:],
        unknown=unknown,
    )


def _counted(turn: Turn, entry: Entry) -> Turn:
    """The thread's own sum; one that shrinks began anew."""
    if entry.happened is Happened.PROMPT:
        field_ = {"prompts": turn.prompts + 1} if entry.is_event else {"messages": turn.messages + 1}
        turn = replace(turn, **field_)  # type: ignore[arg-type]
    if entry.output is None or (entry.at or 0) < turn.counted_at:
        return turn
    shrank = turn.output if entry.output < turn.output else 0
    return replace(turn, before=turn.before + shrank, output=entry.output, counted_at=entry.at or 0)


def _returned(turn: Turn, entry: Entry) -> Turn:
    """A call that returned is open no more, whichever turn it belonged to."""
    if not entry.returned:
        return turn
    known = next((s for s in turn.ended if s.id == entry.returned), None)
    call = next((c for c in turn.calls if c.id == entry.returned), None)
    tool = call.tool if call else known.tool if known else ""
    if not tool:
        return turn
    ok = entry.ok if entry.ok is not None else known.ok if known else None
    step = Step(entry.returned, tool, True, ok)
    others = [s for s in turn.ended if s.id != entry.returned]
    return replace(turn, ended=(*others, step)[-ENDED_LIMIT:])


def _decide(turn: Turn, entry: Entry) -> Turn:
    at = max(turn.at, entry.at or 0)
    if entry.happened is Happened.OTHER or (entry.happened is Happened.NOTHING and not entry.returned):
        return replace(turn, is_only_set=False) if _is_mine(turn, entry) and entry.turn else turn
    match entry.happened:
        case Happened.STARTED:
            return _begin(turn, entry, at)
        case Happened.ENDED | Happened.ABORTED | Happened.FAILED:
            return _finish(turn, entry, at)
        case Happened.SETTINGS:
            return replace(turn, is_only_set=turn.is_open and turn.has_worked)
        case Happened.COMPACTED:
            return _compacted(turn, at)
    if not _is_mine(turn, entry):
        return _closing(turn, entry)
    return _work(turn, entry, at)


def _compacted(turn: Turn, at: int) -> Turn:
    """In a turn with a prompt it is a step of it; in one without, what the turn is for."""
    if not turn.is_marked:
        return turn if turn.is_running else replace(_shut(turn), now=Now.COMPACTED, at=at)
    if not turn.is_open or turn.has_prompt or turn.is_compaction:
        return replace(turn, is_only_set=False)
    return replace(turn, is_only_set=False, is_compaction=True, compactions=turn.compactions + 1)


def _is_mine(turn: Turn, entry: Entry) -> bool:
    """Whether a record tells of the turn that is open now."""
    if turn.is_marked:
        return turn.is_open and entry.turn in ("", turn.id)
    # The beginning of its turn was not read: a call alone cannot come after a turn's end.
    return not entry.turn or entry.happened is Happened.CALLED


def _begin(turn: Turn, entry: Entry, at: int) -> Turn:
    if entry.turn and (entry.turn in turn.over or entry.turn == turn.id):
        return replace(turn, is_marked=True)
    if entry.at is not None and entry.at < turn.at:
        return turn  # an older turn's, told again
    over = (*turn.over, turn.id)[-OVER_LIMIT:] if turn.id else turn.over
    return replace(
        _shut(turn), now=Now.THINKING, at=at, started=entry.at or at, id=entry.turn, over=over, error="",
        is_marked=True, is_only_set=False, has_worked=False, has_prompt=False, is_compaction=False,
        begun=turn.begun + 1,
    )  # fmt: skip


def _finish(turn: Turn, entry: Entry, at: int) -> Turn:
    if entry.happened is Happened.FAILED and entry.kind == "event_msg/error" and turn.is_marked:
        return turn  # the end of its turn says so again, or it was tried again
    if entry.turn and entry.turn in turn.over:
        return turn
    over = (*turn.over, entry.turn)[-OVER_LIMIT:] if entry.turn else turn.over
    if entry.turn and turn.id and entry.turn != turn.id and turn.is_open:
        return replace(turn, over=over)
    is_compacted = turn.is_compaction and entry.happened is Happened.ENDED
    now = Now.COMPACTED if is_compacted else _ENDS[entry.happened]
    begun = turn.begun if turn.id or not entry.turn else turn.begun + 1
    return replace(
        _shut(turn), now=now, at=at, id=entry.turn or turn.id, over=over, error=entry.error, begun=begun,
        is_marked=turn.is_marked or bool(entry.turn), is_only_set=False,
    )  # fmt: skip


_ENDS = {
    Happened.ENDED: Now.CLOSED,
    Happened.ABORTED: Now.INTERRUPTED,
    Happened.FAILED: Now.FAILED,
}


def _shut(turn: Turn) -> Turn:
    ids = tuple(c.id for c in turn.calls)
    return replace(turn, calls=(), closed=(*turn.closed, *ids)[-CLOSED_LIMIT:])


def _closing(turn: Turn, entry: Entry) -> Turn:
    if not entry.returned:
        return turn
    return replace(
        turn,
        calls=tuple(c for c in turn.calls if c.id != entry.returned),
        closed=(*turn.closed, entry.returned)[-CLOSED_LIMIT:],
    )


def _work(turn: Turn, entry: Entry, at: int) -> Turn:
    has_prompt = turn.has_prompt or entry.happened is Happened.PROMPT or not turn.id
    turn = replace(
        turn, has_worked=True, has_prompt=has_prompt, is_only_set=False, id=turn.id or entry.turn,
        is_marked=turn.is_marked or bool(entry.turn),
    )  # fmt: skip
    match entry.happened:
        case Happened.CALLED:
            return _called(turn, entry, at)
        case Happened.RETURNED | Happened.NOTHING:
            known = any(c.id == entry.returned for c in turn.calls)
            turn = _closing(turn, entry)
            if not known and not turn.is_open and (turn.is_marked or turn.now is not Now.NOTHING):
                return turn  # late: what it belonged to is over
            return replace(turn, now=Now.CALLING if turn.calls else Now.THINKING, at=at)
        case Happened.SAID if not turn.is_marked:
            # A word after the call that it follows: the call was given up without a record.
            return replace(_shut(turn), now=Now.UNFINISHED, at=at, error="")
        case Happened.PROMPT if not turn.is_marked:
            return replace(_shut(turn), now=Now.THINKING, at=at, started=at, error="")
    return replace(turn, now=Now.CALLING if turn.calls else Now.THINKING, at=at)


def _called(turn: Turn, entry: Entry, at: int) -> Turn:
    call = entry.call
    if call is None or not call.id or call.id in turn.closed:
        return turn
    others = tuple(c for c in turn.calls if c.id != call.id)
    return replace(turn, now=Now.CALLING, at=at, calls=(*others, call)[-OPEN_LIMIT:], error="")
