"""A source before the files of an agent on this machine: sweeps, hints, deaths, and rows that are told once.

A kind adds a reader, which blocks and runs in the worker, and a verdict on what it read. Nothing here can be
answered: what waits is shown, with the agent's own terminal as the place to decide it.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

from lisa_island.agents._proc import Deaths, Life
from lisa_island.agents._watch import EXHAUSTED, Hints
from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Blocked,
    Freshness,
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
from lisa_island.core.evidence import Fact
from lisa_island.core.intents import Intent, Outcome, refused
from lisa_island.core.ports import Context

LOOK_LIMIT = 10.0
HOT_SECONDS = 1.0
COLD_SECONDS = 2.0
SOON_SECONDS = 0.025
SLOW_SECONDS = 60.0
HOLD_MS = 1_500
DEAD_TWICE_MS = 2_000
GONE_MS = 3 * 60 * 60_000
MOST_VERSIONS = 8


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a session is, and why. `until` is epoch ms, None while time alone changes nothing; `hold_ms` is
    how long an end of work must last before it is told.
    """

    state: State
    reason: str
    fact: Fact
    requests: tuple[Blocked, ...] = ()
    until: int | None = None
    hold_ms: int = HOLD_MS

    @property
    def is_calm(self) -> bool:
        """Whether it is at rest and waits for no decision."""
        return self.state is State.WAITING and not self.requests


Judge = Callable[[Life, int, int], Verdict]


@dataclass(frozen=True, slots=True)
class Seen:
    """One session as a look found it. `judge(life, now, died_at)` is pure; `heard` is the time of its newest
    record (epoch ms, 0 for none). `pid` is 0 where no process is known; `is_left`: its process has another
    session now.
    """

    session: str
    life: Life
    judge: Judge
    heard: int
    activity: Activity
    project: str = ""
    cwd: str = ""
    started_at: int | None = None
    pid: int = 0
    is_left: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """What one look found. `folders` are those that hints are worth having of; `again`: look again soon.
    `trouble` is the word for what went wrong with a program that had to be asked; `is_lost`: what is shown
    may be old because of it. `unverified` and `unknown` are those of `SourceStatus`.
    """

    sessions: tuple[Seen, ...] = ()
    folders: frozenset[str] = frozenset()
    unreadable: int = 0
    again: bool = False
    is_here: bool = False
    trouble: str = ""
    is_lost: bool = False
    unverified: tuple[str, ...] = ()
    unknown: tuple[tuple[str, int], ...] = ()


def unproven(found: Iterable[str], proven: frozenset[str]) -> tuple[str, ...]:
    """The versions met that no recording proves, some of them."""
    return tuple(sorted(set(found) - proven - {""})[:MOST_VERSIONS])


def counted(kinds: Iterable[tuple[str, str]]) -> tuple[tuple[str, int], ...]:
    """How many kinds of records each version has that are not known here, from (version, kind)."""
    return tuple(sorted(Counter(version for version, _ in set(kinds)).items())[:MOST_VERSIONS])


class Reader(Protocol):
    """Reads an agent's files. One call at a time."""

    def look(self, now: int) -> Look:
        """Everything that changed since the last look; never raises for what a folder holds."""
        ...

    def forget(self, session: str) -> None:
        """Follow it no more, until it has a process again."""
        ...


@dataclass(slots=True)
class _Row:
    """What the roster was told of a session, and what waits to be told."""

    verdict: Verdict
    at: int
    activity: Activity = field(default_factory=Activity)
    held: Verdict | None = None
    held_since: int = 0
    dead_since: int | None = None


class LocalSource:
    """The source of one kind: `key` is its id, `name` what a session without a folder is called."""

    cold = COLD_SECONDS  # between sweeps while none is known to live

    def __init__(self, key: str, name: str, context: Context, reader: Callable[[], Reader]) -> None:
        self.key = key
        self._name = name
        self._context = context
        self._clock = context.clock
        self._home = (context.variable("HOME") or context.variable("USERPROFILE")).rstrip("/")
        self._open = reader
        self._rows: dict[str, _Row] = {}
        self._ended: set[int] = set()
        self._status: SourceStatus | None = None

    async def perform(self, intent: Intent) -> Outcome:
        """Nothing here can be answered but in its terminal."""
        return refused("outcome.observe-only")

    async def events(self) -> AsyncGenerator[Event, None]:
        """What the files say now, then every change, until cancelled."""
        wake = asyncio.Event()
        hints = Hints(self._context.run, self._clock, wake.set)
        deaths = Deaths(lambda pid: self._died(pid, wake))
        reader = self._open()
        self._rows.clear()
        self._status = None
        try:
            while True:
                wake.clear()  # before it looks: what changes meanwhile is looked at again
                try:
                    look = await self._context.run(reader.look, self._clock.now(), limit=LOOK_LIMIT)
                except TimeoutError:
                    # The thread is lost in a folder that does not answer, and what it holds with it.
                    self._leave(reader)
                    reader = self._open()
                    yield self._report(Health.OFFLINE, hints.mode, "slow")
                    await self._pause(wake, SLOW_SECONDS)
                    continue
                for event in self._tell(look, reader):
                    yield event
                deaths.follow(frozenset(s.pid for s in look.sessions if s.pid and s.life is Life.ALIVE))
                await hints.follow(look.folders)
                if (report := self._face(look, hints.mode)) is not None:
                    yield report
                await self._pause(wake, self._wait(look))
        finally:
            hints.close()
            deaths.close()
            self._leave(reader)

    def _leave(self, reader: Reader) -> None:
        """For a kind whose reader has more to end than a file."""

    async def _pause(self, wake: asyncio.Event, seconds: float) -> None:
        cancel = self._clock.call_later(seconds, wake.set)
        try:
            await wake.wait()
        finally:
            cancel()

    def _died(self, pid: int, wake: asyncio.Event) -> None:
        self._ended.add(pid)
        wake.set()

    def _wait(self, look: Look) -> float:
        """Until the next sweep, or until time alone changes what is shown."""
        if look.again:
            return SOON_SECONDS
        now = self._clock.now()
        due = [row.held_since + row.held.hold_ms for row in self._rows.values() if row.held is not None]
        due += [row.verdict.until for row in self._rows.values() if row.verdict.until is not None]
        soonest = min((max(SOON_SECONDS, (t - now) / 1000) for t in due), default=self.cold)
        hot = any(seen.life is Life.ALIVE for seen in look.sessions)
        return min(soonest, HOT_SECONDS if hot else self.cold)

    # --- the face of the source ---

    def _face(self, look: Look, mode: str) -> Event | None:
        health = Health.OFFLINE if look.is_lost else Health.OK if look.is_here else Health.WAITING
        detail = look.trouble or ("unreadable" if look.unreadable else mode if mode == EXHAUSTED else "")
        before = self._status
        report = self._report(health, mode, detail, look)
        return None if before == self._status else report

    def _report(self, health: Health, mode: str, detail: str, look: Look | None = None) -> SourceReported:
        look = look or Look()
        self._status = SourceStatus(
            True, KeyState.NONE, "", mode, health, None, "", detail, look.unverified, look.unknown
        )
        return SourceReported(self.key, self._clock.now(), self._status)

    # --- rows ---

    def _tell(self, look: Look, reader: Reader) -> Iterator[Event]:
        now = self._clock.now()
        for seen in look.sessions:
            key = SessionKey(self.key, seen.session)
            if seen.is_left or self._is_gone(seen, now):
                reader.forget(seen.session)
                if self._rows.pop(seen.session, None) is not None:
                    yield SessionRemoved(key, now)
            else:
                yield from self._row(key, seen, now)
        known = {seen.session for seen in look.sessions}
        for session in self._rows.keys() - known:
            del self._rows[session]
            yield SessionRemoved(SessionKey(self.key, session), now)
        self._ended &= {seen.pid for seen in look.sessions}

    def _is_gone(self, seen: Seen, now: int) -> bool:
        row = self._rows.get(seen.session)
        return row is not None and seen.life is not Life.ALIVE and now - row.at > GONE_MS

    def _row(self, key: SessionKey, seen: Seen, now: int) -> Iterator[Event]:
        row = self._rows.get(key.session_id)
        life = self._life(seen, row, now)
        if life is None:
            return  # dead once: believed when it is dead still, two seconds on
        died_at = row.verdict.fact.at if row and row.verdict.fact.signal == "process" else now
        verdict = seen.judge(life, now, died_at)
        if row is None:
            row = self._rows[key.session_id] = _Row(verdict, 0)
            row.at = max(verdict.fact.at, min(seen.heard, now))
            row.activity = seen.activity
            yield SessionOpened(self._session(key, seen, verdict, row), row.at)
            return
        if seen.activity != row.activity:
            row.activity = seen.activity
            if row.verdict.state is not State.ERROR:  # a failure has one time: its notice is known by it
                row.at = max(row.at, min(seen.heard, now))
            yield ActivityChanged(key, row.at, seen.activity)
        yield from self._state(key, row, verdict, now)

    def _life(self, seen: Seen, row: _Row | None, now: int) -> Life | None:
        if seen.life is not Life.DEAD:
            if row is not None:
                row.dead_since = None
            return seen.life
        if row is None or seen.pid in self._ended:
            return Life.DEAD
        row.dead_since = now if row.dead_since is None else row.dead_since
        return Life.DEAD if now - row.dead_since >= DEAD_TWICE_MS else None

    def _state(self, key: SessionKey, row: _Row, verdict: Verdict, now: int) -> Iterator[Event]:
        if _same(verdict, row.verdict):
            row.held = None
            row.verdict = replace(row.verdict, until=verdict.until)
            return
        if self._holds(row, verdict, now):
            return
        row.held = None
        row.at = max(row.at, verdict.fact.at)
        if verdict.fact.rank < row.verdict.fact.rank and row.at <= row.verdict.fact.at:
            # The stronger word was taken back (its process ended, its status is gone): that is news of now.
            row.at = row.verdict.fact.at + 1
        row.verdict = verdict
        yield StateChanged(
            key, row.at, verdict.state, verdict.reason, verdict.fact, verdict.requests,
            unread=verdict.state is State.ERROR or verdict.reason == "ended-mid-turn",
        )  # fmt: skip

    def _holds(self, row: _Row, verdict: Verdict, now: int) -> bool:
        """A turn's end is told when it has lasted a moment: hooks and limits make many go on at once."""
        if row.verdict.state is not State.WORKING or not verdict.is_calm:
            return False
        if row.held is None:
            row.held_since = now
        row.held = verdict
        return now - row.held_since < verdict.hold_ms

    def _session(self, key: SessionKey, seen: Seen, verdict: Verdict, row: _Row) -> AgentSession:
        return AgentSession(
            key, seen.project or self._name, verdict.state, verdict.reason, row.at, seen.started_at,
            Origin.LOCAL, cwd=self._short(seen.cwd), unread=False, freshness=Freshness.LIVE,
            requests=verdict.requests, fact=verdict.fact, activity=row.activity,
        )  # fmt: skip

    def _short(self, cwd: str) -> str:
        is_below = bool(self._home) and (cwd + "/").startswith(self._home + "/")
        return "~" + cwd[len(self._home) :] if is_below else cwd


def _same(new: Verdict, old: Verdict) -> bool:
    """Whether nothing is to be told: a later time of the same word is activity, no change of state."""
    what = (new.state, new.reason, new.requests, new.fact.rule)
    return what == (old.state, old.reason, old.requests, old.fact.rule)
