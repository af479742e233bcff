"""`explain`: the facts behind a state, for a person and for a program."""

import json
import os
import sys

import pytest

from tests.agents.claude_rig import SESSION, dumped, entry, prompt
from tests.cli.rig import Island

SECRET = "sk-ant-PLANTED"


def test_a_called_task_alone_and_through_an_island(called: Island) -> None:
    called.choose()
    assert called.person("send", "@acme-research", "Scan the SECRET", "--yes").code == 0
    [row] = called.run("status", "--json").json["sessions"]
    told = called.run("explain", row["sessionId"], "--json")
    assert told.code == 0 and b"SECRET" not in told.out and b"Which quarter" not in told.out
    assert told.json["state"] == "waiting" and told.json["requests"][0]["kind"] == "input"
    assert told.json["facts"][-1]["rule"].startswith("takoapi.") and told.json["would"]
    with called.headless():
        shown = called.run("explain", row["sessionId"][:16])
    assert shown.code == 0 and "rank 4 of 4" in shown.text and "What would change it: " in shown.text


def test_what_names_nobody_or_several_says_so(called: Island) -> None:
    none = called.run("explain", "nobody")
    assert (none.code, none.out) == (1, b"") and "No session is called" in none.said


@pytest.mark.skipif(sys.platform != "linux", reason="start ticks are Linux'")
def test_a_session_of_this_machine_alone_and_in_the_journal(island: Island) -> None:
    """Its process is ours; what it was asked is in nothing that is printed or stored."""
    project = island.home / ".claude" / "projects" / "-w-demo"
    project.mkdir(parents=True)
    (project / f"{SESSION}.jsonl").write_bytes(dumped(prompt(text=SECRET)))
    (island.home / ".claude" / "sessions").mkdir()
    waits = entry(os.getpid(), status="waiting", waitingFor="permission prompt")
    (island.home / ".claude" / "sessions" / f"{os.getpid()}.json").write_text(json.dumps(waits))
    assert island.run("explain", SESSION[:8]).code == 1, "nothing is watched until it is chosen"
    island.write("island.json", {"schema": 1, "agentsOn": ["claude-code"]})
    told = island.run("explain", SESSION[:8], "--json").json
    [fact] = told["facts"]
    assert (fact["rule"], fact["rank"], fact["signal"]) == (
        "claude-code.waiting-permission", "request", "registry"
    )  # fmt: skip
    assert told["would"] == ["would.decided"] and told["source"]["health"] == "ok"
    assert "your decision in its own window" in island.run("explain", SESSION).text
    with island.headless() as running:
        running.until(lambda line: line.get("stateReason") == "permission")
        kept = [json.loads(line) for line in island.run("journal", SESSION, "--json").text.splitlines()]
    assert [(k["state"], k["stateReason"], k["requests"]) for k in kept] == [
        ("waiting", "permission", ["permission"])
    ]
    files = [p for p in island.lisa.rglob("*") if p.is_file()]
    assert not [p for p in files if b"PLANTED" in p.read_bytes()]
