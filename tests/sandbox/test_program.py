"""The program: how it starts, how it ends, what it lets a test see and turn."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.sandbox.child import KEY, Running, running, sandbox

AUTH = {"authorization": f"Bearer {KEY}"}


def opened(child: Running, slug: str) -> httpx.Client:
    return httpx.Client(base_url=f"{child.url}/v1/agents/{slug}", headers=AUTH, trust_env=False, timeout=20)


@contextmanager
def streamed(child: Running, slug: str) -> Iterator[httpx.Response]:
    with opened(child, slug) as client, client.stream("POST", "/stream", json={"text": "hi"}) as answer:
        yield answer


def frames_of(answer: httpx.Response) -> Iterator[str]:
    return (line for line in answer.iter_lines() if line)


def test_its_line_tells_all_that_a_client_needs(child: Running) -> None:
    assert child.greeting == {"type": "listening", "url": child.url, "generation": "G1", "key": KEY}
    assert child.url.startswith("http://127.0.0.1:")


def test_a_key_of_its_own_has_the_right_form() -> None:
    with running([sys.executable, "-m", "lisa_island.sandbox", "--generation", "G0"]) as child:
        key = child.greeting["key"]
        assert (len(key), key[:10], child.greeting["generation"]) == (42, "tako_live_", "G0")


@pytest.mark.parametrize("wrong", [["--key", "tako_live_short"], ["--relay", "x"], ["--relay", "x=ftp://y"]])
def test_wrong_arguments_end_it_with_a_reason(wrong: list[str]) -> None:
    ended = subprocess.run(sandbox(*wrong), capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert wrong[0] in ended.stderr


def test_a_taken_port_is_said_in_one_line(child: Running) -> None:
    port = child.url.rpartition(":")[2]
    ended = subprocess.run(sandbox("--port", port), capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert f"127.0.0.1:{port}" in ended.stderr.splitlines()[-1]


def test_it_ends_with_its_parent_even_with_a_stream_open() -> None:
    with running(sandbox()) as child, streamed(child, "goes-silent") as answer:
        assert next(frames_of(answer)).startswith("data: ")
        assert child.process.stdin is not None
        child.process.stdin.close()
        assert child.process.wait(20) == 0


def test_sigterm_ends_it() -> None:
    with running(sandbox()) as child:
        child.process.terminate()
        assert child.process.wait(20) in (0, -signal.SIGTERM)


def test_a_cut_stream_is_seen_as_cut(child: Running) -> None:
    with streamed(child, "cut-mid") as answer, pytest.raises(httpx.RemoteProtocolError):
        answer.read()


def test_a_client_that_leaves_frees_the_agent(child: Running) -> None:
    for _ in range(3):
        with streamed(child, "goes-silent") as answer:
            next(frames_of(answer))
    # The sandbox learns of a hang-up when its loop turns; each question turns it.
    assert any(not child.get("state")["openRequests"] for _ in range(500))
    assert child.get("state")["waiting"] == {}
    assert child.get("state")["calls"] == {"goes-silent": 3}


def test_a_client_that_leaves_a_flood_stops_it(tmp_path: Path) -> None:
    with (tmp_path / "errors").open("wb") as errors, running(sandbox(), errors) as child:
        for _ in range(5):
            with streamed(child, "flood") as answer:
                next(frames_of(answer))
        assert any(not child.get("state")["openRequests"] for _ in range(500))
    assert (tmp_path / "errors").read_bytes() == b""


def test_gates_decide_when_things_happen(child: Running) -> None:
    with streamed(child, "step-by-step") as answer:
        frames = frames_of(answer)
        assert "submitted" in next(frames)
        child.turn("open", gate="step-by-step")
        assert "First step" in next(frames)
        child.turn("open", gate="step-by-step")
        assert "Go on?" in next(frames)
        assert list(frames) == []


def test_a_held_agent_waits_to_be_opened(child: Running) -> None:
    child.turn("hold", gate="flaky-build")
    with streamed(child, "flaky-build") as answer:
        frames = frames_of(answer)
        assert "submitted" in next(frames)
        child.turn("open", gate="flaky-build")
        assert "working" in next(frames)
        child.turn("open", gate="flaky-build", release=True)
        assert "failed" in list(frames)[-1]


def test_the_log_names_headers_and_holds_no_key(child: Running) -> None:
    httpx.get(f"{child.url}/api/registry", params={"format": "json"}, trust_env=False)
    with opened(child, "tone-check") as client:
        client.post("/message", content=b'{"text":"hi"}')
    first, second = child.get("requests")
    assert (first["path"], first["key"], first["size"]) == ("/api/registry", False, 0)
    assert (second["path"], second["key"], second["size"]) == ("/v1/agents/tone-check/message", True, 13)
    assert "authorization" in second["headers"]
    assert KEY not in str((first, second))
    assert [item["text"] for item in child.get("calls")] == ["hi"]


def test_down_is_a_web_page_and_no_call(child: Running) -> None:
    child.turn("down", seconds=3600)
    with opened(child, "tone-check") as client:
        answer = client.post("/message", json={"text": "hi"})
        assert (answer.status_code, answer.text[:9]) == (503, "<!DOCTYPE")
        child.turn("down", seconds=0)
        assert client.post("/message", json={"text": "hi"}).status_code == 200
    assert child.get("state")["calls"] == {"tone-check": 1}


def test_the_generation_can_change_while_it_runs(child: Running) -> None:
    child.turn("generation", generation="G0")
    with opened(child, "acme-research") as client:
        asked = client.post("/message", json={"text": "hi"}).json()["result"]
        body = {"text": "Q3", "taskId": asked["id"], "contextId": asked["contextId"]}
        again = client.post("/message", json=body).json()["result"]
        assert again["id"] != asked["id"]
        child.turn("generation", generation="G1")
        body = {"text": "Q3", "taskId": again["id"], "contextId": again["contextId"]}
        done = client.post("/message", json=body).json()["result"]
        assert (done["id"], done["status"]["state"]) == (again["id"], "completed")
