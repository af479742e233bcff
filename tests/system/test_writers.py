"""Real processes: killed in the middle of a write, and two that write the shared list at once."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from lisa_island.system.clock import SystemClock
from lisa_island.system.tasks import TaskDatabase
from lisa_island.system.worker import Worker
from tests.system.rows import ledger

ROOT = Path(__file__).parents[2]
KILLS = 20
WRITES = 10


def start(*words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.system.writers", *map(str, words)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


async def test_killed_at_random_points_no_acknowledged_record_is_lost(home: Path, worker: Worker) -> None:
    chance = Random()
    acknowledged: dict[str, int] = {}
    for kill in range(KILLS):
        # The kill falls wherever the child is then: in a write, a sync of the list, or between two.
        for session_id, calls in killed_after(home, kill, chance.randint(1, 2 * WRITES - 1)):
            acknowledged[session_id] = max(calls, acknowledged.get(session_id, 0))
        assert is_sound(home / "island.db")
    tasks = TaskDatabase(home, SystemClock(), worker)
    found = {row.session_id: row.calls for row in await tasks.list()}
    assert tasks.problems() == ()
    lost = {k: (v, found.get(k)) for k, v in acknowledged.items() if found.get(k, 0) < v}
    await tasks.close()
    assert not lost
    assert ledger(home).keys() <= {"acme", "kill"}


def killed_after(home: Path, kill: int, acks: int) -> list[tuple[str, int]]:
    """What a child had acknowledged when it died, including what it had said that we had not read yet."""
    with start("acks", home, kill * 100_000, kill) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(acks)]
        child.kill()
        lines += child.stdout.readlines()
    whole = [line.split() for line in lines if line.endswith("\n")]
    return [(session_id, int(calls)) for session_id, calls in whole]


def is_sound(path: Path) -> bool:
    with sqlite3.connect(path) as direct:
        found = direct.execute("PRAGMA integrity_check").fetchone()[0]
    direct.close()
    return bool(found == "ok")


@pytest.mark.parametrize(
    "number", [250, pytest.param(5_000, marks=[pytest.mark.slow, pytest.mark.timeout(600)])]
)
def test_two_writers_lose_nothing(home: Path, number: int) -> None:
    home.mkdir(parents=True)
    with start("ours", home, number) as ours, start("lisa", home, number) as lisa:
        assert ours.stdin is not None
        last_of_lisa, last_of_ours = written(lisa), written(ours)
        ours.stdin.write("close\n")
        ours.stdin.flush()
        assert ours.wait(60) == 0
        assert lisa.wait(60) == 0
    latest = {
        slug: max(last_of_lisa.get(slug, 0), last_of_ours.get(slug, 0))
        for slug in last_of_lisa | last_of_ours
    }
    assert {slug: row["lastMtime"] for slug, row in ledger(home).items()} == latest


def written(child: subprocess.Popen[str]) -> dict[str, int]:
    assert child.stdout is not None
    word, _, rows = child.stdout.readline().partition(" ")
    assert word == "written"
    found: dict[str, int] = json.loads(rows)
    return found
