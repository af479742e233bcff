"""What `/stream` relays: bytes as they are, one label for all, and the rules of tasks behind it."""

import json
from typing import Any

import httpx
import pytest
from httpx_sse import EventSource

from lisa_island.sandbox import framing
from lisa_island.sandbox.state import State
from lisa_island.sandbox.steps import Call

TEXT = {"text": "hello"}


async def stream(client: httpx.AsyncClient, slug: str, body: Any = TEXT) -> httpx.Response:
    return await client.post(f"/v1/agents/{slug}/stream", json=body)


async def frames(client: httpx.AsyncClient, slug: str) -> list[Any]:
    answer = await stream(client, slug)
    return [json.loads(event.data) async for event in EventSource(answer).aiter_sse()]


@pytest.mark.parametrize(
    "slug", ["sheet-wizard", "own-401", "html-body", "not-sse", "rpc-error", "wire-json200"]
)
async def test_every_body_is_labelled_an_event_stream(client: httpx.AsyncClient, slug: str) -> None:
    answer = await stream(client, slug)
    assert answer.headers["content-type"] == "text/event-stream"
    assert answer.headers["cache-control"] == "no-cache, no-transform"


async def test_frames_are_json_rpc_of_one_task(client: httpx.AsyncClient) -> None:
    got = await frames(client, "sheet-wizard")
    kinds = [frame["result"]["kind"] for frame in got]
    assert kinds[0] == "task"
    assert set(kinds[1:]) == {"status-update", "artifact-update"}
    assert len({frame["id"] for frame in got}) == 1
    assert got[-1]["result"]["final"] is True
    assert all("{now}" not in json.dumps(frame) for frame in got)


async def test_a_question_ends_the_stream_without_final(client: httpx.AsyncClient) -> None:
    last = (await frames(client, "acme-research"))[-1]["result"]
    assert (last["status"]["state"], last["final"]) == ("input-required", False)


async def test_a_stream_cannot_continue_a_task(client: httpx.AsyncClient) -> None:
    first = (await frames(client, "acme-research"))[0]["result"]
    body = {"text": "Q3", "taskId": first["id"], "contextId": first["contextId"]}
    again = await stream(client, "acme-research", body)
    assert first["id"] not in again.text


async def test_an_object_message_becomes_an_empty_text(client: httpx.AsyncClient, state: State) -> None:
    await stream(client, "sheet-wizard", {"message": {"parts": [{"kind": "text", "text": "lost"}]}})
    assert [item["text"] for item in state.calls] == [""]


@pytest.mark.parametrize(("slug", "code"), [("strict-stream", -32602), ("strict-1x", -32600)])
async def test_a_strict_agent_refuses_streams_and_takes_messages(
    client: httpx.AsyncClient, state: State, slug: str, code: int
) -> None:
    refusal = (await stream(client, slug)).json()
    assert refusal["error"]["code"] == code
    assert "messageId" in str(refusal["error"]["data"])
    answer = (await client.post(f"/v1/agents/{slug}/message", json=TEXT)).json()
    assert ("result" in answer) == (state.generation == "G1")


async def test_finished_and_unknown_tasks_are_refused(client: httpx.AsyncClient, state: State) -> None:
    state.generation = "G1"
    path = "/v1/agents/sheet-wizard/message"
    done = (await client.post(path, json=TEXT)).json()["result"]
    again = (await client.post(path, json={"text": "more", "taskId": done["id"]})).json()
    lost = (await client.post(path, json={"text": "more", "taskId": "never-was"})).json()
    assert (again["error"]["code"], lost["error"]["code"]) == (-32602, -32001)
    assert "terminal state" in again["error"]["message"]


async def test_a_task_id_alone_continues_in_the_old_context(client: httpx.AsyncClient, state: State) -> None:
    state.generation = "G1"
    path = "/v1/agents/acme-research/message"
    asked = (await client.post(path, json=TEXT)).json()["result"]
    done = (await client.post(path, json={"text": "Q3", "taskId": asked["id"]})).json()["result"]
    assert (done["id"], done["contextId"]) == (asked["id"], asked["contextId"])
    assert done["status"]["state"] == "completed"


@pytest.mark.parametrize("name", framing.BYTES)
async def test_framing_is_relayed_verbatim(client: httpx.AsyncClient, state: State, name: str) -> None:
    answer = await stream(client, f"wire-{name}")
    made = state.calls[0]
    call = Call("", "stream", "", {}, made["taskId"], made["contextId"])
    assert answer.content == framing.BYTES[name](call)


async def test_hostile_bytes_arrive_as_they_were_sent(client: httpx.AsyncClient) -> None:
    answer = await stream(client, "hostile-harry")
    assert "\u202e" in answer.text
    assert b"\\ud83d " in answer.content, "half a pair leaves as its escape"
