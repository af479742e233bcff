"""A home of an agent whose processes are found by listing, and the source of the island before it."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest import mock

from lisa_island import agents
from lisa_island.agents import _proc, _running
from lisa_island.agents._running import Program
from lisa_island.core.agent import AgentSession
from lisa_island.core.events import Event
from lisa_island.core.ports import Context
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from lisa_island.runtime.supervisor import Supervisor
from tests.fakes.clock import FakeClock, settle
from tests.fakes.secrets import FakeSecrets
from tests.fakes.tasks import FakeTasks

DATA = Path(__file__).parents[1] / "data"
NOW = 1_893_553_445_000  # 2030-01-02T03:04:05Z


def program(cwd: str, pid: int = 0, started_at: int = NOW - 60_000, role: str = "") -> Program:
    """A process that lives: this one, unless another is named."""
    pid = pid or os.getpid()
    return Program(pid, _proc.ticks(pid), cwd, started_at, 1, role)


@dataclass
class LocalRig:
    """A still clock, a home, a list of programs that the test owns, and the source before them."""

    kind: str
    home: Path
    clock: FakeClock = field(default_factory=lambda: FakeClock(NOW))
    variables: dict[str, str] = field(default_factory=dict)
    programs: list[Program] | None = field(default_factory=list)
    told: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.nursery = Nursery()
        self.store = _Told(self)
        self.supervisor = Supervisor(self.store, self.clock, self.nursery)
        variables = {"HOME": str(self.home), **self.variables}
        context = Context(
            FakeTasks(), FakeSecrets(), self.clock, lambda: "id", self.nursery.start,
            variable=lambda name: variables.get(name, ""),
        )  # fmt: skip
        self.source = agents.kind(self.kind).open({"enabled": True}, context)

    def starts(self, cwd: str | Path, **more: object) -> Program:
        found = replace(program(str(cwd)), **more)  # type: ignore[arg-type]
        assert self.programs is not None
        self.programs.append(found)
        return found

    @asynccontextmanager
    async def following(self) -> AsyncIterator["LocalRig"]:
        def running(_named: object, _test: object) -> tuple[Program, ...] | None:
            return None if self.programs is None else tuple(self.programs)

        with mock.patch.object(_running, "running", running):
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

    @property
    def rule(self) -> str:
        assert self.row.fact is not None
        return self.row.fact.rule


class _Told(Store):
    def __init__(self, rig: LocalRig) -> None:
        super().__init__(rig.clock)
        self._rig = rig

    def dispatch(self, event: Event) -> None:
        self._rig.told.append(event)
        super().dispatch(event)
