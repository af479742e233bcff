"""What deserves a notice, and when."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core import words
from lisa_island.core.agent import AgentSession, Blocked, Origin, RequestKind, SessionKey, State, Task
from lisa_island.core.events import Notified, Seen, SessionRemoved
from lisa_island.core.notices import (
    BURST_MS,
    CALM_MS,
    FRESH_MS,
    HOLD_MS,
    MOST_AT_ONCE,
    About,
    Effect,
    Note,
    Pacer,
    Show,
    Withdraw,
    decide,
)
from lisa_island.core.preferences import Preferences
from lisa_island.core.roster import Roster, reduce

NOW = 1_750_000_000_000
PREFS = Preferences()
CANARY = "canary-question-text"


def session(name: str = "acme-research", number: int = 0, **more: object) -> AgentSession:
    fields: dict[str, object] = {"state": State.WORKING, "last_activity": NOW, "started_at": NOW}
    task = Task(name, message_id=f"m{number}", calls=1)
    key = SessionKey("takoapi", f"{name}/{number:08x}")
    return AgentSession(**{"key": key, "project": name, "task": task, **fields, **more})  # type: ignore[arg-type]


def waiting(
    name: str = "acme-research", number: int = 0, request: str = "r1", kind: RequestKind = RequestKind.INPUT
) -> AgentSession:
    blocked = Blocked(kind, request, NOW, CANARY, (CANARY,))
    return session(name, number, state=State.WAITING, state_reason="input-required", requests=(blocked,))


def failed(name: str = "acme-research", number: int = 0, **more: object) -> AgentSession:
    return session(name, number, state=State.ERROR, state_reason="failed", unread=True, **more)


def finished(name: str = "acme-research", number: int = 0, **more: object) -> AgentSession:
    return session(name, number, **{"state": State.DONE, "state_reason": "completed", "unread": True, **more})


def roster(*sessions: AgentSession) -> Roster:
    return Roster({s.key: s for s in sessions})


def step(
    old: AgentSession | None,
    new: AgentSession | None,
    prefs: Preferences = PREFS,
    now: int = NOW,
    lang: str = "en",
) -> tuple[Effect, ...]:
    return decide(roster(*filter(None, [old])), roster(*filter(None, [new])), prefs, now, lang)


def notes(effects: tuple[Effect, ...]) -> list[Note]:
    return [e.note for e in effects if isinstance(e, Show)]


def withdrawn(effects: tuple[Effect, ...]) -> list[str]:
    return [e.note_id for e in effects if isinstance(e, Withdraw)]


# --- what is shown ---


def test_a_need_is_told() -> None:
    [effect] = step(session(), waiting())
    assert isinstance(effect, Show)
    assert effect.note == Note(
        "takoapi::acme-research/00000000#r1",
        "acme-research needs input",
        buttons=(("reply", "Reply"), ("later", "Later")),
        keys=(session().key,),
        request_id="r1",
    )
    assert effect.marks == ((session().key, "r1"),)


def test_the_owners_label_tells_which_task() -> None:
    [note] = notes(step(session(), replace(waiting(), label="Q3 market scan")))
    assert (note.title, note.body) == ("acme-research needs input", "Q3 market scan")


def test_twins_are_told_apart() -> None:
    old = roster(session(number=1), session(number=2))
    [note] = notes(decide(old, roster(session(number=1), waiting(number=2)), PREFS, NOW, "en"))
    assert note.body == "#2"


def test_a_local_agents_project_stands_below_its_name() -> None:
    new = replace(waiting(), task=Task("claude"), project="api-server")
    [note] = notes(step(replace(new, requests=()), new))
    assert (note.title, note.body) == ("claude needs input", "api-server")


@pytest.mark.parametrize(
    ("kind", "title", "actions"),
    [
        (RequestKind.INPUT, "acme-research needs input", ("reply", "later")),
        (RequestKind.AUTH, "acme-research needs you to sign in", ("show", "later")),
        (RequestKind.PERMISSION, "acme-research needs you", ("show", "later")),
    ],
)
def test_each_kind_has_its_words(kind: RequestKind, title: str, actions: tuple[str, ...]) -> None:
    [note] = notes(step(session(), waiting(kind=kind)))
    assert note.title == title and tuple(action for action, _ in note.buttons) == actions


def test_a_failure_is_told() -> None:
    [effect] = step(session(), failed())
    assert isinstance(effect, Show) and effect.about is About.FAILED
    assert (effect.note.title, effect.note.buttons) == ("acme-research failed", (("show", "Show"),))
    assert effect.note.request_id == "" and effect.marks == ((session().key, "failed:m0"),)


def test_the_end_is_told_only_if_the_owner_wants_it() -> None:
    assert step(session(), finished()) == ()
    [note] = notes(step(session(), finished(), Preferences(notify_finished=True)))
    assert note.title == "acme-research finished"


@pytest.mark.parametrize(
    "new",
    [
        finished(state_reason="canceled"),
        finished(unread=False),
        session(state=State.UNKNOWN, state_reason="outcome-unknown", unread=True),
        session(state=State.WAITING, state_reason="whatever"),
        session(state=State.IDLE),
        replace(failed(), unread=False),
    ],
)
def test_what_needs_nobody_is_not_told(new: AgentSession) -> None:
    assert step(session(), new, Preferences(notify_finished=True)) == ()


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_nothing_of_a_question_is_in_it(lang: str) -> None:
    assert CANARY not in repr(step(session(), replace(waiting(), activity=session().activity), lang=lang))


def test_in_chinese() -> None:
    [note] = notes(step(session(), waiting(), lang="zh-CN"))
    assert (note.title, note.buttons) == ("acme-research 需要你输入", (("reply", "回复"), ("later", "稍后")))


def test_a_long_name_is_cut() -> None:
    [note] = notes(step(session("a" * 200), waiting("a" * 200)))
    assert len(note.title) < 60


# --- once ---


def test_nothing_new_is_not_told_again() -> None:
    assert step(waiting(), waiting()) == ()
    assert step(waiting(), replace(waiting(), last_activity=NOW + 5)) == ()
    assert step(failed(), replace(failed(), label="x")) == ()


def test_what_was_told_is_not_told_again_after_a_restart() -> None:
    assert notes(step(None, replace(waiting(), notified="r1"))) == []
    assert notes(step(None, replace(failed(), notified="failed:m0"))) == []


def test_what_is_read_back_late_is_history() -> None:
    later = NOW + FRESH_MS + 1
    assert step(None, waiting(), now=later) == ()
    assert step(None, failed(), now=later) == ()
    assert len(notes(step(None, waiting(), now=later - 1))) == 1


def test_a_known_row_is_told_however_late_it_is_heard() -> None:
    assert len(notes(step(session(), waiting(), now=NOW + 10 * FRESH_MS))) == 1


def test_the_next_question_is_told_and_takes_the_place_of_the_last() -> None:
    effects = step(replace(waiting(), notified="r1"), replace(waiting(request="r2"), notified="r1"))
    assert withdrawn(effects) == ["takoapi::acme-research/00000000#r1"]
    assert [n.request_id for n in notes(effects)] == ["r2"]


def test_a_task_that_goes_on_and_fails_again_is_told_again() -> None:
    again = replace(failed(), notified="failed:m0", task=Task("acme-research", message_id="m0", calls=2))
    [effect] = step(replace(again, state=State.WORKING, unread=False), again)
    assert isinstance(effect, Show) and effect.marks == ((session().key, "failed:m0:2"),)


def test_lisas_rows_are_told_by_their_time() -> None:
    row = replace(failed(), task=Task("acme-research"), origin=Origin.LISA)
    [effect] = step(replace(row, state=State.WORKING, unread=False), row)
    assert isinstance(effect, Show) and effect.marks == ((row.key, f"failed:{NOW}"),)


# --- withdrawn ---


@pytest.mark.parametrize("new", [session(), finished(), None], ids=["answered", "ended", "gone"])
def test_a_need_that_is_over_is_withdrawn(new: AgentSession | None) -> None:
    assert "takoapi::acme-research/00000000#r1" in withdrawn(step(waiting(), new))


def test_a_failure_that_was_seen_is_withdrawn() -> None:
    old = roster(failed())
    effects = decide(old, reduce(old, Seen(session().key)), PREFS, NOW, "en")
    assert withdrawn(effects) == ["takoapi::acme-research/00000000#failed:m0", "failed"]


def test_a_row_that_leaves_takes_its_notice_along() -> None:
    old = roster(failed())
    assert withdrawn(decide(old, reduce(old, SessionRemoved(session().key, NOW)), PREFS, NOW, "en"))


def test_the_joint_notice_goes_with_the_last_need() -> None:
    old = roster(waiting(number=1), waiting(number=2))
    one = roster(waiting(number=1), session(number=2))
    assert "need" not in withdrawn(decide(old, one, PREFS, NOW, "en"))
    assert "need" in withdrawn(decide(one, roster(session(number=1)), PREFS, NOW, "en"))


def test_that_it_was_told_changes_nothing() -> None:
    old = roster(waiting())
    assert decide(old, reduce(old, Notified(session().key, "r1")), PREFS, NOW, "en") == ()


# --- the owner's choices ---


@pytest.mark.parametrize(
    ("prefs", "new"),
    [
        (Preferences(notify_input=False), waiting()),
        (Preferences(notify_auth=False), waiting(kind=RequestKind.AUTH)),
        (Preferences(notify_failed=False), failed()),
    ],
)
def test_each_sort_can_be_switched_off(prefs: Preferences, new: AgentSession) -> None:
    assert step(session(), new, prefs) == ()
    assert len(notes(step(session(), new))) == 1


# --- pace ---


def need(number: int) -> Show:
    [effect] = step(session(f"agent-{number}"), waiting(f"agent-{number}"))
    assert isinstance(effect, Show)
    return effect


def test_a_notice_waits_a_moment() -> None:
    pacer = Pacer().offer([need(1)], NOW)
    assert pacer.next == NOW + HOLD_MS
    assert pacer.due(NOW + HOLD_MS - 1, "en") == (pacer, ())
    pacer, effects = pacer.due(NOW + HOLD_MS, "en")
    assert effects == (need(1),) and pacer.next is None


def test_what_vanishes_at_once_makes_no_notice() -> None:
    pacer = Pacer().offer([need(1)], NOW).offer([Withdraw(need(1).note.note_id)], NOW + 100)
    assert pacer.next is None
    assert pacer.due(NOW + HOLD_MS, "en") == (pacer, ())


def test_who_asks_again_and_again_is_not_told_again_and_again() -> None:
    pacer, shown = Pacer(), list[Note]()
    times = range(NOW, NOW + CALM_MS, 3_000)
    for now in times:
        # Another question, and the one before is gone.
        asked = replace(need(1), note=replace(need(1).note, note_id=f"q{now}"))
        pacer, effects = pacer.offer([Withdraw(f"q{now - 3_000}"), asked], now).due(now + HOLD_MS, "en")
        shown += notes(effects)
    assert len(shown) == 3
    due = pacer.next
    assert due is not None and due <= NOW + HOLD_MS + CALM_MS
    # Another session is told in its turn, and what still waits then is told too.
    assert notes(pacer.offer([need(2)], now).due(now + HOLD_MS, "en")[1]) == [need(2).note]
    assert [note.note_id for note in notes(pacer.due(due, "en")[1])] == [f"q{times[-1]}"]


def test_nothing_waits_means_no_timer() -> None:
    assert Pacer().next is None
    assert Pacer().offer([Withdraw("x")], NOW).next is None


def test_three_are_shown_one_by_one() -> None:
    _, effects = Pacer().offer([need(n) for n in range(3)], NOW).due(NOW + HOLD_MS, "en")
    assert effects == (need(0), need(1), need(2))


def test_four_become_one() -> None:
    _, [effect] = Pacer().offer([need(n) for n in range(4)], NOW).due(NOW + HOLD_MS, "en")
    assert isinstance(effect, Show)
    assert effect.note == Note(
        "need", "4 agents need you", "agent-0, agent-1, agent-2, 1 more", buttons=(("show", "Show all"),)
    )
    assert effect.marks == tuple(mark for n in range(4) for mark in need(n).marks)


def test_the_fourth_within_two_seconds_joins_the_others() -> None:
    pacer = Pacer().offer([need(n) for n in range(3)], NOW)
    pacer, _ = pacer.due(NOW + HOLD_MS, "en")
    pacer = pacer.offer([need(3)], NOW + 1000)
    pacer, effects = pacer.due(NOW + 1000 + HOLD_MS, "en")
    assert withdrawn(effects) == [need(n).note.note_id for n in range(3)]
    assert [n.title for n in notes(effects)] == ["4 agents need you"]
    pacer = pacer.offer([need(4)], NOW + 1100)
    _, effects = pacer.due(NOW + 1100 + HOLD_MS, "en")
    assert withdrawn(effects) == [] and [n.title for n in notes(effects)] == ["5 agents need you"]


def test_after_two_seconds_the_count_starts_again() -> None:
    pacer = Pacer().offer([need(n) for n in range(3)], NOW)
    pacer, _ = pacer.due(NOW + HOLD_MS, "en")
    pacer = pacer.offer([need(3)], NOW + BURST_MS + 1)
    assert pacer.due(NOW + HOLD_MS + BURST_MS + 1, "en")[1] == (need(3),)


def test_what_was_answered_meanwhile_does_not_count() -> None:
    pacer = Pacer().offer([need(n) for n in range(3)], NOW)
    pacer, _ = pacer.due(NOW + HOLD_MS, "en")
    pacer = pacer.offer([Withdraw(need(0).note.note_id), need(3)], NOW + 500)
    assert pacer.due(NOW + 500 + HOLD_MS, "en")[1] == (need(3),)


def urgent(number: int) -> Show:
    show = need(number)
    return replace(show, note=replace(show.note, urgent=True))


def kept(*effects: Effect, now: int = NOW) -> Pacer:
    """What quiet has kept of these."""
    pacer, shown = Pacer().offer(effects, now).due(now + HOLD_MS, "en", quiet=True)
    assert shown == () and pacer.next is None, "and no timer runs for what is kept"
    return pacer


def test_quiet_means_quiet() -> None:
    [failure] = step(session("a"), failed("a"))
    assert kept(need(1), failure, need(2)).held == (need(1), need(2)), "a failure stands in the island"


def test_what_is_urgent_passes_once() -> None:
    pacer, effects = Pacer().offer([need(1), urgent(2)], NOW).due(NOW + HOLD_MS, "en", quiet=True)
    assert effects == (urgent(2),)
    assert pacer.resume(NOW + 9 * 3_600_000, "en")[1] == (need(1),)


def test_quiet_that_begins_while_a_notice_waits_holds_it() -> None:
    pacer = Pacer().offer([need(1)], NOW)
    pacer, effects = pacer.due(NOW + HOLD_MS, "en", quiet=True)
    assert effects == () and pacer.held == (need(1),)


def test_a_night_of_needs_is_one_notice_in_the_morning() -> None:
    pacer, [effect] = kept(*(need(n) for n in range(7))).resume(NOW, "en")
    assert isinstance(effect, Show)
    assert (effect.note.title, effect.note.body) == ("7 agents need you", "agent-0, agent-1, agent-2, 4 more")
    assert effect.marks == tuple(mark for n in range(7) for mark in need(n).marks)
    assert pacer.resume(NOW, "en") == (pacer, ()), "once"


def test_one_need_keeps_its_own_words() -> None:
    assert kept(need(3)).resume(NOW, "en")[1] == (need(3),)


def test_what_was_answered_in_the_night_is_not_told_in_the_morning() -> None:
    pacer = kept(need(1), need(2)).offer([Withdraw(need(1).note.note_id)], NOW + 5000)
    assert pacer.resume(NOW + 9000, "en")[1] == (need(2),)
    assert kept(need(1)).forget_held().resume(NOW, "en")[1] == ()


def test_the_mornings_notice_counts_for_the_burst() -> None:
    pacer, [joint] = kept(*(need(n) for n in range(3))).resume(NOW, "en")
    assert notes((joint,))[0].title == "3 agents need you"
    pacer = pacer.offer([need(3)], NOW)
    _, effects = pacer.due(NOW + HOLD_MS, "en")
    assert [n.title for n in notes(effects)] == ["4 agents need you"] and withdrawn(effects) == []


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.booleans()), max_size=20), st.booleans())
def test_however_the_night_goes_the_morning_brings_one_notice_at_most(
    events: list[tuple[int, bool, bool]], is_seen: bool
) -> None:
    pacer, open_needs, now = Pacer(), {}, NOW
    for number, is_answered, is_urgent in events:
        now += 1000
        show = urgent(number) if is_urgent else need(number)
        if is_answered:
            pacer = pacer.offer([Withdraw(show.note.note_id)], now)
            open_needs.pop(number, None)
        elif number not in open_needs:
            pacer = pacer.offer([show], now)
            open_needs[number] = is_urgent
        pacer, effects = pacer.due(now + HOLD_MS, "en", quiet=True)
        assert all(note.urgent for note in notes(effects))
    held = [n for n, is_urgent in open_needs.items() if not is_urgent]
    if is_seen:
        pacer, held = pacer.forget_held(), []
    pacer, morning = pacer.resume(now, "en")
    assert len(morning) == bool(held)
    assert {mark for e in morning if isinstance(e, Show) for mark in e.marks} == {
        mark for n in held for mark in need(n).marks
    }


def test_needs_and_failures_do_not_mix() -> None:
    [failure] = step(session(), failed())
    _, effects = Pacer().offer([need(0), need(1), need(2), failure], NOW).due(NOW + HOLD_MS, "en")
    assert len(notes(effects)) == 4


def test_two_requests_of_one_agent_are_one_agent() -> None:
    show = [replace(need(0), note=replace(need(0).note, note_id=f"n{i}")) for i in range(4)]
    _, [effect] = Pacer().offer(show, NOW).due(NOW + HOLD_MS, "en")
    assert isinstance(effect, Show) and (effect.note.title, effect.note.body) == (
        "1 agent needs you",
        "agent-0",
    )


def test_a_clock_that_was_set_back_holds_nothing() -> None:
    pacer = Pacer().offer([need(1)], NOW)
    assert pacer.due(NOW - 3_600_000, "en")[1] == (need(1),)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 900),
            st.lists(st.integers(0, 9), max_size=4),
            st.lists(st.integers(0, 9), max_size=2),
        ),
        max_size=30,
    )
)
def test_each_need_is_told_once_and_none_is_lost(steps: list[tuple[int, list[int], list[int]]]) -> None:
    pacer, now = Pacer(), NOW
    offered: set[int] = set()
    answered: set[int] = set()
    told: list[object] = []
    for wait, new, over in steps:
        now += wait
        if pacer.next is not None and pacer.next <= now:
            pacer, effects = pacer.due(now, "en")
            told += fresh_marks(effects, told)
        gone = [Withdraw(need(n).note.note_id) for n in over if n in offered]
        answered |= {n for n in over if n in offered}
        effects_in = [need(n) for n in dict.fromkeys(new) if n not in offered]
        offered |= set(new)
        pacer = pacer.offer([*gone, *effects_in], now)
        assert len(pacer.recent) <= 10
    pacer, effects = pacer.due(now + HOLD_MS, "en")
    told += fresh_marks(effects, told)
    assert pacer.next is None
    expected = {need(n).marks[0] for n in offered}
    assert set(told) <= expected
    assert {need(n).marks[0] for n in offered - answered} <= set(told)


def fresh_marks(effects: tuple[Effect, ...], told: list[object]) -> list[object]:
    shown = [e for e in effects if isinstance(e, Show)]
    single = [mark for e in shown if e.note.note_id not in list(About) for mark in e.marks]
    assert not set(single) & set(told), "a need was told twice by a notice of its own"
    assert len(single) <= MOST_AT_ONCE
    return [mark for e in shown for mark in e.marks if mark not in told]


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_every_word_is_there(lang: str) -> None:
    shows = [need(n) for n in range(5)]
    for about in About:
        _, [effect] = Pacer().offer([replace(s, about=about) for s in shows], NOW).due(NOW + HOLD_MS, lang)
        assert isinstance(effect, Show) and effect.note.note_id == about and "{" not in effect.note.title
