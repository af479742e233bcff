"""Claude Code's folder in a temporary place, and the source before it."""

import itertools
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lisa_island import agents
from lisa_island.agents import _claude_record as records
from lisa_island.agents import _proc
from lisa_island.agents._claude_registry import Entered
from lisa_island.agents._claude_state import Verdict, judge
from lisa_island.agents._claude_turn import Turn, fold
from lisa_island.agents._jsonl import Line
from lisa_island.agents._proc import Life
from lisa_island.core.agent import AgentSession
from lisa_island.core.events import Event
from lisa_island.core.ports import Context
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from lisa_island.runtime.supervisor import Supervisor
from tests.fakes.clock import FakeClock, settle
from tests.fakes.secrets import FakeSecrets
from tests.fakes.tasks import FakeTasks

DATA = Path(__file__).parents[1] / "data" / "claude"
LAB = DATA / "lab-2.1.332"
LAB_SESSION = "12ef8740-ca10-4a9e-8d38-9afbaa5d49ea"
LAB_FOLDER = "-srv-lab-cc-work-demo-app-v2"
LAB_FILE = LAB / "projects" / LAB_FOLDER / f"{LAB_SESSION}.jsonl"
SESSION = "11111111-2222-4333-8444-555555555555"
OTHER = "99999999-2222-4333-8444-555555555555"
CWD = "/w/demo"
_serial = itertools.count()
NOW = records.moment("2030-01-02T03:04:05.000Z") or 0


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")


def told(raw: list[bytes], turn: Turn | None = None) -> Turn:
    """The turn after these lines."""
    turn = turn or Turn()
    for line in raw:
        entry = records.read(Line(line)) if line else None
        if entry is not None:
            turn = fold(turn, entry)
    return turn


def verdict(turn: Turn, now: int, entered: Entered | None = None, life: Life = Life.UNKNOWN) -> Verdict:
    return judge(turn, entered, life, now)


def stamp(at: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def record(kind: str, at: int = NOW, **more: Any) -> dict[str, Any]:
    """A record of this session with its envelope."""
    return {
        "parentUuid": None, "isSidechain": False, "type": kind, "uuid": f"u{next(_serial)}",
        "timestamp": stamp(at), "sessionId": SESSION, "cwd": CWD, "version": "2.1.332",
        "gitBranch": "main", **more,
    }  # fmt: skip


def prompt(at: int = NOW, text: str = "please", **more: Any) -> dict[str, Any]:
    return record("user", at, message={"role": "user", "content": text}, origin={"kind": "human"}, **more)


def call(at: int = NOW, tool: str = "Bash", id_: str = "toolu_1", **asked: Any) -> dict[str, Any]:
    block = {"type": "tool_use", "id": id_, "name": tool, "input": asked}
    return said(at, [block], "tool_use")


def said(at: int = NOW, content: Any = None, stop: str | None = "end_turn", **more: Any) -> dict[str, Any]:
    content = content if content is not None else [{"type": "text", "text": "done"}]
    message = {"id": f"msg_{at}", "type": "message", "role": "assistant", "model": "m", "content": content}
    return record("assistant", at, message={**message, "stop_reason": stop}, **more)


def result(at: int = NOW, id_: str = "toolu_1", **more: Any) -> dict[str, Any]:
    block = {
        "type": "tool_result",
        "tool_use_id": id_,
        "content": "out",
        "is_error": more.pop("failed", False),
    }
    return record("user", at, message={"role": "user", "content": [block]}, **more)


def ended(at: int = NOW, **more: Any) -> dict[str, Any]:
    return record("system", at, subtype="turn_duration", durationMs=1, **more)


def dumped(*found: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(r).encode() + b"\n" for r in found)


def entry(pid: int, session: str = SESSION, **more: Any) -> dict[str, Any]:
    """A registry record of a process that lives, unless it says otherwise."""
    ticks = _proc.start_ticks(pid) if Path(f"/proc/{pid}").exists() else "1"
    return {
        "pid": pid, "sessionId": session, "cwd": CWD, "startedAt": NOW, "procStart": ticks,
        "version": "2.1.332",
        "kind": "interactive", "entrypoint": "cli", "pidDomain": _proc.domain(),
        "statusUpdatedAt": NOW, **more,
    }  # fmt: skip


@dataclass
class ClaudeRig:
    """A home with Claude Code's folder, a still clock, and the source of the island before them."""

    home: Path
    clock: FakeClock = field(default_factory=lambda: FakeClock(NOW))
    variables: dict[str, str] = field(default_factory=dict)
    told: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.root = self.home / ".claude"
        self.nursery = Nursery()
        self.store = _Told(self)
        self.supervisor = Supervisor(self.store, self.clock, self.nursery)
        variables = {"HOME": str(self.home), **self.variables}
        context = Context(
            FakeTasks(), FakeSecrets(), self.clock, lambda: "id", self.nursery.start,
            variable=lambda name: variables.get(name, ""),
        )  # fmt: skip
        self.source = agents.kind("claude-code").open({"enabled": True}, context)

    def register(self, pid: int, session: str = SESSION, **more: Any) -> Path:
        path = self.root / "sessions" / f"{pid}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(entry(pid, session, **more)))
        return path

    def write(self, *found: dict[str, Any], session: str = SESSION, folder: str = "-w-demo") -> Path:
        path = self.root / "projects" / folder / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(dumped(*found))
        os.utime(path, (self.clock.now() / 1000, self.clock.now() / 1000))
        return path

    @asynccontextmanager
    async def following(self) -> AsyncIterator["ClaudeRig"]:
        self.supervisor.open(self.source)
        await settle(60)
        try:
            yield self
        finally:
            self.supervisor.shut()
            await self.nursery.close()
            self.store.close()

    async def passes(self, seconds: float) -> None:
        await self.clock.run(seconds)
        await settle(60)

    @property
    def rows(self) -> list[AgentSession]:
        return list(self.store.roster.sessions.values())

    @property
    def row(self) -> AgentSession:
        (row,) = self.rows
        return row

    @property
    def words(self) -> tuple[str, str]:
        return str(self.row.state), self.row.state_reason


class _Told(Store):
    def __init__(self, rig: ClaudeRig) -> None:
        super().__init__(rig.clock)
        self._rig = rig

    def dispatch(self, event: Event) -> None:
        self._rig.told.append(event)
        super().dispatch(event)


def shifted(turn: Turn, by: int) -> Turn:
    """The same turn, decided later."""
    return replace(turn, at=turn.at + by)
