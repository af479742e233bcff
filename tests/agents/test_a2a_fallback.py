"""Where nobody is at the first interface of a card, the next that the owner agreed to is called."""

import json
from typing import Any

import httpx
import pytest

from lisa_island.core.agent import State
from lisa_island.core.intents import Answer, Result
from tests.agents.direct_rig import ORIGIN, DirectRig, PlayedAgent, card
from tests.agents.rig import sse, streamed, task

# A public address, so that nothing is looked up.
OTHER = "https://93.184.216.34"


class Halved(PlayedAgent):
    """An agent of several interfaces; at those of `gone` nobody is, or what is there breaks."""

    gone: dict[str, type[Exception]]
    tried: list[str]

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.content:
            url = str(request.url)
            self.tried.append(url)
            if error := self.gone.get(url):
                raise error("no", request=request)
            method = json.loads(request.content)["method"]
            if method.startswith("SendStreaming"):
                return streamed(sse(task("completed", "Done")))
        return await super().__call__(request)


def halved(*urls: str, gone: dict[str, type[Exception]]) -> Halved:
    offered = [{"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"} for url in urls]
    agent = Halved(card(supportedInterfaces=offered))
    agent.gone, agent.tried = gone, []
    return agent


FIRST, SECOND, THIRD = f"{ORIGIN}/a", f"{ORIGIN}/b", f"{OTHER}/c"
REFUSED: dict[str, type[Exception]] = {FIRST: httpx.ConnectError}


async def test_e_the_next_interface_is_called_and_remembered_and_the_row_says_where() -> None:
    agent = halved(FIRST, SECOND, gone=REFUSED)
    async with DirectRig(agent=agent) as rig:
        assert (await rig.send("box", "x")).result is Result.DONE
        assert agent.tried[:2] == [FIRST, SECOND]
        assert rig.row.state is State.DONE and rig.row.task is not None
        assert rig.row.task.endpoint == SECOND
        assert [row.endpoint for row in rig.tasks.rows.values()] == [SECOND]
        before = len(agent.tried)
        await rig.send("box", "y")
        assert FIRST not in agent.tried[before:]


async def test_i13_an_interface_at_an_origin_that_was_not_agreed_to_gets_nothing() -> None:
    agent = halved(FIRST, THIRD, gone=REFUSED)
    async with DirectRig(agent=agent) as rig:
        outcome = await rig.send("box", "x")
        assert (outcome.result, outcome.word) == (Result.REFUSED, "outcome.unreachable")
        assert agent.tried == [FIRST] and not rig.tasks.rows


async def test_an_agreed_origin_is_as_good_as_the_first() -> None:
    agent = halved(FIRST, THIRD, gone=REFUSED)
    async with DirectRig(agent=agent, origins=[ORIGIN, OTHER]) as rig:
        assert (await rig.send("box", "x")).result is Result.DONE
        assert agent.tried[:2] == [FIRST, THIRD]


@pytest.mark.parametrize("error", [httpx.ReadError, httpx.RemoteProtocolError, httpx.ReadTimeout])
async def test_i12_what_may_have_been_sent_goes_nowhere_else(error: type[Exception]) -> None:
    agent = halved(FIRST, SECOND, gone={FIRST: error})
    async with DirectRig(agent=agent) as rig:
        assert (await rig.send("box", "x")).result is Result.UNKNOWN
        assert agent.tried == [FIRST]


async def test_after_the_last_the_next_call_begins_with_the_first() -> None:
    agent = halved(FIRST, SECOND, gone={FIRST: httpx.ConnectError, SECOND: httpx.ConnectTimeout})
    async with DirectRig(agent=agent) as rig:
        assert (await rig.send("box", "x")).result is Result.REFUSED
        assert agent.tried == [FIRST, SECOND] and not rig.tasks.rows
        agent.gone = {}
        assert (await rig.send("box", "x")).result is Result.DONE
        assert agent.tried[2] == FIRST


async def test_an_address_of_the_owner_s_own_has_no_other() -> None:
    agent = halved(FIRST, SECOND, gone={f"{ORIGIN}/own": httpx.ConnectError})
    async with DirectRig(agent=agent, endpoint=f"{ORIGIN}/own") as rig:
        assert (await rig.send("box", "x")).result is Result.REFUSED
        assert agent.tried == [f"{ORIGIN}/own"]


async def test_a_place_that_cannot_be_written_down_gets_nothing() -> None:
    agent = halved(FIRST, SECOND, gone=REFUSED)
    async with DirectRig(agent=agent) as rig:
        begin = rig.tasks.begin

        async def once(row: Any) -> None:
            await begin(row)
            rig.tasks.broken = True

        rig.tasks.begin = once  # type: ignore[method-assign]
        assert (await rig.send("box", "x")).result is Result.REFUSED
        assert agent.tried == [FIRST]


async def test_an_answer_goes_where_its_task_is_and_nowhere_else() -> None:
    agent = halved(FIRST, SECOND, gone={})
    async with DirectRig(agent=agent) as rig:
        agent.gone = {}
        agent.card["capabilities"] = {"streaming": False}
        agent.plays("send", {"task": task("input-required", "Which?", mid="q")})
        agent.plays("get", task("input-required", "Which?", mid="q"))
        await rig.send("box", "x")
        [request] = rig.row.requests
        agent.gone = REFUSED
        outcome = await rig.perform(Answer(rig.row.key, request.request_id, "blue"))
        assert outcome.result is Result.REFUSED and len(rig.row.requests) == 1
        assert SECOND not in agent.tried
