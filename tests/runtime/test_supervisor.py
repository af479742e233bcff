"""One owned task per source; a failure becomes an event and is tried again."""

import asyncio

import pytest

from lisa_island.core.agent import AgentSession, Health, SessionKey, State
from lisa_island.core.events import SessionOpened
from lisa_island.core.intents import Discover, Outcome, Rename, Result, done
from lisa_island.core.window import STALE_AFTER, WINDOW
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from lisa_island.runtime.supervisor import Supervisor
from tests.fakes.clock import START, FakeClock, settle

KEY = SessionKey("one", "a")


class Source:
    def __init__(self, key="one", rounds=(), outcome=None):
        self.key = key
        self.rounds = list(rounds)
        self.outcome = outcome or done()
        self.closed = 0
        self.opened = 0

    async def events(self):
        self.opened += 1
        try:
            for item in self.rounds.pop(0) if self.rounds else ():
                if isinstance(item, Exception):
                    raise item
                yield item
            await asyncio.Event().wait()
        finally:
            self.closed += 1

    async def perform(self, intent):
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


@pytest.fixture
async def house():
    clock = FakeClock()
    store = Store(clock)
    nursery = Nursery()
    supervisor = Supervisor(store, clock, nursery)
    yield clock, store, supervisor
    supervisor.shut()
    await nursery.close()
    store.close()


def opened(**more):
    return SessionOpened(AgentSession(KEY, "a", State.WORKING, "working", START, **more), START)


async def test_events_reach_the_store(house):
    _, store, supervisor = house
    supervisor.open(Source(rounds=[[opened()]]))
    await settle()
    assert KEY in store.roster.sessions


async def test_a_failing_source_goes_offline_comes_back_and_touches_no_sibling(house, caplog):
    clock, store, supervisor = house
    broken = Source(rounds=[[opened(), ValueError("tako_live_x")], []])
    sound = Source("two")
    supervisor.open(broken)
    supervisor.open(sound)
    await settle()
    status = store.roster.sources["one"]
    assert status.health is Health.OFFLINE and status.retry_at > START
    assert sound.opened == 1 and sound.closed == 0
    await clock.run(60)
    assert broken.opened == 2
    assert "tako_live" not in caplog.text


async def test_close_runs_the_sources_finally(house):
    _, _, supervisor = house
    source = Source()
    supervisor.open(source)
    await settle()
    supervisor.close("one")
    await settle()
    assert source.closed == 1


async def test_an_intent_finds_its_source_by_agent_or_key(house):
    _, _, supervisor = house
    supervisor.open(Source(outcome=done("x")))
    assert (await supervisor.perform(Discover("one"))).word == "x"
    assert (await supervisor.perform(Rename(KEY, "b"))).word == "x"


async def test_an_intent_for_a_source_that_is_off_is_refused(house):
    _, _, supervisor = house
    outcome = await supervisor.perform(Discover("none"))
    assert (outcome.result, outcome.word) == (Result.REFUSED, "outcome.source-off")


async def test_a_source_that_raises_is_an_unknown_outcome(house):
    _, _, supervisor = house
    supervisor.open(Source(outcome=RuntimeError()))
    assert await supervisor.perform(Rename(KEY, "b")) == Outcome(Result.UNKNOWN, "outcome.unknown", key=KEY)


async def test_rows_age_by_one_timer_and_none_runs_when_nothing_can_age(house):
    clock, store, supervisor = house
    supervisor.open(Source(rounds=[[opened()]]))
    await settle()
    await clock.run(1)
    assert clock.pending == 1
    await clock.run(STALE_AFTER / 1000)
    assert store.roster.get(KEY).freshness == "stale"
    await clock.run(WINDOW / 1000)
    assert KEY not in store.roster.sessions
    await clock.run(1)
    assert clock.pending == 0


async def test_after_a_sleep_everything_ages_at_once(house):
    clock, store, supervisor = house
    supervisor.open(Source(rounds=[[opened()]]))
    await settle()
    clock.jump(WINDOW + 1000)
    supervisor.wake()
    assert KEY not in store.roster.sessions
