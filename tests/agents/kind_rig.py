"""One kind before a place of its own: a still clock, a store that keeps what it was told, an environment."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lisa_island import agents
from lisa_island.core.agent import AgentSession, SourceStatus
from lisa_island.core.events import Event
from lisa_island.core.ports import Context
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from lisa_island.runtime.supervisor import Supervisor
from tests.fakes.clock import FakeClock, settle
from tests.fakes.secrets import FakeSecrets
from tests.fakes.tasks import FakeTasks


@dataclass
class KindRig:
    """`home` is the whole environment but for `variables`; `more` goes into the context as it is."""

    kind: str
    home: Path
    variables: dict[str, str] = field(default_factory=dict)
    clock: FakeClock = field(default_factory=FakeClock)
    more: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=lambda: {"enabled": True})
    told: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.nursery = Nursery()
        self.store = _Told(self)
        self.supervisor = Supervisor(self.store, self.clock, self.nursery)
        variables = {"HOME": str(self.home), "PATH": os.environ.get("PATH", ""), **self.variables}
        context = Context(
            FakeTasks(), FakeSecrets(), self.clock, lambda: "id", self.nursery.start,
            variable=lambda name: variables.get(name, ""), settings=lambda: self.settings, **self.more,
        )  # fmt: skip
        self.source = agents.kind(self.kind).open(self.settings, context)

    @asynccontextmanager
    async def following(self) -> AsyncIterator["KindRig"]:
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

    async def until(self, true: Callable[[], bool], moving: float = 0.0) -> None:
        """Let the loop turn until a real peer has brought it about; the clock moves on by so much a turn."""
        async with asyncio.timeout(30):
            while not true():
                await asyncio.sleep(0)
                self.clock.advance(moving)

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

    @property
    def rule(self) -> str:
        return self.row.fact.rule if self.row.fact else ""

    @property
    def face(self) -> SourceStatus:
        return self.store.roster.sources[self.kind]


class KindPlayer:
    """Plays a tape to one kind; a subclass prepares the place and takes each step's chunks."""

    kind = ""
    seconds = 6.0
    open_bodies = 0

    def __init__(self, tape: dict[str, Any]) -> None:
        self.tape = tape
        self._place = tempfile.TemporaryDirectory()
        self.home = Path(self._place.name)
        variables = self.prepare()
        self.rig = KindRig(self.kind, self.home, variables, more=self.more())
        self.source, self.nursery, self.told = self.rig.source, self.rig.nursery, self.rig.told

    def prepare(self) -> dict[str, str]:
        """Make the place; answers with the variables of the environment."""
        raise NotImplementedError

    def more(self) -> dict[str, Any]:
        """What else the context holds."""
        return {}

    def begin(self) -> None:
        """A step begins."""

    def take(self, chunk: bytes) -> None:
        """One piece of a step."""
        raise NotImplementedError

    async def __aenter__(self) -> "KindPlayer":
        self._following = self.rig.following()
        await self._following.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._following.__aexit__(None, None, None)
        self._place.cleanup()

    async def play(self) -> None:
        for step in self.tape["steps"]:
            self.begin()
            for chunk in step["chunks"]:
                self.take(chunk.encode("utf-8", "surrogatepass"))
            await self.rig.passes(self.seconds)

    @property
    def rows(self) -> list[AgentSession]:
        return self.rig.rows


class _Told(Store):
    def __init__(self, rig: KindRig) -> None:
        super().__init__(rig.clock)
        self._rig = rig

    def dispatch(self, event: Event) -> None:
        self._rig.told.append(event)
        super().dispatch(event)
