"""What a row says, row by row of the design's words, and how rows are grouped."""

from dataclasses import replace
from typing import Any

import pytest

from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Artifact,
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
)
from lisa_island.core.pill import Turn
from lisa_island.core.roster import Roster
from lisa_island.core.rows import Kind, Known, line, listing
from lisa_island.core.summary import twin_number, twins
from lisa_island.core.times import ago, next_minute, relative, span

NOW = 1_750_000_000_000
MIN = 60_000


def session(name: str = "acme", state: State = State.WORKING, *, age: int = 0, **values: Any) -> AgentSession:
    values.setdefault("last_activity", NOW - age * MIN)
    values.setdefault("key", SessionKey("takoapi", f"{name}/1"))
    return AgentSession(project=name, state=state, **values)


def roster(*sessions: AgentSession, **sources: SourceStatus) -> Roster:
    return Roster({s.key: s for s in sessions}, sources)


def asks(*kinds: RequestKind) -> tuple[Blocked, ...]:
    return tuple(Blocked(kind, f"r{i}", NOW) for i, kind in enumerate(kinds))


LINES: list[tuple[AgentSession, str, str]] = [
    (
        session(state=State.WAITING, requests=asks(RequestKind.INPUT)),
        "Waiting for you: input",
        "等待你：输入",
    ),
    (
        session(state=State.WAITING, requests=asks(RequestKind.AUTH)),
        "Waiting for you: sign-in",
        "等待你：登录",
    ),
    (
        session(state=State.WAITING, requests=asks(RequestKind.PERMISSION)),
        "Waiting for you: permission",
        "等待你：权限",
    ),
    (
        session(state=State.WAITING, requests=asks(RequestKind.QUESTION)),
        "Waiting for you: question",
        "等待你：提问",
    ),
    (
        session(state=State.WAITING, requests=asks(*[RequestKind.INPUT] * 2)),
        "Waiting for you: input · 2 requests",
        "等待你：输入 · 2 项请求",
    ),
    (
        session(state=State.WAITING, requests=asks(RequestKind.INPUT), freshness=Freshness.OFFLINE, age=12),
        "Waiting for you: input · last word 12 min ago",
        "等待你：输入 · 12 分钟前有消息",
    ),
    (session(age=4), "Working, last word 4 min ago", "运行中，4 分钟前有消息"),
    (session(), "Working", "运行中"),
    (session(age=12, freshness=Freshness.STALE), "Working, last word 12 min ago", "运行中，12 分钟前有消息"),
    (
        session(age=12, freshness=Freshness.OFFLINE),
        "Last known: working, 12 min ago",
        "最后状态：运行中，12 分钟前",
    ),
    (session(state_reason="submitted"), "Sent, not started yet", "已发送，尚未开始"),
    (session(state_reason="sending"), "Sending", "正在发送"),
    (
        session(
            followed=True,
            started_at=NOW - 2 * MIN,
            activity=Activity(5, (Artifact("a.csv"),), "Reading\nfilings"),
        ),
        "2 min so far · 5 updates · 1 artifact · Reading filings",
        "已运行 2 分钟 · 5 次更新 · 1 个产物 · Reading filings",
    ),
    (session(followed=True, started_at=NOW), "Working", "运行中"),
    (session(state=State.WAITING), "Your turn", "轮到你"),
    (session(state=State.WAITING, state_reason="ready-for-input"), "Your turn", "轮到你"),
    (
        session(state=State.IDLE, origin=Origin.PINNED, last_activity=None, key=SessionKey("a2a", "box")),
        "Added, not called yet",
        "已添加，尚未调用",
    ),
    (
        session(state_reason="stalled", age=7, followed=True),
        "No news; the server closed the stream twice",
        "没有新消息；服务器两次关闭了数据流",
    ),
    (
        session(state=State.UNKNOWN, state_reason="lost-by-server"),
        "Lost by its server",
        "服务器已丢失该任务",
    ),
    (
        session(state=State.WAITING, state_reason="ready-for-input", age=12, freshness=Freshness.OFFLINE),
        "Last known: your turn, 12 min ago",
        "最后状态：轮到你，12 分钟前",
    ),
    (session(state=State.ERROR, unread=True, state_reason="failed"), "Failed", "失败"),
    (session(state=State.ERROR, state_reason="rejected"), "Rejected by the agent", "被智能体拒绝"),
    (
        session(state=State.ERROR, activity=Activity(status_text="make: exit\n code 2")),
        "Failed · make: exit code 2",
        "失败 · make: exit code 2",
    ),
    (session(state=State.DONE, unread=True), "Finished", "已完成"),
    (
        session(state=State.DONE, activity=Activity(3, (Artifact("a"), Artifact("b")))),
        "Finished · 2 artifacts",
        "已完成 · 2 个产物",
    ),
    (
        session(state=State.DONE, reply=Reply.LOST),
        "Finished · reply no longer held",
        "已完成 · 回复已不在内存中",
    ),
    (session(state=State.DONE, state_reason="canceled"), "Canceled", "已取消"),
    (session(state=State.UNKNOWN, state_reason="outcome-unknown"), "Outcome unknown", "结果未知"),
    (
        session(state=State.UNKNOWN, state_reason="not-heard-since-restart"),
        "Not heard from since restart",
        "重启后尚无消息",
    ),
    (session(state=State.UNKNOWN, state_reason="paused"), "Unknown state: paused", "未知状态：paused"),
    (session(state=State.UNKNOWN), "Unknown state", "未知状态"),
    (session(state=State.IDLE), "Idle", "空闲"),
    (
        session(state=State.IDLE, origin=Origin.PINNED, last_activity=None, price="free"),
        "Pinned, not called yet · free",
        "已置顶，尚未调用 · 免费",
    ),
    (
        session(state=State.IDLE, origin=Origin.PINNED, last_activity=None, price="0.02 USD"),
        "Pinned, not called yet · 0.02 USD",
        "已置顶，尚未调用 · 0.02 USD",
    ),
]


@pytest.mark.parametrize(("shown", "english", "chinese"), LINES, ids=[row[1] for row in LINES])
def test_second_line(shown: AgentSession, english: str, chinese: str) -> None:
    assert line(shown, "en", NOW) == english
    assert line(shown, "zh-CN", NOW) == chinese


def test_every_state_and_reason_has_a_line() -> None:
    for state in State:
        for fresh in Freshness:
            for reason in ("", "sending", "submitted", "starting", "canceled", "rejected", "odd"):
                assert line(session(state=state, freshness=fresh, state_reason=reason, age=5), "en", NOW)


def test_a_row_names_its_provider_place_and_twin() -> None:
    one = session(task=Task("acme-research"), label="Q3 market scan", started_at=1)
    two = replace(one, key=SessionKey("takoapi", "acme/2"), started_at=2)
    local = session("tray-icons", key=SessionKey("codex", "9"), origin=Origin.LOCAL)
    found = {r.id: r for r in listing(roster(one, two, local), "en", NOW).rows}
    assert (found["takoapi::acme/2"].title, found["takoapi::acme/2"].number) == ("Q3 market scan", 2)
    assert found["takoapi::acme/1"].provider == "TakoAPI"
    assert found["takoapi::acme/1"].badge == ("remote", "acme-research")
    assert (found["codex::9"].provider, found["codex::9"].badge, found["codex::9"].number) == (
        "",
        ("codex", ""),
        0,
    )


def test_every_twin_has_its_number_at_once() -> None:
    made = [
        session(f"n{i % 3}", key=SessionKey(("takoapi", "codex")[i % 2], str(i)), started_at=i // 2)
        for i in range(20)
    ]
    made.append(session("alone", key=SessionKey("takoapi", "x")))
    of = roster(*made)
    assert {s.key: twin_number(of, s.key) for s in made} == {s.key: twins(of).get(s.key, 0) for s in made}


def test_rows_that_did_not_change_are_not_made_again() -> None:
    """A thousand rows, of which one moves: the other ones are the same objects, in the same words."""
    many = [session(f"n{i}", State.ERROR, unread=True) for i in range(30)]
    known: Known = {}
    first = listing(roster(*many), "en", NOW, known=known)
    many[7] = replace(many[7], label="Mine")
    second = listing(roster(*many), "en", NOW + 1000, known=known)
    assert second == listing(roster(*many), "en", NOW + 1000)
    before = {r.id: r for r in first.rows}
    assert [r.title for r in second.rows if r is not before[r.id]] == ["Mine"]
    later = listing(roster(*many), "en", NOW + MIN, known=known)
    assert later == listing(roster(*many), "en", NOW + MIN) and later.rows[0].at == "1 min"
    assert listing(roster(*many), "zh-CN", NOW + MIN, known=known).rows[0].line != later.rows[0].line
    twin = replace(many[3], key=SessionKey("takoapi", "twin"))
    assert {r.number for r in listing(roster(*many, twin), "en", NOW, known=known).rows} == {0, 1, 2}
    listing(roster(many[0]), "en", NOW, known=known)
    assert set(known) == {many[0].key}, "what left is forgotten"


def test_what_is_folded_away_is_not_made():
    """A thousand tasks of a few agents are a few lines, and cost as much."""
    many = [session(key=SessionKey("a2a", f"acme/{n:08x}"), started_at=n) for n in range(20)]
    known: Known = {}
    closed = listing(roster(*many), "en", NOW, known=known)
    assert [row.kind for row in closed.rows] == [Kind.GROUP] and not known
    opened = listing(roster(*many), "en", NOW, opened=[closed.rows[0].id], known=known)
    assert len(opened.rows) == 21 and len(known) == 20


def test_names_for_screen_readers() -> None:
    busy = session("tray-icons", age=4, task=Task("tray-icons"))
    waiting = session("acme", State.WAITING, requests=asks(RequestKind.INPUT), age=6)
    names = [r.name for r in listing(roster(busy, waiting), "en", NOW).rows]
    assert names == [
        "acme, TakoAPI, Waiting for you: input, 6 min",
        "tray-icons, TakoAPI, working, Working, last word 4 min ago, 4 min",
    ]


def test_foreign_text_is_one_bounded_line() -> None:
    shown = session(
        label="a\n\u202eb" + "x" * 500, activity=Activity(status_text="\x1b[31mred\nline" + "y" * 900)
    )
    row = listing(roster(shown), "en", NOW).rows[0]
    assert row.title.startswith("a bxx") and len(row.title) <= 120
    assert row.line.startswith("red line") and len(row.line) <= 200


def test_old_idle_and_done_rows_fold() -> None:
    rows = listing(
        roster(
            session("busy", age=40),
            session("fresh", State.DONE, age=29),
            session("git", State.IDLE, age=31),
            session("pi", State.DONE, age=90),
            session("unseen", State.DONE, age=90, unread=True),
            session("failed", State.ERROR, age=90, unread=True),
            session("pinned", State.IDLE, origin=Origin.PINNED, last_activity=None),
        ),
        "en",
        NOW,
    ).rows
    assert [r.title for r in rows] == ["failed", "busy", "unseen", "fresh", "pinned", "2 idle: git, pi"]
    assert rows[-1].kind is Kind.FOLD and not rows[-1].open


def test_unfolded_and_found_again() -> None:
    roster_ = roster(session("git", State.IDLE, age=31), session("busy"))
    assert [r.title for r in listing(roster_, "en", NOW, unfolded=True).rows] == [
        "busy",
        "1 idle: git",
        "git",
    ]
    assert [r.title for r in listing(roster_, "en", NOW, query="GI").rows] == ["git"]
    assert listing(roster_, "zh-CN", NOW).rows[-1].title == "1 个空闲：git"
    assert listing(roster_, "en", NOW, query="nobody").rows == ()


def test_what_the_caps_take_is_counted_in_the_fold() -> None:
    many = [session(f"n{i:02}", State.DONE, age=1) for i in range(13)]
    shown = listing(roster(*many), "en", NOW)
    assert shown.rows[-1].title == "3 older not shown" and shown.total == 10
    assert len([r for r in shown.rows if r.kind is Kind.SESSION]) == 10


def test_sync_only_gateways_are_called_recent_calls() -> None:
    sync = SourceStatus(enabled=True, mode="recent-calls", health=Health.OK)
    alone = listing(roster(session(), takoapi=sync), "en", NOW)
    assert (alone.title, alone.note) == ("Recent calls", "sync only")
    assert [r.kind for r in alone.rows] == [Kind.SESSION]
    local = session("zz", key=SessionKey("codex", "9"), origin=Origin.LOCAL)
    mixed = listing(roster(session(), local, takoapi=sync), "en", NOW)
    assert [r.title for r in mixed.rows] == ["zz", "Recent calls", "acme"]
    assert mixed.rows[1].line == "sync only" and mixed.title == "Sessions"


def test_only_a_working_ring_turns() -> None:
    busy, done = session("busy"), session("done", State.DONE, unread=True)
    turns = {s.key: Turn(step=3) for s in (busy, done)}
    assert [r.step for r in listing(roster(busy, done), "en", NOW, turns=turns).rows] == [3, 0]


@pytest.mark.parametrize(
    ("passed", "english", "chinese"),
    [
        (-5 * MIN, "now", "刚刚"),
        (59_999, "now", "刚刚"),
        (MIN, "1 min", "1 分钟"),
        (59 * MIN, "59 min", "59 分钟"),
        (60 * MIN, "1 h", "1 小时"),
        (7 * 24 * 60 * MIN, "7 d", "7 天"),
        (8 * 24 * 60 * MIN, "2025-06-07", "2025-06-07"),
    ],
)
def test_relative_times(passed: int, english: str, chinese: str) -> None:
    assert relative("en", NOW - passed, NOW) == english
    assert relative("zh-CN", NOW - passed, NOW) == chinese


def test_times_in_sentences() -> None:
    assert ago("en", NOW - 4 * MIN, NOW) == "4 min ago"
    assert ago("zh-CN", NOW, NOW) == "刚刚"
    assert span("en", 1000) == "under 1 min"
    assert next_minute(MIN + 1) == MIN - 1
