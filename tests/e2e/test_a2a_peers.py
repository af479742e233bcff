"""Our client before real A2A servers: each SDK, each dialect, each binding. No house around it."""

import asyncio
import itertools
from contextlib import aclosing, asynccontextmanager

import httpx
import pytest

from lisa_island.agents._a2a_card import read_card
from lisa_island.agents._a2a_client import Client, CutError, NotSentError, Outgoing, RefusedError
from lisa_island.agents._a2a_discovery import Discovery, Found
from lisa_island.agents._a2a_question import options_of
from lisa_island.agents._a2a_wire import ArtifactUpdate, Fault, Message, Snapshot, StatusUpdate
from lisa_island.agents._http import Http
from lisa_island.core.task_state import read_task_state
from lisa_island.system.clock import SystemClock
from tests.fakes.peers import FULL, PEERS, peer, started_peers

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ids = itertools.count(1)


any_peer = started_peers(PEERS)
full_peer = started_peers(FULL)


@asynccontextmanager
async def client_of(it):
    """A client for what the peer's card prefers."""
    http, clock = Http(), SystemClock()
    try:
        async with httpx.AsyncClient(trust_env=False) as plain:
            answer = await plain.get(it.card_url, headers={"a2a-version": "1.0"})
        card = read_card(answer.json(), it.url)
        yield Client(http, card.interfaces[0], no_headers, clock=clock)
    finally:
        await http.close()


async def no_headers():
    return {}


def said(text, task_id="", context_id=""):
    return Outgoing(text, f"message-{next(ids)}", task_id, context_id)


def state(frame):
    return read_task_state(frame.status.state).word if getattr(frame, "status", None) else ""


def states(frames):
    return [state(f) for f in frames if isinstance(f, Snapshot | StatusUpdate)]


async def all_of(frames):
    return [frame async for frame in frames]


async def until(frames, word):
    """Read on to a state; the stream stays open."""
    async for frame in frames:
        if state(frame) == word:
            return frame
    raise AssertionError(f"no {word}")


async def text_of(client, task_id):
    frame = await client.get(task_id)
    assert isinstance(frame, Snapshot), frame
    return {a.name: a.text for a in frame.artifacts}


async def test_its_card_says_where_and_how(request, any_peer):
    _, binding, dialect = request.node.callspec.params["any_peer"]
    async with client_of(any_peer) as client:
        endpoint = client.endpoint
        assert (endpoint.binding, endpoint.version, endpoint.streaming) == (binding, dialect, True)
        assert endpoint.url.startswith(any_peer.url.rstrip("/"))
    http = Http()
    try:
        for typed in (any_peer.url, any_peer.card_url):
            found = await Discovery(http, SystemClock()).find(typed)
            assert isinstance(found, Found), found
            assert found.card.interfaces[0] == endpoint and not found.doubts
            assert found.card.name.lower() == "painter"
    finally:
        await http.close()


async def test_it_asks_is_answered_and_completes(any_peer):
    async with client_of(any_peer) as client:
        asked = await all_of(client.send(said("ask"), stream=True))
        assert states(asked)[0] in ("submitted", "working") and states(asked)[-1] == "input-required"
        task_id, context_id = asked[0].task_id, asked[0].context_id
        assert task_id and context_id
        snapshot = await client.get(task_id)
        assert (state(snapshot), snapshot.task_id) == ("input-required", task_id)
        assert "Which colour?" in snapshot.status.text
        told = await all_of(client.send(said("green", task_id, context_id), stream=True))
        assert states(told)[-1] == "completed" and {f.task_id for f in told} == {task_id}
        assert "A wall in green" in "".join((await text_of(client, task_id)).values())
        late = await refusal(client.cancel(task_id))
        assert late and (late.message if isinstance(late, Fault) else late.said)


async def test_a_call_without_a_stream_does_not_block_and_is_cancelled(any_peer):
    async with client_of(any_peer) as client:
        [first] = await all_of(client.send(said("cancelme"), stream=False))
        assert state(first) in ("submitted", "working")
        ended = await client.cancel(first.task_id)
        assert state(ended) == "canceled"
        assert state(await client.get(first.task_id)) == "canceled"


async def refusal(call):
    """The fault or the HTTP refusal of a call, None when it went through."""
    try:
        frame = await call
    except RefusedError as error:
        return error
    return frame if isinstance(frame, Fault) else None


async def test_cut_in_the_middle_it_goes_on_and_is_attached_to_again(any_peer):
    async with client_of(any_peer) as client:
        async with aclosing(client.send(said("slow"), stream=True)) as stream:
            frame = await until(stream, "working")
            any_peer.control("drop")
            with pytest.raises(CutError):
                await all_of(stream)
        assert state(await client.get(frame.task_id)) == "working"
        async with aclosing(client.subscribe(frame.task_id)) as again:
            heard = await first_news(any_peer, again)
            assert heard.task_id == frame.task_id
            any_peer.control("go")
            await until(again, "completed")
        assert "A wall in grey" in "".join((await text_of(client, frame.task_id)).values())


async def first_news(it, frames):
    """Whatever a stream brings first. Some servers say nothing when one attaches: then they are made to."""
    reading = asyncio.ensure_future(anext(frames))
    while not reading.done():
        it.control("step Second coat")
        await asyncio.wait([reading], timeout=0.1)
    return await reading


async def test_an_exception_in_the_agent_is_what_get_says(request, any_peer):
    name = request.node.callspec.params["any_peer"][0]
    async with client_of(any_peer) as client:
        frames = []
        try:
            async for frame in client.send(said("crash"), stream=True):
                frames.append(frame)
        except CutError:
            assert name.startswith("a2a_sdk")
        ended = state(await client.get(frames[0].task_id))
        # The SDK of 0.3 forgets to say that its agent broke.
        assert ended in (("submitted", "working") if name == "a2a_sdk_03" else ("failed",))


async def test_what_nobody_knows_is_not_found(any_peer):
    async with client_of(any_peer) as client:
        told = await refusal(client.get("no-such-task"))
        assert getattr(told, "code", 0) == -32001 or getattr(told, "status", 0) == 404


async def test_artifacts_of_all_kinds_arrive_in_chunks_and_whole(request, full_peer):
    case = request.node.callspec.params["full_peer"]
    async with client_of(full_peer) as client:
        frames = await all_of(client.send(said("artifacts"), stream=True))
        pieces = [f for f in frames if isinstance(f, ArtifactUpdate)]
        assert len(pieces) == 5 and states(frames)[-1] == "completed"
        made = (await client.get(frames[0].task_id)).artifacts
        assert [a.name for a in made] == ["letter.txt", "numbers.json", "sample.png", "plan.pdf"]
        assert made[0].text == "Hello"
        # The SDK for Python encodes what is encoded already, and nothing in it says so.
        is_twice = case[0].startswith("a2a_sdk") and case[1:] == ("HTTP+JSON", "0.3")
        assert made[2].parts[0].size == (96 if is_twice else 72)


async def test_an_artifact_of_6_mb_arrives(full_peer):
    async with client_of(full_peer) as client:
        frames = await all_of(client.send(said("big"), stream=True))
        assert states(frames)[-1] == "completed"
        assert [len(f.artifact.text) for f in frames if isinstance(f, ArtifactUpdate)] == [6_000_000]


async def test_a_message_is_an_answer_without_a_task(full_peer):
    async with client_of(full_peer) as client:
        for stream in (True, False):
            [frame] = await all_of(client.send(said("message"), stream=stream))
            assert isinstance(frame, Message) and frame.text == "Grey goes with everything"


async def test_sign_in_elsewhere_lets_it_go_on(full_peer):
    async with client_of(full_peer) as client, aclosing(client.send(said("auth"), stream=True)) as stream:
        asked = await until(stream, "auth-required")
        assert "https://sign-in.example" in asked.status.text
        full_peer.control("go")
        await until(stream, "completed")


async def test_ends_of_all_kinds(full_peer):
    async with client_of(full_peer) as client:
        for word, end in {"fail": "failed", "reject": "rejected", "stall": "working"}.items():
            frames = await all_of(client.send(said(word), stream=True))
            assert states(frames)[-1] == end
            assert state(await client.get(frames[0].task_id)) == end


async def test_choices_come_in_a_data_part(full_peer):
    async with client_of(full_peer) as client:
        frames = await all_of(client.send(said("options"), stream=True))
        assert options_of(frames[-1].status.message.parts) == ("green", "blue")


async def test_tasks_are_listed_where_the_dialect_can(request, full_peer):
    name, binding, dialect = request.node.callspec.params["full_peer"]
    async with client_of(full_peer) as client:
        frames = await all_of(client.send(said("fail"), stream=True))
        if (name, binding) == ("a2a_sdk_03", "HTTP+JSON"):
            # It has the path, and nothing behind it.
            with pytest.raises(RefusedError):
                await client.list(frames[0].context_id)
            return
        listed = [t.task_id for t in await client.list(frames[0].context_id)]
        assert listed == ([frames[0].task_id] if dialect == "1.0" else [])


@pytest.mark.parametrize("case", PEERS, ids="-".join)
async def test_a_restart_with_and_without_its_tasks(case):
    name, binding, dialect = case
    with peer(name, binding=binding, dialect=dialect) as it:
        async with client_of(it) as client:
            async with aclosing(client.send(said("slow"), stream=True)) as stream:
                frame = await until(stream, "working")
                # A server may tell before it has stored: what it answers to this is in its store.
                assert state(await client.get(frame.task_id)) == "working"
                it.stop()
                with pytest.raises(CutError):
                    await all_of(stream)
            with pytest.raises(NotSentError):
                await client.get(frame.task_id)
            it.restart()
            kept = await client.get(frame.task_id)
            assert (kept.task_id, state(kept)) == (frame.task_id, "working")
            it.restart(keep=False)
            told = await refusal(client.get(frame.task_id))
            assert getattr(told, "code", 0) == -32001 or getattr(told, "status", 0) == 404


@pytest.mark.parametrize("name", ["a2a_sdk_1x", "a2a_sdk_03", "a2a_js"])
async def test_a_server_that_wants_a_token(name):
    with peer(name, token="s3cret", dialect="0.3") as it:
        async with client_of(it) as client:
            with pytest.raises(RefusedError) as told:
                await all_of(client.send(said("ask"), stream=True))
            assert told.value.status == 401

            async def headers():
                return {"authorization": "Bearer s3cret"}

            known = Client(client._http, client.endpoint, headers, clock=SystemClock())
            assert states(await all_of(known.send(said("ask"), stream=True)))[-1] == "input-required"


async def test_the_draft_of_2025_is_refused_with_what_it_said():
    with peer("python_a2a") as it:
        async with client_of(it) as client:
            for stream in (True, False):
                with pytest.raises(RefusedError) as told:
                    await all_of(client.send(said("ask"), stream=stream))
                assert told.value.status in (404, 405, 500)
