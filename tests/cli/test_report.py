"""`event` and the door: a host of anybody's reports its session, once its name is allowed."""

import json
import sys
from pathlib import Path

from tests.cli.rig import ROOT, Done, Island

EXAMPLE = ROOT / "tests" / "cli" / "example_host.py"
SECRET = "sk-ant-PLANTED"


def lines(*events: dict) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def report(island: Island, *events: dict, given: bytes = b"") -> Done:
    return island.run("event", "--agent", "my-host", "--session", "s1", given=given or lines(*events))


def state(word: str, **more) -> dict:
    return {"type": "agent_state", "id": "main", "state": word, **more}


def test_the_example_host_is_heard_once_its_name_is_allowed(island: Island) -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 32
    with island.headless() as running:
        early = island.run(command=(sys.executable, str(EXAMPLE)))
        assert early.json["error"] == "allowed" and early.json["word"] == "report.not-allowed"
        assert island.person("event", "--agent", "my-host", "--allow").code == 0
        assert island.run(command=(sys.executable, str(EXAMPLE))).json["taken"] == 6
        row = running.until(lambda line: line.get("state") == "waiting")
        assert (row["agent"], row["sessionId"], row["stateReason"]) == (
            "generic",
            "my-host/build-7",
            "permission",
        )
        [need] = island.run("status", "--json").json["needsYou"]
        assert (need["kind"], need["agent"]) == ("permission", "generic")
        told = island.run("explain", "my-host/build-7", "--json").json
        assert told["facts"][0]["rule"] == "generic.asked" and told["would"] == ["would.decided"]
        assert island.person("event", "--agent", "my-host", "--forbid").code == 0
        assert (
            running.until(lambda line: line["type"] == "agent_session_removed")["sessionId"]
            == "my-host/build-7"
        )
        assert report(island, state("working")).code == 3


def test_lines_of_standard_input_are_taken_and_what_is_none_is_counted(island: Island) -> None:
    island.write("island.json", {"schema": 1, "reporters": ["my-host"]})
    with island.headless() as running:
        told = report(island, {"type": "session", "cwd": "/w/demo"}, state("working", label=SECRET))
        assert (told.code, told.out, told.err) == (0, b"", b"")
        assert running.until(lambda line: line.get("agent") == "generic")["sessionId"] == "my-host/s1"
        bad = lines({"type": "say", "id": "main", "text": SECRET}) + b"x\n" + b"{" * 50_000 + b"\n[]\n"
        told = report(island, given=bad + lines(state("idle")))
        assert told.code == 1 and "4 were not taken" in told.said
        assert running.until(lambda line: line.get("state") == "idle")
        kept = island.run("journal", "--json").text + island.run("status", "--json").text
        assert "idle" in kept and "PLANTED" not in kept
    files = [p for p in island.lisa.rglob("*") if p.is_file()]
    assert files and not [p for p in files if b"PLANTED" in p.read_bytes()]


def test_no_agent_allows_itself_and_nothing_reports_without_an_island(island: Island, tmp_path: Path) -> None:
    refused = island.run("event", "--agent", "my-host", "--allow")
    assert refused.code == 3, "no person's terminal"
    with island.headless():
        assert island.run("event", "--agent", "my-host", "--allow").code == 3
        assert island.person("event", "--agent", "no name", "--allow").code == 2
    assert island.person("event", "--agent", "my-host", "--allow").code == 0, "also while none runs"
    assert json.loads((island.lisa / "island.json").read_text())["reporters"] == ["my-host"]
    assert report(island, state("working")).code == 4
