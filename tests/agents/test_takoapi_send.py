"""Sending: what is asked first, what is written first, what goes out, and what stands in the roster after."""

import httpx
import pytest

from lisa_island.core.agent import Can, Reply, State
from lisa_island.core.intents import Answer, ReadReply, Result, Send, StopFollowing
from tests.agents.rig import ORIGIN, Feed, PlayedGateway, Rig, artifact, envelope, sse, task, update
from tests.fakes.clock import settle
from tests.fakes.secrets import KEY


async def test_a_free_agent_that_streams_is_followed_to_its_end():
    async with Rig() as rig:
        feed = Feed(sse(task("submitted")))
        rig.gateway.plays("acme", feed)
        outcome = await rig.send("acme", "hello", label="Mine")
        assert outcome.result is Result.DONE
        row = rig.get(outcome.key)
        assert row.key.session_id == "acme/a0000001"
        assert (row.state, row.state_reason, row.followed) == (State.WORKING, "submitted", True)
        assert row.label == "Mine"
        feed.frame(update("working", "Reading"))
        feed.frame(artifact("Hel"))
        feed.frame(artifact("lo", append=True))
        await settle()
        row = rig.get(outcome.key)
        assert row.state_reason == "working"
        assert row.activity.status_text == "Reading"
        assert [(a.name, a.size) for a in row.activity.artifacts] == [("out.txt", 5)]
        feed.frame(update("completed", "Ready"))
        feed.end()
        await settle()
        row = rig.get(outcome.key)
        assert (row.state, row.followed, row.unread, row.reply) == (State.DONE, False, True, Reply.HELD)
        assert row.task.task_id == "T1" and row.task.terminal
        assert (await rig.perform(ReadReply(row.key))).text == "Hello"
        (call,) = rig.gateway.calls()
        assert call.path == "/v1/agents/acme/stream"
        assert call.body == {"text": "hello"}
        assert call.headers["authorization"] == f"Bearer {KEY}"


async def test_a_priced_agent_asks_first_and_takes_message():
    async with Rig(gateway=PlayedGateway(prices={"acme": "0.02"})) as rig:
        outcome = await rig.send()
        assert (outcome.result, outcome.word, outcome.price) == (Result.REFUSED, "outcome.price", "0.02 USD")
        assert not rig.gateway.calls() and not rig.tasks.log and not rig.rows
        outcome = await rig.send(accepted_price="0.02 USD")
        assert outcome.result is Result.DONE
        (call,) = rig.gateway.calls()
        assert call.path == "/v1/agents/acme/message"
        assert call.body == {
            "text": "hello",
            "message": {"messageId": "a0000001-0000-4000-8000-000000000000"},
        }
        assert rig.row.state is State.DONE
        assert rig.row.price == "0.02 USD"


async def test_the_row_is_written_before_the_first_byte():
    async with Rig() as rig:
        order = []

        def play(_sent):
            order.extend(rig.tasks.log)
            return httpx.Response(200, json=envelope(task("completed")))

        rig.gateway.plays("acme", play)
        outcome = await rig.send()
        assert order == [("begin", outcome.key.session_id)]
        assert rig.tasks.rows[outcome.key.session_id].message_id == "a0000001-0000-4000-8000-000000000000"


async def test_a_disk_that_fails_sends_nothing():
    async with Rig() as rig:
        rig.tasks.broken = True
        outcome = await rig.send()
        assert (outcome.result, outcome.word) == (Result.REFUSED, "storage.timeout")
        assert not rig.gateway.calls() and not rig.rows


async def test_a_question_is_answered_with_both_ids():
    async with Rig() as rig:
        asks = Feed(sse(task("input-required", "Which colour?", mid="q1")))
        rig.gateway.plays("acme", asks, envelope(task("completed", "Blue it is")))
        sent = await rig.send()
        row = rig.get(sent.key)
        (request,) = row.requests
        assert request.summary == "Which colour?" and request.request_id == "acme/a0000001#1"
        assert Can.ANSWER in row.capabilities
        outcome = await rig.perform(Answer(row.key, request.request_id, "blue"))
        assert outcome.result is Result.DONE
        call = rig.gateway.calls("/message")[0]
        assert call.body == {
            "text": "blue",
            "taskId": "T1",
            "contextId": "C1",
            "message": {"messageId": "a0000002-0000-4000-8000-000000000000"},
        }
        row = rig.get(sent.key)
        assert (row.state, row.requests, row.task.calls) == (State.DONE, (), 2)


async def test_stop_following_closes_the_stream_and_lets_the_row_go():
    async with Rig() as rig:
        feed = Feed(sse(task("working")))
        rig.gateway.plays("acme", feed)
        sent = await rig.send()
        outcome = await rig.perform(StopFollowing(sent.key))
        assert outcome.result is Result.DONE
        assert feed.is_closed and not rig.rows and not rig.tasks.rows


@pytest.mark.parametrize("settings", [{"enabled": False}, {"enabled": "true"}, {"enabled": 1}])
async def test_nothing_goes_out_without_the_owners_opt_in(settings):
    async with Rig(settings=settings) as rig:
        outcome = await rig.send()
        assert (outcome.result, outcome.word) == (Result.REFUSED, "outcome.takoapi-off")
        assert not rig.gateway.sent


async def test_nothing_goes_out_without_a_key_for_this_origin():
    async with Rig(keys={"https://other.example": KEY}) as rig:
        outcome = await rig.send()
        assert (outcome.result, outcome.word) == (Result.REFUSED, "outcome.no-key")
        assert dict(outcome.values) == {"origin": ORIGIN}
        assert not rig.gateway.sent


async def test_starting_and_following_asks_nobody():
    async with Rig() as rig:
        await rig.clock.run(24 * 3600)
        assert not rig.gateway.sent
        assert rig.clock.pending == 0
    assert isinstance(Send("takoapi", "a", "b"), Send)


async def test_a_chain_of_calls_is_not_sent_on_without_its_guards():
    async with Rig() as rig:
        outcome = await rig.perform(Send("takoapi", "acme", "hello", metadata='{"pi:hopCount": 3}'))
        assert outcome.word == "outcome.not-through-gateway"
        assert not rig.rows and not rig.gateway.calls()
