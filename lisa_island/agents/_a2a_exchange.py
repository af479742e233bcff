"""One remote task as it unfolds: frames in, core events out. Knows no network and no clock.

States come from core.task_state alone. What a call proved is decided when it ends: a clean end in an
active state leaves the task working, a cut or an answer without an envelope leaves it unknown.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from lisa_island.agents._a2a_output import Output
from lisa_island.agents._a2a_wire import (
    ArtifactUpdate,
    Fault,
    Frame,
    Message,
    Noise,
    Snapshot,
    Status,
    StatusUpdate,
)
from lisa_island.core.agent import (
    AgentSession,
    Blocked,
    Can,
    Origin,
    RequestKind,
    SessionKey,
    State,
    Task,
    TrailEntry,
)
from lisa_island.core.events import (
    ActivityChanged,
    Event,
    FollowChanged,
    SessionOpened,
    StateChanged,
    TrailAdded,
)
from lisa_island.core.evidence import Fact
from lisa_island.core.ports import TaskRow
from lisa_island.core.task_state import TaskStatus, read_task_state
from lisa_island.core.text import clean

QUESTION_LIMIT = 4_000

SENDING = "sending"
ANSWERED = "answered"
AGENT_ERROR = "agent-error"
EXPIRED = "session-expired"
NOT_SENT = "not-sent"
OUTCOME_UNKNOWN = "outcome-unknown"
# Of an id that is only shown.
ID_SHOWN = 40


@dataclass(slots=True, eq=False)
class Exchange:
    """A session of ours, from the first byte to its end, over every call that it took."""

    key: SessionKey
    target: str
    message_id: str
    started_at: int
    origin: str = ""
    label: str = ""
    price: str = ""
    text: str = field(default="", repr=False)
    task_id: str = ""
    context_id: str = ""
    task_state: str = ""
    terminal: bool = False
    calls: int = 1
    state: State = State.WORKING
    reason: str = SENDING
    followed: bool = True
    can_answer: bool = True
    request: Blocked | None = None
    answering: Blocked | None = None
    lost_answer: Blocked | None = None
    output: Output = field(default_factory=Output)
    has_reply: bool = False
    last_at: int = 0
    is_heard: bool = False
    questions: int = 0
    _call_task: str = ""
    _asked: tuple[str, str] = ("", "")
    _settled: tuple[str, str] = ("", "")

    # --- whole ---

    def row(self) -> TaskRow:
        """The row as it is written before the first byte of a call."""
        return TaskRow(
            session_id=self.key.session_id, target=self.target, message_id=self.message_id,
            started_at=self.started_at, updated_at=self.last_at, state=str(self.state), reason=self.reason,
            task_state=self.task_state, terminal=self.terminal, task_id=self.task_id,
            context_id=self.context_id, label=self.label, calls=self.calls, price=self.price,
            question=self.request,
        )  # fmt: skip

    def opened(self, now: int) -> SessionOpened:
        """The session whole, as the roster first sees it."""
        at = self._at(now)
        return SessionOpened(self.session(at), at)

    def session(self, at: int) -> AgentSession:
        """What stands in the roster."""
        return AgentSession(
            self.key, self.target, self.state, self.reason, at, self.started_at, Origin.CALLED,
            label=self.label, followed=self.followed, requests=self._requests(), task=self.task(),
            price=self.price, capabilities=self.capabilities(), fact=self._fact("sent", "send", at),
        )  # fmt: skip

    def task(self) -> Task:
        """The remote task behind it."""
        return Task(
            self.target, self.message_id, self.task_id, self.context_id, self.task_state, self.terminal,
            self.calls,
        )  # fmt: skip

    def capabilities(self) -> frozenset[Can]:
        """What the owner can do with it now."""
        can = {Can.STOP_FOLLOWING, Can.LABEL}
        if self.request and self.can_answer and self.task_id:
            can.add(Can.ANSWER)
        if self.text and self.reason in (OUTCOME_UNKNOWN, NOT_SENT):
            can.add(Can.SEND_AGAIN)
        if self.has_reply:
            can.add(Can.READ_REPLY)
        return frozenset(can)

    # --- a call ---

    def answer_began(self, now: int) -> StateChanged:
        """The owner's answer goes out: its question closes."""
        self.answering, self.request, self.lost_answer = self.request, None, None
        self._settled = self._asked
        self.calls += 1
        self.followed, self.is_heard, self._call_task = True, False, ""
        return self._move(now, State.WORKING, SENDING, "answer", "answer")

    def answers_again(self) -> None:
        """The question whose answer may be lost takes one more answer, after the owner's click."""
        self.request, self.lost_answer = self.lost_answer, None

    def answer_refused(self, now: int) -> StateChanged:
        """Nothing reached the agent: the same question is open again."""
        self.request, self.answering = self.answering, None
        self._settled = ("", "")
        self.followed = False
        return self._move(now, State.WAITING, str(self.task_state), "refused", "gateway")

    def not_sent(self, now: int) -> StateChanged:
        """The gateway refused long after the asker was told that it goes out."""
        self.followed = False
        return self._move(now, State.ERROR, NOT_SENT, "refused", "gateway", unread=True)

    def failed(self, now: int, why: str) -> list[Event]:
        """The agent answered with an HTTP error of its own."""
        self.output.say(why)
        return self._fail(now, AGENT_ERROR, "http")

    def take(self, frame: Frame, now: int, signal: str) -> list[Event]:
        """What one frame changes."""
        if isinstance(frame, Noise):
            return self._noise(now, frame.what)
        if isinstance(frame, Fault):
            return self._fault(frame, now, signal)
        if self._is_over() or not self._is_mine(frame):
            return []
        first = not self.is_heard
        self.is_heard = True
        events = self._adopt(frame, now)
        self.output.updates += 1
        match frame:
            case Snapshot():
                self.output.replace(frame.artifacts)
            case ArtifactUpdate():
                self.output.add(frame)
            case Message():
                self.output.say(frame.text)
            case StatusUpdate():
                pass
        moved = list(self._moves(frame, now, signal, first))
        return [*events, ActivityChanged(self.key, self._at(now), self.output.activity()), *moved]

    def ended(self, now: int, *, clean_end: bool) -> list[Event]:
        """The call is over; decide what it proved."""
        asked = self.answering
        self.followed, self.answering = False, None
        had, self.has_reply = self.has_reply, self.has_reply or self.output.has_artifact_text
        is_settled = self.terminal or self.state in (State.WAITING, State.DONE, State.ERROR)
        if is_settled or (clean_end and self.is_heard):
            told = [] if had == self.has_reply else [self.told(now)]
            return [FollowChanged(self.key, self._at(now), False), *told]
        self.lost_answer = asked
        rule = "cut" if self.is_heard or not clean_end else "no-envelope"
        return [self._move(now, State.UNKNOWN, OUTCOME_UNKNOWN, rule, "call")]

    def told(self, now: int) -> StateChanged:
        """The same state once more, for what the owner can do has changed."""
        return self._move(now, self.state, self.reason, "same", "memory")

    # --- inside ---

    def _at(self, now: int) -> int:
        # Arrival is the order. The wall clock may be set back; an event of ours never is.
        self.last_at = max(now, self.last_at)
        return self.last_at

    def _requests(self) -> tuple[Blocked, ...]:
        return (self.request,) if self.request else ()

    def _move(
        self, now: int, state: State, reason: str, rule: str, signal: str, *, unread: bool = False
    ) -> StateChanged:
        self.state, self.reason = state, reason
        self.has_reply = self.has_reply or (self.terminal and self.output.has_text)
        at = self._at(now)
        return StateChanged(
            self.key, at, state, reason, self._fact(rule, signal, at), self._requests(), self.task(), unread,
            self.followed, self.capabilities(),
        )  # fmt: skip

    def _fact(self, rule: str, signal: str, at: int) -> Fact:
        return Fact(f"{self.key.agent}.{rule}", signal, at=at)

    def _is_over(self) -> bool:
        """Whether this call has already said its last word: later frames are echoes."""
        return self.terminal and self.is_heard

    def _is_mine(self, frame: Snapshot | StatusUpdate | ArtifactUpdate | Message) -> bool:
        return not frame.task_id or not self._call_task or frame.task_id == self._call_task

    def _adopt(self, frame: Snapshot | StatusUpdate | ArtifactUpdate | Message, now: int) -> list[Event]:
        """Take the ids that the agent gave; a new task id is a new task, and the trail says so."""
        events: list[Event] = []
        # A stateless answer may name a task that does not exist.
        if frame.task_id and not isinstance(frame, Message):
            if self.task_id and frame.task_id != self.task_id:
                events.append(
                    TrailAdded(self.key, TrailEntry(now, "call.continued", clean(frame.task_id, ID_SHOWN)))
                )
            self._call_task = self.task_id = frame.task_id
            self.terminal = False
        if frame.context_id:
            self.context_id = frame.context_id
        return events

    def _moves(
        self, frame: Snapshot | StatusUpdate | ArtifactUpdate | Message, now: int, signal: str, first: bool
    ) -> Iterator[Event]:
        match frame:
            case Message() if self._call_task:
                pass
            case Message():
                self.terminal = True
                yield self._move(now, State.DONE, ANSWERED, "message", signal, unread=True)
            case ArtifactUpdate():
                # Output proves work, even from an agent that never names a state.
                if self.reason == SENDING:
                    yield self._move(now, State.WORKING, "working", "artifact", signal)
            case Snapshot() | StatusUpdate():
                status = frame.status or Status()
                self.output.say(status.text)
                yield from self._status(read_task_state(status.state), status, now, signal, first)

    def _status(
        self, read: TaskStatus, status: Status, now: int, signal: str, first: bool
    ) -> Iterator[Event]:
        mark = (status.message.message_id if status.message else "", status.timestamp)
        if read.request and _is_same(mark, self._settled):
            # Some servers begin with the state that our answer has just ended.
            if self.reason == SENDING:
                yield self._move(now, State.WORKING, "working", "echo", signal)
            return
        before = (self.state, self.reason, self.request, self.task_state)
        self.task_state, self.terminal = read.word, read.terminal
        self.request = self._ask(read.request, status, mark, now) if read.request else None
        read = self._read(read)
        if first or before != (read.state, read.reason, self.request, self.task_state):
            yield self._move(now, read.state, read.reason, "status", signal, unread=read.terminal)

    def _read(self, read: TaskStatus) -> TaskStatus:
        """The state as this kind of agent means it."""
        return read

    def _options(self, status: Status) -> tuple[str, ...]:
        """What the owner may choose from."""
        return ()

    def _ask(self, kind: RequestKind, status: Status, mark: tuple[str, str], now: int) -> Blocked | None:
        """The open request, the same one while the agent only repeats itself."""
        words = status.text or self.output.newest_text()
        summary = clean(words[: 4 * QUESTION_LIMIT], QUESTION_LIMIT, newlines=True)
        known = self.request
        if known and known.kind is kind and summary in ("", known.summary):
            return known
        self.questions += 1
        self._asked = mark
        request_id = f"{self.key.session_id}#{self.questions}"
        return Blocked(kind, request_id, self._at(now), summary, self._options(status))

    def _fault(self, fault: Fault, now: int, signal: str) -> list[Event]:
        if self._is_over():
            return []
        self.is_heard = True
        self.output.updates += 1
        self.output.say(fault.message)
        expired = self.answering is not None and (
            fault.code == -32001 or (fault.code in (-32602, -32004) and "terminal" in fault.message.lower())
        )
        return self._fail(now, EXPIRED if expired else AGENT_ERROR, signal)

    def _fail(self, now: int, reason: str, signal: str) -> list[Event]:
        self.request, self.terminal, self.is_heard = None, True, True
        activity = ActivityChanged(self.key, self._at(now), self.output.activity())
        return [activity, self._move(now, State.ERROR, reason, "error", signal, unread=True)]

    def _noise(self, now: int, what: str) -> list[Event]:
        if self.output.noise:
            return []
        self.output.noise = True
        return [TrailAdded(self.key, TrailEntry(now, "call.noise", what))]


def _is_same(mark: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two states are one and the same: by the message's id, else by the agent's own time."""
    if mark[0] and other[0]:
        return mark[0] == other[0]
    return bool(mark[1]) and mark[1] == other[1]
