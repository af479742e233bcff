"""A whole house before real A2A servers: what the owner sees of a task, whatever the server speaks."""

from contextlib import asynccontextmanager

import pytest

from lisa_island.agents._a2a_task import LOST
from lisa_island.app.house import DIRECT
from lisa_island.core.agent import Can, Freshness, RequestKind, State
from lisa_island.core.intents import Answer, Cancel, ReadArtifact, ReadReply, Result, Send
from lisa_island.core.origin import origin_of
from lisa_island.core.preferences import DirectAgent
from tests.e2e.conftest import living, until
from tests.fakes.peers import FULL, PEERS, peer, started_peers

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
NOWHERE = "http://127.0.0.1:9"


any_server = started_peers(PEERS)
full_server = started_peers(FULL)


@pytest.fixture
def any_peer(any_server):
    """Each peer in turn; it runs, whatever the test before did to it."""
    any_server.ensure()
    return any_server


@pytest.fixture
def full_peer(full_server):
    """Each peer that plays the whole script."""
    full_server.ensure()
    return full_server


def name_of(request):
    return request.node.callspec.params["any_server"][0]


@asynccontextmanager
async def with_agent(home, it, **more):
    """A house with one direct agent, "painter"."""
    async with living(home, NOWHERE, on=False) as house:
        added = DirectAgent("painter", it.url, origins=(origin_of(it.url),), **more)
        await house.settings.change(direct_agents=(added,))
        await until(house, lambda: DIRECT in house.store.roster.sources and DIRECT in house._sources)
        yield house


async def started(house, text):
    """Send as the owner does; the key of the row."""
    outcome = await house.perform(Send(DIRECT, "painter", text))
    assert outcome.result is Result.DONE, outcome
    return outcome.key


def row(house, key):
    return house.store.roster.sessions[key]


async def ended(house, key):
    await until(house, lambda: row(house, key).task.terminal and not row(house, key).followed)
    return row(house, key)


async def reply(house, key):
    return (await house.perform(ReadReply(key))).text


async def test_it_asks_is_answered_and_completes(tmp_path, any_peer):
    async with with_agent(tmp_path, any_peer) as house:
        key = await started(house, "ask")
        await until(house, lambda: row(house, key).requests)
        asked = row(house, key)
        [request] = asked.requests
        assert (asked.state, request.kind) == (State.WAITING, RequestKind.INPUT)
        assert "Which colour?" in request.summary
        assert (await house.perform(Answer(key, request.request_id, "green"))).result is Result.DONE
        done = await ended(house, key)
        assert (done.state, done.task.task_id, done.requests) == (State.DONE, asked.task.task_id, ())
        assert "A wall in green" in await reply(house, key)


async def test_it_is_cancelled_and_a_late_cancel_says_why(tmp_path, any_peer):
    async with with_agent(tmp_path, any_peer) as house:
        key = await started(house, "cancelme")
        await until(house, lambda: row(house, key).task.task_id)
        assert Can.CANCEL in row(house, key).capabilities
        outcome = await house.perform(Cancel(key))
        assert outcome.result is Result.DONE, outcome
        done = await ended(house, key)
        assert (done.state, done.state_reason) == (State.DONE, "canceled")
        assert Can.CANCEL not in done.capabilities
        assert (await house.perform(Cancel(key))).result is Result.REFUSED


async def test_cut_in_the_middle_it_is_attached_to_again(tmp_path, any_peer):
    async with with_agent(tmp_path, any_peer) as house:
        key = await started(house, "slow")
        await until(house, lambda: "Mixing paint" in repr(row(house, key)))
        any_peer.control("drop")

        def hears_again():
            any_peer.control("step Second coat")
            return "Second coat" in repr(row(house, key))

        await until(house, hears_again)
        assert row(house, key).state is State.WORKING
        any_peer.control("go")
        done = await ended(house, key)
        assert done.state is State.DONE and "A wall in grey" in await reply(house, key)


async def test_an_exception_in_the_agent_is_no_wrong_end(tmp_path, request, any_peer):
    async with with_agent(tmp_path, any_peer) as house:
        key = await started(house, "crash")
        if name_of(request) == "a2a_sdk_03":
            # It drops the line and goes on saying that it works; nothing else is known.
            await until(house, lambda: "submitted" in repr(row(house, key).task))
            assert row(house, key).state is State.WORKING and not row(house, key).task.terminal
            return
        done = await ended(house, key)
        assert (done.state, done.state_reason) == (State.ERROR, "failed")
        # Over HTTP+JSON the SDK for Python keeps the reason to itself.
        if not (name_of(request) == "a2a_sdk_1x" and "HTTP+JSON" in any_peer.command):
            assert "the bucket fell over" in repr(done)


async def test_a_server_that_restarts_is_offline_and_comes_back(tmp_path, any_peer):
    async with with_agent(tmp_path, any_peer) as house:
        key = await started(house, "slow")
        await until(house, lambda: row(house, key).task.task_state == "working")
        any_peer.stop()
        await until(house, lambda: row(house, key).freshness is Freshness.OFFLINE)
        assert row(house, key).state is State.WORKING
        any_peer.restart()
        await until(house, lambda: row(house, key).freshness is not Freshness.OFFLINE)
        assert row(house, key).state is State.WORKING and not row(house, key).task.terminal


async def test_a_server_that_forgot_the_task_is_named(tmp_path, any_peer):
    async with with_agent(tmp_path, any_peer) as house:
        key = await started(house, "slow")
        await until(house, lambda: row(house, key).task.task_state == "working")
        any_peer.restart(keep=False)
        await until(house, lambda: row(house, key).state_reason == LOST)
        assert row(house, key).state is State.UNKNOWN and Can.SEND_AGAIN in row(house, key).capabilities


async def test_the_island_restarts_and_follows_on(tmp_path, any_peer):
    async with with_agent(tmp_path, any_peer) as house:
        key = await started(house, "slow")
        await until(house, lambda: row(house, key).task.task_state == "working")
        task_id = row(house, key).task.task_id
    async with living(tmp_path, NOWHERE, on=False) as house:
        await until(house, lambda: key in house.store.roster.sessions and row(house, key).followed)
        await until(house, lambda: row(house, key).state is State.WORKING)
        any_peer.control("go")
        done = await ended(house, key)
        assert (done.state, done.task.task_id) == (State.DONE, task_id)
        assert "A wall in grey" in await reply(house, key)


async def test_artifacts_are_named_weighed_and_read(tmp_path, full_peer):
    async with with_agent(tmp_path, full_peer) as house:
        key = await started(house, "artifacts")
        done = await ended(house, key)
        assert [a.name for a in done.activity.artifacts] == [
            "letter.txt",
            "numbers.json",
            "sample.png",
            "plan.pdf",
        ]
        assert (await house.perform(ReadArtifact(key, 0))).text == "Hello"


async def test_choices_are_offered(tmp_path, full_peer):
    async with with_agent(tmp_path, full_peer) as house:
        key = await started(house, "options")
        await until(house, lambda: row(house, key).requests)
        assert row(house, key).requests[0].options == ("green", "blue")


async def test_sign_in_elsewhere_lets_it_go_on(tmp_path, full_peer):
    async with with_agent(tmp_path, full_peer) as house:
        key = await started(house, "auth")
        await until(house, lambda: row(house, key).requests)
        [request] = row(house, key).requests
        assert request.kind is RequestKind.AUTH and "https://sign-in.example" in request.summary
        full_peer.control("go")
        assert (await ended(house, key)).state is State.DONE


async def test_an_answer_without_a_task_is_an_answer(tmp_path, full_peer):
    async with with_agent(tmp_path, full_peer) as house:
        key = await started(house, "message")
        await until(house, lambda: row(house, key).state is State.DONE)
        assert row(house, key).state_reason == "answered"
        assert await reply(house, key) == "Grey goes with everything"


async def test_six_megabytes_are_weighed(tmp_path, full_peer):
    async with with_agent(tmp_path, full_peer) as house:
        key = await started(house, "big")
        done = await ended(house, key)
        assert (done.state, [a.size for a in done.activity.artifacts]) == (State.DONE, [6_000_000])


async def test_a_server_that_returns_without_an_end_is_not_reported_done(tmp_path, full_peer):
    async with with_agent(tmp_path, full_peer) as house:
        key = await started(house, "stall")
        await until(house, lambda: "Mixing paint" in repr(row(house, key)))
        assert row(house, key).state is State.WORKING and not row(house, key).task.terminal


@pytest.mark.parametrize("name", ["a2a_sdk_1x", "a2a_sdk_03", "a2a_js"])
async def test_a_server_that_wants_a_token_is_a_request(tmp_path, name):
    with peer(name, dialect="0.3", token="s3cret") as it:
        async with with_agent(tmp_path, it, auth="bearer") as house:
            outcome = await house.perform(Send(DIRECT, "painter", "ask"))
            assert outcome.word == "outcome.sign-in"
            [waiting] = [r for r in house.store.roster.sessions.values() if r.task]
            assert waiting.requests[0].kind is RequestKind.AUTH
            house.agent_secrets.remember(origin_of(it.url), "s3cret")
            key = await started(house, "ask")
            await until(house, lambda: row(house, key).requests)
            assert row(house, key).requests[0].kind is RequestKind.INPUT


async def test_the_draft_of_2025_is_refused_politely(tmp_path):
    with peer("python_a2a") as it:
        async with with_agent(tmp_path, it) as house:
            outcome = await house.perform(Send(DIRECT, "painter", "ask"))
            assert outcome.result in (Result.REFUSED, Result.UNKNOWN), outcome
            assert not [r for r in house.store.roster.sessions.values() if r.task and r.task.task_id]
