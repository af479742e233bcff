"""The gateway in front of real A2A servers, built with the official SDK of two generations."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from tests.sandbox.child import KEY, ROOT, Running, running, sandbox

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
PEERS = ROOT / "tests" / "peers"
SCRIPTS = ["a2a_sdk_03.py", "a2a_sdk_1x.py"]
TEXT = {"text": "paint my wall"}


def uv() -> str:
    own = ROOT / ".tools" / "uv" / "bin" / "uv"
    found = str(own) if os.access(own, os.X_OK) else shutil.which("uv")
    assert found, "uv is not there; packaging/check.sh brings it"
    return found


def peer(name: str, *arguments: str) -> list[str]:
    """The command of a server under `tests/peers`, in the environment that its lock file describes."""
    return [uv(), "run", "--quiet", "--frozen", "--script", str(PEERS / name), *arguments]


@pytest.fixture(params=SCRIPTS)
def relay(request: pytest.FixtureRequest) -> Iterator[Running]:
    with relayed(request.param) as gateway:
        yield gateway


@contextmanager
def relayed(name: str, *arguments: str) -> Iterator[Running]:
    with (
        running(peer(name, *arguments)) as server,
        running(sandbox("--relay", f"painter={server.url}")) as gateway,
    ):
        yield gateway


def post(gateway: Running, route: str, body: dict[str, Any]) -> httpx.Response:
    headers = {"authorization": f"Bearer {KEY}"}
    url = f"{gateway.url}/v1/agents/painter/{route}"
    return httpx.post(url, json=body, headers=headers, trust_env=False, timeout=60)


def test_a_question_an_answer_a_result(relay: Running) -> None:
    asked = post(relay, "message", TEXT).json()["result"]
    assert (asked["kind"], asked["status"]["state"]) == ("task", "input-required")
    assert asked["status"]["message"]["parts"][0]["text"] == "Which colour?"
    ids = {"taskId": asked["id"], "contextId": asked["contextId"]}
    done = post(relay, "message", {"text": "green", **ids, "message": {"messageId": "m-2"}}).json()["result"]
    assert (done["id"], done["status"]["state"]) == (asked["id"], "completed")
    assert done["artifacts"][0]["parts"][0]["text"] == "A wall in green"
    late = post(relay, "message", {"text": "red", **ids}).json()
    assert late["error"]["code"] in (-32602, -32600, -32004), late


def test_a_stream_needs_an_id_that_the_gateway_does_not_send(relay: Running) -> None:
    answer = post(relay, "stream", TEXT)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream")
    fault = json.loads(answer.text)["error"]
    assert fault["code"] in (-32602, -32600)
    assert "messageId" in str(fault["data"])


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_lenient_server_streams_up_to_its_question(script: str) -> None:
    with relayed(script, "--lenient") as gateway:
        lines = post(gateway, "stream", TEXT).text.splitlines()
        events = [json.loads(line[5:])["result"] for line in lines if line.startswith("data:")]
        states = [event["status"]["state"] for event in events]
        assert states == ["submitted", "working", "input-required"]
        ids = {"taskId": events[0]["id"], "contextId": events[0]["contextId"]}
        done = post(gateway, "message", {"text": "blue", **ids}).json()["result"]
        assert done["status"]["state"] == "completed"
