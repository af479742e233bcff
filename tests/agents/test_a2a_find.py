"""A call whose answer never came is looked for by its message, and never sent again (F.33, A2A #928)."""

from typing import Any

import httpx
import pytest

from lisa_island.core.agent import Freshness, State
from lisa_island.core.ports import TaskRow
from tests.agents.direct_rig import ORIGIN, DirectRig, card
from tests.agents.rig import fault, task

MESSAGE = "m-lost"


def row(**more: Any) -> TaskRow:
    found = {
        "session_id": "box/0a1b2c3d", "target": "box", "message_id": MESSAGE, "started_at": 1,
        "updated_at": 0, "state": "working", "reason": "sending", "agent": "a2a", "endpoint": f"{ORIGIN}/rpc",
    }  # fmt: skip
    return TaskRow(**(found | more))


def begun(state: str, *messages: str, id: str = "T9") -> dict[str, Any]:
    history = [{"messageId": m, "role": "ROLE_USER", "parts": [{"text": "x"}]} for m in messages]
    return task(state, id=id, history=history)


def restored(**more: Any) -> DirectRig:
    rig = DirectRig()
    rig.tasks.rows["box/0a1b2c3d"] = row(updated_at=rig.clock.now(), **more)
    return rig


@pytest.mark.parametrize("more", [{}, {"state": "unknown", "reason": "outcome-unknown"}])
async def test_f33_it_is_found_by_its_message_and_followed(more: dict[str, Any]) -> None:
    rig = restored(**more)
    rig.agent.plays("list", {"tasks": [begun("working", "other", id="T8"), begun("working", "a", MESSAGE)]})
    rig.agent.plays("get", task("completed", "Done", id="T9"))
    async with rig:
        await rig.clock.run(5)
        assert rig.row.task is not None and rig.row.task.task_id == "T9"
        assert (rig.row.state, rig.row.state_reason) == (State.DONE, "completed")
        [asked] = rig.agent.calls("list")
        assert 0 < asked.body["params"]["historyLength"] <= 20
        assert not rig.agent.calls("send", "stream")


LISTS: dict[str, list[Any]] = {
    "another's": [{"tasks": [begun("working", "other")]}],
    "no history": [{"tasks": [task("working")]}],
    "odd history": [{"tasks": [task("working", history=[7, {"messageId": None}, "m-lost"]), 7]}],
    "nothing": [{"tasks": []}],
    "no such call": [fault(-32601)],
    "not allowed": [httpx.Response(403)],
    "no list": [{"tasks": "none"}],
    "pages without end": [{"tasks": [begun("working", "other")], "nextPageToken": "more"}],
}


@pytest.mark.parametrize("case", LISTS)
async def test_f33_what_is_not_found_stays_unknown(case: str) -> None:
    rig = restored()
    rig.agent.plays("list", *LISTS[case])
    async with rig:
        await rig.clock.run(600)
        assert (rig.row.state, rig.row.state_reason) == (State.UNKNOWN, "not-heard-since-restart")
        assert len(rig.agent.calls("list")) <= 2
        assert not rig.agent.calls("send", "stream", "get")


async def test_f33_an_agent_of_0_3_is_asked_for_no_list() -> None:
    rig = restored()
    rig.agent.card = card(url=f"{ORIGIN}/rpc", protocolVersion="0.3.0", supportedInterfaces=[])
    async with rig:
        await rig.clock.run(600)
        assert rig.row.state is State.UNKNOWN
        assert not rig.agent.calls("list", "send", "stream", "get")


async def test_an_agent_that_is_away_is_asked_when_it_is_back() -> None:
    rig = restored()
    rig.agent.plays("list", {"tasks": [begun("input-required", MESSAGE)]})
    rig.agent.plays("get", begun("input-required", MESSAGE))
    rig.agent.is_down = True
    async with rig:
        assert rig.row.freshness is Freshness.OFFLINE
        rig.agent.is_down = False
        await rig.clock.run(70)
        assert rig.row.state is State.WAITING and rig.row.freshness is Freshness.LIVE
        assert not rig.agent.calls("send", "stream")


@pytest.mark.parametrize("more", [
    {"state": "error", "reason": "not-sent"}, {"state": "done", "reason": "answered", "terminal": True},
])  # fmt: skip
async def test_what_is_settled_is_not_looked_for(more: dict[str, Any]) -> None:
    rig = restored(**more)
    async with rig:
        await rig.clock.run(60)
        assert not rig.agent.sent
