"""One owned task per source: its events go to the store, its failure becomes an event.

A source that fails is opened again after a growing pause; its siblings never notice.
Intents find their source by the agent id and are awaited by whoever asked.
"""

import logging
from collections.abc import Callable
from contextlib import aclosing

from lisa_island.core.agent import Health, SessionKey, SourceStatus
from lisa_island.core.backoff import delay
from lisa_island.core.events import ClockTicked, SourceReported
from lisa_island.core.intents import Intent, Outcome, Result, refused
from lisa_island.core.ports import Clock, Source
from lisa_island.core.roster import Roster
from lisa_island.core.window import next_tick
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store

log = logging.getLogger(__name__)

# setTimeout-like clocks and suspended machines: look again at least this often while anything ages.
LONGEST_WAIT = 3600.0


class Supervisor:
    """Owns the sources and the one timer by which rows age."""

    def __init__(self, store: Store, clock: Clock, nursery: Nursery) -> None:
        self._store = store
        self._clock = clock
        self._nursery = nursery
        self._sources: dict[str, Source] = {}
        self._cancels: dict[str, Callable[[], None]] = {}
        self._due: Callable[[], None] | None = None
        self._unsubscribe = store.subscribe(self._plan)

    def open(self, source: Source) -> None:
        """Start following a source."""
        self._sources[source.key] = source
        self._cancels[source.key] = self._nursery.start(self._run(source), f"source {source.key}")

    def close(self, agent: str) -> None:
        """Stop following a source; its `finally` runs before the nursery closes."""
        self._sources.pop(agent, None)
        if cancel := self._cancels.pop(agent, None):
            cancel()

    async def perform(self, intent: Intent) -> Outcome:
        """Carry an intent to its source."""
        agent = intent.key.agent if hasattr(intent, "key") else intent.agent
        source = self._sources.get(agent)
        if source is None:
            return refused("outcome.source-off", agent=agent)
        try:
            return await source.perform(intent)
        except Exception as error:
            log.error("intent %s failed: %s", type(intent).__name__, type(error).__name__)
            return Outcome(Result.UNKNOWN, "outcome.unknown", key=_key_of(intent))

    async def _run(self, source: Source) -> None:
        failures = 0
        while True:
            try:
                async with aclosing(source.events()) as events:  # type: ignore[type-var]
                    async for event in events:
                        failures = 0
                        self._store.dispatch(event)
                return
            except Exception as error:
                log.error("source %s failed: %s", source.key, type(error).__name__)
                failures += 1
                pause = delay(failures)
                self._report_failure(source.key, pause)
                await self._clock.sleep(pause)

    def _report_failure(self, agent: str, pause: float) -> None:
        now = self._clock.now()
        known = self._store.roster.sources.get(agent, SourceStatus(enabled=True))
        status = SourceStatus(
            known.enabled, known.key_state, known.generation, known.mode, Health.OFFLINE,
            now + int(pause * 1000), known.origin, "source-failed",
        )  # fmt: skip
        self._store.dispatch(SourceReported(agent, now, status))

    def _plan(self, _old: Roster, new: Roster) -> None:
        if self._due is not None:
            self._due()
            self._due = None
        now = self._clock.now()
        at = next_tick(new.sessions.values(), now)
        if at is not None:
            wait = min(max(0.0, (at - now) / 1000), LONGEST_WAIT)
            self._due = self._clock.call_later(wait, self._tick)

    def _tick(self) -> None:
        self._due = None
        before = self._store.roster
        self._store.dispatch(ClockTicked(self._clock.now()))
        if self._store.roster is before:
            self._plan(before, before)

    def wake(self) -> None:
        """Time may have jumped (sleep, clock change): age everything now."""
        self._tick()

    def shut(self) -> None:
        """Stop the timer and every source."""
        if self._due is not None:
            self._due()
            self._due = None
        for agent in tuple(self._sources):
            self.close(agent)
        self._unsubscribe()


def _key_of(intent: Intent) -> SessionKey | None:
    key = getattr(intent, "key", None)
    return key if isinstance(key, SessionKey) else None
