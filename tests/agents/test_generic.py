"""Hosts that report: what is read of a line, what a session is by them, and every bound."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_island.agents._generic_fold import LONG_MS, MOST_AGENTS, MOST_OPEN, QUIET_MS, Told, fold, judge
from lisa_island.agents._generic_wire import read
from lisa_island.agents.generic import MOST_EVENTS, MOST_SESSIONS, WINDOW_MS
from lisa_island.core.agent import Origin, RequestKind, State
from lisa_island.core.words import has
from tests.agents.kind_rig import KindRig
from tests.fakes.clock import settle

AT = 1_800_000_000_000
SECRET = "sk-ant-PLANTED"


def told(*events: dict[str, Any], at: int = AT, before: Told | None = None) -> Told:
    known = before or Told()
    for found in events:
        event = read(found)
        assert event is not None, found
        known = fold(known, event, found.get("at", at))
    return known


def words(known: Told, after: int = 0) -> tuple[str, str]:
    verdict = judge(known, "h/s", known.at + after)
    assert has(f"why.{verdict.fact.rule}")
    return str(verdict.state), verdict.reason


def state(word: str, id: str = "main", **more: Any) -> dict[str, Any]:
    return {"type": "agent_state", "id": id, "state": word, **more}


def join(id: str = "main", **more: Any) -> dict[str, Any]:
    return {"type": "agent_join", "id": id, **more}


def action(call: str, id: str = "main") -> dict[str, Any]:
    return {"type": "action", "id": id, "action": "server", "toolCallId": call}


def end(call: str, **more: Any) -> dict[str, Any]:
    return {"type": "action_end", "id": "main", "toolCallId": call, **more}


def leave(id: str = "main", **more: Any) -> dict[str, Any]:
    return {"type": "agent_leave", "id": id, **more}


# --- lines ---


@pytest.mark.parametrize(
    "found",
    [
        None, [], "x", 7, {}, {"type": "say", "id": "main", "text": "x"}, {"type": "task"}, {"type": "log"},
        state("pondering"), state("working", id="a b"), state("working", id="x" * 200),
        state("working", at=-1),
        state("working", session="a/b"), state("working", at=True), action(""),
        {"type": "usage", "tokens": "7"},
        {"type": "usage", "tokens": -1}, {"type": "action", "action": "rm", "toolCallId": "c"},
        state("waiting", waits="money"), {"type": "session", "cwd": "/" * 5000}, leave(ok="yes"),
    ],
)  # fmt: skip
def test_what_is_no_event_is_none(found: Any) -> None:
    assert read(found) is None


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=8,
)
KINDS = ["session", "agent_join", "agent_leave", "agent_state", "action", "action_end", "delegate", "usage"]


@given(JUNK, st.sampled_from(KINDS))
def test_reading_never_raises(found: Any, kind: str) -> None:
    read(found)
    read({**found, "type": kind} if isinstance(found, dict) else {"type": kind, "id": found})


IDS = st.sampled_from(["main", "a", "b"])
EVENTS = st.one_of(
    st.builds(lambda s, i, w: state(s, i, waits=w) if s == "waiting" else state(s, i),
              st.sampled_from(["idle", "thinking", "working", "waiting", "done", "error"]), IDS,
              st.sampled_from([None, "permission", "question"])),
    st.builds(lambda i, p: join(i, parent=p), IDS, st.none() | IDS),
    st.builds(leave, IDS), st.builds(action, st.sampled_from("xyz"), IDS),
    st.builds(end, st.sampled_from("xyz")),
    st.builds(lambda b: {"type": "session", "busy": b}, st.booleans()),
)  # fmt: skip


@given(st.lists(EVENTS, max_size=40))
def test_whatever_comes_nothing_works_for_ever_and_what_waits_stays(events: list[dict[str, Any]]) -> None:
    known = told(*events)
    now, later = judge(known, "h/s", known.at), judge(known, "h/s", known.at + LONG_MS)
    assert later.state is not State.WORKING
    assert later.requests == now.requests and (later.state is State.WAITING) == (now.state is State.WAITING)
    assert len(known.agents) <= 3 and len(known.steps) <= MOST_OPEN + 8
    assert sum(not a.parent for a in known.agents) <= 1


# --- a session by its host ---


def test_a_day_of_a_session() -> None:
    known = told({"type": "session", "busy": True, "turns": 1})
    assert words(known) == ("working", "working"), "busy, and no agent yet"
    known = told(join(), state("thinking"), before=known)
    assert words(known) == ("working", "working")
    known = told(action("c1"), before=known)
    known = told(state("waiting", waits="permission"), before=known)
    assert words(known) == ("waiting", "permission")
    known = told(state("working"), end("c1", ok=True), state("waiting"), before=known)
    assert words(known) == ("waiting", "your-turn"), "no decision waits: its turn is over"
    assert [(s.id, s.ok) for _, s in known.steps] == [("c1", True)]
    assert words(told(state("error"), before=known)) == ("error", "agent-error")
    assert words(told(state("done"), before=known)) == ("done", "completed")
    assert words(told(leave(), before=known)) == ("done", "exited")
    assert words(told(leave(), join(), state("working"), before=known)) == ("working", "working")


def test_silence_takes_working_away_and_nothing_else() -> None:
    working = told(state("working"))
    assert words(working, QUIET_MS - 1)[0] == "working" and words(working, QUIET_MS) == ("unknown", "quiet")
    tool = told(action("c"), before=working)
    assert words(tool, LONG_MS - 1)[0] == "working" and words(tool, LONG_MS) == ("unknown", "quiet")
    for rest in (
        state("waiting", waits="plan"),
        state("waiting"),
        state("idle"),
        state("error"),
        state("done"),
    ):
        known = told(rest)
        assert words(known) == words(known, 10**10)
    assert words(told(state("working", at=AT + QUIET_MS), before=working), 1)[0] == "working", (
        "a sign of life"
    )


def test_what_a_host_forgot_to_end_ends_with_its_turn() -> None:
    for rest in ("idle", "done", "error"):
        known = told(state("working"), action("c1"), state(rest))
        assert words(known)[0] == rest and [(s.is_over, s.ok) for _, s in known.steps] == [(True, None)]


def test_a_child_that_waits_is_not_hidden_behind_a_busy_one() -> None:
    known = told(join(), join("a", parent="main"), join("b", parent="main"), state("working", "a"))
    known = told(state("waiting", "b", waits="question"), before=known)
    verdict = judge(known, "h/s", AT)
    assert words(known) == ("waiting", "question") and [r.kind for r in verdict.requests] == [
        RequestKind.QUESTION
    ]
    assert words(told(leave("b"), before=known)) == ("working", "working")


def test_a_wait_keeps_its_id_until_it_is_over() -> None:
    once = told(state("waiting", waits="permission"))
    again = told(state("waiting", waits="permission", at=AT + 5), before=once)
    assert judge(once, "h/s", AT).requests == judge(again, "h/s", AT + 9).requests
    later = told(state("working"), state("waiting", waits="permission"), before=once)
    assert judge(later, "h/s", AT).requests[0].request_id != judge(once, "h/s", AT).requests[0].request_id
    named = told(state("waiting", waits="permission", request="r-9"))
    assert judge(named, "h/s", AT).requests[0].request_id == "h/s#r-9"


def test_whom_nobody_announced_does_nothing() -> None:
    known = told(join(), state("idle"))
    for stray in (state("working", "ghost"), action("c", "ghost"), join("x", parent="ghost"), leave("ghost")):
        assert told(stray, before=known) == known
    assert told(join("second"), before=known) == known, "a session has one agent of its own"


def test_an_older_word_does_not_overtake() -> None:
    known = told(state("idle"))
    assert told(state("working", at=AT - 1), before=known) == known


def test_agents_and_open_tools_are_bounded() -> None:
    known = told(join(), *(join(f"c{i}", parent="main") for i in range(200)))
    assert len(known.agents) <= MOST_AGENTS
    known = told(join(), *(action(f"c{i}") for i in range(200)), *(end(f"c{i}") for i in range(200)))
    assert len(known.steps) <= 8


# --- the source ---


@pytest.fixture
def child() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that lives until it is told."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()
    assert process.stdin is not None
    process.stdin.close()


@pytest.fixture
def rig(tmp_path: Path) -> KindRig:
    return KindRig("generic", tmp_path, settings={"reporters": ["host"]})


async def test_a_report_makes_a_row_and_moves_it(rig: KindRig) -> None:
    async with rig.following():
        assert rig.rows == [] and rig.face.enabled
        cwd = {"type": "session", "session": "s1", "cwd": "/w/demo"}
        assert rig.source.report("host", [cwd, state("working", session="s1")]) == (2, 0)
        await settle()
        assert rig.words == ("working", "working") and rig.rule == "generic.working"
        assert (str(rig.row.key), rig.row.project) == ("generic::host/s1", "demo (host)")
        assert rig.row.origin is Origin.LOCAL and rig.row.cwd == "/w/demo" and not rig.row.capabilities
        rig.source.report("host", [state("waiting", waits="permission", session="s1")])
        await settle()
        assert rig.words == ("waiting", "permission") and rig.row.requests[0].summary == ""
        rig.source.report("host", [state("working", session="s1")])
        await settle()
        assert rig.words == ("working", "working"), "the request was taken back in the same millisecond"
        await rig.passes(QUIET_MS / 1000 + 1)
        assert rig.words == ("unknown", "quiet") and rig.rule == "generic.silent"


async def test_only_names_that_the_owner_allowed_are_heard(tmp_path: Path) -> None:
    heard: list[Callable[[], None]] = []

    def on_settings(call: Callable[[], None]) -> Callable[[], None]:
        heard.append(call)
        return heard.clear

    more = {"on_settings": on_settings}
    rig = KindRig("generic", tmp_path, settings={"reporters": ["host"]}, more=more)
    async with rig.following():
        assert rig.source.report("other", [state("working")]) == (0, 1)
        rig.source.report("host", [state("working")])
        await settle()
        assert [row.key.session_id for row in rig.rows] == ["host/main"]
        rig.settings["reporters"] = []
        heard[0]()
        await settle()
        assert rig.rows == [], "taken back: its rows leave"
        assert rig.source.report("host", [state("working")]) == (0, 1)


async def test_floods_and_crowds_are_dropped_and_said_so(rig: KindRig) -> None:
    async with rig.following():
        flood = [state("working")] * (MOST_EVENTS + 5)
        assert rig.source.report("host", flood) == (MOST_EVENTS, 5)
        await rig.passes(WINDOW_MS / 1000 + 1)
        crowd = [state("working", session=f"s{i}") for i in range(MOST_SESSIONS + 5)]
        taken, dropped = rig.source.report("host", crowd)
        assert (taken, dropped) == (MOST_SESSIONS - 1, 6), "one that lives makes no room"
        rig.source.report("host", [leave(session="s3")])
        assert rig.source.report("host", [state("working", session="new")]) == (1, 0)
        await settle()
        names = {row.key.session_id for row in rig.rows}
        assert len(names) == MOST_SESSIONS and "host/new" in names and "host/s3" not in names


@pytest.mark.skipif(sys.platform != "linux", reason="pidfds and /proc are Linux'")
async def test_the_end_of_a_host_that_named_its_process_ends_its_sessions(
    rig: KindRig, child: "subprocess.Popen[bytes]"
) -> None:
    async with rig.following():
        about = {"type": "session", "session": "s1", "pid": child.pid}
        rig.source.report("host", [about, state("waiting", waits="permission", session="s1")])
        await settle(30)
        assert rig.words == ("waiting", "permission")
        child.kill()
        child.wait()
        await rig.until(lambda: rig.words[0] == "done")
        assert rig.words == ("done", "ended-mid-turn") and rig.rule == "generic.dead" and not rig.row.requests
        rig.source.report("host", [state("working", session="s1")])
        await rig.until(lambda: rig.words[0] == "working")
        rig.source.report("host", [{**about, "session": "s2"}, state("idle", session="s2")])
        await rig.until(lambda: [r.state_reason for r in rig.rows] == ["working", "exited"])


async def test_a_clock_ahead_counts_as_now(rig: KindRig) -> None:
    async with rig.following():
        rig.source.report("host", [state("working", at=rig.clock.now() + 10**9)])
        await settle()
        assert rig.row.last_activity == rig.clock.now()


async def test_planted_secrets_are_dropped_unread(rig: KindRig, caplog: pytest.LogCaptureFixture) -> None:
    names = ("task", "text", "thought", "label", "detail", "name", "role", "model", "reason")
    texts = dict.fromkeys(names, SECRET)
    async with rig.following():
        rig.source.report("host", [
            join(**texts), state("waiting", waits="question", **texts), {**action("c"), **texts},
            {"type": "say", "id": "main", **texts}, {"type": "session", **texts}, SECRET,
            state(SECRET), state("working", session=SECRET + " x"), {**action("d"), "action": SECRET},
        ])  # fmt: skip
        await settle()
        assert rig.rows
        said = [repr(rig.rows), repr(rig.told), repr(vars(rig.source)), caplog.text]
        assert not [s for s in said if "PLANTED" in s]


@settings(max_examples=25)
@given(st.lists(EVENTS, max_size=25))
async def test_the_roster_stands_where_the_verdict_stands(events: list[dict[str, Any]]) -> None:
    rig = KindRig("generic", Path("/nowhere"), settings={"reporters": ["host"]})
    async with rig.following():
        for event in json.loads(json.dumps(events)):
            rig.source.report("host", [event])
            await settle(3)
        for row in rig.rows:
            verdict = rig.source._rows[row.key.session_id].verdict
            assert (row.state, row.state_reason, row.requests) == (
                verdict.state, verdict.reason, verdict.requests
            )  # fmt: skip
