"""What a running LISA answers, and what does not: faces of the source, connections, odd objects."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents import _lisa_client
from lisa_island.agents._http import Patience
from lisa_island.agents._lisa_rows import Hers, is_ours, judge
from lisa_island.agents._lisa_wire import Told, read
from lisa_island.core.agent import Freshness, Health, State
from lisa_island.core.words import has
from tests.agents.lisa_rig import Desk, heard
from tests.agents.lisa_server import LisaServer, session
from tests.fakes.clock import START, settle


@pytest.fixture
async def lisa() -> AsyncIterator[LisaServer]:
    async with LisaServer().running() as server:
        yield server


@pytest.fixture
def desk(tmp_path: Path, lisa: LisaServer) -> Desk:
    return Desk(tmp_path, lisa)


# --- no answer ---


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"token": "other"}, "unauthorized"),
        ({"status": 403}, "not-offered"),
        ({"status": 404}, "no-lisa"),
        ({"status": 500}, "no-lisa"),
        ({"headers": {"X-Lisa-API-Version": "2"}}, "newer"),
        ({"sessions": b"<html>"}, "cut"),
        ({"sessions": b"[]"}, "no-lisa"),
        ({"sessions": b'{"sessions":{}}'}, "no-lisa"),
        ({"sessions": b"[" * 100_000}, "cut"),
    ],
)
async def test_what_is_no_answer_has_a_face(
    desk: Desk, lisa: LisaServer, change: dict[str, Any], word: str
) -> None:
    for name, value in change.items():
        setattr(lisa, name, value)
    async with desk.following():
        await desk.until(lambda: "lisa" in desk.store.roster.sources)
        assert (desk.face.health, desk.face.detail) == (Health.WAITING, word) and not desk.rows
        assert has(f"fact.local.lisa.{word}")


async def test_a_version_that_says_nothing_is_an_old_one(desk: Desk, lisa: LisaServer) -> None:
    lisa.headers = {}
    lisa.sessions = [session()]
    async with desk.following():
        await desk.until(lambda: bool(desk.rows))


async def test_one_who_is_not_there_is_not_missed(tmp_path: Path, lisa: LisaServer) -> None:
    await lisa.leave()
    desk = Desk(tmp_path, lisa)
    async with desk.following():
        await desk.until(lambda: "lisa" in desk.store.roster.sources)
        assert (desk.face.health, desk.face.detail) == (Health.WAITING, "absent")


async def test_one_who_leaves_is_grey_and_comes_back(tmp_path: Path) -> None:
    lisa = LisaServer()
    lisa.sessions = [session()]
    async with lisa.running():
        desk = Desk(tmp_path, lisa)
        async with desk.following():
            await heard(desk, lisa)
            await lisa.leave()
            await desk.until(lambda: desk.face.mode == "asked")
            await desk.clock.run(3)
            await desk.until(lambda: desk.row.freshness is Freshness.OFFLINE)
            assert desk.words == ("working", "tool_use")
            async with lisa.running(lisa.port):
                await desk.clock.run(31)
                await desk.until(lambda: desk.row.freshness is Freshness.LIVE)


async def test_one_who_stays_away_is_forgotten(tmp_path: Path) -> None:
    lisa = LisaServer()
    lisa.sessions = [session()]
    async with lisa.running():
        desk = Desk(tmp_path, lisa)
        async with desk.following():
            await heard(desk, lisa)
            await lisa.leave()
            await desk.until(lambda: desk.face.mode == "asked")
            await desk.clock.run(3)
            await desk.until(lambda: desk.face.health is Health.OFFLINE)
            desk.clock.jump(31 * 60_000)
            await desk.clock.run(120)
            await desk.until(lambda: not desk.rows and desk.face.health is Health.WAITING)


async def test_one_who_hangs_is_given_up(
    desk: Desk, lisa: LisaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_lisa_client, "ASKING", Patience(read=0.2, head=0.2, whole=0.3))
    lisa.is_mute = True
    async with desk.following():
        await desk.until(lambda: "lisa" in desk.store.roster.sources)
        assert desk.face.detail == "cut"


async def test_leaving_closes_every_connection(desk: Desk, lisa: LisaServer) -> None:
    async with desk.following():
        await heard(desk, lisa)
    assert not desk.nursery.names and not desk.calls
    await desk.until(lambda: not lisa.streams and not lisa._open)
    await settle()


async def test_it_asks_no_other_route_and_changes_nothing(desk: Desk, lisa: LisaServer) -> None:
    async with desk.following():
        await heard(desk, lisa)
        await desk.clock.run(65)
        await desk.until(lambda: len(lisa.asked) >= 4)
    assert {route for route, _ in lisa.asked} == {"/api/agents/sessions", "/events"}


# --- reading ---

_any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_fields = [
    "agent",
    "sessionId",
    "state",
    "stateReason",
    "lastMtime",
    "project",
    "cwd",
    "activity",
    "controllable",
]


@given(
    st.dictionaries(st.sampled_from(_fields), _any),
    st.dictionaries(
        st.sampled_from(
            [
                "lastTools",
                "filesTouched",
                "tokens",
                "turnCount",
                "lastCommandName",
                "pendingPermission",
                "gitBranch",
            ]
        ),
        _any,
    ),
)
def test_any_object_is_read_or_refused(found: dict[str, Any], activity: dict[str, Any]) -> None:
    read(found, START)
    told = read(session() | found | {"agent": "codex", "sessionId": "abc", "activity": activity}, START)
    assert told is not None and told.at <= START and len(told.reason) <= 64
    assert judge(told).state in State and json.dumps(told.id)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9), st.sampled_from(list(State)))))
def test_the_newest_word_counts_in_any_order(words: list[tuple[str, int, State]]) -> None:
    hers, newest = Hers(), {}
    for id_, at, state in words:
        hers.merge(Told("x", id_, "p", state, "", at))
        newest[f"x/{id_}"] = max(newest.get(f"x/{id_}", 0), at)
    assert {id_: told.at for id_, told in hers.told.items()} == newest


def test_a_short_id_hides_no_other() -> None:
    one = Told("codex", "session-1", "p", State.WORKING, "", 1)
    assert not is_ours(one, (), {"codex": ()}) and is_ours(one, (), {"codex": {"session-1"}})
    assert not is_ours(one, (), {"claude-code": {"session-1"}})
