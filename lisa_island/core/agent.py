"""The values of the roster: a session, what it waits for, what it did.

All times are epoch milliseconds. All foreign text in here was cleaned and cut
where its bytes arrived (`core.text`); nothing in here is a prompt or a reply.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from lisa_island.core.evidence import Fact

TRAIL_LIMIT = 32


class State(StrEnum):
    """The six words of every wire."""

    WORKING = "working"
    WAITING = "waiting"
    ERROR = "error"
    IDLE = "idle"
    DONE = "done"
    UNKNOWN = "unknown"


class Freshness(StrEnum):
    """How far the last word can be trusted now."""

    LIVE = "live"
    STALE = "stale"
    OFFLINE = "offline"


class RequestKind(StrEnum):
    """What a blocked session waits for."""

    PERMISSION = "permission"
    QUESTION = "question"
    INPUT = "input"
    AUTH = "auth"
    PLAN = "plan"
    EXTERNAL = "external"


class Can(StrEnum):
    """What the owner can do with a session; a control is drawn only for what is here."""

    ANSWER = "answer"
    STOP_FOLLOWING = "stop-following"
    SEND_AGAIN = "send-again"
    READ_REPLY = "read-reply"
    LABEL = "label"
    CANCEL = "cancel"
    CONTINUE = "continue"
    SIGN_IN = "sign-in"
    SHOW_RAW = "show-raw"


class Reply(StrEnum):
    """Where the text of an answer is: it lives in memory only."""

    NONE = "none"
    HELD = "held"
    LOST = "lost"


class Origin(StrEnum):
    """Why a row may stand in the roster (I11)."""

    CALLED = "called"
    LISA = "lisa"
    PINNED = "pinned"
    LOCAL = "local"


@dataclass(frozen=True, slots=True, order=True)
class SessionKey:
    """Identity of a row: the agent kind's id and a session id that never changes."""

    agent: str
    session_id: str

    def __str__(self) -> str:
        return f"{self.agent}::{self.session_id}"


@dataclass(frozen=True, slots=True)
class Blocked:
    """One request that waits for the owner. `summary` is foreign text, cleaned, at most 4,000 characters."""

    kind: RequestKind
    request_id: str
    since: int
    summary: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Artifact:
    """An artifact by name and size in bytes; its content is never here."""

    name: str
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """What begins and ends inside a session, by its own id: a tool call, or a subagent where `tool` is "".

    `ok` is None where the source does not say how it ended.
    """

    id: str
    tool: str = ""
    is_over: bool = False
    ok: bool | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """What an agent on this machine did in a session: counts and names, never what was said.

    `turns` and `tokens` (output tokens) are lower bounds where `is_partial`. `tools` and `files` (base names)
    are newest last, `program` is that of the last command. `mode` is the permission mode; `subagents` and
    `background` count what runs beside. `steps` are those that are open, and may be some that just ended,
    newest last. `changed` counts files, `ahead` and `behind` commits of a repository.
    """

    turns: int = 0
    tokens: int = 0
    is_partial: bool = False
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    program: str = ""
    branch: str = ""
    model: str = ""
    mode: str = ""
    version: str = ""
    subagents: int = 0
    background: int = 0
    steps: tuple[Step, ...] = ()
    changed: int = 0
    ahead: int = 0
    behind: int = 0


@dataclass(frozen=True, slots=True)
class Activity:
    """What a session did, structure only. `status_text` lives in memory and is never stored or sent on."""

    updates: int = 0
    artifacts: tuple[Artifact, ...] = ()
    status_text: str = ""
    work: Work | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """The remote task behind a session. Ids belong to the agent: opaque, unique per target only.

    `endpoint` is the address that a direct agent was called at, "" for one behind a gateway.
    """

    target: str
    message_id: str = ""
    task_id: str = ""
    context_id: str = ""
    task_state: str = ""
    terminal: bool = False
    calls: int = 1
    endpoint: str = ""


@dataclass(frozen=True, slots=True)
class TrailEntry:
    """One line of history: `kind` is a catalogue key under `trail.`, `detail` its bounded word."""

    at: int
    kind: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class AgentSession:
    """One row. `unread` marks a result the owner has not seen; `followed` an open call or stream."""

    key: SessionKey
    project: str
    state: State
    state_reason: str = ""
    last_activity: int | None = None
    started_at: int | None = None
    origin: Origin = Origin.CALLED
    cwd: str = ""
    label: str = ""
    unread: bool = False
    freshness: Freshness = Freshness.LIVE
    followed: bool = False
    activity: Activity = field(default_factory=Activity)
    requests: tuple[Blocked, ...] = ()
    task: Task | None = None
    reply: Reply = Reply.NONE
    price: str = ""
    notified: str = ""
    capabilities: frozenset[Can] = frozenset()
    links: tuple[str, ...] = ()
    fact: Fact | None = None
    trail: tuple[TrailEntry, ...] = ()

    @property
    def is_blocked(self) -> bool:
        """Whether it waits for the owner."""
        return bool(self.requests)

    @property
    def is_finished(self) -> bool:
        """Whether nothing more is expected of it, and the owner need not look."""
        return self.state in (State.DONE, State.IDLE) or (self.state is State.ERROR and not self.unread)


class KeyState(StrEnum):
    """Where the key of a source is."""

    READY = "ready"
    LOCKED = "locked"
    ABSENT = "absent"
    TIMED_OUT = "timed-out"
    MEMORY = "memory"
    NONE = "none"


class Health(StrEnum):
    """How a source fares as a whole."""

    OFF = "off"
    OK = "ok"
    WAITING = "waiting"
    OFFLINE = "offline"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """The face of a source. `retry_at` is epoch ms of the next try; `origin` the address it talks to.
    `unverified` are versions of the agent that no recorded file proves; `unknown` counts by version the kinds
    of records that nobody here knows.
    """

    enabled: bool = False
    key_state: KeyState = KeyState.NONE
    generation: str = "unknown"
    mode: str = "tasks"
    health: Health = Health.OFF
    retry_at: int | None = None
    origin: str = ""
    detail: str = ""
    unverified: tuple[str, ...] = ()
    unknown: tuple[tuple[str, int], ...] = ()
