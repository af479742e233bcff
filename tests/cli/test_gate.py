"""The owner's gate with real processes: who is refused has sent nothing, through the socket and alone."""

from pathlib import Path

import pytest

from tests.cli.rig import ISLAND, Done, Island

PYTHON = ISLAND[0]


def agent(folder: Path, name: str, line: str) -> str:
    """A program of that name that runs a line of shell and stays the parent of what it runs."""
    path = folder / name
    path.write_text(f"#!/bin/bash\n{line}\n")
    path.chmod(0o755)
    return str(path)


def send(python: str = '"$PYTHON"') -> str:
    return f"{python} -m lisa_island send @sheet-wizard hi"


def below(island: Island, name: str, line: str) -> Done:
    """A person's terminal in which an agent runs."""
    command = (agent(island.home, name, line),)
    return island.person(command=command, environ={"PYTHON": PYTHON}, piped=False)


def refused(done: Done, gateway) -> None:
    assert done.code == 3, done
    assert b"Nothing was sent" in done.out + done.err
    assert gateway.get("requests") == []


@pytest.fixture(params=["alone", "through the socket"])
def place(request, called):
    """The same home, without and with a running island."""
    if request.param == "alone":
        yield called
        return
    with called.headless():
        yield called


def test_by_default_a_pipe_is_refused_and_a_person_is_not(place, gateway):
    refused(place.run("send", "@sheet-wizard", "hi"), gateway)
    refused(place.run("answer", "a/12345678#1", "hi"), gateway)
    assert place.person("send", "@sheet-wizard", "hi", "--wait").code == 0


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("claude", f"{send()}; exit $?"),
        ("claude", f"bash -c '{send()}; exit $?'; exit $?"),
        # A terminal of its own does not help.
        ("codex", f"script -qec '{send()}' /dev/null; exit $?"),
        # Nor does a shell that has left its parents: it has no terminal then.
        ("claude", f"setsid -f bash -c '{send()} 2>$HOME/said; echo $? >$HOME/code'; "
         "until [ -s $HOME/code ]; do read -t 0.05 <> <(:); done; cat $HOME/said; exit $(cat $HOME/code)"),
    ],
    ids=["child", "below a shell", "own terminal", "double fork"],
)  # fmt: skip
def test_below_an_agent_it_is_refused(place, gateway, name, line):
    refused(below(place, name, line), gateway)


def test_a_mark_of_an_agent_is_enough(place, gateway):
    refused(place.person("send", "@sheet-wizard", "hi", environ={"CLAUDECODE": "1"}), gateway)


def test_a_background_job_is_refused(place, gateway):
    line = f"set -m; {send()} & wait $!; exit $?"
    command = ("/bin/bash", "-c", line)
    refused(place.person(command=command, environ={"PYTHON": PYTHON}, piped=False), gateway)


@pytest.mark.parametrize("redirection", ["</dev/null", "2>/dev/null", "2>&1 </dev/zero"])
def test_both_ends_must_be_the_terminal(place, gateway, redirection):
    command = ("/bin/bash", "-c", f"{send()} {redirection}; exit $?")
    done = place.person(command=command, environ={"PYTHON": PYTHON}, piped=False)
    assert done.code == 3 and gateway.get("requests") == []


def test_allowed_agents_may_call_but_read_no_question(called, gateway):
    called.choose(calls="allow")
    done = below(called, "claude", f"{send()}; exit $?")
    assert done.code == 0, done
    assert called.run("send", "@acme-research", "Scan", "--yes").code == 0
    [need] = called.run("status", "--json").json["needsYou"]
    line = f"\"$PYTHON\" -m lisa_island question '{need['requestId']}'; exit $?"
    asked = below(called, "claude", line)
    assert asked.code == 3 and b"for the owner alone" in asked.err and b"Which quarter" not in asked.err
    assert called.run("answer", need["requestId"], "Q3", "--yes").code == 0


def test_loosening_in_the_file_waits_for_the_owner(called, gateway):
    refused(called.run("send", "@sheet-wizard", "hi"), gateway)
    called.write("island.json", {"schema": 1, "agentCalls": "allow", "keySource": "environment"})
    refused(called.run("send", "@sheet-wizard", "hi"), gateway)


def test_tightening_in_the_file_counts_at_once(called, gateway):
    called.choose(calls="allow")
    assert called.run("send", "@tone-check", "hi").code == 0
    gateway.turn("forget")
    called.choose(calls="deny")
    refused(called.run("send", "@tone-check", "hi"), gateway)


@pytest.mark.parametrize("word", ["set", "clear", "import"])
def test_no_agent_touches_the_key(called, word):
    done = below(called, "claude", f'echo x | "$PYTHON" -m lisa_island key {word}; exit $?')
    assert done.code == 3 and b"for the owner alone" in done.err


def test_no_agent_erases(called):
    assert called.run("status").code == 0
    done = below(called, "claude", '"$PYTHON" -m lisa_island erase; exit $?')
    assert done.code == 3 and (called.lisa / "island.db").exists()
