"""A task at an agent's own endpoint. What gateways cannot say is said here: what GetTask proves, and cancel.

A stream's end proves nothing by itself; the follower asks, and tells what came of it (contract a2a.md, the
reconnect policy).
"""

from dataclasses import dataclass

from lisa_island.agents._a2a_exchange import AGENT_ERROR, NOT_SENT, OUTCOME_UNKNOWN, Exchange
from lisa_island.agents._a2a_question import options_of
from lisa_island.agents._a2a_wire import ArtifactUpdate, Fault, Frame, Snapshot, Status
from lisa_island.core.agent import Blocked, Can, RequestKind, State, Task, TrailEntry
from lisa_island.core.events import (
    ActivityChanged,
    Event,
    FollowChanged,
    ReachChanged,
    StateChanged,
    TrailAdded,
)
from lisa_island.core.ports import TaskRow
from lisa_island.core.task_state import TaskStatus, read_task_state

READY = "ready-for-input"
STALLED = "stalled"
LOST = "lost-by-server"
SIGN_IN = "sign-in"
ECHOES = 3
# No such method, no such version: in both dialects, this proves that nothing was begun.
NOT_SPOKEN = (-32601, -32009)
_AGAIN = (OUTCOME_UNKNOWN, NOT_SENT, LOST, AGENT_ERROR)


@dataclass(slots=True, eq=False)
class DirectTask(Exchange):
    """One task of a direct agent. `news` grows with whatever was new; `endpoint` is where it lives.

    `at_agent`: its own endpoint can be asked. Of a gateway's task (`is_relayed`) messages take the gateway's
    way.
    """

    endpoint: str = ""
    news: int = 0
    is_reachable: bool = True
    is_denied: bool = False
    can_sign_in: bool = False
    at_agent: bool = True
    is_relayed: bool = False
    _offered: tuple[str, ...] = ()
    _echoes: int = 0
    _stalled: tuple[object, ...] = ()

    # --- what the follower looks at ---

    @property
    def is_waiting(self) -> bool:
        """Whether the agent waits for somebody."""
        return self.state is State.WAITING

    @property
    def may_resume(self) -> bool:
        """Whether it can go on without us: somebody may sign in elsewhere."""
        return self.request is not None and self.request.kind is RequestKind.AUTH and not self.is_denied

    # --- frames ---

    def take(self, frame: Frame, now: int, signal: str) -> list[Event]:
        """What one frame changes. An error beside a task that is known proves nothing: GetTask will tell."""
        if isinstance(frame, Fault):
            if not self.task_id and not self.is_heard and frame.code in NOT_SPOKEN:
                return []
            if self.task_id and not self._proves_end(frame):
                self.output.say(frame.message)
                self._settled = ("", "")
                return []
        if isinstance(frame, Snapshot):
            if self.terminal and self._is_same_end(frame):
                # The last word of all about what it put out: some streams double their pieces.
                self.output.replace(frame.artifacts)
                return [ActivityChanged(self.key, self._at(now), self.output.activity())]
            self._count_echo(frame, signal)
        self._offer(frame)
        before = (self.task_state, self.request, self.output.fingerprint())
        events = list(super(DirectTask, self).take(frame, now, signal))
        is_new = before != (self.task_state, self.request, self.output.fingerprint())
        self.news += is_new
        if signal == "get" and not is_new and all(isinstance(e, ActivityChanged) for e in events):
            # Asked again, told the same: that is no sign of life, and nothing to draw.
            self.output.updates -= len(events)
            return []
        if is_new and self.reason == STALLED:
            events.append(self._move(now, State.WORKING, "working", "artifact", signal))
        return events

    def _proves_end(self, fault: Fault) -> bool:
        """Whether an answer of ours came to a task that is over, or that nobody knows."""
        is_gone = fault.code == -32001 or "terminal" in fault.message.lower()
        return self.answering is not None and not self.is_heard and is_gone

    def _count_echo(self, frame: Snapshot, signal: str) -> None:
        """A question that GetTask repeats again and again after our answer is open, not an echo."""
        if signal != "get" or frame.status is None:
            return
        message = frame.status.message
        mark = (message.message_id if message else "", frame.status.timestamp)
        self._echoes = self._echoes + 1 if mark == self._settled else 0
        if self._echoes >= ECHOES:
            self._settled = ("", "")

    def _offer(self, frame: Frame) -> None:
        """Remember what the newest artifact lets the owner choose from."""
        match frame:
            case ArtifactUpdate() if frame.artifact is not None:
                self._offered = options_of(frame.artifact.parts)
            case Snapshot() if frame.artifacts:
                self._offered = options_of(frame.artifacts[-1].parts)

    def _is_same_end(self, frame: Snapshot) -> bool:
        state = read_task_state(frame.status.state if frame.status else None)
        return state.terminal and frame.task_id in ("", self.task_id) and self.is_heard

    def _read(self, read: TaskStatus) -> TaskStatus:
        self.is_denied = False
        if self._stalled == (read.word, self.output.fingerprint()) and self.reason == STALLED:
            return TaskStatus(read.word, State.WORKING, STALLED)
        if read.request is RequestKind.INPUT and self.request is None:
            return TaskStatus(read.word, State.WAITING, READY)
        return read

    def _ask(self, kind: RequestKind, status: Status, mark: tuple[str, str], now: int) -> Blocked | None:
        """No words and nothing put out: it is ready for more, and asks nothing."""
        is_silent = not status.text and not self.output.newest_text()
        if kind is RequestKind.INPUT and is_silent and self.request is None and not self.is_relayed:
            self._asked = mark
            return None
        return super(DirectTask, self)._ask(kind, status, mark, now)

    def _options(self, status: Status) -> tuple[str, ...]:
        return options_of(status.message.parts if status.message else ()) or self._offered

    def joins(self, task_id: str) -> None:
        """From here on only frames of this task count."""
        self._call_task, self.is_heard = task_id, True

    # --- what the follower found ---

    def stalled(self, now: int) -> list[Event]:
        """Two streams ended cleanly in an active state with nothing new: it may be at work, or not."""
        if self.state is not State.WORKING or self.reason == STALLED:
            return []
        self._stalled = (self.task_state, self.output.fingerprint())
        return [self._move(now, State.WORKING, STALLED, "stalled", "stream")]

    def lost(self, now: int) -> list[Event]:
        """The server says twice that it knows no such task."""
        self.request = None
        return [self._move(now, State.UNKNOWN, LOST, "lost", "get")]

    def denied(self, now: int, status: int) -> list[Event]:
        """The server wants to know who asks, or refuses whoever that was."""
        if self.is_denied and self.request is not None:
            return []
        self.is_denied = True
        self.questions += 1
        request_id = f"{self.key.session_id}#{self.questions}"
        self.request = Blocked(RequestKind.AUTH, request_id, self._at(now))
        return [self._move(now, State.WAITING, SIGN_IN, f"http-{status}", "http")]

    def reach(self, now: int, reachable: bool) -> list[Event]:
        """Whether its server answers at all."""
        if self.is_reachable is reachable:
            return []
        self.is_reachable = reachable
        return [ReachChanged(self.key, self._at(now), reachable)]

    def followed_by(self, now: int, followed: bool) -> list[Event]:
        """Whether somebody still looks after it."""
        if self.followed is followed:
            return []
        self.followed = followed
        return [FollowChanged(self.key, self._at(now), followed)]

    def closed(self, now: int) -> list[Event]:
        """The call is over: what it put out may be read, and no answer is on its way any more."""
        had, self.has_reply = self.has_reply, self.has_reply or self.output.has_artifact_text
        self.answering = None
        return [] if had == self.has_reply else [self.told(now)]

    def cut(self, now: int) -> list[Event]:
        """The connection broke before a word came back: nobody can tell whether there is a task."""
        self.followed, self.lost_answer, self.answering = False, self.answering, None
        return [self._move(now, State.UNKNOWN, OUTCOME_UNKNOWN, "cut", "call")]

    def answer_refused(self, now: int) -> StateChanged:
        """Nothing reached the agent: the same question is open again, or it is ready for more as before."""
        moved = super(DirectTask, self).answer_refused(now)
        return moved if self.request else self._move(now, State.WAITING, READY, "refused", "call")

    def cancel_refused(self, now: int, why: str) -> list[Event]:
        """The agent does not stop it; the row says so."""
        return [TrailAdded(self.key, TrailEntry(now, "call.not-canceled", why))]

    # --- whole ---

    def task(self) -> Task:
        """The remote task behind it."""
        return Task(
            self.target, self.message_id, self.task_id, self.context_id, self.task_state, self.terminal,
            self.calls, self.endpoint,
        )  # fmt: skip

    def row(self) -> TaskRow:
        """The row as it is written before the first byte of a call."""
        return super(DirectTask, self).row().with_(agent=self.key.agent, endpoint=self.endpoint)

    def capabilities(self) -> frozenset[Can]:
        """What the owner can do with it now."""
        can = set(super(DirectTask, self).capabilities())
        if self.is_denied:
            can.discard(Can.ANSWER)
        if self.request is not None and self.request.kind is RequestKind.AUTH and self.can_sign_in:
            can.add(Can.SIGN_IN)
        is_open = not self.terminal and self.state is not State.DONE and self.reason != LOST
        if self.at_agent and self.task_id and is_open:
            can.add(Can.CANCEL)
        if self.reason == READY:
            can.add(Can.CONTINUE)
        if (
            self.text
            and self.answering is None
            and (self.terminal or self.is_denied or self.reason in _AGAIN)
        ):
            can.add(Can.SEND_AGAIN)
        if self.at_agent:
            can.add(Can.SHOW_RAW)
        return frozenset(can)
