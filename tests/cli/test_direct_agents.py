"""`agent`, `cancel` and `send` to an agent's own address, typed by a person, before a server on loopback."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.cli.rig import Island

ESCAPE = "\x1b[31m"


class Agent(BaseHTTPRequestHandler):
    """Completes a task that says "go", works for ever on anything else, cancels when it is asked to."""

    def do_GET(self) -> None:
        if self.path != "/.well-known/agent-card.json":
            self._say(404, {})
            return
        self._say(200, self.server.card)  # type: ignore[attr-defined]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.heard.append((body, dict(self.headers)))  # type: ignore[attr-defined]
        params = body["params"]
        match body["method"]:
            case "SendMessage":
                words = params["message"]["parts"][0]["text"]
                state = {"go": "COMPLETED", "ask": "INPUT_REQUIRED"}.get(words, "WORKING")
                self._result(body, {"task": self._task(state)})
            case "GetTask" if params["id"] == "T1":
                asked = any("ask" in str(b["params"].get("message")) for b, _ in self.server.heard)  # type: ignore[attr-defined]
                self._result(body, self._task("INPUT_REQUIRED" if asked else "WORKING"))
            case "CancelTask":
                self._result(body, self._task("CANCELED"))
            case _:
                error = {"code": -32001, "message": "Task not found"}
                self._say(200, {"jsonrpc": "2.0", "id": body["id"], "error": error})

    def _task(self, state: str) -> dict[str, Any]:
        parts: list[Any] = [{"text": f"It is {state} {ESCAPE}"}]
        if state == "INPUT_REQUIRED":
            parts.append({"data": {"options": ["green", f"or {ESCAPE}blue"]}})
        message = {"messageId": "m", "role": "ROLE_AGENT", "parts": parts}
        status = {"state": f"TASK_STATE_{state}", "message": message}
        return {"id": "T1", "contextId": "C1", "status": status}

    def _result(self, body: Any, result: Any) -> None:
        self._say(200, {"jsonrpc": "2.0", "id": body["id"], "result": result})

    def _say(self, status: int, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Agent)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.heard: list[tuple[Any, dict[str, str]]] = []
        self.card = self.card_at(self.url)

    @staticmethod
    def card_at(url: str) -> dict[str, Any]:
        interface = {"url": f"{url}/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        return {
            "name": f"Build {ESCAPE}Box", "description": "Builds.", "version": "1", "capabilities": {},
            "supportedInterfaces": [interface], "skills": [{"id": "b", "name": "Build", "tags": ["ci"]}],
        }  # fmt: skip

    def methods(self) -> list[str]:
        return [body["method"] for body, _ in self.heard]


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.fixture
def added(island: Island, server: Server) -> Island:
    done = island.person("agent", "add", server.url, "--name", "box", "--yes")
    assert done.code == 0, done.said
    return island


def agents_of(island: Island) -> Any:
    return json.loads((island.lisa / "island.json").read_text()).get("directAgents", [])


def test_the_card_is_shown_and_nothing_added_before_a_yes(island: Island, server: Server) -> None:
    done = island.person("agent", "add", server.url, types=[("[y/N]", b"n\n")])
    assert done.code == 1 and f"JSONRPC 1.0 {server.url}/rpc" in done.text
    assert f"go to {server.url}" in done.said and ESCAPE not in done.text + done.said
    assert not (island.lisa / "island.json").exists() and server.heard == []
    done = island.person("agent", "add", server.url, types=[("[y/N]", b"y\n")])
    assert done.code == 0
    (agent,) = agents_of(island)
    assert agent["name"] == "build-box" and agent["origins"] == [server.url]


def test_a_script_needs_yes_and_an_agent_the_owners_leave(island: Island, server: Server) -> None:
    done = island.run("agent", "add", server.url, "--yes")
    assert done.code == 3 and not (island.lisa / "island.json").exists()


def test_it_is_listed_tested_and_removed(added: Island, server: Server) -> None:
    assert added.run("agent", "list").text.split()[0] == "@box"
    done = added.run("agent", "test", "box")
    assert done.code == 0 and "Nothing was spent" in done.text
    assert server.methods() == ["GetTask"]
    assert added.person("agent", "remove", "box").code == 0
    assert agents_of(added) == []


def test_a_card_file_is_an_agent_too(island: Island, server: Server) -> None:
    path = island.home / "card.json"
    path.write_text(json.dumps(server.card))
    assert island.person("agent", "add", str(path), "--name", "file", "--yes").code == 0
    assert agents_of(island)[0]["url"] == "" and "Build" in agents_of(island)[0]["card"]
    assert island.person("send", "@file", "go", "--wait").code == 0


@pytest.mark.parametrize("named", ["@box", "@BOX"])
def test_it_is_called_by_its_name(added: Island, server: Server, named: str) -> None:
    done = added.person("send", named, "go", "--wait")
    assert done.code == 0 and "It is COMPLETED" in done.text and ESCAPE not in done.text
    (body, headers), *_ = server.heard
    assert body["params"]["message"]["parts"] == [{"text": "go"}]
    assert "authorization" not in {name.lower() for name in headers}


def test_it_is_called_by_its_address_once_it_was_added(added: Island, server: Server) -> None:
    assert added.person("send", f"{server.url}/.well-known/agent-card.json", "go", "--wait").code == 0
    done = added.person("send", "http://127.0.0.1:9/other", "go")
    assert done.code == 1 and "agent add" in done.said


def test_it_is_found_by_the_name_on_its_card(added: Island, server: Server) -> None:
    server.card["name"] = "Painter"
    assert added.person("send", "@painter", "go", "--wait").code == 0


def test_a_name_that_means_two_is_refused_with_the_choices(added: Island, server: Server) -> None:
    assert added.person("agent", "add", server.url, "--name", "other", "--yes").code == 0
    server.card["name"] = "Painter"
    done = added.person("send", "@painter", "go")
    assert done.code == 1 and "@box, @other" in done.said
    assert "SendMessage" not in server.methods()


def test_a_task_is_canceled(added: Island, server: Server) -> None:
    sent = added.person("send", "@box", "slowly", types=[("Sent to", b"\x03")])
    assert sent.code == 130
    session = next(s for s in added.run("status", "--json").json["sessions"] if s.get("taskId"))
    done = added.person("cancel", session["sessionId"])
    assert done.code == 0, done.said
    assert "CancelTask" in server.methods()
    row = next(s for s in added.run("status", "--json").json["sessions"] if s.get("taskId"))
    assert (row["state"], row["stateReason"]) == ("done", "canceled")


def test_discover_shows_it_by_tag(added: Island) -> None:
    found = added.run("discover", "--tag", "ci", "--json").json
    assert [a["slug"] for a in found["agents"]] == ["box"]
    assert added.run("discover", "--tag", "none", "--json").json["agents"] == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("add", "ftp://x.example"), "no http address"),
        (("add", "missing.json"), "could not be read"),
        (("add", "missing.txt"), "could not be read"),
        (("test", "nobody"), "no agent named nobody"),
        (("remove", "nobody"), "no agent named nobody"),
        (("key", "nobody"), "no agent named nobody"),
        (("add",), "Name an address"),
    ],
)
def test_what_cannot_be_done_is_said(island: Island, arguments: tuple[str, ...], says: str) -> None:
    done = island.person("agent", *arguments)
    assert done.code != 0 and says in done.said and "Credential" not in done.text + done.said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--name", "a b"), "cannot be called"),
        (("--auth", "magic"), "bearer"),
        (("--auth", "header:Host"), "another"),
        (("--endpoint", "ftp://x"), "no http address"),
    ],
)
def test_wrong_wishes_are_wrong_usage_before_anything_is_asked(
    island: Island, server: Server, arguments: tuple[str, ...], says: str
) -> None:
    done = island.person("agent", "add", server.url, *arguments)
    assert done.code == 2 and says in done.said and "gateway" not in done.said
    assert "[y/N]" not in done.said + done.text


def test_a_taken_name_is_refused_before_the_question(added: Island, server: Server) -> None:
    done = added.person("agent", "add", server.url, "--name", "BOX")
    assert done.code == 1 and "already" in done.said and "[y/N]" not in done.said


def test_the_question_names_the_address_that_replaces_the_cards(island: Island, server: Server) -> None:
    other = "http://127.0.0.1:9"
    done = island.person("agent", "add", server.url, "--endpoint", f"{other}/a", types=[("[y/N]", b"y\n")])
    assert done.code == 0 and f"go to {other}." in done.said and f"go to {server.url}" not in done.said
    assert agents_of(island)[0]["origins"] == [other]


def test_an_address_needs_no_scheme(island: Island, server: Server) -> None:
    done = island.person("agent", "add", server.url.removeprefix("http://"), "--name", "box", "--yes")
    assert done.code == 0 and agents_of(island)[0]["origins"] == [server.url]


def test_a_list_that_cannot_be_read_is_not_said_to_be_empty(added: Island) -> None:
    path = added.lisa / "island.json"
    path.write_text(path.read_text().replace('"box"', '"no name"'))
    done = added.run("agent", "list")
    assert done.code == 1 and "Mend it there" in done.said and "No agents" not in done.text


def test_what_may_be_chosen_is_quoted_with_the_question_alone(added: Island) -> None:
    assert added.person("send", "@box", "ask", "--wait").code == 0
    told = added.run("status", "--json")
    (need,) = told.json["needsYou"]
    assert need["options"] == ["green", "unknown"] and "blue" not in told.text
    done = added.person("question", need["requestId"])
    assert "> - green" in done.text and "> - or blue" in done.text and ESCAPE not in done.text


def test_a_misspelt_agent_is_named_as_such(added: Island) -> None:
    done = added.person("send", "@bax", "go")
    assert done.code == 1 and "no agent named bax" in done.said and "takoapi" not in done.said


def test_discover_says_no_price_and_no_count_of_the_registry_of_own_agents(added: Island) -> None:
    done = added.run("discover", "--tag", "ci")
    assert "@box" in done.text and "price" not in done.text and "hosted" not in done.text


def test_ctrl_c_at_a_credential_ends_at_once(added: Island, server: Server) -> None:
    assert added.person("agent", "add", server.url, "--name", "b", "--auth", "bearer", "--yes").code == 0
    done = added.person("agent", "key", "b", types=[("Credential", b"\x03")])
    assert done.code == 130 and b"Traceback" not in done.err


def test_without_a_keyring_nothing_is_said_that_is_not_there(added: Island, server: Server) -> None:
    assert added.person("agent", "add", server.url, "--name", "b", "--auth", "bearer", "--yes").code == 0
    done = added.person("agent", "key", "b", types=[("Credential", b"x\n")])
    assert done.code == 1 and "nothing was saved" in done.said and "each start" not in done.said


def test_an_odd_name_or_way_to_sign_in_is_refused(island: Island, server: Server, home: Path) -> None:
    assert "cannot be called" in island.person("agent", "add", server.url, "--name", "a b", "--yes").said
    assert "bearer" in island.person("agent", "add", server.url, "--auth", "magic", "--yes").said
    assert not (island.lisa / "island.json").exists()
