"""What the inner rooms ask of this machine. `system` implements, `app` hands over, tests fake.

Every method that may block is `async`; implementations run it behind the worker with a limit.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, Protocol

from lisa_island.core.agent import Blocked, KeyState, SessionKey
from lisa_island.core.events import Event
from lisa_island.core.intents import Intent, Outcome
from lisa_island.core.journal import Entry
from lisa_island.core.notices import Note
from lisa_island.core.preferences import Preferences


class Source(Protocol):
    """One running agent kind. `events` is iterated once by its owner; cancelling it closes everything."""

    key: str

    def events(self) -> AsyncIterator[Event]:
        """Yield what happens, from restored rows on, until cancelled."""
        ...

    async def perform(self, intent: Intent) -> Outcome:
        """Carry out an intent addressed to this source; never raises but for cancellation."""
        ...


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One remote task as it is stored: structure only, but for the question while it waits.

    Times are epoch ms. `state`, `reason` and `task_state` are words; `session_id` is `<slug>/<8 hex>`, one
    kind's `agent` id never taken for another's. `endpoint` is where a direct agent was called, else "".
    """

    session_id: str
    target: str
    message_id: str
    started_at: int
    updated_at: int
    state: str
    reason: str = ""
    task_state: str = ""
    terminal: bool = False
    task_id: str = ""
    context_id: str = ""
    label: str = ""
    unread: bool = False
    notified: str = ""
    calls: int = 1
    price: str = ""
    had_reply: bool = False
    agent: str = "takoapi"
    endpoint: str = ""
    question: Blocked | None = None

    def with_(self, **changes: Any) -> "TaskRow":
        """A copy with some fields changed."""
        return replace(self, **changes)


@dataclass(frozen=True, slots=True)
class LisaRow:
    """A row that LISA itself wrote into the shared call list; one per slug, latest wins."""

    target: str
    task_id: str
    started_at: int
    updated_at: int
    last_state: str


class Tasks(Protocol):
    """The task database with its mirror in LISA's format. A record is acknowledged when the call returns."""

    async def begin(self, row: TaskRow) -> None:
        """Write a new row before the first byte goes out. Raises StorageError; then nothing may be sent."""
        ...

    async def update(self, row: TaskRow) -> None:
        """Write the row whole. Raises StorageError."""
        ...

    async def remove(self, session_id: str) -> None:
        """Forget a row and its question."""
        ...

    async def list(self) -> Sequence[TaskRow]:
        """All rows that were not pruned, newest first."""
        ...

    def changes(self) -> AsyncIterator[tuple[LisaRow, ...]]:
        """LISA's rows, whole, now and after each change of the shared list."""
        ...


class Records(Protocol):
    """The journal of what happened, in the task database: bounded, structure only."""

    async def keep(self, entries: Sequence[Entry], days: int) -> None:
        """Add entries; let go of what is older than `days`, of all for 0. Raises StorageError."""
        ...

    async def entries(self, key: SessionKey | None = None) -> Sequence[Entry]:
        """All entries, or one session's, oldest first. Raises StorageError."""
        ...


class Secrets(Protocol):
    """The key of one origin. Values never leave through repr, logs or exceptions."""

    async def get(self, origin: str) -> "Secret":
        """The key that was saved for exactly this origin, and where it is."""
        ...

    async def put(self, origin: str, value: str) -> KeyState:
        """Save; returns READY or says why not. Raises SecretError when the keyring refuses."""
        ...

    async def drop(self, origin: str) -> KeyState:
        """Delete; deleting what is not there is fine."""
        ...

    async def unlock(self, origin: str) -> KeyState:
        """Ask the desktop to open a locked collection; only after the owner's click."""
        ...

    def remember(self, origin: str, value: str) -> None:
        """Keep for this run only."""
        ...


@dataclass(frozen=True, slots=True)
class Secret:
    """A key and its state; `detail` names the backend that does not count. The value is not in the repr."""

    state: KeyState
    value: str = field(default="", repr=False)
    detail: str = ""

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not serialised")


class Settings(Protocol):
    """The owner's choices, with LISA's shared file behind some of them."""

    def now(self) -> Preferences:
        """The choices at this moment; never touches the disk."""
        ...

    async def change(self, **changes: Any) -> Preferences:
        """Change some fields, on disk first. Raises StorageError; then nothing changed."""
        ...

    def subscribe(self, call: Callable[[Preferences], None]) -> Callable[[], None]:
        """Call back after every change, from here or from the file; the answer ends it."""
        ...


class Notifier(Protocol):
    """The desktop's notification server, where there is one. `trouble`: why the last `show` said False, as a
    catalogue key ("" where that is not known).
    """

    trouble: str

    async def show(self, note: Note) -> bool:
        """Show or replace; False when nobody shows notices here (then our own toast does)."""
        ...

    async def withdraw(self, note_id: str) -> None:
        """Close it, wherever it is shown."""
        ...

    def pressed(self) -> AsyncIterator[tuple[str, str]]:
        """(note id, action) for each button or click; action "default" is a click on the notice itself."""
        ...


class Clock(Protocol):
    """Wall time and waiting, so that tests own both."""

    def now(self) -> int:
        """Epoch ms."""
        ...

    def monotonic(self) -> float:
        """Seconds that never jump back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...

    def call_later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        """Run once after a while on the loop; the answer cancels it."""
        ...


class Ancestry(Protocol):
    """Whether a process stands below a known agent."""

    def agent_above(self, pid: int) -> str:
        """Name of the agent process among the ancestors of `pid`, or "" ."""
        ...


async def _run_here(work: Callable[..., Any], *args: Any, limit: float) -> Any:
    """Without a worker: at once, on the loop; for the demo and tests."""
    return work(*args)


@dataclass(frozen=True, slots=True)
class Context:
    """What a source is given when it is opened. Transport None means the real network.

    `settings()` gives the source's own settings at this moment, a plain dict; `on_settings(call)` calls back
    when they or the key changed and answers with the way to stop that. `start(coroutine, name)` hands a task
    to the one owner that awaits it (runtime/nursery.py) and answers with the way to cancel it.
    `proxy(origin)` names the proxy for an origin, "" for none; it may hold a password: for connecting alone.
    `run(work, *args, limit=seconds)` runs what blocks in the worker; raises what it raises, and TimeoutError.
    `variable(name)` is a variable of the owner's environment, "" for none: where agents keep their folders.
    `others()` names the sessions that the roster holds now, for a kind that must show none twice;
    `on_others(call)` calls back when the roster changed, often, and answers with the way to stop that.
    """

    tasks: Tasks
    secrets: Secrets
    clock: Clock
    new_id: Callable[[], str]
    start: Callable[[Coroutine[Any, Any, None], str], Callable[[], None]]
    transport: Any = None
    proxy: Callable[[str], str] = lambda _: ""
    run: Callable[..., Awaitable[Any]] = _run_here
    variable: Callable[[str], str] = lambda _: ""
    settings: Callable[[], Any] = dict
    on_settings: Callable[[Callable[[], None]], Callable[[], None]] = lambda _: lambda: None
    others: Callable[[], Collection[SessionKey]] = tuple
    on_others: Callable[[Callable[[], None]], Callable[[], None]] = lambda _: lambda: None
