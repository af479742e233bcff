"""The client through the gateway to real servers of the official SDK, 0.3 and 1.x."""

import pytest

from lisa_island.app.house import REMOTE
from lisa_island.core.agent import State
from lisa_island.core.intents import Answer, ReadReply, Result
from tests.e2e.conftest import call, living, until
from tests.sandbox.test_relay import SCRIPTS, relayed

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("lenient", [(), ("--lenient",)], ids=["strict", "lenient"])
async def test_a_task_asks_is_answered_and_completes(tmp_path, script, lenient):
    """Strict servers refuse the gateway's stream, which lacks a message id: then it is a message, once."""
    with relayed(script, *lenient) as gateway:
        async with living(tmp_path, gateway.url) as house:
            asked = await call(house, "painter", "paint my wall")
            [request] = asked.requests
            assert request.summary == "Which colour?"
            sent = [c["route"] for c in gateway.get("calls")]
            assert sent == (["stream"] if lenient else ["stream", "message"])
            answer = Answer(asked.key, request.request_id, "green", asked.price)
            assert (await house.perform(answer)).result is Result.DONE
            await until(house, lambda: house.store.roster.get(asked.key).state is State.DONE)
            done = house.store.roster.get(asked.key)
            assert done.task.task_id == asked.task.task_id
            assert (await house.perform(ReadReply(asked.key))).text == "A wall in green"
            # The refusal is remembered: the next call does not ask for a stream.
            again = await call(house, "painter", "and the door")
            assert again.requests
            routes = [c["route"] for c in gateway.get("calls")]
            assert routes.count("stream") == (2 if lenient else 1)


async def test_the_relayed_agent_is_in_the_registry_and_not_in_the_roster(tmp_path):
    with relayed(SCRIPTS[0]) as gateway:
        async with living(tmp_path, gateway.url) as house:
            assert REMOTE in house.store.roster.sources and not house.store.roster.sessions
