"""What an agent's files say stays there: secrets in every place of them, looked for in the whole house."""

import json
import logging
import os
import pickle
import sys
from functools import partial
from pathlib import Path
from unittest import mock

import pytest

from lisa_island.agents import _running
from lisa_island.agents._running import Program
from lisa_island.app.diagnostics import report
from lisa_island.app.house import House, Plan
from lisa_island.core import explain
from lisa_island.core.status import status
from tests.agents import claude_rig
from tests.agents.local_rig import program
from tests.agents.opencode_rig import OpenCodeDb
from tests.e2e.conftest import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="start ticks and pidfds are Linux'")

SECRET = "plantedS3cret"
KINDS = ("claude-code", "opencode", "aider", "gemini", "pi", "shell")
COMMAND = f"API_KEY={SECRET} npm test --token {SECRET} '{SECRET}'"


def claude(home: Path, cwd: str, now: int) -> None:
    folder = cwd.replace("/", "-").replace(".", "-").replace("_", "-")
    path = home / ".claude" / "projects" / folder / f"{claude_rig.SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    asked = claude_rig.call(now, command=COMMAND, file_path=f"/{SECRET}/{SECRET}/a.py", description=SECRET)
    records = [
        claude_rig.prompt(now, SECRET, title=SECRET),
        claude_rig.said(now, [{"type": "text", "text": SECRET}, {"type": "thinking", "thinking": SECRET}]),
        {"type": "summary", "summary": SECRET, SECRET: SECRET},
        {"type": f"x {SECRET}", "timestamp": claude_rig.stamp(now), "content": SECRET},
        asked,
        claude_rig.result(now, content=SECRET, toolUseResult={"stdout": SECRET}),
        claude_rig.record("system", now, subtype="api_error", error={"message": SECRET}),
        claude_rig.call(now, id_="toolu_2", command=COMMAND),
    ]
    path.write_bytes(claude_rig.dumped(*records) + SECRET.encode() + b"\n")
    entry = claude_rig.entry(
        os.getpid(), cwd=cwd, name=SECRET, status="waiting", waitingFor="permission prompt"
    )
    (home / ".claude" / "sessions").mkdir()
    (home / ".claude" / "sessions" / f"{os.getpid()}.json").write_text(json.dumps(entry))


def opencode(home: Path, cwd: str, now: int) -> None:
    db = OpenCodeDb(home / ".local/share/opencode/opencode.db").empty()
    db.session(directory=cwd, at=now, title=SECRET, slug=SECRET)
    asked = db.message("user", now, system=SECRET)
    db.part(asked, now, type="text", text=SECRET)
    answer = db.answer(now, None)
    db.part(answer, now, type="reasoning", text=SECRET)
    state = {"status": "running", "input": {"command": COMMAND}, "title": SECRET, "time": {"start": now}}
    db.part(answer, now, type="tool", tool="bash", callID="c1", state=state)
    db.db.close()


def aider(home: Path, cwd: str, now: int) -> None:
    Path(cwd, ".git").mkdir()
    Path(cwd, ".aider.chat.history.md").write_text(
        f"\n# aider chat started at 2026-01-01 10:00:00\n\n> aider --api-key {SECRET}\n> Model: m\n\n"
        f"#### {SECRET}\n\n{SECRET}\n\n> Tokens: 1k sent, 2 received.\n> Applied edit to a.py\n\n"
        f"#### {SECRET}\n"
    )


def gemini(home: Path, cwd: str, now: int) -> None:
    root = home / ".gemini"
    chats = root / "tmp" / "demo" / "chats"
    chats.mkdir(parents=True)
    (root / "projects.json").write_text(json.dumps({"projects": {cwd: "demo"}}))
    at = claude_rig.stamp(now)
    head = {"sessionId": "3d0fe70a-0000-4000-8000-000000000000", "projectHash": "x", "startTime": at}
    tool = {
        "id": "run_1", "name": "run_shell_command", "args": {"command": COMMAND}, "status": "success",
        "timestamp": at, "resultDisplay": SECRET, "description": SECRET,
    }  # fmt: skip
    records = [
        head | {"lastUpdated": at, "summary": SECRET},
        {"id": "1", "timestamp": at, "type": "user", "content": [{"text": SECRET}]},
        {"id": "2", "timestamp": at, "type": "gemini", "content": SECRET, "toolCalls": [tool], "model": "m",
         "thoughts": [{"subject": SECRET, "description": SECRET}]},
        {"id": "3", "timestamp": at, "type": "error", "content": SECRET},
    ]  # fmt: skip
    path = chats / "session-2030-01-02T03-04-3d0fe70a.jsonl"
    path.write_bytes(claude_rig.dumped(*records))


def pi(home: Path, cwd: str, now: int) -> None:
    at = claude_rig.stamp(now)
    session = "01a22fcf-592e-76c3-819a-1ffdcd891d95"
    call = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": COMMAND, "path": SECRET}}

    def said(role: str, *content: dict[str, object], **more: object) -> dict[str, object]:
        message = {"role": role, "content": content, **more}
        return {"type": "message", "id": role, "parentId": None, "timestamp": at, "message": message}

    records = [
        {"type": "session", "version": 3, "id": session, "timestamp": at, "cwd": cwd, "name": SECRET},
        {"type": f"x {SECRET}", "id": "x", "timestamp": at, "text": SECRET},
        said("system", sections={"preamble": SECRET}),
        said("user", {"type": "text", "text": SECRET}),
        said("assistant", {"type": "thinking", "thinking": SECRET}, {"type": "text", "text": SECRET}, call,
             model="m", stopReason="toolUse", errorMessage=SECRET),
        said("toolResult", {"type": "text", "text": SECRET}, toolCallId="c1", toolName="bash", isError=False),
    ]  # fmt: skip
    folder = home / ".pi" / "agent" / "sessions" / f"--{cwd[1:].replace('/', '-')}--"
    folder.mkdir(parents=True)
    name = at.replace(":", "-").replace(".", "-").removesuffix("Z")
    (folder / f"{name}Z_{session}.jsonl").write_bytes(claude_rig.dumped(*records))


def shell(home: Path, cwd: str, now: int) -> None:
    (home / ".bash_history").write_text(f"{COMMAND}\nexport TOKEN={SECRET}\necho {SECRET}\n")


def has_row(house: House, kind: str) -> bool:
    return any(key.agent == kind for key in house.store.roster.sessions)


@pytest.fixture
def cwd(tmp_path: Path) -> Path:
    place = tmp_path / "demo"
    place.mkdir()
    return place


async def test_nothing_that_was_said_leaves_its_parser(
    tmp_path: Path, cwd: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Roster (all that a window can show), status, explain, doctor, diagnostics, log, database, journal."""
    caplog.set_level(logging.DEBUG)
    lisa = tmp_path / ".lisa"
    lisa.mkdir(mode=0o700)
    plan = Plan(lisa, {"HOME": str(tmp_path), "LISA_ISLAND_LANG": "en", "PATH": ""})
    house = House(plan)
    for fill in (claude, opencode, aider, gemini, pi, shell):
        fill(tmp_path, str(cwd), house.clock.now() - 1_000)
    found: tuple[Program, ...] = (program(str(cwd), started_at=house.clock.now() - 60_000),)
    with mock.patch.object(_running, "running", lambda *_: found):
        await house.open()
        try:
            await house.settings.change(agents_on=KINDS, journal_days=7)
            for kind in KINDS:
                await until(house, partial(has_row, house, kind))
            roster = house.store.roster
            told = [json.dumps(status(roster)), await report(house), repr(await house.facts())]
            for session in roster.sessions.values():
                answer = explain.explain(session, roster.sources.get(session.key.agent))
                told += [repr(answer), *explain.lines(answer, "en", str, house.clock.now())]
            shown = pickle.dumps(roster)
        finally:
            await house.close()
    assert b"npm" in shown, "structure is shown: the program of the last command"
    everywhere = {"roster": shown, "log": caplog.text.encode(), "told": "\n".join(told).encode()}
    everywhere |= {str(p): p.read_bytes() for p in lisa.rglob("*") if p.is_file()}
    assert any(b"SQLite format" in data[:16] for data in everywhere.values())
    assert [name for name, data in everywhere.items() if SECRET.encode() in data] == []
