"""The closed union of what can happen to the roster.

Each event carries its source's own time `at` (epoch ms). The reducer ignores what is
older than what it knows; `ClockTicked` brings the present into a room that has no clock.
"""

from dataclasses import dataclass, field

from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Blocked,
    Can,
    Reply,
    SessionKey,
    SourceStatus,
    State,
    Task,
    TrailEntry,
)
from lisa_island.core.evidence import Fact


@dataclass(frozen=True, slots=True)
class SessionOpened:
    """A session is seen for the first time, restored, or told whole. An open session is not reset by it."""

    session: AgentSession
    at: int

    @property
    def key(self) -> SessionKey:
        return self.session.key


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The state of a session, with every request that is open in it now."""

    key: SessionKey
    at: int
    state: State
    reason: str
    fact: Fact
    requests: tuple[Blocked, ...] = ()
    task: Task | None = None
    unread: bool = False
    followed: bool | None = None
    capabilities: frozenset[Can] | None = None


@dataclass(frozen=True, slots=True)
class ActivityChanged:
    """Proof of life: new counts, artifacts or status text."""

    key: SessionKey
    at: int
    activity: Activity


@dataclass(frozen=True, slots=True)
class FollowChanged:
    """A call or stream of this session opened or ended."""

    key: SessionKey
    at: int
    followed: bool


@dataclass(frozen=True, slots=True)
class ReachChanged:
    """Where this session lives stopped answering, or answers again. Its last state stays as it is."""

    key: SessionKey
    at: int
    reachable: bool


@dataclass(frozen=True, slots=True)
class ReplyChanged:
    """The text of an answer is held in memory, or was lost with it."""

    key: SessionKey
    at: int
    reply: Reply


@dataclass(frozen=True, slots=True)
class TrailAdded:
    """Something worth a line of history that changes no state."""

    key: SessionKey
    entry: TrailEntry


@dataclass(frozen=True, slots=True)
class SessionRemoved:
    """The owner stopped following it, or its place no longer holds it."""

    key: SessionKey
    at: int


@dataclass(frozen=True, slots=True)
class LabelChanged:
    """The owner named it."""

    key: SessionKey
    label: str


@dataclass(frozen=True, slots=True)
class Seen:
    """The open panel showed the row for a second; clears `unread` and nothing else."""

    key: SessionKey


@dataclass(frozen=True, slots=True)
class Notified:
    """A notice for this request (or failure) has gone out once."""

    key: SessionKey
    request_id: str


@dataclass(frozen=True, slots=True)
class PinsChanged:
    """The pinned targets of one agent kind, in the owner's order, with their last known prices."""

    agent: str
    pins: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SourceReported:
    """The face of a source; its sessions go offline and come back with it."""

    agent: str
    at: int
    status: SourceStatus = field(default_factory=SourceStatus)


@dataclass(frozen=True, slots=True)
class ClockTicked:
    """Time has passed: rows may go stale or leave their window."""

    now: int


Event = (
    SessionOpened
    | StateChanged
    | ActivityChanged
    | FollowChanged
    | ReachChanged
    | ReplyChanged
    | TrailAdded
    | SessionRemoved
    | LabelChanged
    | Seen
    | Notified
    | PinsChanged
    | SourceReported
    | ClockTicked
)
