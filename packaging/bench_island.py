"""The island with sources that a script plays, driven line by line through its standard input.

    bench_island.py rows N       N local sessions that work
    bench_island.py sources N    N sources of one session each
    bench_island.py calls URL    ten calls to a sandbox with the key on standard input, one of them followed
Then one word a line: `open`, `close`, `panel` (is it open?), `rows` (how many?), `say SECONDS` (each session
says something that often, 0 is never), `timers`, `latency [grows]`, `profile SECONDS`, `profile latency`,
`quit`. Each is answered by one JSON line.
"""

import asyncio
import dataclasses
import gc
import itertools
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path

import shiboken6
from PySide6.QtCore import QTimer

from lisa_island.app import loop
from lisa_island.app.desktop import application
from lisa_island.app.desktop.face import Face
from lisa_island.app.headless import open_door
from lisa_island.app.house import REMOTE, House, Plan
from lisa_island.core.agent import Activity, AgentSession, Origin, SessionKey, State
from lisa_island.core.events import ActivityChanged, Event, SessionOpened
from lisa_island.core.evidence import Fact
from lisa_island.core.intents import Intent, Outcome, Send, refused
from lisa_island.core.origin import origin_of

SLUGS = ("sheet-wizard", "tone-check", "flaky-build", "canceled", "reject-me") * 2


class Played:
    """One source with its sessions, all working; it says what it is told to say, when it is told."""

    def __init__(self, key: str, sessions: int) -> None:
        self.key = key
        self.keys = [SessionKey(key, f"s{n}") for n in range(sessions)]
        self.pause = 0.0
        self.changed = asyncio.Event()
        self._updates = itertools.count(1)

    async def events(self) -> AsyncIterator[Event]:
        """The sessions, then a word of each in turn."""
        for n, key in enumerate(self.keys):
            yield opened(key, now(), n)
        while True:
            if not self.pause:
                self.changed.clear()
                await self.changed.wait()
            for key in self.keys:
                n = next(self._updates)
                yield ActivityChanged(key, now(), Activity(n, (), f"Reading part {n} of the sources"))
                if self.pause:
                    await asyncio.sleep(self.pause / len(self.keys))

    async def perform(self, intent: Intent) -> Outcome:
        """Nobody asks."""
        return refused("outcome.observe-only")


def now() -> int:
    return HOUSE.clock.now()


def opened(key: SessionKey, at: int, n: int = 0) -> SessionOpened:
    """A local session that works."""
    session = AgentSession(
        key, f"project-{n}", State.WORKING, "working", at, at, Origin.LOCAL, cwd=f"~/code/project-{n}",
        followed=True, fact=Fact("bench", "bench", at=at),
    )  # fmt: skip
    return SessionOpened(session, at)


def active_timers() -> list[str]:
    """Timers of Qt and of the loop that run now, by what they call."""
    gc.collect()
    found = [t for t in gc.get_objects() if isinstance(t, QTimer) and shiboken6.isValid(t) and t.isActive()]
    single = [f"{'single' if t.isSingleShot() else 'EVERY'} {t.interval()} ms" for t in found]
    handles = asyncio.get_running_loop()._timer._SimpleTimer__callbacks.values()
    return single + [
        f"single {h!r}" for h in handles if isinstance(h, asyncio.TimerHandle) and not h._cancelled
    ]


async def profiled(work: Awaitable[object]) -> str:
    """What the loop did meanwhile, most expensive first."""
    import cProfile
    import io
    import pstats

    found = cProfile.Profile()
    found.enable()
    await work
    found.disable()
    text = io.StringIO()
    pstats.Stats(found, stream=text).sort_stats("cumulative").print_stats(70)
    return text.getvalue()


class Driver:
    """Carries out one word at a time."""

    def __init__(self, face: Face, played: list[Played]) -> None:
        self._face, self._played = face, played
        self.over = asyncio.Event()

    async def do(self, words: list[str]) -> object:
        """The answer, as JSON may hold it."""
        if "latency" in words:
            import bench_latency as latency  # here: it would be weighed as a part of the island
        match words:
            case ["open"]:
                self._face.island.show()
            case ["close"]:
                self._face.island.toggle()
            case ["say", pause]:
                step = float(pause) / max(1, len(self._played))
                for source in self._played:
                    source.pause = float(pause)
                    source.changed.set()
                    # Spread over the time, as sources that know nothing of one another are.
                    await asyncio.sleep(step if float(pause) else 0)
            case ["timers"]:
                return active_timers()
            case ["latency"]:
                return await latency.measure(HOUSE, self._face, opened)
            case ["latency", "grows"]:
                return await latency.measure(HOUSE, self._face, opened, grows=True)
            case ["panel"]:
                return self._face.island.panel.isVisible()
            case ["rows"]:
                return len(HOUSE.store.roster.sessions)
            case ["profile", "latency"]:
                return await profiled(latency.measure(HOUSE, self._face, opened, rounds=40))
            case ["profile", seconds]:
                return await profiled(asyncio.sleep(float(seconds)))
            case ["quit"]:
                self.over.set()
        return "done"


async def drive(driver: Driver) -> None:
    """Read words until `quit` or the end of the input."""
    lines: asyncio.Queue[str] = asyncio.Queue()
    source = sys.stdin.fileno()
    asyncio.get_running_loop().add_reader(
        source,
        lambda: [lines.put_nowait(t) for t in (os.read(source, 65536).decode() or "quit").splitlines()],
    )
    tell("ready")
    while not driver.over.is_set():
        words = (await lines.get()).split()
        if words:
            tell(await driver.do(words))
    asyncio.get_running_loop().remove_reader(source)


def tell(answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


async def calls(house: House, key: str) -> None:
    """Nine calls that end and one that goes on."""
    await house.secrets.put(origin_of(house.preferences.base_url), key)
    await house.settings.change(takoapi_enabled=True)
    for slug in (*SLUGS[:9], "slow-report"):
        await house.perform(Send(REMOTE, slug, "bench"), even_if_off=True)


async def main(mode: str, what: str) -> int:
    """The same order as the real start."""
    door = await open_door(HOUSE)
    over = asyncio.Event()
    face = Face(HOUSE, over)
    face.start()
    await HOUSE.open()
    face.ready()
    played: list[Played] = []
    if mode == "rows":
        played = [Played("claude-code", int(what))]
    elif mode == "sources":
        played = [Played(f"source-{n}", 1) for n in range(int(what))]
    else:
        await calls(HOUSE, sys.stdin.readline().strip())
    for source in played:
        HOUSE.supervisor.open(source)
    await drive(Driver(face, played))
    face.close()
    await door.close()
    await HOUSE.close()
    return 0


if __name__ == "__main__":
    mode, what = sys.argv[1:]
    plan = Plan(Path(os.environ["LISA_HOME"]), os.environ)
    if mode != "calls":
        plan = dataclasses.replace(plan, kinds=())
    else:
        os.environ["TAKOAPI_BASE_URL"] = what
    HOUSE = House(plan)
    sys.exit(loop.run(application(), main(mode, what)))
