"""Agents that are found by their processes, with the house's own worker and clock and processes that live."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lisa_island.agents import _running
from lisa_island.app.house import House
from lisa_island.core.agent import State
from tests.agents.opencode_rig import OpenCodeDb
from tests.agents.test_gemini_timelines import dumped, user
from tests.app.test_local_agents import LISA_DEFAULTS, living
from tests.e2e.conftest import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")

KINDS = ("opencode", "aider", "gemini")
_opened: list[str] | None = None


def _audit(event: str, args: tuple[Any, ...]) -> None:
    is_opening = event in ("open", "os.listdir", "os.scandir", "sqlite3.connect") and bool(args)
    if is_opening and _opened is not None and isinstance(args[0], str | Path):
        _opened.append(str(args[0]))


sys.addaudithook(_audit)


@pytest.fixture
def opened() -> Iterator[list[str]]:
    global _opened
    _opened = []
    yield _opened
    _opened = None


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with LISA's own choices, a project, and an open turn of each agent in it."""
    (tmp_path / ".lisa").mkdir(mode=0o700)
    (tmp_path / ".lisa" / "agents.json").write_text(json.dumps(LISA_DEFAULTS))
    project = tmp_path / "demo"
    (project / ".git").mkdir(parents=True)
    return tmp_path


def opens_a_turn(home: Path) -> None:
    now = int(time.time() * 1000)
    db = OpenCodeDb(home / ".local" / "share" / "opencode" / "opencode.db").empty()
    db.session(directory=str(home / "demo"), at=now)
    db.message("user", now)
    db.close()
    history = "\n# aider chat started at 2030-01-02 03:04:05\n\n#### do it  \n"
    (home / "demo" / ".aider.chat.history.md").write_text(history)
    chats = home / ".gemini" / "tmp" / "demo" / "chats"
    chats.mkdir(parents=True)
    (chats.parent / ".project_root").write_text(str(home / "demo"))
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + ".000Z"
    (chats / "session-2030-01-02T03-04-3d0fe70a.jsonl").write_bytes(dumped(user(at=stamp))[0] + b"\n")


@pytest.fixture
def agent(home: Path) -> Iterator[Callable[[str], "subprocess.Popen[bytes]"]]:
    """Starts a process that goes by an agent's name."""
    running: list[subprocess.Popen[bytes]] = []

    def start(name: str) -> "subprocess.Popen[bytes]":
        program = home / "bin" / name
        program.parent.mkdir(exist_ok=True)
        shutil.copy(shutil.which("sleep") or "/bin/sleep", program)
        running.append(subprocess.Popen([program, "600"], cwd=home / "demo"))
        _running.LISTING.forget()
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.wait()


def states(house: House, kind: str) -> list[tuple[State, str]]:
    found = [s for s in house.store.roster.sessions.values() if s.key.agent == kind]
    return [(s.state, s.state_reason) for s in found]


def mine(opened: list[str], home: Path) -> list[str]:
    """What was opened of the agents', not of LISA's."""
    places = [str(home / name) for name in (".local/share/opencode", ".gemini", "demo")]
    return [p for p in opened if any(place in p for place in places)]


async def test_what_was_not_chosen_is_not_looked_at(
    home: Path, agent: Callable[[str], "subprocess.Popen[bytes]"], opened: list[str]
) -> None:
    for kind in KINDS:
        agent(kind)
    opens_a_turn(home)
    opened.clear()
    async with living(home) as house:
        lines = await house.facts()
        assert not house.store.roster.sessions
        assert not mine(opened, home)
        assert {value for key, value in lines if key.startswith("settings.local.")} == {"off"}
    assert json.loads((home / ".lisa" / "agents.json").read_text()) == LISA_DEFAULTS


@pytest.mark.parametrize("kind", KINDS)
async def test_a_process_that_lives_and_dies(
    kind: str, home: Path, agent: Callable[[str], "subprocess.Popen[bytes]"], opened: list[str]
) -> None:
    process = agent(kind)
    opens_a_turn(home)
    async with living(home) as house:
        await house.settings.change(agents_on=(kind,))
        await until(house, lambda: states(house, kind) == [(State.WORKING, "working")])
        assert dict(await house.facts())[f"settings.local.{kind}"].startswith("on;")
        process.kill()
        await house.worker.run(process.wait, limit=10)
        await until(house, lambda: states(house, kind) == [(State.DONE, "ended-mid-turn")])
        await house.settings.change(agents_on=())
        await until(house, lambda: not house.store.roster.sessions)


async def test_with_none_alive_nothing_is_opened(home: Path, opened: list[str]) -> None:
    opens_a_turn(home)
    _running.LISTING.forget()
    opened.clear()
    async with living(home) as house:
        await house.settings.change(agents_on=KINDS)
        await until(house, lambda: set(house.store.roster.sources) >= set(KINDS))
        assert not mine(opened, home) and not house.store.roster.sessions
