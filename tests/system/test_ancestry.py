"""Who is the owner at a terminal: real processes under real pseudo-terminals, and made-up process tables."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lisa_island.system.ancestry import UNSURE, SystemAncestry
from lisa_island.system.known_agents import agent_at, agent_in, mark_in

ROOT = Path(__file__).parents[2]

# Becomes a child of init with a terminal of its own, so that whoever runs the tests is not among its parents.
ORPHAN = """
import fcntl, os, sys, termios
if os.fork():
    os._exit(0)
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
# Tells what it thinks of itself, then stays until the test has looked at it from outside.
PROBE = """
import json, os, sys
from lisa_island.system.ancestry import SystemAncestry
told, held = map(int, os.environ["FDS"].split())
me = SystemAncestry()
pid = os.getpid()
seen = {"pid": pid, "owner": me.is_owner_terminal(0, 2, pid), "agent": me.agent_above(pid)}
os.write(told, json.dumps(seen).encode() + b"\\n")
os.read(held, 1)
"""


@contextmanager
def seen(*command: str, environ: Mapping[str, str] = {}) -> Iterator[dict[str, Any]]:
    """Run a command that ends in the probe, on a terminal; what it saw and what is seen from outside."""
    master, slave = pty.openpty()
    hear, told = os.pipe()
    held, release = os.pipe()
    clean = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "FDS": f"{told} {held}",
        "PYTHON": sys.executable,
    }
    try:
        subprocess.run(
            [sys.executable, "-c", ORPHAN, *command],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            pass_fds=(told, held),
            env=clean | dict(environ),
            check=True,
        )
        os.close(told)
        with os.fdopen(os.dup(hear)) as heard:
            inside = json.loads(heard.readline())
        outside = SystemAncestry()
        yield inside | {
            "owner outside": outside.is_owner(inside["pid"]),
            "agent outside": outside.agent_above(inside["pid"]),
        }
    finally:
        for fd in (hear, held, release, master, slave):
            os.close(fd)


def probe(folder: Path) -> str:
    path = folder / "probe.py"
    path.write_text(PROBE)
    return str(path)


def script(folder: Path, name: str, line: str) -> str:
    path = folder / name
    path.write_text(f"#!/bin/bash\n{line}\n")
    path.chmod(0o755)
    return str(path)


def verdict(found: Mapping[str, Any]) -> tuple[bool, bool, str]:
    assert found["agent"] == found["agent outside"]
    return found["owner"], found["owner outside"], found["agent"]


def test_a_person_at_a_terminal_is_the_owner(tmp_path: Path) -> None:
    with seen(sys.executable, probe(tmp_path)) as found:
        assert verdict(found) == (True, True, "")


def test_a_persons_shell_makes_no_difference(tmp_path: Path) -> None:
    with seen("/bin/bash", "-c", f'"$PYTHON" {probe(tmp_path)}; true') as found:
        assert verdict(found) == (True, True, "")


@pytest.mark.parametrize("name", ["claude", "codex", "opencode", "aider", "gemini", "pi"])
def test_a_terminal_does_not_help_below_an_agent(tmp_path: Path, name: str) -> None:
    agent = script(tmp_path, name, f'"$PYTHON" {probe(tmp_path)}; true')
    with seen(agent) as found:
        assert verdict(found) == (False, False, name)


def test_a_shell_between_does_not_help(tmp_path: Path) -> None:
    agent = script(tmp_path, "claude", f"/bin/bash -c '\"$PYTHON\" {probe(tmp_path)}; true'; true")
    with seen(agent) as found:
        assert verdict(found) == (False, False, "claude")


@pytest.mark.parametrize("name", ["pip", "pi.txt", "claude-notes", "my-codex", "lisa-island"])
def test_a_name_that_only_looks_like_one_is_none(tmp_path: Path, name: str) -> None:
    with seen(script(tmp_path, name, f'"$PYTHON" {probe(tmp_path)}; true')) as found:
        assert verdict(found) == (True, True, "")


def test_a_background_job_is_not_the_owner(tmp_path: Path) -> None:
    with seen("/bin/bash", "-c", f'set -m; "$PYTHON" {probe(tmp_path)} & wait') as found:
        assert verdict(found) == (False, False, "")


def test_a_detached_process_is_not_the_owner(tmp_path: Path) -> None:
    with seen("/bin/bash", "-c", f'setsid -f "$PYTHON" {probe(tmp_path)}; read -u "${{FDS#* }}"') as found:
        assert verdict(found) == (False, False, "")


@pytest.mark.parametrize(
    "redirection", ["</dev/null", "2>/dev/null", "</dev/zero", "2>&1 >/dev/null 2>/dev/null"]
)
def test_both_ends_must_be_the_terminal(tmp_path: Path, redirection: str) -> None:
    with seen("/bin/bash", "-c", f'"$PYTHON" {probe(tmp_path)} {redirection}; true') as found:
        assert verdict(found) == (False, False, "")


def test_what_is_written_may_go_elsewhere(tmp_path: Path) -> None:
    with seen("/bin/bash", "-c", f'"$PYTHON" {probe(tmp_path)} >/dev/null; true') as found:
        assert verdict(found) == (True, True, "")


def test_a_terminal_of_somebody_else_does_not_count(tmp_path: Path) -> None:
    """A daemon below no agent that has opened a terminal which is not its own."""
    with seen("/bin/bash", "-c", f'setsid "$PYTHON" {probe(tmp_path)}; true') as found:
        assert found["owner outside"] is False


def test_the_mark_of_an_agent_counts_where_its_parents_are_gone(tmp_path: Path) -> None:
    with seen(sys.executable, probe(tmp_path), environ={"CLAUDECODE": "1"}) as found:
        assert verdict(found) == (False, False, "claude")


# --- process tables ---


def table(folder: Path, *rows: tuple[int, int, int, str, str]) -> SystemAncestry:
    """(pid, parent, started, comm, argv joined by blanks) of each process."""
    for pid, parent, started, comm, argv in rows:
        (folder / str(pid)).mkdir()
        fields = ["S", str(parent), "1", "1", "0", "-1", *["0"] * 13, str(started), "0"]
        (folder / str(pid) / "stat").write_text(f"{pid} ({comm}) {' '.join(fields)}\n")
        (folder / str(pid) / "cmdline").write_text(argv.replace(" ", "\0") + "\0")
        (folder / str(pid) / "environ").write_text("PATH=/bin\0")
    return SystemAncestry(folder)


INIT = (1, 0, 1, "systemd", "/sbin/init")
SHELL = (10, 1, 5, "bash", "-bash")


def test_nobody_above(tmp_path: Path) -> None:
    assert table(tmp_path, INIT, SHELL, (20, 10, 9, "python3", "python3 x.py")).agent_above(20) == ""


def test_the_first_process_may_be_hidden(tmp_path: Path) -> None:
    assert table(tmp_path, SHELL, (20, 10, 9, "sh", "sh")).agent_above(20) == ""


def test_the_first_process_may_be_the_agent(tmp_path: Path) -> None:
    assert table(tmp_path, (1, 0, 1, "claude", "claude"), (20, 1, 9, "sh", "sh")).agent_above(20) == "claude"


def test_a_name_may_hold_brackets(tmp_path: Path) -> None:
    assert table(tmp_path, INIT, (20, 1, 9, ") S 1 (x", "x")).agent_above(20) == ""


def test_a_script_is_known_by_its_name(tmp_path: Path) -> None:
    line = table(
        tmp_path, INIT, (15, 1, 6, "node", "node --no-warnings /usr/bin/gemini -y"), (20, 15, 9, "sh", "sh")
    )
    assert line.agent_above(20) == "gemini"


def test_the_agent_itself_counts(tmp_path: Path) -> None:
    assert table(tmp_path, INIT, (20, 1, 9, "codex", "codex")).agent_above(20) == "codex"


@pytest.mark.parametrize(
    "rows",
    [
        [INIT, (20, 0, 9, "sh", "sh")],
        [INIT, (20, 10, 9, "sh", "sh")],
        [INIT, (10, 1, 50, "sh", "sh"), (20, 10, 9, "sh", "sh")],
        [INIT, (10, 20, 9, "sh", "sh"), (20, 10, 9, "sh", "sh")],
        [INIT],
    ],
    ids=["another namespace", "parent gone", "number used again", "circle", "gone itself"],
)
def test_a_broken_line_is_not_trusted(tmp_path: Path, rows: list[tuple[int, int, int, str, str]]) -> None:
    line = table(tmp_path, *rows)
    assert line.agent_above(20) == UNSURE
    assert not line.is_owner(20)


@pytest.mark.parametrize("pid", [0, -1])
def test_a_peer_without_a_number_is_not_trusted(pid: int) -> None:
    assert SystemAncestry().agent_above(pid) == UNSURE
    assert not SystemAncestry().is_owner(pid)


# --- names ---


@pytest.mark.parametrize(
    ("argv", "agent"),
    [
        ("claude", "claude"),
        ("/home/u/.local/share/claude/versions/2.1.100", "claude"),
        ("node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js --resume", "claude"),
        ("node --max-old-space-size=4096 -r ./x.js /opt/bin/claude", "claude"),
        ("/usr/bin/node /home/u/.npm/_npx/ab/node_modules/.bin/gemini", "gemini"),
        ("npx -y @openai/codex@latest exec", "codex"),
        ("npm exec @google/gemini-cli", "gemini"),
        ("bunx opencode-ai", "opencode"),
        ("/opt/codex-x86_64-unknown-linux-musl exec", "codex"),
        ("codex-linux-sandbox", "codex"),
        ("python3.11 -m aider --model x", "aider"),
        ("/home/u/.venv/bin/python /home/u/.venv/bin/aider", "aider"),
        ("uvx aider", "aider"),
        ("node /usr/bin/pi", "pi"),
        ("node /x/@mariozechner/pi-coding-agent/dist/cli.js", "pi"),
        ("/nix/store/x/bin/.claude-wrapped", "claude"),
        (r"C:\Users\u\AppData\Roaming\npm\node_modules\@openai\codex\bin\codex.exe", "codex"),
        ("lisa serve --web", "lisa"),
        ("pip install pi", ""),
        ("python3 -m pip install aider", ""),
        ("vim claude", ""),
        ("less codex", ""),
        ("python3 claude.py", ""),
        ("python3 -c print() claude", ""),
        ("bash -c claude", ""),
        ("grep -r gemini", ""),
        ("node server.js claude", ""),
        ("tmux new -s codex", ""),
        ("/home/claude/bin/bash", ""),
        ("python -m lisa_island send", ""),
        ("lisa-island", ""),
        ("", ""),
    ],
)
def test_which_commands_are_agents(argv: str, agent: str) -> None:
    words = argv.split(" ")
    assert agent_in("x", words[0], words) == agent


def test_the_kernels_short_name_is_enough() -> None:
    assert agent_in("claude", "/usr/bin/node", ["node", "x"]) == "claude"
    assert agent_in("codex-linux-san", "", []) == "codex"
    assert agent_at("Gemini.EXE") == "gemini"


@pytest.mark.parametrize(("value", "agent"), [("1", "gemini"), ("", ""), ("0", ""), ("false", "")])
def test_marks(value: str, agent: str) -> None:
    assert mark_in({"PATH": "/bin", "GEMINI_CLI": value}) == agent
