"""The A2A source in the house it lives in, without its windows, for the figures of `bench_a2a.py`."""

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lisa_island.agents import a2a
from lisa_island.core.agent import State
from lisa_island.core.intents import Outcome, Send, StopFollowing
from lisa_island.core.ports import Context
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from lisa_island.runtime.supervisor import Supervisor
from lisa_island.system.clock import SystemClock
from tests.fakes.secrets import FakeSecrets
from tests.fakes.tasks import FakeTasks

BIG = 6_000_000
BIG_ROUNDS = 5
SENDS_A_SECOND = 50
# After this, every poll is at its last interval: 60 s, a little spread.
SETTLE_SECONDS = 40.0


class Loop(asyncio.SelectorEventLoop):
    """Remembers its longest turn: what a window would have to wait for. CPU, since others use the machine.

    Only while `is_watched`: looking at the clock costs too.
    """

    is_watched = False
    longest = 0.0

    def _run_once(self) -> None:
        if not self.is_watched:
            super()._run_once()  # type: ignore[misc]
            return
        cpu = time.thread_time()
        super()._run_once()  # type: ignore[misc]
        self.longest = max(self.longest, time.thread_time() - cpu)


def spent() -> float:
    """CPU of this process so far, s."""
    threads = Path("/proc/self/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


class House:
    """Store, supervisor and source, with a task database in memory."""

    def __init__(self, url: str) -> None:
        clock, self.nursery = SystemClock(), Nursery()
        interface = {"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        card = {
            "name": "Box", "description": "", "version": "1", "capabilities": {"streaming": True},
            "skills": [], "supportedInterfaces": [interface],
        }  # fmt: skip
        origin = url.rpartition("/")[0]
        agent = {"name": "box", "url": origin, "origins": [origin], "card": json.dumps(card)}
        settings: dict[str, Any] = {"enabled": True, "agents": [agent]}
        self.tasks = FakeTasks()
        self.store = Store(clock)
        self.supervisor = Supervisor(self.store, clock, self.nursery)
        context = Context(
            tasks=self.tasks, secrets=FakeSecrets({}), clock=clock, new_id=lambda: str(uuid.uuid4()),
            start=self.nursery.start, settings=lambda: settings,
        )  # fmt: skip
        self.source = a2a.open_source(a2a.Config(**settings), context)
        self.asked = 0
        http = self.source._desk.http
        open_ = http.open

        def counted(*args: Any, **more: Any) -> Any:
            self.asked += 1
            return open_(*args, **more)

        http.open = counted  # type: ignore[method-assign]

    async def send(self) -> Outcome:
        return await self.source.perform(Send("a2a", "box", "go"))


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[House]:
    house = House(url)
    house.supervisor.open(house.source)
    await asyncio.sleep(0.5)
    yield house
    house.supervisor.shut()
    await house.nursery.close()
    house.store.close()


async def big(url: str) -> dict[str, float]:
    """A task with an artifact of 6 MB, from the owner's word to the row that says done and is weighed."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Loop)
    found = []
    async with opened(url) as house:
        for _ in range(BIG_ROUNDS):
            done = asyncio.Event()
            stop = house.store.subscribe(lambda _old, new, done=done: is_done(new) and done.set())
            loop.longest, loop.is_watched, cpu = 0.0, True, spent()
            await house.send()
            async with asyncio.timeout(30):
                await done.wait()
            # After the end it asks once more, for the whole.
            await asyncio.sleep(0.5)
            found.append((spent() - cpu, loop.longest))
            loop.is_watched = False
            stop()
            [row] = house.store.roster.sessions.values()
            assert row.activity.artifacts[0].size == BIG, row.activity
            await house.source.perform(StopFollowing(row.key))
            await asyncio.sleep(0.2)
    return {"cpu": min(f[0] for f in found), "turn": min(f[1] for f in found)}


def is_done(roster: Any) -> bool:
    rows = roster.sessions.values()
    return bool(rows) and all(row.state is State.DONE for row in rows)


async def idle(url: str, streams: int, polled: int, seconds: float) -> dict[str, float]:
    """So many streams that say something every 10 s, and so many tasks that are asked after."""
    async with opened(url) as house:
        for _ in range(streams + polled):
            await house.send()
            await asyncio.sleep(1 / SENDS_A_SECOND)
        await asyncio.sleep(SETTLE_SECONDS)
        rows = [row for row in house.store.roster.sessions.values() if row.task and row.task.task_id]
        assert len(rows) == streams + polled and all(row.followed for row in rows)
        began, cpu, asked = time.monotonic(), spent(), house.asked
        await asyncio.sleep(seconds)
        took = time.monotonic() - began
        return {"percent": 100 * (spent() - cpu) / took, "asked": (house.asked - asked) / took}
