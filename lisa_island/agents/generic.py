"""Any host that reports its own sessions, by name, through the island's door: structure only.

Off until the owner allows a name. A report is as good as its host: it says *working*, and silence takes that
back; nothing that was reported outlives the island.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel, ConfigDict

from lisa_island.agents._generic_fold import Told, Verdict, activity, fold, judge, project
from lisa_island.agents._generic_wire import read
from lisa_island.agents._proc import Deaths, start_ticks
from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Health,
    KeyState,
    Origin,
    SessionKey,
    SourceStatus,
    State,
)
from lisa_island.core.events import (
    ActivityChanged,
    Event,
    SessionOpened,
    SessionRemoved,
    SourceReported,
    StateChanged,
)
from lisa_island.core.intents import Intent, Outcome, refused
from lisa_island.core.ports import Context

AGENT = "generic"
MOST_SESSIONS = 64
MOST_WAITING = 2_000
# At most so many events of one reporter in so long; what comes beyond is dropped, and said so.
MOST_EVENTS = 1_000
WINDOW_MS = 10_000
# A word that changes nothing is told as a sign of life so often.
ALIVE_MS = 1_000
GONE_MS = 3 * 60 * 60_000
SWEEP_SECONDS = 60.0
LOOK_SECONDS = 2.0
SOON_SECONDS = 0.025

__all__ = ["AGENT", "Config", "Generic", "open_source"]


class Config(BaseModel):
    """`reporters` are the names that the owner allowed."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    reporters: tuple[str, ...] = ()


def open_source(config: Config, context: Context) -> "Generic":
    """A source that takes reports from now on."""
    return Generic(config, context)


@dataclass(slots=True)
class _Row:
    """A session as it was told, and as the roster was told of it."""

    reporter: str
    told: Told
    verdict: Verdict
    at: int
    activity: Activity = field(default_factory=Activity)


class Generic:
    """The source."""

    key = AGENT

    def __init__(self, config: Config, context: Context) -> None:
        self._context = context
        self._clock = context.clock
        self._first = config.reporters
        self._rows: dict[str, _Row] = {}
        self._waiting: deque[Event] = deque()
        self._counts: dict[str, tuple[int, int]] = {}
        self._alive: frozenset[int] = frozenset()
        self._wake = asyncio.Event()

    async def perform(self, intent: Intent) -> Outcome:
        """Nothing here can be answered but where it runs."""
        return refused("outcome.observe-only")

    @property
    def reporters(self) -> tuple[str, ...]:
        """The names that are allowed now."""
        settings = self._context.settings()
        found = settings.get("reporters", self._first) if isinstance(settings, dict) else self._first
        return tuple(found)

    def report(self, reporter: str, events: Sequence[Any]) -> tuple[int, int]:
        """Take events of one host; (taken, dropped). Whoever is not allowed has none taken."""
        if reporter not in self.reporters:
            return 0, len(events)
        taken = sum(self._take(reporter, event) for event in events)
        self._wake.set()
        return taken, len(events) - taken

    def _take(self, reporter: str, found: Any) -> bool:
        now = self._clock.now()
        if not self._may(reporter, now) or (event := read(found)) is None:
            return False
        session, at = f"{reporter}/{event.session}", now if event.at is None else min(event.at, now)
        row = self._rows.get(session)
        before = row.told if row else Told()
        told = fold(before, event, at)
        if told is before:
            return True  # true to its form, and no news
        if row is not None:
            row.told = told
            self._waiting.extend(self._changed(session, row, now))
            return True
        if not self._make_room():
            return False
        self._open(session, reporter, told, now)
        return True

    def _may(self, reporter: str, now: int) -> bool:
        began, count = self._counts.get(reporter, (now, 0))
        if not 0 <= now - began < WINDOW_MS:
            began, count = now, 0
        self._counts[reporter] = (began, count + 1)
        return count < MOST_EVENTS and len(self._waiting) < MOST_WAITING

    def _make_room(self) -> bool:
        """The session that ended first makes room; where all live, the new one finds none."""
        if len(self._rows) < MOST_SESSIONS:
            return True
        over = [(row.at, name) for name, row in self._rows.items() if row.verdict.state is State.DONE]
        if not over:
            return False
        self._remove(min(over)[1])
        return True

    # --- events ---

    async def events(self) -> AsyncGenerator[Event, None]:
        """What was reported, and what silence makes of it, until cancelled."""
        stop = self._context.on_settings(self._wake.set)
        deaths = Deaths(self._died)
        try:
            yield SourceReported(
                AGENT, self._clock.now(), SourceStatus(True, KeyState.NONE, health=Health.OK)
            )
            while True:
                self._wake.clear()
                self._sweep()
                while self._waiting:
                    yield self._waiting.popleft()
                await self._follow(deaths)
                await self._pause()
        finally:
            stop()
            deaths.close()

    async def _follow(self, deaths: Deaths) -> None:
        """Hear of the end of each host that named its process; of one that has ended already, now."""
        pids = frozenset(r.told.pid for r in self._rows.values() if r.told.pid and not r.told.died)
        deaths.follow(pids)
        for pid in pids - self._alive:
            try:
                await self._context.run(start_ticks, pid, limit=LOOK_SECONDS)
            except FileNotFoundError:
                self._died(pid)
            except (OSError, ValueError, TimeoutError):
                pass  # what cannot be told is not dead
        self._alive = pids

    def _died(self, pid: int) -> None:
        for row in self._rows.values():
            if row.told.pid == pid and not row.told.died:
                row.told = replace(row.told, died=self._clock.now(), steps=())
        self._wake.set()

    async def _pause(self) -> None:
        now = self._clock.now()
        due = [row.verdict.until for row in self._rows.values() if row.verdict.until is not None]
        seconds = min((max(SOON_SECONDS, (t - now) / 1000) for t in due), default=SWEEP_SECONDS)
        cancel = self._clock.call_later(seconds, self._wake.set) if self._rows else lambda: None
        try:
            await self._wake.wait()
        finally:
            cancel()

    def _sweep(self) -> None:
        """What time and the owner's choice do to the rows."""
        now, allowed = self._clock.now(), self.reporters
        for session, row in tuple(self._rows.items()):
            is_over = row.verdict.state in (State.DONE, State.IDLE, State.UNKNOWN)
            if row.reporter not in allowed or (is_over and now - row.told.at > GONE_MS):
                self._remove(session)
            else:
                self._waiting.extend(self._changed(session, row, now))

    def _remove(self, session: str) -> None:
        del self._rows[session]
        self._waiting.append(SessionRemoved(SessionKey(AGENT, session), self._clock.now()))

    def _open(self, session: str, reporter: str, told: Told, now: int) -> None:
        verdict = judge(told, session, now)
        row = self._rows[session] = _Row(reporter, told, verdict, verdict.fact.at, activity(told))
        opened = AgentSession(
            SessionKey(AGENT, session), project(told, reporter), verdict.state, verdict.reason, row.at, now,
            Origin.LOCAL, cwd=told.cwd, requests=verdict.requests, fact=verdict.fact, activity=row.activity,
        )  # fmt: skip
        self._waiting.append(SessionOpened(opened, row.at))

    def _changed(self, session: str, row: _Row, now: int) -> Iterator[Event]:
        key, verdict, done = SessionKey(AGENT, session), judge(row.told, session, now), activity(row.told)
        if done != row.activity or row.told.at - row.at >= ALIVE_MS:
            row.activity, row.at = done, max(row.at, min(row.told.at, now))
            yield ActivityChanged(key, row.at, done)
        old, row.verdict = row.verdict, verdict
        if _words(verdict) == _words(old):
            return
        row.at = max(row.at, verdict.fact.at)
        if verdict.fact.rank < old.fact.rank and row.at <= old.fact.at:
            row.at = old.fact.at + 1  # the request was taken back: that is news
        ended = verdict.state in (State.ERROR, State.DONE)
        yield StateChanged(
            key, row.at, verdict.state, verdict.reason, verdict.fact, verdict.requests, unread=ended
        )


def _words(verdict: Verdict) -> tuple[object, ...]:
    return verdict.state, verdict.reason, verdict.requests, verdict.fact.rule
