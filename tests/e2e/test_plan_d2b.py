"""One test a promise: remote agents stand in the roster truly, and only those the owner called or pinned."""

import json
import sys
from pathlib import Path

import httpx
import pytest

from lisa_island.app.house import REMOTE
from lisa_island.core.agent import Origin, RequestKind, State
from lisa_island.core.events import ClockTicked, PinsChanged
from lisa_island.core.intents import Answer, Discover, ReadReply, Result, Send
from lisa_island.core.preferences import Pin
from lisa_island.core.status import status
from lisa_island.core.window import WINDOW
from tests.cli.rig import Island
from tests.e2e.conftest import call, living, shown, until

GATEWAY = "https://gateway.example"


def envelope(state: str, **more):
    result = {"kind": "task", "id": "t1", "contextId": "c1", "status": {"state": state, **more}}
    return {"jsonrpc": "2.0", "id": "1", "result": result}


def answering(body, requests=None):
    """A gateway of one body: registry and detail as documented, every message answered alike."""

    def handle(request: httpx.Request) -> httpx.Response:
        if requests is not None:
            requests.append(request)
        if request.url.path == "/api/registry":
            return httpx.Response(200, json={"totalHosted": 0, "truncated": False, "agents": []})
        if request.url.path.startswith("/api/agents/"):
            slug = request.url.path.rpartition("/")[2]
            agent = {"slug": slug, "name": slug, "kind": "HOSTED", "endpointUrl": "https://a.example"}
            return httpx.Response(200, json=agent | {"pricingModel": "FREE", "streaming": False})
        return httpx.Response(200, json=body)

    return httpx.MockTransport(handle)


def bytes_of(home: Path) -> bytes:
    return b"".join(p.read_bytes() for p in home.rglob("*") if p.is_file())


async def test_a_called_agent_stands_in_list_and_status_with_its_task_state(tmp_path, gateway):
    async with living(tmp_path, gateway.url) as house:
        session = await call(house, "sheet-wizard", label="Totals")
        assert (session.state, session.task.task_state) == (State.DONE, "completed")
        [row] = status(house.store.roster)["sessions"]
        assert row["sessionId"].startswith("sheet-wizard/") and row["taskState"] == "completed"
        assert row["label"] == "Totals" and row["taskId"]


async def test_two_hundred_hosted_agents_and_none_in_the_roster(tmp_path, gateway):
    async with living(tmp_path, gateway.url) as house:
        found = await house.perform(Discover(REMOTE, limit=500))
        assert found.result is Result.DONE and len(found.agents) >= 200
        assert shown(house) == ()


@pytest.mark.parametrize(
    ("word", "state", "reason"),
    [
        ("submitted", State.WORKING, "submitted"),
        ("working", State.WORKING, "working"),
        ("input-required", State.WAITING, "input-required"),
        ("auth-required", State.WAITING, "auth-required"),
        ("completed", State.DONE, "completed"),
        ("failed", State.ERROR, "failed"),
        ("rejected", State.ERROR, "rejected"),
        ("canceled", State.DONE, "canceled"),
        ("TASK_STATE_CANCELLED", State.DONE, "canceled"),
        ("unknown", State.UNKNOWN, "unknown"),
        ("TASK_STATE_PAUSED", State.UNKNOWN, "TASK_STATE_PAUSED"),
    ],
)
async def test_every_state_of_a_transport_becomes_the_right_session(tmp_path, word, state, reason):
    async with living(tmp_path, GATEWAY, transport=answering(envelope(word))) as house:
        session = await call(house, "acme")
        assert (session.state, session.state_reason) == (state, reason)
        assert bool(session.requests) == (state is State.WAITING)


async def test_an_empty_ledger_is_an_empty_roster(tmp_path, gateway):
    async with living(tmp_path, gateway.url) as house:
        assert shown(house) == () and status(house.store.roster)["sessions"] == []


async def test_three_hours_give_or_take_a_second(tmp_path, gateway):
    async with living(tmp_path, gateway.url) as house:
        session = await call(house, "sheet-wizard")
        last = session.last_activity
        house.store.dispatch(ClockTicked(last + WINDOW - 1000))
        assert len(shown(house)) == 1
        house.store.dispatch(ClockTicked(last + WINDOW + 1000))
        assert shown(house) == ()


async def test_eleven_called_and_eleven_pinned_show_ten_and_ten(tmp_path):
    async with living(tmp_path, GATEWAY, transport=answering(envelope("completed"))) as house:
        for n in range(11):
            await call(house, f"called-{n}")
        house.store.dispatch(PinsChanged(REMOTE, tuple((f"pinned-{n}", "") for n in range(11))))
        origins = [s.origin for s in shown(house)]
        assert origins.count(Origin.CALLED) == origins.count(Origin.PINNED) == 10
        assert status(house.store.roster)["summary"]["hidden"] == 2


async def test_calls_are_recorded_listed_and_pruned(tmp_path, gateway):
    async with living(tmp_path, gateway.url) as house:
        session = await call(house, "sheet-wizard")
        await house.stored.recorder.settled()
        [row] = await house.tasks.list()
        assert (row.session_id, row.state) == (session.key.session_id, "done")
    # The database is the record; the shared list follows it and is whole when the house has closed.
    mirror = json.loads((house.plan.home / "takoapi-calls.json").read_text())
    assert [(r["slug"], r["lastState"]) for r in mirror] == [("sheet-wizard", "completed")]
    async with living(tmp_path, gateway.url, later=25 * 3600 * 1000) as house:
        assert list(await house.tasks.list()) == []


async def test_after_a_restart_what_waits_still_waits_and_the_rest_is_unknown(tmp_path, gateway):
    async with living(tmp_path, gateway.url) as house:
        asked = await call(house, "acme-research")
        gateway.turn("hold", gate="step-by-step")
        outcome = house.background(house.perform(Send(REMOTE, "step-by-step", "go")))
        await until(house, lambda: any(s.project == "step-by-step" for s in shown(house)))
        await house.stored.recorder.settled()
    outcome.cancel()
    async with living(tmp_path, gateway.url) as house:
        await until(house, lambda: len(shown(house)) == 2)
        by_slug = {s.project: s for s in shown(house)}
        assert by_slug["acme-research"].requests == asked.requests
        lost = by_slug["step-by-step"]
        assert (lost.state, lost.state_reason) == (State.UNKNOWN, "not-heard-since-restart")


async def test_input_required_is_answered_and_completes(tmp_path, gateway):
    async with living(tmp_path, gateway.url) as house:
        asked = await call(house, "acme-research")
        [request] = asked.requests
        assert request.kind is RequestKind.INPUT and request.summary
        answer = Answer(asked.key, request.request_id, "Q3, in euros", asked.price)
        assert (await house.perform(answer)).result is Result.DONE
        await until(house, lambda: house.store.roster.get(asked.key).state is State.DONE)
        assert house.store.roster.get(asked.key).requests == ()
        assert (await house.perform(ReadReply(asked.key))).text


async def test_a_hostile_reply_is_contained(tmp_path, gateway):
    async with living(tmp_path, gateway.url) as house:
        for text in ("hello", "ask", "word", "fail"):
            await call(house, "hostile-harry", text)
        told = json.dumps(status(house.store.roster), ensure_ascii=False)
        kept = bytes_of(house.plan.home)
        for session in shown(house):
            texts = (session.state_reason, session.project, *(r.summary for r in session.requests))
            for text in (*texts, *(a.name for a in session.activity.artifacts)):
                assert not any(c in text for c in "\x1b\x07\x9b\u202e\u2066\u200b")
                assert len(text) <= 4000
        assert not any(c in told for c in "\x1b\x07\x9b\u202e\u2066\u200b")
        assert b"\x1b[" not in kept and b"\x1b]" not in kept


async def test_without_a_key_no_request_is_made(tmp_path):
    seen = []
    transport = answering(envelope("completed"), seen)
    async with living(tmp_path, GATEWAY, key="", transport=transport) as house:
        outcome = await house.perform(Send(REMOTE, "acme", "hello"))
        assert outcome.result is Result.REFUSED and seen == [] and shown(house) == ()


async def test_without_opt_in_no_request_is_made(tmp_path):
    seen = []
    transport = answering(envelope("completed"), seen)
    async with living(tmp_path, GATEWAY, on=False, transport=transport) as house:
        outcome = await house.perform(Send(REMOTE, "acme", "hello"))
        assert outcome.result is Result.REFUSED and seen == []


async def test_the_observer_asks_nobody_by_itself(tmp_path):
    seen = []
    transport = answering(envelope("completed"), seen)
    async with living(tmp_path, GATEWAY, transport=transport) as house:
        await house.settings.change(pins=(Pin("acme"),))
        await until(house, lambda: len(shown(house)) == 1)
        assert seen == []


async def test_the_registry_is_sent_no_key(tmp_path, gateway):
    async with living(tmp_path, gateway.url) as house:
        await house.perform(Discover(REMOTE))
        await call(house, "sheet-wizard")
        asked = gateway.get("requests")
        registry = [r for r in asked if r["path"].startswith("/api/")]
        calls = [r for r in asked if r["path"].startswith("/v1/")]
        assert registry and not any(r["key"] for r in registry)
        assert calls and all(r["key"] for r in calls)


SEND = '"$PYTHON" -m lisa_island send @sheet-wizard hi'
BEGINNINGS = {
    "pipe": "{send} </dev/null; exit $?",
    "background job": "set -m; {send} & wait $!; exit $?",
    "below claude": "$HOME/claude; exit $?",
    "below claude, own terminal": "HOW=terminal $HOME/claude; exit $?",
}
CLAUDE = """#!/bin/bash
if [ "$HOW" ]; then script -qec '{send}' /dev/null; else {send}; fi
exit $?
"""


@pytest.mark.parametrize("line", BEGINNINGS.values(), ids=BEGINNINGS)
def test_a_call_that_no_person_began_is_refused_and_sends_nothing(short_home, gateway, line):
    """`tests/cli/test_gate.py` has the whole table; here the promise, with real processes at a terminal."""
    island = Island(short_home, gateway.url, {"PYTHON": sys.executable})
    island.choose()
    claude = short_home / "claude"
    claude.write_text(CLAUDE.format(send=SEND))
    claude.chmod(0o755)
    done = island.person(command=("/bin/bash", "-c", line.format(send=SEND)), piped=False)
    assert done.code == 3, done
    assert gateway.get("requests") == []
