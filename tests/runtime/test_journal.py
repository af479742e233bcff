"""The journal beside the store: what is derived, what is kept, and that no text ever is."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Artifact,
    Blocked,
    Origin,
    RequestKind,
    SessionKey,
    State,
    Step,
    Task,
    Work,
)
from lisa_island.core.events import (
    ActivityChanged,
    ClockTicked,
    PinsChanged,
    Seen,
    SessionOpened,
    SessionRemoved,
    StateChanged,
)
from lisa_island.core.evidence import Fact, Rank
from lisa_island.core.journal import (
    ActionBegan,
    ActionEnded,
    AgentJoined,
    AgentLeft,
    AgentStated,
    Delegated,
    SessionTold,
    Used,
    reason_of,
    replayed,
    tag,
)
from lisa_island.core.journal_lines import exported, imported
from lisa_island.runtime.journal import HEAP_SECONDS, MOST_WAITING, Journal, happened
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from tests.fakes.clock import START, FakeClock, settle
from tests.fakes.records import FakeRecords

KEY = SessionKey("claude-code", "s-1")
SECRET = "sk-ant-PLANTED"
FACT = Fact("claude-code.busy", "registry", Rank.LIVE, START)
SESSION = AgentSession(KEY, "demo", State.WORKING, "working", START, origin=Origin.LOCAL, fact=FACT)


def working(*steps: Step, **more) -> AgentSession:
    return replace(SESSION, activity=Activity(work=Work(steps=steps, **more)))


def named(*happenings):
    return [type(h).__name__ for h in happenings]


class Rig:
    def __init__(self, days: int = 7) -> None:
        self.clock, self.records, self.days = FakeClock(), FakeRecords(), days
        self.store = Store(self.clock)
        self.journal = Journal(self.store, self.records, self.clock, lambda: self.days)

    async def kept(self):
        await self.journal.flush()
        return list(await self.records.entries())

    def goes(self, *events) -> "Rig":
        for event in events:
            self.store.dispatch(event)
        return self


def moved(state: State, reason: str, at: int, **more) -> StateChanged:
    return StateChanged(KEY, at, state, reason, replace(FACT, at=at), **more)


def active(at: int, **work) -> ActivityChanged:
    return ActivityChanged(KEY, at, Activity(work=Work(**work)))


def test_nothing_lies_between_equal_sessions():
    assert happened(SESSION, SESSION) == happened(None, None) == ()
    assert happened(SESSION, replace(SESSION, unread=True, label="x", last_activity=START + 9)) == ()


def test_a_new_session_says_how_it_stands():
    assert happened(None, working(Step("toolu_1", "Bash"), turns=2, tokens=5)) == (
        SessionTold(True, 2),
        AgentJoined("main"),
        ActionBegan("main", "server", tag("toolu_1")),
        Used("main", 5),
        AgentStated("main", State.WORKING, "working", "claude-code.busy", Rank.LIVE),
    )


def test_calls_are_paired_by_their_ids_and_say_how_they_ended_only_if_the_source_does():
    one, two = Step("1", "Bash"), Step("2", "Read")
    assert happened(working(one), working(one, two)) == (ActionBegan("main", "archive", tag("2")),)
    assert happened(working(one, two), working(replace(one, is_over=True, ok=False), two)) == (
        ActionEnded("main", tag("1"), False),
    )
    assert happened(working(one), working()) == (ActionEnded("main", tag("1")),), "vanished: nobody knows"
    assert happened(working(), working(replace(two, is_over=True))) == (
        ActionBegan("main", "archive", tag("2")),
        ActionEnded("main", tag("2")),
    )
    again = happened(working(replace(one, is_over=True)), working(one))
    assert again == (ActionBegan("main", "server", tag("1")),)


def test_what_had_ended_before_is_not_told_again():
    over = Step("1", "Bash", True, True)
    assert not [h for h in happened(None, working(over)) if isinstance(h, ActionBegan | ActionEnded)]
    left = replace(working(over, Step("2", "Read")), state=State.DONE, state_reason="exited")
    again = happened(left, working(over, Step("2", "Read")))
    assert [h for h in again if isinstance(h, ActionBegan)] == [ActionBegan("main", "archive", tag("2"))]
    assert not [h for h in again if isinstance(h, ActionEnded)]


def test_a_subagent_joins_gets_its_work_and_leaves():
    child = Step("agent-7")
    assert happened(working(), working(child)) == (
        AgentJoined(tag("agent-7"), "main"),
        Delegated("main", tag("agent-7")),
    )
    assert happened(working(child), working()) == (AgentLeft(tag("agent-7")),)
    assert happened(working(child), working(replace(child, is_over=True, ok=True))) == (
        AgentLeft(tag("agent-7"), True),
    )


@pytest.mark.parametrize(
    ("state", "task_state", "ok"),
    [(State.DONE, "completed", True), (State.ERROR, "failed", False), (State.DONE, "canceled", None)],
)
def test_an_end_is_good_or_bad_only_by_the_word_of_the_agent(state, task_state, ok):
    before = replace(SESSION, task=Task("acme"))
    after = replace(before, state=state, task=Task("acme", task_state=task_state, terminal=True))
    assert happened(before, after)[-1] == AgentLeft("main", ok)
    assert AgentJoined("main") in happened(after, before), "it is called again"
    assert happened(SESSION, replace(SESSION, state=State.DONE, state_reason="exited"))[-1] == AgentLeft(
        "main"
    )


async def test_what_passes_the_store_is_kept_in_order_with_the_source_s_times():
    rig = Rig().goes(
        SessionOpened(SESSION, START),
        active(START + 5, steps=(Step("1", "Bash"),)),
        moved(State.WAITING, "your-turn", START + 9),
        Seen(KEY),
        SessionRemoved(KEY, START + 20),
    )
    kept = await rig.kept()
    assert {e.key for e in kept} == {KEY}
    assert [(e.at - START, type(e.happening).__name__) for e in kept] == [
        (0, "SessionTold"), (0, "AgentJoined"), (0, "AgentStated"), (5, "ActionBegan"),
        (9, "SessionTold"), (9, "AgentStated"), (20, "SessionTold"),
    ]  # fmt: skip
    assert list(replayed(kept))[-1][2].gone


async def test_pins_are_no_sessions_and_what_leaves_by_age_left():
    called = replace(SESSION, key=SessionKey("takoapi", "acme/1"), origin=Origin.CALLED, state=State.IDLE)
    rig = Rig().goes(PinsChanged("takoapi", (("acme", "free"),)), PinsChanged("takoapi", ()))
    assert await rig.kept() == []
    rig.goes(SessionOpened(called, START), ClockTicked(START + 10**9))
    assert (await rig.kept())[-1].happening == SessionTold(False, 0, gone=True)


async def test_heaps_are_kept_by_one_owned_task_and_the_rest_at_the_end():
    rig, nursery = Rig(), Nursery()
    nursery.start(rig.journal.run(), "journal")
    await settle()
    assert rig.records.heaps == [([], 7)], "what is too old goes at the start"
    rig.goes(SessionOpened(SESSION, START))
    await rig.clock.run(HEAP_SECONDS)
    await settle()
    assert len(rig.records.heaps) == 2
    rig.goes(moved(State.WAITING, "your-turn", START + 1))
    await nursery.close()
    await rig.journal.close()
    rig.goes(moved(State.WORKING, "working", START + 2))
    assert len(rig.records.heaps) == 3
    *_, (_, _, before), (_, _, last) = replayed(await rig.kept())
    assert (before.state, before.gone) == (State.WAITING, False)
    assert last.gone and last.is_over, "nobody looks any more: it is not said to go on"


async def test_tokens_are_told_once_a_heap():
    rig = Rig().goes(SessionOpened(SESSION, START), *(active(START + n, tokens=n) for n in range(1, 20)))
    assert [h for h in (e.happening for e in await rig.kept()) if isinstance(h, Used)] == [Used("main", 19)]
    rig.goes(active(START + 30, tokens=30))
    assert (await rig.kept())[-1].happening == Used("main", 30)


async def test_no_days_keep_nothing_and_say_so_at_once():
    rig, nursery = Rig(days=0), Nursery()
    nursery.start(rig.journal.run(), "journal")
    rig.goes(SessionOpened(SESSION, START))
    await settle()
    assert rig.records.heaps == [([], 0)]
    rig.days = 3
    rig.goes(moved(State.WAITING, "your-turn", START + 1))
    rig.journal.look_again()
    await rig.clock.run(HEAP_SECONDS)
    await settle()
    ((told, days),) = rig.records.heaps[1:]
    assert days == 3 and named(*(e.happening for e in told)) == ["SessionTold", "AgentJoined", "AgentStated"]
    await nursery.close()


async def test_a_disk_that_takes_nothing_costs_no_memory_and_later_all_is_told_anew():
    rig = Rig()
    rig.records.broken = True
    rig.goes(SessionOpened(SESSION, START))
    await rig.journal.flush()
    assert rig.journal.problem is not None and rig.journal.problem.word == "storage.full"
    for n in range(MOST_WAITING + 10):
        rig.goes(active(START + n, turns=n + 1))
    assert len(rig.journal._waiting) <= MOST_WAITING
    await rig.journal.flush()
    rig.records.broken = False
    rig.goes(moved(State.WAITING, "your-turn", START + 10**6))
    assert named(*(e.happening for e in await rig.kept()))[:2] == ["SessionTold", "AgentJoined"]
    assert rig.journal.problem is None


STEPS = st.lists(
    st.builds(Step, st.sampled_from("abc"), st.sampled_from(["", "Bash", "Read"]), st.booleans(),
              st.sampled_from([None, True])), max_size=4, unique_by=lambda s: s.id,
).map(tuple)  # fmt: skip
KEYS = st.sampled_from([KEY, SessionKey("codex", "s-2")])
REQUESTS = st.lists(
    st.builds(Blocked, st.sampled_from(RequestKind), st.sampled_from("xyz"), st.just(START)), max_size=2
).map(tuple)
TIMES = st.integers(START, START + 50)
RANKS = st.builds(Fact, st.just("claude-code.busy"), st.just("registry"), st.sampled_from(Rank), TIMES)
WORKS = st.none() | st.builds(Work, turns=st.integers(0, 3), tokens=st.integers(0, 3), steps=STEPS)
EVENTS = st.one_of(
    st.builds(
        lambda k, s, f, at: SessionOpened(
            AgentSession(k, "p", s, str(s), at, origin=Origin.LOCAL, fact=f), at
        ),
        KEYS, st.sampled_from(State), st.none() | RANKS, TIMES,
    ),
    st.builds(
        lambda k, at, s, r, f, q: StateChanged(k, at, s, r, f, q),
        KEYS, TIMES, st.sampled_from(State), st.sampled_from(["working", "quiet", "PONDERING"]), RANKS,
        REQUESTS,
    ),
    st.builds(lambda k, at, w: ActivityChanged(k, at, Activity(work=w)), KEYS, TIMES, WORKS),
    st.builds(SessionRemoved, KEYS, TIMES),
)  # fmt: skip


@settings(max_examples=150)
@given(st.lists(EVENTS, max_size=30))
async def test_a_replay_gives_the_states_that_were(events):
    """After each event the replayed journal stands where the roster stands, and ends where it ended."""
    rig = Rig()
    for event in events:
        rig.goes(event)
        entries = await rig.kept()
        stood = {key: known for _, key, known in replayed(entries)}
        for key in {e.key for e in events}:
            session = rig.store.roster.get(key)
            if session is None:
                assert key not in stood or stood[key].gone
                continue
            known = stood.get(key)
            if known is None:  # as blank as what nobody knows yet
                assert (session.state, reason_of(session.state_reason)) == (State.UNKNOWN, "")
                continue
            assert (known.state, known.reason) == (session.state, reason_of(session.state_reason))
            assert [r.kind for r in known.requests] == [r.kind for r in session.requests]


async def test_planted_secrets_stand_in_no_entry_and_no_export():
    dirty = replace(
        SESSION, key=SessionKey("claude-code", SECRET), project=SECRET, cwd=f"/{SECRET}", label=SECRET,
        state_reason=SECRET, links=(SECRET,), fact=Fact(f"x.{SECRET}", SECRET, Rank.LIVE, START),
        requests=(Blocked(RequestKind.PERMISSION, SECRET, START, SECRET, (SECRET,)),),
        task=Task(SECRET, SECRET, SECRET, SECRET, SECRET, endpoint=SECRET),
        activity=Activity(
            1, (Artifact(SECRET),), SECRET,
            Work(1, 1, False, (SECRET,), (SECRET,), SECRET, SECRET, SECRET, SECRET, SECRET,
                 steps=(Step(SECRET, SECRET), Step(f"{SECRET}2"))),
        ),
    )  # fmt: skip
    kept = await Rig().goes(SessionOpened(dirty, START)).kept()
    assert len(kept) == 7
    assert not [e for e in kept if "PLANTED" in repr(e.happening)]
    text = "\n".join(exported(kept))
    assert "PLANTED" not in text and list(imported(text.splitlines()))
    assert all(json.loads(line) for line in text.splitlines())
