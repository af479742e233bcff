"""Rows of one agent below one line: what folds, what never does, and that nothing is lost or moved."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core.agent import AgentSession, Blocked, Origin, RequestKind, SessionKey, State, Task
from lisa_island.core.grouping import MOST_ALONE, Group, group_id, grouped, is_loud
from lisa_island.core.looks import order
from lisa_island.core.roster import Roster
from lisa_island.core.rows import Kind, listing

NOW = 1_750_000_000_000
MIN = 60_000


def task(agent: str, n: int, state: State = State.WORKING, **more: object) -> AgentSession:
    more.setdefault("last_activity", NOW - n * MIN)
    key = SessionKey("a2a", f"{agent}/{n:08x}")
    return AgentSession(key, agent, state, task=Task(agent, task_id=str(n)), **more)  # type: ignore[arg-type]


def asks(agent: str, n: int) -> AgentSession:
    return task(agent, n, State.WAITING, requests=(Blocked(RequestKind.INPUT, f"{agent}#{n}", NOW),))


def shown(*sessions: AgentSession, **more: object):
    return listing(Roster({s.key: s for s in sessions}), "en", NOW, **more).rows  # type: ignore[arg-type]


def test_three_stand_alone_and_four_stand_below_their_agents_line():
    three = [task("box", n) for n in range(3)]
    assert [r.kind for r in shown(*three)] == [Kind.SESSION] * 3
    (row,) = shown(*three, task("box", 3, State.DONE))
    assert (row.kind, row.title, row.provider) == (Kind.GROUP, "box", "A2A")
    assert row.line == "3 working, 1 finished" and not row.open
    assert row.name == "box, A2A, 4 tasks, 3 working, 1 finished, folded"


def test_it_opens_in_place():
    sessions = [task("box", n) for n in range(4)]
    rows = shown(*sessions, task("other", 9), opened=[group_id("a2a", "box")])
    assert [r.kind for r in rows] == [Kind.GROUP, *[Kind.SESSION] * 5]
    assert [r.inset for r in rows] == [False, True, True, True, True, False]
    assert rows[0].open and rows[0].name.endswith("opened")


def test_what_waits_and_what_failed_unseen_stands_where_everybody_sees_it():
    failed = task("box", 2, State.ERROR, unread=True)
    rows = shown(asks("box", 1), failed, *(task("box", n) for n in range(3, 6)))
    assert [(r.kind, r.glyph) for r in rows] == [
        (Kind.SESSION, "waiting"), (Kind.SESSION, "error"), (Kind.GROUP, "working"),
    ]  # fmt: skip
    seen = replace(failed, unread=False)
    assert "1 failed" in shown(asks("box", 1), seen, *(task("box", n) for n in range(3, 6)))[-1].line


def test_one_row_below_a_line_would_be_no_use():
    rows = shown(*(asks("box", n) for n in range(4)), task("box", 9))
    assert [r.kind for r in rows] == [Kind.SESSION] * 5


def test_agents_of_one_name_and_two_kinds_are_not_mixed():
    other = [replace(task("box", n), key=SessionKey("takoapi", f"box/{n}")) for n in range(2)]
    assert [r.kind for r in shown(*(task("box", n) for n in range(3)), *other)] == [Kind.SESSION] * 5


def test_a_search_finds_what_is_folded():
    rows = shown(*(task("box", n) for n in range(5)), query="box")
    assert [r.kind for r in rows] == [Kind.SESSION] * 5


STATES = st.sampled_from([*State])
SESSIONS = st.lists(
    st.builds(
        lambda agent, n, state, unread, blocked, pinned: replace(
            asks(agent, n) if blocked else task(agent, n, state, unread=unread),
            origin=Origin.PINNED if pinned and not blocked else Origin.CALLED,
        ),
        st.sampled_from("abc"), st.integers(0, 40), STATES, st.booleans(), st.booleans(),
        st.sampled_from([True, False, False, False, False]),
    ),
    max_size=24, unique_by=lambda s: s.key,
).map(lambda found: sorted(found, key=order))  # fmt: skip


@given(SESSIONS, st.sets(st.sampled_from("abc")))
def test_nothing_is_lost_doubled_or_moved(sessions: list[AgentSession], opened: set[str]):
    items = grouped(sessions, {group_id("a2a", a) for a in opened})
    flat = [s for i in items for s in (i.members if isinstance(i, Group) else (i,))]
    assert sorted(map(str, (s.key for s in flat))) == sorted(str(s.key) for s in sessions)
    # Each item stands where its first session stood.
    firsts = [sessions.index(i.members[0] if isinstance(i, Group) else i) for i in items]
    assert firsts == sorted(firsts)
    for group in (i for i in items if isinstance(i, Group)):
        assert [*group.members] == [s for s in sessions if s in group.members]
        assert group.is_open is (group.target in opened)


@given(SESSIONS)
def test_only_quiet_rows_of_many_fold(sessions: list[AgentSession]):
    for item in grouped(sessions):
        if isinstance(item, Group):
            assert not any(is_loud(s) or s.origin is Origin.PINNED for s in item.members)
            same = [s for s in sessions if s.project == item.target and s.origin is not Origin.PINNED]
            assert len(same) > MOST_ALONE and len(item.members) >= 2


@given(SESSIONS)
def test_grouping_again_after_a_change_of_one_row_keeps_the_other_agents(sessions: list[AgentSession]):
    others = [s for s in sessions if s.project != "a"]
    before = [i for i in grouped(sessions) if _target(i) != "a"]
    assert before == list(grouped(others))


def _target(item: AgentSession | Group) -> str:
    return item.target if isinstance(item, Group) else item.project
