"""Everything below the windows, built once: the same for desktop, headless and a command that runs alone.

Ordered shutdown: sources end first, then the store tells what is pending, then the disk, then the threads.
"""

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lisa_island.agents import KINDS, AgentKind
from lisa_island.app.stored import Stored
from lisa_island.core.agent import KeyState, Origin, Reply, SourceStatus
from lisa_island.core.errors import IslandError, StorageError
from lisa_island.core.events import SessionRemoved, SourceReported
from lisa_island.core.intents import Intent, Outcome, refused
from lisa_island.core.origin import check_credential, origin_of
from lisa_island.core.ports import Clock, Context
from lisa_island.core.preferences import LOCAL_KINDS, Preferences
from lisa_island.core.roster import Roster
from lisa_island.core.words import pick
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from lisa_island.runtime.supervisor import Supervisor
from lisa_island.system import crashlog
from lisa_island.system.clock import SystemClock
from lisa_island.system.home import make_home
from lisa_island.system.keyring_process import KeyringProcess
from lisa_island.system.proxies import proxy_for
from lisa_island.system.secrets import KeyringSecrets, Taken, agent_user
from lisa_island.system.settings import FileSettings
from lisa_island.system.worker import Worker

if TYPE_CHECKING:
    from lisa_island.system.tasks import TaskDatabase

log = logging.getLogger(__name__)

REMOTE = "takoapi"
DIRECT = "a2a"
REPORTED = "generic"
LISA = "lisa"
WARM_SECONDS = 60.0
# For what a thread has begun, and no longer: a folder that hangs must not hold up quitting.
QUIT_SECONDS = 1.0


@dataclass(slots=True)
class Plan:
    """What differs between the faces. `demo` shows the kinds that are there for it alone."""

    home: Path
    environ: MutableMapping[str, str]
    taken: Taken | None = None
    demo: bool = False
    records: bool = True
    transport: Any = None
    clock: Clock = field(default_factory=SystemClock)
    kinds: tuple[AgentKind, ...] = field(default_factory=lambda: KINDS)


class House:
    """The parts, connected. `window(word)` carries show, hide, toggle and quit to whoever has windows."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.clock = plan.clock
        self._own_language = language(plan.environ)
        self.worker = Worker()
        self.nursery = Nursery(_task_failed)
        self.settings = FileSettings(plan.home, plan.environ, self.worker, self.clock)
        self._keyring = KeyringProcess()
        self.secrets = KeyringSecrets(
            self.worker,
            plan.environ,
            plan.home,
            plan.taken,
            lambda: self.preferences.key_source,
            keyring=not plan.demo,
            process=self._keyring,
        )
        self.agent_secrets = KeyringSecrets(
            self.worker,
            plan.environ,
            plan.home,
            keyring=not plan.demo,
            process=self._keyring,
            user=agent_user,
            check=check_credential,
        )
        self.store = Store(self.clock)
        self.supervisor = Supervisor(self.store, self.clock, self.nursery)
        self.stored = Stored(
            plan.home, self.clock, self.worker, self.store, self.nursery, self.settings,
            lambda error: self.problems.append(error), plan.records,
        )  # fmt: skip
        self.window: Callable[[str], bool] = lambda _word: False
        self.window_mode: Callable[[], str] = lambda: ""  # a catalogue key, where there are windows
        self.problems: list[IslandError] = []
        # Set once something is switched on, or the owner has looked: what only serves that waits for it.
        self.awake = asyncio.Event()
        self.erase_at_end: Callable[[], object] = lambda: None
        self._sources: dict[str, Any] = {}
        # Sources on their way or there; the event is set once a source is there, or failed to be.
        self._opening: dict[str, asyncio.Event] = {}
        self._key_listeners: list[Callable[[], None]] = []
        self._ends: list[Callable[[], None]] = []

    @property
    def tasks(self) -> "TaskDatabase":
        """The rows of tasks."""
        return self.stored.tasks

    @property
    def preferences(self) -> Preferences:
        """The owner's choices now."""
        return self.settings.now()

    @property
    def lang(self) -> str:
        """Language of the catalogue."""
        wanted = self.preferences.language
        return self._own_language if wanted == "system" else pick(wanted)

    @property
    def origin(self) -> str:
        """The address that remote calls go to, as the keyring spells it."""
        return origin_of(self.preferences.base_url)

    async def open(self) -> None:
        """Read what is stored and open the sources that the owner switched on. Raises StorageError."""
        make_home(self.plan.home)
        await self.settings.open()
        wanted = any(self._is_wanted(kind, self.preferences) for kind in self.plan.kinds)
        if wanted or await self.stored.is_kept():
            await self.stored.open()
        self._ends.append(self.store.subscribe(self._forget_replies))
        self._ends.append(self.settings.subscribe(self._open_wanted))
        self._open_wanted(self.preferences)

    async def close(self) -> None:
        """Ordered; nothing that was told is lost."""
        for end in self._ends:
            end()
        self.supervisor.shut()
        await self.stored.settled()
        await self.nursery.close()
        self.store.close()
        await self.stored.close()
        await self.leave()
        self.erase_at_end()

    async def leave(self) -> None:
        """The end of a house of which no more than the settings and the keys were opened."""
        await self.settings.close()
        await self._keyring.close()
        await self.worker.settled(QUIT_SECONDS)
        self.worker.close()

    async def perform(self, intent: Intent, *, even_if_off: bool = False) -> Outcome:
        """Carry an intent to its source; `even_if_off`: what asks and sends nothing needs no open source."""
        agent = intent.key.agent if hasattr(intent, "key") else intent.agent
        if (opening := self._opening.get(agent)) is not None:
            # Asked while the source still warms up: a moment's wait, not a refusal.
            await opening.wait()
        if even_if_off and agent not in self._sources:
            kind = next((k for k in self.plan.kinds if k.id == agent), None)
            if kind is None:
                return refused("outcome.source-off", agent=agent)
            await self.stored.open()
            return await _asked_once(self._open(kind, self.preferences), intent)
        return await self.supervisor.perform(intent)

    async def report(self, reporter: str, events: Sequence[Any]) -> tuple[int, int]:
        """Hand events of a host to the source that takes them; (taken, dropped)."""
        if (opening := self._opening.get(REPORTED)) is not None:
            await opening.wait()
        source = self._sources.get(REPORTED)
        return source.report(reporter, events) if source is not None else (0, len(events))

    def background(self, work: Awaitable[Outcome]) -> "asyncio.Future[Outcome]":
        """Run to its end whoever stops waiting; the nursery owns it."""
        ended: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

        async def run() -> None:
            try:
                outcome = await work
            except asyncio.CancelledError:
                ended.cancel()
                raise
            if not ended.done():
                ended.set_result(outcome)

        self.nursery.start(run(), "intent")
        return ended

    def key_changed(self) -> None:
        """The key was saved, dropped or unlocked: sources look again."""
        for call in tuple(self._key_listeners):
            call()

    def targets(self) -> tuple[tuple[str, str, str], ...]:
        """(name, price word, shown name) of what was called, pinned or added: what may be completed.

        A direct agent comes before a slug of the same name, as in `core.naming`.
        """
        known: dict[str, tuple[str, str, str]] = {
            p.target: (p.target, p.price, p.name) for p in self.preferences.pins
        }
        for session in self.store.roster.sessions.values():
            if session.key.agent == REMOTE and session.origin is not Origin.PINNED:
                slug = session.task.target if session.task else session.project
                price = session.price or known.get(slug, ("", "", ""))[1]
                known[slug] = (slug, price, known.get(slug, ("", "", ""))[2])
        known |= {a.name: (a.name, "", "") for a in self.preferences.direct_agents}
        return tuple(known[slug] for slug in sorted(known))

    def price_of(self, target: str) -> str:
        """The last known price word of a slug, or "" ."""
        return next((price for slug, price, _ in self.targets() if slug == target), "")

    def losses(self) -> tuple[int, int]:
        """(unread replies held in memory, open calls): what quitting now would lose."""
        sessions = self.store.roster.sessions.values()
        replies = sum(s.reply is Reply.HELD and s.unread for s in sessions)
        return replies, sum(s.followed and s.origin is Origin.CALLED for s in sessions)

    async def facts(self) -> tuple[tuple[str, str], ...]:
        """(catalogue key, value) for `doctor` and the settings pages."""
        from lisa_island.app.doctor import facts

        return await facts(self)

    def _open_wanted(self, preferences: Preferences) -> None:
        """Open what the owner switched on. A source that is open follows its own settings, also to off."""
        for kind in self.plan.kinds:
            wanted = self._is_wanted(kind, preferences)
            if kind.id in self._opening:
                if not wanted and kind.id != REMOTE:
                    self._close_kind(kind.id)
            elif wanted:
                self.awake.set()
                opened = asyncio.Event()
                self._opening[kind.id] = opened
                self.nursery.start(self._warm_up(kind, opened), f"open {kind.id}")
            elif kind.id == REMOTE:
                off = SourceStatus(False, KeyState.NONE, origin=self.origin)
                self.store.dispatch(SourceReported(REMOTE, self.clock.now(), off))

    def _close_kind(self, kind_id: str) -> None:
        """A kind without calls of its own simply ends; its rows leave with it."""
        del self._opening[kind_id]
        if self._sources.pop(kind_id, None) is not None:
            self.supervisor.close(kind_id)
        for key in tuple(self.store.roster.sessions):
            if key.agent == kind_id:
                self.store.dispatch(SessionRemoved(key, self.clock.now()))

    async def _warm_up(self, kind: AgentKind, opened: asyncio.Event) -> None:
        """Import and prepare off the loop: that takes a tenth of a second, and the pill is there already."""
        try:
            await self.worker.run(kind.warm, limit=WARM_SECONDS, name=f"warm {kind.id}")
            try:
                await self.stored.open()
            except StorageError as error:
                self.problems.append(error)
            source = self._open(kind, self.preferences)
            self._sources[kind.id] = source
            self.supervisor.open(source)
        finally:
            opened.set()

    def _is_wanted(self, kind: AgentKind, preferences: Preferences) -> bool:
        return self.plan.demo if kind.demo_only else preferences.is_on(kind.id)

    def _open(self, kind: AgentKind, preferences: Preferences) -> Any:
        return kind.open(kind_config(kind.id, preferences), self._context(kind.id))

    def _context(self, kind_id: str) -> Context:
        return Context(
            tasks=self.tasks,
            secrets=self.agent_secrets if kind_id == DIRECT else self.secrets,
            clock=self.clock,
            new_id=lambda: str(uuid.uuid4()),
            start=self.nursery.start,
            transport=self.plan.transport,
            proxy=lambda origin: proxy_for(origin, self.plan.environ),
            run=partial(self.worker.run, name=f"look {kind_id}"),
            variable=lambda name: self.plan.environ.get(name, ""),
            settings=lambda: kind_config(kind_id, self.preferences),
            on_settings=self._on_settings,
            others=lambda: self.store.roster.sessions.keys(),
            on_others=lambda call: self.store.subscribe(lambda _old, _new: call()),
        )

    def _on_settings(self, call: Callable[[], None]) -> Callable[[], None]:
        self._key_listeners.append(call)
        stop = self.settings.subscribe(lambda _now: call())

        def end() -> None:
            self._key_listeners.remove(call)
            stop()

        return end

    def _forget_replies(self, old: Roster, new: Roster) -> None:
        gone = old.sessions.keys() - new.sessions.keys()
        for agent in {key.agent for key in gone}:
            forget = getattr(self._sources.get(agent), "forget", None)
            if forget is not None:
                forget({key.session_id for key in gone if key.agent == agent})


def _task_failed(name: str, error: BaseException) -> None:
    # Two words of a name are ours; a third may be a session. The type alone: a message may be foreign.
    what = " ".join(name.split()[:2])
    log.error("task %s failed: %s", what, type(error).__name__)
    crashlog.record(f"task {what}", error)


async def _asked_once(source: Any, intent: Intent) -> Outcome:
    """Ask a source that nobody follows, and leave no connection of it behind."""
    try:
        outcome: Outcome = await source.perform(intent)
        return outcome
    finally:
        if (close := getattr(source, "close", None)) is not None:
            await close()


def kind_config(kind_id: str, preferences: Preferences) -> dict[str, Any]:
    """What a source is told of the owner's choices."""
    if kind_id == DIRECT:
        agents = [asdict(agent) for agent in preferences.direct_agents]
        return {"enabled": bool(agents), "agents": agents}
    if kind_id == REPORTED:
        return {"enabled": bool(preferences.reporters), "reporters": list(preferences.reporters)}
    if kind_id == LISA:
        on = [kind for kind in (REMOTE, *LOCAL_KINDS) if preferences.is_on(kind)]
        return {"enabled": preferences.is_on(kind_id), "on": on}
    if kind_id != REMOTE:
        return {"enabled": preferences.is_on(kind_id)}
    return {
        "enabled": preferences.takoapi_enabled,
        "base_url": preferences.base_url,
        "pin": [p.target for p in preferences.pins],
        "prices": {p.target: p.price for p in preferences.pins},
        "follow": list(preferences.follow_at_agent),
    }


def language(environ: Mapping[str, str]) -> str:
    """The language of this run: our own variable, then the locale."""
    for name in ("LISA_ISLAND_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            return pick(environ[name])
    return "en"
