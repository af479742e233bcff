"""The journal: what happened in each session, derived from the roster before and after each event.

It never holds a dot up: entries wait here, and one owned task hands them to the task database in small heaps.
A session's first entries in a run say how it stood; so do the next ones after a heap that could not be kept.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator

from lisa_island.core.actions import action_of
from lisa_island.core.agent import AgentSession, Origin, SessionKey, State, Step
from lisa_island.core.errors import StorageError
from lisa_island.core.events import Event
from lisa_island.core.journal import (
    MAIN,
    MOST_REQUESTS,
    ActionBegan,
    ActionEnded,
    AgentJoined,
    AgentLeft,
    AgentStated,
    Asked,
    Delegated,
    Entry,
    Happening,
    SessionTold,
    Used,
    reason_of,
    rule_of,
    tag,
)
from lisa_island.core.ports import Clock, Records
from lisa_island.core.roster import Roster
from lisa_island.runtime.store import Store

log = logging.getLogger(__name__)

HEAP_SECONDS = 5.0
MOST_WAITING = 4_000


def happened(before: AgentSession | None, after: AgentSession | None) -> tuple[Happening, ...]:
    """What lies between two states of one session; nothing between equal ones. Pure and total."""
    if after is None:
        return () if before is None else (SessionTold(False, _turns(before), gone=True),)
    return tuple(_between(before, after))


def _between(before: AgentSession | None, after: AgentSession) -> Iterator[Happening]:
    if before is None or _told(before) != _told(after):
        yield _told(after)
    was_there = before is not None and _is_there(before)
    if before is None or (not was_there and _is_there(after)):
        yield AgentJoined(MAIN)
    yield from _steps(before, after, was_there)
    if _tokens(after) != (_tokens(before) if before else 0):
        yield Used(MAIN, _tokens(after))
    if before is None or _has_moved(before, after):
        yield _stated(after)
    if (was_there or before is None) and not _is_there(after):
        yield AgentLeft(MAIN, _ok(after))


def _told(session: AgentSession) -> SessionTold:
    return SessionTold(session.state is State.WORKING, _turns(session))


def _turns(session: AgentSession) -> int:
    work = session.activity.work
    return work.turns if work else 0


def _tokens(session: AgentSession) -> int:
    work = session.activity.work
    return work.tokens if work else 0


def _is_there(session: AgentSession) -> bool:
    return session.state is not State.DONE and not (session.task and session.task.terminal)


def _ok(session: AgentSession) -> bool | None:
    """What the source says of the end: a remote task has a word for it, a process that ended has none."""
    if session.task is None or session.task.task_state not in ("completed", "failed", "rejected"):
        return None
    return session.task.task_state == "completed"


def _all_steps(session: AgentSession) -> tuple[Step, ...]:
    work = session.activity.work
    return work.steps if work else ()


def _steps(before: AgentSession | None, after: AgentSession, was_there: bool) -> Iterator[Happening]:
    now = _all_steps(after)
    if before is None:  # what had ended before anybody looked has no time of its own
        for step in now:
            yield from () if step.is_over else _began(step)
        return
    here = {step.id for step in now}
    known = {step.id: step for step in _all_steps(before) if was_there or step.is_over}
    for step in known.values():
        if not step.is_over and step.id not in here:  # gone without a word of how
            yield _ended(step)
    for step in now:
        old = known.get(step.id)
        if old is None or (old.is_over and not step.is_over):
            yield from _began(step)
        if step.is_over and (old is None or not old.is_over):
            yield _ended(step)


def _began(step: Step) -> Iterator[Happening]:
    if step.tool:
        yield ActionBegan(MAIN, action_of(step.tool), tag(step.id))
        return
    yield AgentJoined(tag(step.id), MAIN)
    yield Delegated(MAIN, tag(step.id))


def _ended(step: Step) -> Happening:
    ok = step.ok if step.is_over else None
    return ActionEnded(MAIN, tag(step.id), ok) if step.tool else AgentLeft(tag(step.id), ok)


def _has_moved(before: AgentSession, after: AgentSession) -> bool:
    # Most events change counts alone; the values that they leave are the same objects.
    same = before.fact is after.fact and before.requests is after.requests and before.state is after.state
    if same and before.state_reason == after.state_reason:
        return False
    return _stated(before) != _stated(after)


def _stated(session: AgentSession) -> AgentStated:
    fact = session.fact
    asked = tuple(Asked(r.kind, tag(r.request_id), max(0, r.since)) for r in session.requests[:MOST_REQUESTS])
    rule, rank = (rule_of(fact.rule), fact.rank) if fact else ("", None)
    return AgentStated(MAIN, session.state, reason_of(session.state_reason), rule, rank, asked)


class Journal:
    """Watches the store and keeps what happened, for as many days as `days()` says; 0 keeps nothing."""

    def __init__(self, store: Store, records: Records, clock: Clock, days: Callable[[], int]) -> None:
        self._store = store
        self._records = records
        self._clock = clock
        self._days = days
        self._kept_for: int | None = None
        self._waiting: list[Entry] = []
        self._begun: set[SessionKey] = set()
        self._wake = asyncio.Event()
        self.problem: StorageError | None = None
        """Why nothing can be kept now, or None."""
        self._unwatch = store.watch(self._changed)

    def _changed(self, event: Event, old: Roster, new: Roster) -> None:
        if self._days() <= 0:
            self._begun.clear()
            self._waiting.clear()
            return
        key = getattr(event, "key", None)
        for changed in (key,) if isinstance(key, SessionKey) else _changed_keys(old, new):
            self._session(changed, old.get(changed), new.get(changed), event)

    def _session(
        self, key: SessionKey, before: AgentSession | None, after: AgentSession | None, event: Event
    ) -> None:
        if before is after or _is_pin(after or before):
            return
        known = before if key in self._begun and not _is_pin(before) else None
        if after is None:
            if key not in self._begun:
                return
            self._begun.discard(key)
            known = before
        else:
            self._begun.add(key)
        at = after.last_activity if after and after.last_activity is not None else _time(event, self._clock)
        self._waiting += [Entry(max(0, at), key, found) for found in happened(known, after)]
        if len(self._waiting) > MOST_WAITING:
            self._drop()
        if self._waiting:
            self._wake.set()

    def _drop(self) -> None:
        """What cannot be kept is let go; each session says anew how it stands at its next event."""
        self._waiting.clear()
        self._begun.clear()

    async def run(self) -> None:
        """Keep until cancelled; what waits then is kept by `close`."""
        while True:
            await self.flush()
            await self._wake.wait()
            self._wake.clear()
            await self._clock.sleep(HEAP_SECONDS)

    def look_again(self) -> None:
        """The owner may have chosen another number of days."""
        if self._days() != self._kept_for:
            self._wake.set()

    async def flush(self) -> None:
        """Hand over what waits, and let go of what is older than the owner wants."""
        heap, self._waiting = _newest_counts(self._waiting), []
        if heap or self._days() != self._kept_for:
            await self._try(heap)

    async def close(self) -> None:
        """Stop watching and keep what waits; what goes on from here on is seen by nobody."""
        self._unwatch()
        now = self._clock.now()
        for key in sorted(self._begun):
            left = happened(self._store.roster.get(key), None)
            self._waiting += [Entry(now, key, found) for found in left]
        self._begun.clear()
        await self.flush()

    async def _try(self, heap: list[Entry]) -> None:
        days = max(0, self._days())
        try:
            await self._records.keep(heap, days)
        except StorageError as error:
            if self.problem is None:
                log.warning("the journal could not be kept: %s", error.word)
            self.problem = error
            self._drop()
        else:
            self.problem, self._kept_for = None, days


def _newest_counts(heap: list[Entry]) -> list[Entry]:
    """Without the tokens that a later entry of the same heap counts on: they are totals."""
    counted: set[SessionKey] = set()
    kept: list[Entry] = []
    for entry in reversed(heap):
        if isinstance(entry.happening, Used):
            if entry.key in counted:
                continue
            counted.add(entry.key)
        kept.append(entry)
    return kept[::-1]


def _is_pin(session: AgentSession | None) -> bool:
    return session is not None and session.origin is Origin.PINNED


def _changed_keys(old: Roster, new: Roster) -> Iterator[SessionKey]:
    for key, session in new.sessions.items():
        if old.sessions.get(key) is not session:
            yield key
    yield from (key for key in old.sessions if key not in new.sessions)


def _time(event: Event, clock: Clock) -> int:
    at = getattr(event, "at", None)
    return at if isinstance(at, int) else clock.now()
