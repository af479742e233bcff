"""The reducer: its rules one by one, then all of them at once under random events."""

from dataclasses import replace

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Blocked,
    Freshness,
    Health,
    Origin,
    Reply,
    RequestKind,
    SessionKey,
    SourceStatus,
    State,
    Task,
    TrailEntry,
)
from lisa_island.core.events import (
    ActivityChanged,
    ClockTicked,
    FollowChanged,
    LabelChanged,
    Notified,
    PinsChanged,
    ReplyChanged,
    Seen,
    SessionOpened,
    SessionRemoved,
    SourceReported,
    StateChanged,
    TrailAdded,
)
from lisa_island.core.evidence import Fact, Rank
from lisa_island.core.looks import look
from lisa_island.core.roster import Roster, reduce
from lisa_island.core.summary import rows, summarize
from lisa_island.core.window import STALE_AFTER, WINDOW, next_tick

KEY = SessionKey("takoapi", "acme/0a1b2c3d")
T0 = 1_800_000_000_000


def fact(at=T0, rank=Rank.LIVE):
    return Fact("task.state", "stream", rank, at)


def session(key=KEY, **more):
    fields = {"last_activity": T0, "started_at": T0, "task": Task("acme", "m1", "t1"), "followed": True}
    fields |= {"state": State.WORKING, "state_reason": "sending"}
    return AgentSession(key, "acme", **(fields | more))


def opened(*sessions):
    roster = Roster()
    for s in sessions or (session(),):
        roster = reduce(roster, SessionOpened(s, T0))
    return roster


def moved(state, reason, at=T0 + 1, **more):
    more.setdefault("fact", fact(at))
    return StateChanged(KEY, at, state, reason, **more)


REQUEST = Blocked(RequestKind.INPUT, "r1", T0 + 1, "Which quarter?")


def test_the_same_object_comes_back_when_nothing_changed():
    roster = opened()
    event = moved(State.WORKING, "working")
    after = reduce(roster, event)
    assert after is not roster
    assert reduce(after, event) is after


def test_a_request_blocks_and_its_end_unblocks():
    roster = reduce(opened(), moved(State.WAITING, "input-required", requests=(REQUEST,)))
    assert roster.get(KEY).is_blocked
    assert summarize(roster).needs_you == 1
    roster = reduce(roster, moved(State.WORKING, "sending", T0 + 2))
    assert not roster.get(KEY).is_blocked


def test_an_older_event_is_ignored():
    roster = reduce(opened(), moved(State.DONE, "completed", T0 + 100))
    assert reduce(roster, moved(State.WORKING, "working", T0 + 50)) is roster


def test_a_lower_rank_never_overwrites_a_newer_higher_one():
    roster = reduce(
        opened(), moved(State.WAITING, "input-required", T0 + 10, fact=fact(T0 + 10, Rank.REQUEST))
    )
    low = moved(State.WORKING, "working", T0 + 10, fact=fact(T0 + 10, Rank.PROCESS))
    assert reduce(roster, low) is roster
    later = moved(State.WORKING, "working", T0 + 20, fact=fact(T0 + 20, Rank.TRANSCRIPT))
    assert reduce(roster, later).get(KEY).state is State.WORKING


def test_a_finished_task_revives_only_under_a_new_task_id_or_call():
    over = Task("acme", "m1", "t1", terminal=True)
    roster = reduce(opened(), moved(State.DONE, "completed", task=over))
    assert reduce(roster, moved(State.WORKING, "working", T0 + 5)) is roster
    assert reduce(roster, moved(State.WORKING, "working", T0 + 5, task=Task("acme", "m1", "t1"))) is roster
    again = reduce(roster, moved(State.WORKING, "working", T0 + 5, task=Task("acme", "m1", "t2")))
    assert again.get(KEY).state is State.WORKING


def test_a_finished_task_takes_no_more_activity():
    over = Task("acme", "m1", "t1", terminal=True)
    roster = reduce(opened(), moved(State.DONE, "completed", task=over))
    assert reduce(roster, ActivityChanged(KEY, T0 + 5, Activity(3))) is roster


def test_losing_the_source_changes_freshness_and_nothing_else():
    roster = opened()
    off = reduce(roster, SourceReported("takoapi", T0, SourceStatus(True, health=Health.OFFLINE)))
    assert off.get(KEY) == replace(roster.get(KEY), freshness=Freshness.OFFLINE)
    back = reduce(off, SourceReported("takoapi", T0, SourceStatus(True, health=Health.OK)))
    assert back.get(KEY) == roster.get(KEY)


def test_seen_clears_unread_and_never_the_state():
    roster = reduce(opened(), moved(State.ERROR, "failed", unread=True))
    seen = reduce(roster, Seen(KEY))
    assert seen.get(KEY) == replace(roster.get(KEY), unread=False)


def test_the_trail_keeps_the_newest_and_is_bounded():
    roster = opened()
    for n in range(50):
        roster = reduce(roster, TrailAdded(KEY, TrailEntry(T0 + n, "trail.sent", str(n))))
    trail = roster.get(KEY).trail
    assert len(trail) == 32 and trail[-1].detail == "49"


def test_events_of_unknown_sessions_change_nothing():
    roster = Roster()
    for event in (moved(State.DONE, "x"), Seen(KEY), LabelChanged(KEY, "x"), SessionRemoved(KEY, T0)):
        assert reduce(roster, event) is roster


def test_a_pin_without_a_call_is_one_idle_row_and_a_called_one_needs_none():
    roster = reduce(opened(), PinsChanged("takoapi", (("acme", ""), ("sheet", "free"))))
    assert [s.project for s in rows(roster)] == ["acme", "sheet"]
    pin = roster.get(SessionKey("takoapi", "sheet"))
    assert (pin.state, pin.state_reason, pin.last_activity, pin.price) == (State.IDLE, "pinned", None, "free")
    roster = reduce(roster, SessionRemoved(KEY, T0))
    assert {s.project for s in rows(roster)} == {"acme", "sheet"}
    roster = reduce(roster, PinsChanged("takoapi", ()))
    assert rows(roster) == ()


def test_lisas_row_of_a_pinned_slug_takes_the_place_of_the_pin():
    roster = reduce(Roster(), PinsChanged("takoapi", (("acme", ""),)))
    lisa = AgentSession(
        SessionKey("takoapi", "acme"), "acme", State.DONE, "completed", T0, origin=Origin.LISA
    )
    roster = reduce(roster, SessionOpened(lisa, T0))
    assert [s.origin for s in rows(roster)] == [Origin.LISA]


def test_three_hours_give_or_take_a_second():
    done = session(state_reason="completed", followed=False)
    roster = opened(replace(done, state=State.DONE))
    inside = reduce(roster, ClockTicked(T0 + WINDOW - 1000))
    assert KEY in inside.sessions
    assert KEY not in reduce(inside, ClockTicked(T0 + WINDOW + 1000)).sessions


def test_working_without_a_stream_goes_stale_at_ten_minutes_and_leaves_at_three_hours():
    roster = opened(session(followed=False, state_reason="working"))
    assert reduce(roster, ClockTicked(T0 + STALE_AFTER - 1)) is roster
    stale = reduce(roster, ClockTicked(T0 + STALE_AFTER))
    assert stale.get(KEY).freshness is Freshness.STALE
    assert summarize(stale).not_reporting == 1 and summarize(stale).working == 0
    assert KEY not in reduce(stale, ClockTicked(T0 + WINDOW + 1)).sessions


def test_what_waits_and_an_unseen_failure_never_leave():
    waiting = opened(session(followed=False, requests=(REQUEST,), state_reason="input-required"))
    waiting = reduce(waiting, moved(State.WAITING, "input-required", requests=(REQUEST,), followed=False))
    assert KEY in reduce(waiting, ClockTicked(T0 + 9 * WINDOW)).sessions
    failed = reduce(opened(), moved(State.ERROR, "failed", unread=True, followed=False))
    assert KEY in reduce(failed, ClockTicked(T0 + 9 * WINDOW)).sessions
    seen = reduce(failed, Seen(KEY))
    assert KEY not in reduce(seen, ClockTicked(T0 + 9 * WINDOW)).sessions


def test_eleven_finished_and_eleven_pins_show_ten_each_and_count_two():
    roster = Roster()
    for n in range(11):
        key = SessionKey("takoapi", f"s{n}/0000000{n}")
        done = session(key, followed=False, last_activity=T0 + n, task=Task(f"s{n}", "m"))
        roster = reduce(roster, SessionOpened(replace(done, project=f"s{n}", state=State.DONE), T0))
    roster = reduce(roster, PinsChanged("takoapi", tuple((f"p{n}", "") for n in range(11))))
    shown = rows(roster)
    assert sum(s.origin is Origin.PINNED for s in shown) == 10
    assert [s.project for s in shown if s.origin is Origin.CALLED] == [f"s{n}" for n in range(10, 0, -1)]
    assert summarize(roster).hidden == 2


def test_what_is_under_way_is_never_cut():
    roster = Roster()
    for n in range(25):
        key = SessionKey("takoapi", f"s{n}")
        roster = reduce(roster, SessionOpened(session(key, task=Task(f"s{n}", "m")), T0))
    assert len(rows(roster)) == 25 and summarize(roster).hidden == 0


def test_no_timer_is_due_when_nothing_can_age():
    assert next_tick([], T0) is None
    assert next_tick([session()], T0) is None
    assert next_tick([session(followed=False)], T0) == T0 + STALE_AFTER


# --- all rules at once ---

KEYS = [SessionKey("takoapi", f"a/{n}") for n in range(3)] + [SessionKey("other", "b")]
TIMES = st.integers(T0, T0 + 4 * WINDOW)
WORDS = st.sampled_from(["working", "submitted", "completed", "failed", "input-required", "odd"])
REQUESTS = st.lists(
    st.builds(Blocked, st.sampled_from(RequestKind), st.sampled_from("abc"), TIMES), max_size=2
).map(tuple)
TASKS = st.none() | st.builds(
    Task, st.just("a"), st.just("m"), st.sampled_from(["", "t1", "t2"]), terminal=st.booleans()
)
FACTS = st.builds(Fact, st.just("r"), st.just("s"), st.sampled_from(Rank), TIMES)

EVENTS = st.one_of(
    st.builds(
        SessionOpened,
        st.builds(
            AgentSession,
            st.sampled_from(KEYS),
            st.just("a"),
            st.sampled_from(State),
            WORDS,
            TIMES,
            task=TASKS,
            requests=REQUESTS,
            unread=st.booleans(),
            followed=st.booleans(),
            origin=st.sampled_from([Origin.CALLED, Origin.LISA, Origin.LOCAL]),
        ),
        TIMES,
    ),
    st.builds(
        StateChanged,
        st.sampled_from(KEYS),
        TIMES,
        st.sampled_from(State),
        WORDS,
        FACTS,
        REQUESTS,
        TASKS,
        st.booleans(),
        st.none() | st.booleans(),
    ),
    st.builds(ActivityChanged, st.sampled_from(KEYS), TIMES, st.builds(Activity, st.integers(0, 9))),
    st.builds(FollowChanged, st.sampled_from(KEYS), TIMES, st.booleans()),
    st.builds(ReplyChanged, st.sampled_from(KEYS), TIMES, st.sampled_from(Reply)),
    st.builds(TrailAdded, st.sampled_from(KEYS), st.builds(TrailEntry, TIMES, st.just("trail.sent"))),
    st.builds(SessionRemoved, st.sampled_from(KEYS), TIMES),
    st.builds(LabelChanged, st.sampled_from(KEYS), st.text(max_size=100)),
    st.builds(Seen, st.sampled_from(KEYS)),
    st.builds(Notified, st.sampled_from(KEYS), st.sampled_from("abc")),
    st.builds(PinsChanged, st.just("takoapi"), st.sampled_from([(), (("a", ""),), (("z", "free"),)])),
    st.builds(
        SourceReported,
        st.sampled_from(["takoapi", "other"]),
        TIMES,
        st.builds(SourceStatus, health=st.sampled_from(Health)),
    ),
    st.builds(ClockTicked, TIMES),
)


class RosterMachine(RuleBasedStateMachine):
    """Any events in any order."""

    def __init__(self):
        super().__init__()
        self.roster = Roster()

    @rule(event=EVENTS)
    def step(self, event):
        before = self.roster
        after = reduce(before, event)
        assert reduce(after, event) == after, "the same event twice changes nothing more"
        self._others_untouched(before, after, event)
        self._nothing_dead_revives(before, after, event)
        self.roster = after

    def _others_untouched(self, before, after, event):
        key = getattr(event, "key", None)
        if key is None:
            return
        for other in KEYS:
            if other.agent != key.agent:
                assert before.get(other) == after.get(other)

    def _nothing_dead_revives(self, before, after, event):
        if not isinstance(event, StateChanged):
            return
        old, new = before.get(event.key), after.get(event.key)
        if old and old.task and old.task.terminal and new.state is not old.state:
            assert new.task.task_id != old.task.task_id or new.task.calls > old.task.calls

    @invariant()
    def summary_counts_equal_rows(self):
        s = summarize(self.roster)
        shown = rows(self.roster)
        blocked = sum(r.is_blocked for r in shown)
        counted = s.failed + s.working + s.queued + s.your_turn + s.not_reporting + s.finished + s.idle
        assert counted + blocked == len(shown)
        assert len(shown) + s.hidden == len(self.roster.sessions)
        assert s.needs_you == sum(len(r.requests) for r in self.roster.sessions.values())

    @invariant()
    def the_order_is_the_order_of_urgency(self):
        urgencies = [look(r).urgency for r in rows(self.roster)]
        assert urgencies == sorted(urgencies)

    @invariant()
    def a_pin_never_doubles_a_call(self):
        called = {
            s.task.target if s.task else s.project
            for s in self.roster.sessions.values()
            if s.key.agent == "takoapi" and s.origin is not Origin.PINNED
        }
        for s in self.roster.sessions.values():
            assert s.origin is not Origin.PINNED or s.project not in called


TestRosterMachine = RosterMachine.TestCase
TestRosterMachine.settings = settings(
    max_examples=60,
    stateful_step_count=25,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
