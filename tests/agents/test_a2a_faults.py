"""Every fault of the matrix at an agent's own endpoint: no wrong end, no lost word, nothing sent twice."""

import httpx
import pytest

from lisa_island.agents._a2a_card import read_card
from lisa_island.core.intents import Result
from tests.agents.a2a_faults import CASES, MORE, FaultAgent, card, served
from tests.agents.direct_rig import ORIGIN, DirectRig
from tests.fakes.clock import settle

ALL = CASES | MORE


async def finish(rig, asked):
    """Let time pass until nobody follows the task any more; five minutes are enough for all but a stall."""
    for _ in range(60):
        await settle(200)
        if asked.done() and not any(row.followed for row in rig.rows):
            return
        await rig.clock.run(5)


def test_the_matrix_is_whole():
    assert len(CASES) == 53


@pytest.mark.parametrize("name", ALL)
async def test_the_row_says_what_is_right(name):
    fault = ALL[name]
    agent = FaultAgent(fault, ORIGIN)
    async with DirectRig(agent=agent) as rig:
        asked = rig.begin_send("box")
        await finish(rig, asked)
        outcome = await asked
        assert agent.sends == 1
        if not fault.state:
            assert (outcome.result, outcome.word) == (Result.REFUSED, fault.reason)
            assert not [row for row in rig.rows if row.task] and not rig.tasks.rows
            return
        assert (str(rig.row.state), rig.row.state_reason) == (fault.state, fault.reason)
        assert fault.words in repr(rig.row)
        if fault.is_noted:
            assert [e.kind for e in rig.row.trail].count("call.noise") == 1


@pytest.mark.parametrize("name", ["plain", "cut", "json200", "noclose", "s429", "v025card"])
async def test_the_same_agent_on_loopback(name):
    async with served(CASES[name]) as agent, httpx.AsyncClient(trust_env=False) as client:
        place = "/.well-known/agent.json" if name == "v025card" else "/.well-known/agent-card.json"
        told = (await client.get(agent.origin + place)).json()
        assert told == card(CASES[name], agent.origin) and read_card(told, agent.origin).interfaces
        pieces = b"".join(CASES[name].stream.pieces)
        body = {"jsonrpc": "2.0", "id": 1, "method": "SendStreamingMessage", "params": {}}
        heard = b""
        try:
            async with client.stream("POST", told.get("url") or agent.origin + "/rpc", json=body) as response:
                assert response.status_code == CASES[name].stream.code
                async for piece in response.aiter_raw():
                    heard += piece
                    if name == "noclose" and heard == pieces:
                        break
        except httpx.RemoteProtocolError:
            assert CASES[name].stream.cut
        assert heard == pieces
