"""The source contract for agents on this machine whose processes are found by listing, kind by kind."""

import json
import os
import tempfile
from pathlib import Path
from typing import Any, ClassVar

from lisa_island.core.agent import AgentSession
from tests.agents.contract import SourceContract, Tape
from tests.agents.local_rig import LocalRig
from tests.agents.opencode_rig import OpenCodeDb
from tests.fakes.clock import FakeClock


class LocalPlayer:
    """Writes the tape's chunks where the agent would, below a process of it that lives."""

    kind: ClassVar[str]
    open_bodies = 0

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self._place = tempfile.TemporaryDirectory()
        self.home = Path(self._place.name)
        self.rig = LocalRig(self.kind, self.home, FakeClock(tape["now"]))
        self.source, self.nursery, self.told = self.rig.source, self.rig.nursery, self.rig.told

    def cwd(self) -> str:
        return str(self.tape["cwd"])

    def write(self, chunks: list[str]) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """Let go of what was opened."""

    async def __aenter__(self) -> "LocalPlayer":
        self.rig.starts(self.cwd(), started_at=self.tape["now"] - 3_600_000)
        self._following = self.rig.following()
        await self._following.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._following.__aexit__(None, None, None)
        self.close()
        self._place.cleanup()

    async def play(self) -> None:
        for step in self.tape["steps"]:
            self.write(step["chunks"])
            await self.rig.passes(4)

    @property
    def rows(self) -> list[AgentSession]:
        return self.rig.rows


class OpenCodePlayer(LocalPlayer):
    """One row of the database in each line; what is no row is what a message holds."""

    kind = "opencode"

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape)
        self._db = OpenCodeDb(self.home / ".local" / "share" / "opencode" / "opencode.db").empty()

    def cwd(self) -> str:
        return "/srv/lab/oc/work/demo"

    def write(self, chunks: list[str]) -> None:
        for line in filter(None, "".join(chunks).split("\n")):
            try:
                found = json.loads(line)
                self._row(found["table"], found["row"])
            except (ValueError, TypeError):
                self._db.db.execute("UPDATE message SET data = ?", (line.encode("utf-8", "replace"),))

    def _row(self, table: str, row: dict[str, Any]) -> None:
        there = {r[1] for r in self._db.db.execute(f"PRAGMA table_info({table})")}
        kept = {k: json.dumps(v) if isinstance(v, dict) else v for k, v in row.items() if k in there}
        self._db._put(table, kept)

    def close(self) -> None:
        self._db.close()


class AiderPlayer(LocalPlayer):
    """Its history in the folder of the process."""

    kind = "aider"

    def cwd(self) -> str:
        (self.home / "demo" / ".git").mkdir(parents=True, exist_ok=True)
        return str(self.home / "demo")

    def write(self, chunks: list[str]) -> None:
        path = self.home / "demo" / ".aider.chat.history.md"
        with path.open("ab") as file:
            file.write("".join(chunks).encode("utf-8", "surrogatepass"))
        os.utime(path, (self.rig.clock.now() / 1000, self.rig.clock.now() / 1000))


class GeminiPlayer(LocalPlayer):
    """The chat of the project that the process works in."""

    kind = "gemini"

    def cwd(self) -> str:
        project = self.home / ".gemini" / "tmp" / "demo"
        (project / "chats").mkdir(parents=True, exist_ok=True)
        (project / ".project_root").write_text("/w/demo")
        return "/w/demo"

    def write(self, chunks: list[str]) -> None:
        name = "session-2026-11-30T17-41-3d0fe70a.jsonl"
        path = self.home / ".gemini" / "tmp" / "demo" / "chats" / name
        with path.open("ab") as file:
            file.write("".join(chunks).encode("utf-8", "surrogatepass"))
        os.utime(path, (self.rig.clock.now() / 1000, self.rig.clock.now() / 1000))


class PiPlayer(LocalPlayer):
    """The session of the folder that the process works in."""

    kind = "pi"

    def write(self, chunks: list[str]) -> None:
        place = self.home / ".pi" / "agent" / "sessions" / "--w-demo--"
        place.mkdir(parents=True, exist_ok=True)
        path = place / "2026-12-01T04-12-50-000Z_01a22fc5-bb1d-76e6-972a-03ba88bbe57d.jsonl"
        with path.open("ab") as file:
            file.write("".join(chunks).encode("utf-8", "surrogatepass"))
        os.utime(path, (self.rig.clock.now() / 1000, self.rig.clock.now() / 1000))


class TestOpenCode(SourceContract):
    kind = "opencode"
    player = OpenCodePlayer


class TestAider(SourceContract):
    kind = "aider"
    player = AiderPlayer


class TestGemini(SourceContract):
    kind = "gemini"
    player = GeminiPlayer


class TestPi(SourceContract):
    kind = "pi"
    player = PiPlayer
