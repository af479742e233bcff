"""Programs for the tests with real processes: `python -m tests.system.writers WHAT HOME NUMBER [SEED]`.

acks:  writes tasks for ever and prints each record once it is acknowledged; the test kills it.
ours:  writes NUMBER records as the island does, prints "written", and closes when a line comes in.
lisa:  records NUMBER calls in the shared list as LISA does: no lock, the whole file in place.
"""

import asyncio
import json
import sys
import time
from contextlib import aclosing
from pathlib import Path
from random import Random

from lisa_island.core.ports import TaskRow
from lisa_island.system.clock import SystemClock
from lisa_island.system.tasks import TaskDatabase
from lisa_island.system.worker import Worker
from tests.system.rows import DAY, task, waiting

SLUGS = 40


def now() -> int:
    return time.time_ns() // 1_000_000


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


async def acks(home: Path, start: int, seed: int) -> None:
    chance = Random(seed)
    worker = Worker()
    tasks = TaskDatabase(home, SystemClock(), worker)
    known: list[TaskRow] = []
    for number in range(start, start + 100_000):
        if known and chance.random() < 0.5:
            at = chance.randrange(len(known))
            calls = known[at].calls + 1
            asks = "?" * chance.randrange(3_000)
            row = waiting(number=known[at].calls, asks=asks) if calls % 2 else task()
            known[at] = row.with_(session_id=known[at].session_id, calls=calls, updated_at=now())
            await tasks.update(known[at])
            say(known[at].session_id, calls)
        else:
            known.append(task("kill", number, at=now()))
            await tasks.begin(known[-1])
            say(known[-1].session_id, 1)


async def ours(home: Path, number: int) -> None:
    worker, clock = Worker(), SystemClock()
    tasks = TaskDatabase(home, clock, worker, merge_seconds=0)
    rows = [task(f"ours-{n}" if n % 4 else f"both-{n}", n, at=now()) for n in range(SLUGS)]

    async def listen() -> None:
        async with aclosing(tasks.changes()) as changes:  # type: ignore[type-var]
            async for _ in changes:
                pass

    listens = asyncio.ensure_future(listen())
    for turn in range(number):
        n = turn % SLUGS
        rows[n] = rows[n].with_(
            calls=turn, updated_at=now(), task_state="working" if turn % 2 else "submitted"
        )
        await (tasks.begin(rows[n]) if turn < SLUGS else tasks.update(rows[n]))
    say("written", json.dumps({row.target: row.updated_at for row in rows}))
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    listens.cancel()
    await tasks.close()
    say("closed")


def lisa(home: Path, number: int) -> None:
    path = home / "takoapi-calls.json"
    last: dict[str, int] = {}
    for turn in range(number):
        slug = f"lisa-{turn % SLUGS}" if turn % 4 else f"both-{turn % SLUGS}"
        record(path, slug, at := now(), "completed" if turn % 3 else "working")
        last[slug] = at
    say("written", json.dumps(last))


def record(path: Path, slug: str, at: int, state: str) -> None:
    """One upsert of LISA's: a file that is missing or broken counts as empty."""
    try:
        rows = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        rows = []
    before = next((row for row in rows if row["slug"] == slug), {})
    new = {"slug": slug, "startedAt": before.get("startedAt", at), "lastMtime": at, "lastState": state}
    if "taskId" in before:
        new["taskId"] = before["taskId"]
    rows = [row for row in rows if row["slug"] != slug and at - row["lastMtime"] <= DAY]
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps([new, *rows], indent=2))


if __name__ == "__main__":
    what, place, count, *more = sys.argv[1:]
    if what == "lisa":
        lisa(Path(place), int(count))
    else:
        asyncio.run(
            acks(Path(place), int(count), int(*more)) if what == "acks" else ours(Path(place), int(count))
        )
