"""The sessions of a running LISA, from a server on the loopback to rows."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from lisa_island.agents import _lisa_client
from lisa_island.core.agent import Health, RequestKind, SessionKey, State
from lisa_island.core.events import ActivityChanged, StateChanged
from lisa_island.core.evidence import Rank
from lisa_island.core.words import has
from tests.agents.lisa_rig import Desk, heard
from tests.agents.lisa_server import TOKEN, LisaServer, session, update
from tests.fakes.clock import START

SECRET = "canary-9f3b1c"
CLAUDE = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
async def lisa() -> AsyncIterator[LisaServer]:
    async with LisaServer().running() as server:
        yield server


@pytest.fixture
def desk(tmp_path: Path, lisa: LisaServer) -> Desk:
    return Desk(tmp_path, lisa)


# --- her list and her events ---


async def test_her_list_is_shown(desk: Desk, lisa: LisaServer) -> None:
    lisa.sessions = [session(activity={"lastTools": ["Bash"], "lastCommandName": "npm", "gitBranch": "main"})]
    async with desk.following():
        await heard(desk, lisa)
        assert desk.words == ("working", "tool_use") and desk.row.project == "demo · claude-code"
        assert desk.row.key.session_id == f"claude-code/{CLAUDE}" and desk.row.last_activity == START - 40_000
        assert desk.row.activity.status_text == "Bash · npm" and desk.rule == "lisa.watched"
        assert desk.face.health is Health.OK


async def test_an_event_changes_a_row_and_both_times_are_one(desk: Desk, lisa: LisaServer) -> None:
    lisa.sessions = [session("managed", "m1", controllable="managed")]
    async with desk.following():
        await heard(desk, lisa)
        lisa.push(
            update(
                session(
                    "managed",
                    "m1",
                    state="done",
                    stateReason="x",
                    lastMtime=START - 10_000,
                    controllable="managed",
                )
            )
        )
        await desk.until(lambda: desk.row.state is State.DONE)
        assert desk.row.last_activity == START - 10_000
        lisa.push(
            update(session("managed", "m1", lastMtime="2025-06-15T15:06:10.000Z", controllable="managed"))
        )
        lisa.push(update(session("managed", "m2", controllable="managed")))
        await desk.until(lambda: len(desk.rows) == 2, moving=0.01)
        assert [r.state for r in desk.rows if r.key.session_id == "managed/m1"] == [
            State.DONE
        ]  # older: not heard


async def test_a_new_session_comes_by_an_event(desk: Desk, lisa: LisaServer) -> None:
    async with desk.following():
        await heard(desk, lisa)
        lisa.push(update(session()))
        await desk.until(lambda: bool(desk.rows))
        assert desk.words == ("working", "tool_use")


async def test_other_events_and_broken_frames_are_skipped(desk: Desk, lisa: LisaServer) -> None:
    async with desk.following():
        await heard(desk, lisa)
        lisa.push(b"data: {half\n\n", b": hi\n\n", {"type": "idle_message", "text": SECRET}, [], None, 7)
        lisa.push(b"data: " + b"x" * 400_000 + b"\n\n", {"type": "agent_session_update"}, {"type": ["x"]})
        lisa.push(update(session()))
        await desk.until(lambda: bool(desk.rows))
        assert SECRET not in repr(desk.told)


async def test_a_session_that_is_no_longer_listed_leaves(desk: Desk, lisa: LisaServer) -> None:
    lisa.sessions = [session(), session(id_="other-one")]
    async with desk.following():
        await heard(desk, lisa)
        lisa.sessions = [session()]
        await desk.clock.run(31)
        await desk.until(lambda: len(desk.rows) == 1)


async def test_a_flood_is_told_together(desk: Desk, lisa: LisaServer) -> None:
    """A managed agent tells of itself at every word of its answer."""
    lisa.sessions = [session("managed", "m1", controllable="managed")]
    async with desk.following():
        await heard(desk, lisa)
        before = len(desk.told)
        for n in range(2_000):
            done = {"turnCount": n}
            lisa.push(
                update(
                    session(
                        "managed", "m1", lastMtime=START - 30_000 + n, activity=done, controllable="managed"
                    )
                )
            )
        lisa.push(update(session("managed", "end", controllable="managed")))

        await desk.until(lambda: len(desk.source._hers.told) == 2)  # type: ignore[attr-defined]
        await desk.passes(0.2)
        work = next(r.activity.work for r in desk.rows if r.key.session_id == "managed/m1")
        assert work is not None and work.turns == 1_999
        told = [e for e in desk.told[before:] if isinstance(e, ActivityChanged | StateChanged)]
        assert 1 <= len(told) <= 4


async def test_the_stream_is_opened_again(desk: Desk, lisa: LisaServer) -> None:
    async with desk.following():
        await heard(desk, lisa)
        lisa.cut()
        await desk.until(lambda: desk.face.mode == "asked")
        await desk.clock.run(3)
        await heard(desk, lisa)
        assert desk.face.health is Health.OK


# --- truth ---


@pytest.mark.parametrize(
    ("more", "expected", "rank"),
    [
        ({"state": "waiting", "stateReason": "end_turn"}, ("waiting", "end_turn"), Rank.TRANSCRIPT),
        (
            {"state": "waiting", "stateReason": "assistant"},
            ("waiting", "your-turn-probable"),
            Rank.TRANSCRIPT,
        ),
        ({"state": "waiting", "stateReason": "permission"}, ("waiting", "long-tool"), Rank.TRANSCRIPT),
        ({"state": "waiting", "stateReason": "stalled on Bash"}, ("waiting", "long-tool"), Rank.TRANSCRIPT),
        ({"state": "waiting", "stateReason": "x", "controllable": "pty"}, ("waiting", "x"), Rank.LIVE),
        ({"state": "error", "stateReason": "is_error"}, ("error", "is_error"), Rank.TRANSCRIPT),
        ({"state": "PONDERING"}, ("unknown", "PONDERING"), Rank.TRANSCRIPT),
        ({"state": None}, ("unknown", ""), Rank.TRANSCRIPT),
    ],
)
async def test_how_far_her_word_reaches(
    desk: Desk, lisa: LisaServer, more: dict[str, Any], expected: tuple[str, str], rank: Rank
) -> None:
    lisa.sessions = [session(**more)]
    async with desk.following():
        await desk.until(lambda: bool(desk.rows))
        assert desk.words == expected and not desk.row.requests
        assert desk.row.fact is not None and desk.row.fact.rank is rank and has(f"why.{desk.rule}")


async def test_her_own_agents_gate_is_a_wait_and_one_request(desk: Desk, lisa: LisaServer) -> None:
    asked = {"state": "waiting", "stateReason": "permission", "controllable": "managed"}
    waiting = session("managed", "m1", **asked, activity={"pendingPermission": "bash"})
    lisa.sessions = [waiting]
    async with desk.following():
        await heard(desk, lisa)
        (request,) = desk.row.requests
        assert (request.kind, request.summary, request.since) == (
            RequestKind.PERMISSION,
            "bash",
            START - 40_000,
        )
        lisa.push(update(waiting | {"lastMtime": START - 5_000}))
        lisa.push(update(session("managed", "m2")))
        await desk.until(lambda: len(desk.rows) == 2, moving=0.01)
        (row,) = (r for r in desk.rows if r.key.session_id == "managed/m1")
        assert row.requests == (request,)  # the same one: it is announced once
        lisa.push(update(session("managed", "m1", controllable="managed", lastMtime=START - 4_000)))
        await desk.until(lambda: not any(r.requests for r in desk.rows), moving=0.01)


async def test_a_wait_of_an_agent_she_only_watches_is_never_a_request(desk: Desk, lisa: LisaServer) -> None:
    lisa.sessions = [
        session(state="waiting", stateReason="permission", activity={"pendingPermission": "Bash"})
    ]
    async with desk.following():
        await heard(desk, lisa)
        assert not desk.row.requests


async def test_counts_of_what_she_watches_are_not_believed(desk: Desk, lisa: LisaServer) -> None:
    done = {"turnCount": 3, "tokens": {"input": 1, "output": 900}}
    lisa.sessions = [session(activity=done), session("managed", "m", activity=done, controllable="managed")]
    async with desk.following():
        await heard(desk, lisa)
        work = {row.key.session_id: row.activity.work for row in desk.rows}
        hers, watched = work["managed/m"], work[f"claude-code/{CLAUDE}"]
        assert (
            hers
            and watched
            and (hers.turns, hers.tokens) == (3, 900)
            and (watched.turns, watched.tokens) == (0, 0)
        )


# --- nothing twice ---


async def test_what_a_local_source_shows_is_not_shown_twice(desk: Desk, lisa: LisaServer) -> None:
    lisa.sessions = [session(), session(id_="22222222-2222-4333-8444-555555555555")]
    async with desk.following():
        await heard(desk, lisa)
        assert len(desk.rows) == 2
        desk.shows(SessionKey("claude-code", CLAUDE))
        await desk.until(lambda: desk.ids == {"claude-code/22222222-2222-4333-8444-555555555555"})
        desk.shows()
        await desk.until(lambda: len(desk.rows) == 2)  # the local source is off again


async def test_a_session_named_by_its_file_is_known(desk: Desk, lisa: LisaServer) -> None:
    desk.shown = {SessionKey("codex", CLAUDE)}
    lisa.sessions = [
        session("codex", f"rollout-2025-06-15T15-06-00-{CLAUDE}"),
        session("codex", "other-session"),
    ]
    async with desk.following():
        await heard(desk, lisa)
        assert desk.ids == {"codex/other-session"}


async def test_an_adopted_session_is_known_by_its_old_id(desk: Desk, lisa: LisaServer) -> None:
    desk.shown = {SessionKey("claude-code", CLAUDE)}
    lisa.sessions = [session(id_="pty-1", controllable="pty", adoptedSessionId=CLAUDE)]
    async with desk.following():
        await heard(desk, lisa)
        assert not desk.rows


@pytest.mark.parametrize("kind", ["takoapi", "git", "shell", "github-pr", "aider"])
async def test_kinds_whose_ids_are_ours_are_dropped_while_they_are_on_here(
    tmp_path: Path, lisa: LisaServer, kind: str
) -> None:
    desk = Desk(tmp_path, lisa)
    lisa.sessions = [session(kind, "acme-research")]
    async with desk.following():
        await heard(desk, lisa)
        assert desk.ids == {f"{kind}/acme-research"}
    other = Desk(tmp_path, lisa)
    other.settings_now["on"] = [kind]
    async with other.following():
        await heard(other, lisa)
        assert not other.rows


# --- what is kept back ---


async def test_a_path_of_a_transcript_and_all_prose_are_dropped_at_once(
    desk: Desk, lisa: LisaServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    prose = {
        "jsonlPath": f"/home/{SECRET}/x.jsonl", "lastText": SECRET, "title": SECRET,
        "activity": {
            "lastError": SECRET, "pendingPermission": f"{SECRET} x", "lastCommandName": f"{SECRET} --token",
            "filesTouched": [f"/home/{SECRET}/ring.py"], "lastTools": [f"{SECRET}!", "Edit"],
        },
    }  # fmt: skip
    lisa.sessions = [session(**prose)]
    async with desk.following():
        await heard(desk, lisa)
        lisa.push(update(session(id_="second", **prose)))
        await desk.until(lambda: len(desk.rows) == 2)
        said = repr(desk.told) + repr(vars(desk.source)) + repr(desk.source._hers) + caplog.text  # type: ignore[attr-defined]
        assert SECRET not in said
        assert all(row.activity.work and row.activity.work.files == ("ring.py",) for row in desk.rows)


async def test_a_path_in_an_id_becomes_a_digest(desk: Desk, lisa: LisaServer) -> None:
    lisa.sessions = [session("git", f"/home/{SECRET}/repo")]
    async with desk.following():
        await heard(desk, lisa)
        assert SECRET not in repr(desk.told)


async def test_the_token_goes_in_the_header_alone(tmp_path: Path, lisa: LisaServer) -> None:
    lisa.token = TOKEN
    lisa.sessions = [session()]
    desk = Desk(tmp_path, lisa, LISA_WEB_TOKEN=TOKEN)
    async with desk.following():
        await heard(desk, lisa)
        assert desk.rows and {route for route, _ in lisa.asked} == {"/api/agents/sessions", "/events"}
        assert TOKEN not in repr(desk.told) + repr(vars(desk.source)) + repr(vars(desk.source._client))  # type: ignore[attr-defined]


async def test_who_listens_at_the_usual_place_is_told_no_token(
    tmp_path: Path, lisa: LisaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_lisa_client, "HERE", lisa.origin)
    desk = Desk(tmp_path, lisa, LISA_URL="", LISA_WEB_TOKEN=TOKEN)
    async with desk.following():
        await heard(desk, lisa)
        assert {token for _, token in lisa.asked} == {""}


async def test_no_token_goes_over_a_network_in_the_clear(tmp_path: Path, lisa: LisaServer) -> None:
    desk = Desk(tmp_path, lisa, LISA_URL="http://lisa.example:5757", LISA_WEB_TOKEN=TOKEN)
    async with desk.following():
        await desk.until(lambda: "lisa" in desk.store.roster.sources)
        assert desk.face.detail == "in-the-clear" and not lisa.asked
