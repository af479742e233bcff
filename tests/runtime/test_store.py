"""The holder of the roster: reduced at once, told in good time."""

from lisa_island.core.agent import Activity, AgentSession, Blocked, RequestKind, SessionKey, State
from lisa_island.core.events import ActivityChanged, Seen, SessionOpened, StateChanged
from lisa_island.core.evidence import Fact
from lisa_island.runtime.store import MERGE_SECONDS, MOST_HURRIED, Store
from tests.fakes.clock import START, FakeClock

KEY = SessionKey("takoapi", "acme/1")
SESSION = AgentSession(KEY, "acme", State.WORKING, "working", START, followed=True)


def built():
    clock = FakeClock()
    store = Store(clock)
    told = []
    store.subscribe(lambda old, new: told.append((old, new)))
    return clock, store, told


def activity(n):
    return ActivityChanged(KEY, START + n, Activity(n))


def test_the_first_change_is_told_at_once_and_further_ones_together():
    clock, store, told = built()
    store.dispatch(SessionOpened(SESSION, START))
    assert len(told) == 1
    for n in range(1, 6):
        store.dispatch(activity(n))
    assert store.roster.get(KEY).activity.updates == 5, "state is reduced at once"
    assert len(told) == 1
    clock.advance(MERGE_SECONDS)
    assert len(told) == 2
    assert told[1][0] is told[0][1] and told[1][1] is store.roster


def test_a_new_request_is_never_held():
    _, store, told = built()
    store.dispatch(SessionOpened(SESSION, START))
    asked = Blocked(RequestKind.INPUT, "r1", START)
    event = StateChanged(KEY, START + 1, State.WAITING, "input-required", Fact("r", "s"), (asked,))
    store.dispatch(event)
    assert told[-1][1].get(KEY).requests == (asked,)


def question(n, key=KEY):
    asked = Blocked(RequestKind.INPUT, f"{key}#{n}", START)
    fact = Fact("r", "s", at=START + n)
    return StateChanged(key, START + n, State.WAITING, "input-required", fact, (asked,))


def test_a_flood_of_requests_in_one_session_is_told_once_a_window():
    clock, store, told = built()
    store.dispatch(SessionOpened(SESSION, START))
    for n in range(1, 1001):
        store.dispatch(question(n))
    assert len(told) == 2, "the first question at once, those that replace it together"
    clock.advance(MERGE_SECONDS)
    assert told[-1][1].get(KEY).requests[0].request_id == f"{KEY}#1000"
    store.dispatch(question(1001))
    assert told[-1][1] is store.roster, "a new window, a new question: at once"


def test_a_flood_hides_no_other_sessions_request():
    _, store, told = built()
    others = [SessionKey("takoapi", f"other/{n}") for n in range(20)]
    for key in (KEY, *others):
        store.dispatch(SessionOpened(AgentSession(key, "x", State.WORKING, "working", START), START))
    for n in range(1, 100):
        store.dispatch(question(n))
    for key in others:
        store.dispatch(question(1, key))
        assert told[-1][1].get(key).requests


def test_many_rows_at_once_are_told_together():
    clock, store, told = built()
    for n in range(1000):
        key = SessionKey("takoapi", f"old/{n}")
        store.dispatch(SessionOpened(AgentSession(key, "x", State.DONE, "", START), START))
    assert len(told) <= 1 + MOST_HURRIED
    clock.advance(MERGE_SECONDS)
    assert told[-1][1] is store.roster


def test_nothing_is_told_and_no_timer_runs_when_nothing_changed():
    clock, store, told = built()
    store.dispatch(Seen(KEY))
    assert told == [] and clock.pending == 0


def test_the_window_closes_by_itself():
    clock, store, _ = built()
    store.dispatch(SessionOpened(SESSION, START))
    clock.advance(MERGE_SECONDS)
    assert clock.pending == 0


def test_close_tells_what_is_pending():
    clock, store, told = built()
    store.dispatch(SessionOpened(SESSION, START))
    store.dispatch(activity(1))
    store.close()
    assert len(told) == 2 and clock.pending == 0


def test_a_listener_that_left_hears_nothing():
    clock = FakeClock()
    store = Store(clock)
    heard = []
    leave = store.subscribe(lambda *_: heard.append(1))
    leave()
    store.dispatch(SessionOpened(SESSION, START))
    assert heard == []
