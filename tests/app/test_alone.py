"""A command alone looks at everything once before it answers."""

import asyncio
import json
import threading

import pytest

from lisa_island.app.alone import alone, ready
from lisa_island.app.house import REMOTE, House, Plan
from lisa_island.core.summary import rows
from lisa_island.system._mirror_file import MirrorFile
from lisa_island.system.clock import SystemClock
from tests.e2e.conftest import environ, until

NOW = SystemClock().now()
LISAS = [{"slug": "lisas-own", "taskId": "t", "startedAt": NOW, "lastMtime": NOW, "lastState": "working"}]


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "run").mkdir(mode=0o700)
    home = tmp_path / "lisa"
    home.mkdir(mode=0o700)
    (home / "agents.json").write_text(json.dumps({"integrations": {"takoapi": {"enabled": True}}}))
    (home / "island.json").write_text(json.dumps({"schema": 1, "keySource": "run"}))
    (home / "takoapi-calls.json").write_text(json.dumps(LISAS))
    return Plan(home, environ(tmp_path, "http://127.0.0.1:9"))


@pytest.fixture
def gate(monkeypatch):
    """The shared list is read only once this is set."""
    opened, read = threading.Event(), MirrorFile.sync

    def slow(self, *args):
        opened.wait(30)
        return read(self, *args)

    monkeypatch.setattr(MirrorFile, "sync", slow)
    return opened


async def test_it_waits_for_the_shared_list(plan, gate):
    house = House(plan)
    await house.open()
    try:
        done, seen = asyncio.Event(), []

        async def wait():
            await ready(house)
            seen.extend(s.project for s in rows(house.store.roster))
            done.set()

        house.nursery.start(wait(), "ready")
        await until(house, lambda: REMOTE in house.store.roster.sources)
        assert not done.is_set() and rows(house.store.roster) == ()
        gate.set()
        await done.wait()
        assert seen == ["lisas-own"]
    finally:
        gate.set()
        await house.close()


async def test_what_could_not_be_opened_is_an_answer(plan):
    (plan.home / "island.db").mkdir()
    (plan.home / "island.db" / "x").touch()
    answers = [answer async for answer in alone(plan, {"do": "status"})]
    assert answers and (answers[-1].get("error") == "failed" or "status" in answers[-1])


async def test_an_unknown_word_is_a_usage_error(plan):
    [answer] = [answer async for answer in alone(plan, {"do": "nonsense"})]
    assert answer["error"] == "usage" and answer["alone"]
