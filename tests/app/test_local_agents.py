"""Agents on this machine, with the house's own worker and clock: consent, hints, deaths, what doctor says."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from lisa_island.app.house import House, Plan
from lisa_island.core.agent import State
from tests.agents.claude_rig import SESSION, dumped, entry, prompt, record
from tests.agents.lisa_server import LisaServer
from tests.agents.lisa_server import session as told_by_lisa
from tests.e2e.conftest import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="start ticks and pidfds are Linux'")

LISA_DEFAULTS = {"integrations": {"claude-code": {"enabled": True}, "codex": {"enabled": True}}}

_opened: list[str] | None = None


def _audit(event: str, args: tuple[Any, ...]) -> None:
    if (
        event in ("open", "os.listdir", "os.scandir")
        and _opened is not None
        and isinstance(args[0], str | Path)
    ):
        _opened.append(str(args[0]))


sys.addaudithook(_audit)


@pytest.fixture
def opened() -> Iterator[list[str]]:
    global _opened
    _opened = []
    yield _opened
    _opened = None


@pytest.fixture
def child() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that lives until it is told."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()
    assert process.stdin is not None
    process.stdin.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with LISA's own choices and a transcript of Claude Code."""
    (tmp_path / ".lisa").mkdir(mode=0o700)
    (tmp_path / ".lisa" / "agents.json").write_text(json.dumps(LISA_DEFAULTS))
    project = tmp_path / ".claude" / "projects" / "-w-demo"
    project.mkdir(parents=True)
    (project / f"{SESSION}.jsonl").write_bytes(dumped(prompt()))
    (tmp_path / ".claude" / "sessions").mkdir()
    return tmp_path


def register(home: Path, pid: int, **more: Any) -> None:
    path = home / ".claude" / "sessions" / f"{pid}.json"
    path.write_text(json.dumps(entry(pid, **more)))


@asynccontextmanager
async def living(home: Path) -> AsyncIterator[House]:
    house = House(Plan(home / ".lisa", {"HOME": str(home), "LISA_ISLAND_LANG": "en"}))
    await house.open()
    try:
        yield house
    finally:
        await house.close()


def is_now(house: House, state: State, reason: str) -> Callable[[], bool]:
    def check() -> bool:
        found = [s for s in house.store.roster.sessions.values() if s.key.agent == "claude-code"]
        return [(s.state, s.state_reason) for s in found] == [(state, reason)]

    return check


async def test_what_lisa_watches_is_no_consent(home: Path, opened: list[str]) -> None:
    """A home with LISA's defaults and transcripts: nothing of Claude Code is opened, or even listed."""
    register(home, os.getpid(), status="busy")
    opened.clear()
    async with living(home) as house:
        await house.facts()
        assert not house.store.roster.sessions
    assert opened and not [path for path in opened if ".claude" in path]


async def test_on_and_off_by_the_owner(home: Path, opened: list[str]) -> None:
    register(home, os.getpid(), status="busy")
    async with living(home) as house:
        await house.settings.change(agents_on=("claude-code",))
        await until(house, is_now(house, State.WORKING, "working"))
        lines = dict(await house.facts())
        assert lines["settings.local.claude-code"].startswith("on;")
        await house.settings.change(agents_on=())
        await until(house, lambda: not house.store.roster.sessions)
        opened.clear()
        assert dict(await house.facts())["settings.local.claude-code"] == "off"
        assert not [path for path in opened if ".claude" in path]
    lisa = json.loads((home / ".lisa" / "agents.json").read_text())
    assert lisa == LISA_DEFAULTS  # neither consent nor written


async def test_a_change_is_hinted_and_a_death_is_told(home: Path, child: "subprocess.Popen[bytes]") -> None:
    register(home, child.pid, status="busy")
    async with living(home) as house:
        await house.settings.change(agents_on=("claude-code",))
        await until(house, is_now(house, State.WORKING, "working"))
        register(home, child.pid, status="waiting", waitingFor="permission prompt", statusUpdatedAt=2**41)
        await until(house, is_now(house, State.WAITING, "permission"))
        child.kill()
        await house.worker.run(child.wait, limit=10)
        await until(house, is_now(house, State.DONE, "ended-mid-turn"))
        status = house.store.roster.sources["claude-code"]
        assert status.mode == "hints" and not status.detail


async def test_doctor_names_versions_that_nothing_proves_and_counts_unknown_kinds(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Kinds are counted, never named: a name is text of a file."""
    path = home / ".claude" / "projects" / "-w-demo" / f"{SESSION}.jsonl"
    found = [record(f"planted-{n}", version="9.9.9") for n in (1, 2, 2)]
    path.write_bytes(dumped(prompt(version="9.9.9"), *found))
    register(home, os.getpid(), version="9.9.9")
    async with living(home) as house:
        await house.settings.change(agents_on=("claude-code",))
        await until(house, is_now(house, State.WORKING, "working"))
        await until(house, lambda: "claude-code" in house.store.roster.sources)
        told = dict(await house.facts())["settings.local.claude-code"]
        assert told.endswith(
            "; not verified with version 9.9.9; 2 kinds of records of version 9.9.9 are not known here"
        )
        assert "planted" not in repr(await house.facts()) + caplog.text
        path.write_bytes(dumped(prompt()))
        register(home, os.getpid())
        await until(house, lambda: not house.store.roster.sources["claude-code"].unverified)
        assert "verified" not in dict(await house.facts())["settings.local.claude-code"]


async def test_one_session_is_one_row_whoever_tells_of_it(
    home: Path, child: "subprocess.Popen[bytes]"
) -> None:
    """LISA watches Claude Code too: her row leaves when ours comes, and comes back when ours goes."""
    register(home, child.pid, status="busy")
    server = LisaServer()
    server.sessions = [told_by_lisa("claude-code", SESSION), told_by_lisa("takoapi", "acme-research")]
    async with server.running():
        house = House(Plan(home / ".lisa", {"HOME": str(home), "LISA_URL": server.origin, "PATH": ""}))
        await house.open()
        try:

            def shows(*expected: str) -> Callable[[], bool]:
                return lambda: {str(key) for key in house.store.roster.sessions} == set(expected)

            hers, called = f"lisa::claude-code/{SESSION}", "lisa::takoapi/acme-research"
            await house.settings.change(agents_on=("lisa",))
            await until(house, shows(hers, called))
            await house.settings.change(agents_on=("lisa", "claude-code"))
            await until(house, shows(f"claude-code::{SESSION}", called))
            await house.settings.change(takoapi_enabled=True)
            await until(house, shows(f"claude-code::{SESSION}"))
            await house.settings.change(agents_on=("lisa",))
            await until(house, shows(hers))
        finally:
            await house.close()
    assert {route for route, _ in server.asked} == {"/api/agents/sessions", "/events"}


async def test_git_shell_and_github_are_asked_for_nothing_until_chosen(home: Path, opened: list[str]) -> None:
    (home / "demo" / ".git").mkdir(parents=True)
    (home / ".bash_history").write_text("npm test\n")
    opened.clear()
    async with living(home) as house:
        await house.facts()
        assert not [path for path in opened if "demo" in path or "history" in path]
        await house.settings.change(agents_on=("git", "shell", "github-pr"))
        await until(house, lambda: {"git", "shell", "github-pr"} <= house.store.roster.sources.keys())
        lines = dict(await house.facts())
        assert lines["settings.local.github-pr"] == "on; gh is not installed"
        assert lines["settings.local.shell"].startswith("on;")
