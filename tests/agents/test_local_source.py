"""The source before an agent's files: what changes while it looks is not lost."""

from collections.abc import Callable

import pytest

from lisa_island.agents import _local
from lisa_island.agents._local import LocalSource, Look
from lisa_island.core.ports import Context
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from lisa_island.runtime.supervisor import Supervisor
from tests.fakes.clock import FakeClock, settle
from tests.fakes.secrets import FakeSecrets
from tests.fakes.tasks import FakeTasks


class _Hints:
    """Hints that a test gives."""

    changed: Callable[[], None]
    mode = "hints"

    def __init__(self, _run: object, _clock: object, changed: Callable[[], None]) -> None:
        _Hints.changed = staticmethod(changed)

    async def follow(self, _folders: frozenset[str]) -> None:
        pass

    def close(self) -> None:
        pass


class _Reader:
    """A folder in which something changes while it is looked at for the first time."""

    looks = 0

    def look(self, _now: int) -> Look:
        self.looks += 1
        if self.looks == 1:
            _Hints.changed()
        return Look(is_here=True)

    def forget(self, _session: str) -> None:
        pass


async def test_a_change_during_a_look_is_looked_at_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was found a second later, by the next sweep."""
    monkeypatch.setattr(_local, "Hints", _Hints)
    clock, nursery, reader = FakeClock(), Nursery(), _Reader()
    context = Context(FakeTasks(), FakeSecrets(), clock, lambda: "id", nursery.start)
    store = Store(clock)
    supervisor = Supervisor(store, clock, nursery)
    supervisor.open(LocalSource("claude-code", "Claude Code", context, lambda: reader))
    await settle(60)
    assert reader.looks == 2  # no time has passed
    supervisor.shut()
    await nursery.close()
    store.close()
