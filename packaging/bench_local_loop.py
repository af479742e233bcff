"""The house without windows, with a heart that beats: how late it gets while a huge line is read.

Arguments: the transcript and the size of the line. Another process writes it. One JSON line is told.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from bench_local_home import line

from lisa_island.app.house import House, Plan

BEAT, ROUNDS = 0.002, 3
SETTLE_SECONDS, CALM_SECONDS, LIMIT_SECONDS = 5.0, 3.0, 30.0
WRITER = """
import sys
with open(sys.argv[1], "ab", buffering=0) as file:
    file.write(sys.stdin.buffer.read())
"""


class Heart:
    """Beats every two milliseconds; `late` is the worst it was since `begin`, seconds."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.begin()
        self._next()

    def begin(self) -> None:
        self.late, self.turn = 0.0, 0.0
        self._cpu = time.thread_time()

    def _next(self) -> None:
        self._due = self._loop.time() + BEAT
        self._loop.call_at(self._due, self._beat)

    def _beat(self) -> None:
        now = time.thread_time()
        self.late, self.turn = max(self.late, self._loop.time() - self._due), max(self.turn, now - self._cpu)
        self._cpu = now
        self._next()


async def one(house: House, heart: Heart, path: Path, size: int) -> dict[str, float]:
    """A huge line, then a small one that is known by what it changes."""
    session, number = path.stem, time.monotonic_ns() // 10**6
    data = line(session, number, "result", filler="z" * size) + line(session, number + 1, "call")
    known = asyncio.Event()
    end = house.store.subscribe(lambda _old, _new: known.set())
    await asyncio.sleep(CALM_SECONDS)  # the beat that the making of it held up is over
    heart.begin()
    began = time.monotonic()
    command = partial(subprocess.run, [sys.executable, "-c", WRITER, str(path)], input=data, check=True)
    await house.worker.run(command, limit=LIMIT_SECONDS)
    async with asyncio.timeout(LIMIT_SECONDS):
        await known.wait()
    took = time.monotonic() - began
    await asyncio.sleep(CALM_SECONDS)
    end()
    return {"late": heart.late * 1e3, "turn": heart.turn * 1e3, "took": took}


async def main(path: Path, size: int) -> None:
    house = House(Plan(Path(os.environ["LISA_HOME"]), dict(os.environ)))
    await house.open()
    await asyncio.sleep(SETTLE_SECONDS)
    assert house.store.roster.sessions, "the session is followed"
    heart = Heart()
    await asyncio.sleep(CALM_SECONDS)
    calm = heart.late * 1e3
    found = [await one(house, heart, path, size) for _ in range(ROUNDS)]
    best = min(found, key=lambda f: f["late"])
    print(json.dumps(best | {"calm": calm}), flush=True)
    await house.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
