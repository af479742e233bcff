"""Every state of the pill, as the design's picture and table of words have it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core.agent import AgentSession, Blocked, Origin, RequestKind, SessionKey, State, Task
from lisa_island.core.pill import PillView, Turn, finished, has_new_need, only_working, pill_view, turned
from lisa_island.core.preferences import Preferences
from lisa_island.core.quiet import Quiet, Why, aside
from lisa_island.core.roster import Roster
from lisa_island.core.summary import Summary

CALM = Preferences()
TRAY = AgentSession(SessionKey("codex", "1"), "tray-icons", State.WORKING, origin=Origin.LOCAL)
REMOTE = AgentSession(SessionKey("takoapi", "acme/1"), "acme", State.WORKING, task=Task("acme-research"))

TABLE: list[tuple[str, dict[str, Any], str, str, tuple[tuple[str, str], ...]]] = [
    ("quiet", {}, "", "All quiet", ()),
    ("working", {"working": 4}, "working", "4 working", ()),
    ("one working", {"working": 1}, "working", "1 working", ()),
    (
        "needs",
        {"needs_you": 3, "failed": 1, "working": 4},
        "waiting",
        "3 need you",
        (("error", "1"), ("working", "4")),
    ),
    ("needs one", {"needs_you": 1}, "waiting", "1 needs you", ()),
    ("failed", {"failed": 1, "working": 3}, "error", "1 failed", (("working", "3"),)),
    ("failed many", {"failed": 2}, "error", "2 failed", ()),
    ("sent", {"queued": 1, "queued_name": "acme-research"}, "queued", "Sent to acme-research", ()),
    ("sending", {"queued": 2, "queued_name": "acme-research"}, "queued", "2 sending", ()),
    ("your turn", {"your_turn": 1}, "your-turn", "1 your turn", ()),
    ("not reporting", {"not_reporting": 2}, "unknown", "2 not reporting", ()),
    (
        "offline",
        {"offline": ("takoapi",), "working": 3, "not_reporting": 2},
        "offline",
        "Remote offline",
        (("working", "3"),),
    ),
    (
        "two counts only",
        {"needs_you": 1, "failed": 1, "working": 1, "queued": 1},
        "waiting",
        "1 needs you",
        (("error", "1"), ("working", "1")),
    ),
    ("more than 99", {"working": 100}, "working", "99+ working", ()),
    ("idle and done are quiet", {"idle": 4, "finished": 2}, "", "All quiet", ()),
]


@pytest.mark.parametrize(
    ("counts", "glyph", "text", "rest"), [pytest.param(*row[1:], id=row[0]) for row in TABLE]
)
def test_states(counts: dict[str, Any], glyph: str, text: str, rest: tuple[tuple[str, str], ...]) -> None:
    view = pill_view(Summary(**counts), CALM, "en")
    assert (view.glyph, view.text, view.counts) == (glyph, text, rest)
    assert view.tone == ("strong" if glyph else "quiet")


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ({}, "一切平静"),
        ({"working": 4}, "4 个运行中"),
        ({"needs_you": 1}, "1 项待处理"),
        ({"needs_you": 3}, "3 项待处理"),
        ({"failed": 1}, "1 个失败"),
        ({"not_reporting": 2}, "2 个无消息"),
        ({"offline": ("takoapi",)}, "远程离线"),
    ],
)
def test_chinese(counts: dict[str, Any], text: str) -> None:
    assert pill_view(Summary(**counts), CALM, "zh-CN").text == text


def test_one_session_is_named_with_its_badge() -> None:
    view = pill_view(Summary(working=1), CALM, "en", only=TRAY)
    assert (view.text, view.badge) == ("tray-icons", ("codex", ""))
    assert pill_view(Summary(working=1), CALM, "en", only=REMOTE).badge == ("remote", "acme-research")
    assert pill_view(Summary(working=1, needs_you=1), CALM, "en", only=TRAY).text == "1 needs you"


def test_urgent_is_louder_than_all() -> None:
    view = pill_view(Summary(needs_you=3, failed=2), CALM, "en", urgent="Codex")
    assert (view.tone, view.glyph, view.text) == ("urgent", "waiting", "Urgent: Codex asks")
    assert pill_view(Summary(), CALM, "zh-CN", urgent="Codex").text == "紧急：Codex 提问"


def test_a_finish_flashes_over_work_and_not_over_a_need() -> None:
    assert pill_view(Summary(working=2), CALM, "en", "aider").text == "aider finished"
    assert pill_view(Summary(working=2), CALM, "en", "aider").counts == (("working", "2"),)
    assert pill_view(Summary(), CALM, "zh-CN", "aider").text == "aider 已完成"
    assert pill_view(Summary(needs_you=1), CALM, "en", "aider").text == "1 needs you"
    assert pill_view(Summary(failed=1), CALM, "en", "aider").text == "1 failed"


def test_names_lose_their_middle() -> None:
    view = pill_view(Summary(), CALM, "en", "a-very-long-name-indeed")
    assert view.text == "a-very-lo…e-indeed finished"


def test_starting_says_so_and_says_what_is_known_at_once() -> None:
    view = pill_view(Summary(), CALM, "en", starting=True)
    assert (view.text, view.tone) == ("Starting…", "faint")
    assert pill_view(Summary(working=1), CALM, "en", starting=True).text == "1 working"


@pytest.mark.parametrize("why", Why)
def test_quiet_changes_no_count_and_is_said_last(why: Why) -> None:
    loud, still = (pill_view(Summary(needs_you=3), CALM, "en", quiet=q) for q in (None, Quiet(why)))
    assert still.muted and not loud.muted
    assert (still.text, still.tone, still.counts) == (loud.text, loud.tone, loud.counts)
    assert still.name == f"{loud.name}, {aside(Quiet(why), 'en')}"


def test_shrunk_only_when_quiet() -> None:
    wish = Preferences(shrink_when_quiet=True)
    assert pill_view(Summary(), wish, "en").shrunk
    assert not pill_view(Summary(working=1), wish, "en").shrunk


def test_name_for_screen_readers() -> None:
    view = pill_view(Summary(needs_you=3, working=4, your_turn=1), CALM, "en")
    assert view.name == "LISA Island, 3 need you, 4 working, 1 your turn"
    assert pill_view(Summary(), CALM, "en").name == "LISA Island, All quiet"


SUMMARIES = st.builds(
    Summary,
    **{
        f: st.integers(0, 200)
        for f in ("needs_you", "failed", "working", "queued", "your_turn", "not_reporting")
    },
    offline=st.sampled_from(((), ("takoapi",))),
    queued_name=st.text(max_size=40),
)


@given(SUMMARIES, st.sampled_from(("en", "zh-CN")), st.text(max_size=40), st.booleans())
def test_always_something_to_read(summary: Summary, lang: str, flash: str, starting: bool) -> None:
    view = pill_view(summary, CALM, lang, flash, starting=starting)
    assert isinstance(view, PillView) and view.text and view.name
    assert len(view.counts) <= 2 and view.glyph not in dict(view.counts)
    if summary.needs_you:
        assert view.glyph == "waiting"


def rosters(*sessions: AgentSession) -> Roster:
    roster = Roster()
    for session in sessions:
        roster = roster.put(session)
    return roster


def session(state: State, **values: Any) -> AgentSession:
    return AgentSession(SessionKey("takoapi", "acme/1"), "acme", state, **values)


def test_who_has_just_finished() -> None:
    working, done = rosters(session(State.WORKING)), rosters(session(State.DONE, unread=True))
    found = finished(working, done)
    assert found is not None and found.project == "acme"
    assert finished(done, done) is None
    assert finished(Roster(), done) is None, "a row that is restored has not just finished"
    canceled = rosters(session(State.DONE, unread=True, state_reason="canceled"))
    assert finished(working, canceled) is None


def test_only_a_new_request_draws_the_eye() -> None:
    first = Blocked(RequestKind.INPUT, "r1", 1)
    asking = rosters(session(State.WAITING, requests=(first,)))
    assert has_new_need(rosters(session(State.WORKING)), asking)
    assert not has_new_need(asking, asking)
    assert not has_new_need(asking, rosters(session(State.WORKING)))
    assert has_new_need(
        asking, rosters(session(State.WAITING, requests=(first, Blocked(RequestKind.AUTH, "r2", 2))))
    )


def test_only_one_that_works() -> None:
    assert only_working(rosters(TRAY)) == TRAY
    assert only_working(rosters(TRAY, REMOTE)) is None


def test_a_ring_turns_by_words_and_at_most_four_times_a_second() -> None:
    turn = turned(Turn(), 1000, 1000)
    assert turn.step == 0, "the first word only sets it"
    turn = turned(turn, 2000, 2000)
    assert turn.step == 1
    assert turned(turn, 2000, 9000) is turn, "no word, no motion"
    soon = turned(turn, 2100, 2100)
    assert (soon.step, soon.seen) == (1, 2100)
    assert turned(soon, 2250, 2250).step == 2
    assert turned(turn, 2300, 500).step == 2, "a clock that was set back stops nothing"
