"""A whole house on this machine: real database, real settings, a real gateway as a child process."""

import contextlib
import os
import tempfile
from pathlib import Path

import pytest

from lisa_island.agents import KINDS
from lisa_island.app.house import REMOTE, House, Plan
from lisa_island.core.intents import Result, Send
from lisa_island.core.origin import origin_of
from lisa_island.core.summary import rows
from lisa_island.system.clock import SystemClock
from tests.sandbox.child import KEY, running, sandbox


@pytest.fixture
def gateway():
    with running(sandbox("--registry", "200")) as child:
        yield child


@pytest.fixture
def short_home():
    """For real commands: the path of their unix socket has 107 bytes at most."""
    with tempfile.TemporaryDirectory(prefix="li.") as folder:
        for name in ("run", "tmp"):
            (Path(folder) / name).mkdir(mode=0o700)
        yield Path(folder)


class LaterClock(SystemClock):
    """The real clock, so many ms ahead."""

    def __init__(self, later: int) -> None:
        self.later = later

    def now(self) -> int:
        return super().now() + self.later


def environ(home: Path, url: str) -> dict[str, str]:
    """The environment of a run of its own."""
    return {
        "HOME": str(home),
        "LISA_HOME": str(home / "lisa"),
        "XDG_RUNTIME_DIR": str(home / "run"),
        "TAKOAPI_BASE_URL": url,
        "PATH": os.environ["PATH"],
        "LANG": "en_US.UTF-8",
    }


@contextlib.asynccontextmanager
async def living(
    home: Path, url: str, *, key: str = KEY, on: bool = True, transport=None, later=0, kinds=KINDS
):
    """A house that lives for one test. `on` is the owner's opt-in, `later` moves its clock (ms)."""
    (home / "run").mkdir(mode=0o700, exist_ok=True)
    env = environ(home, url)
    house = House(
        Plan(Path(env["LISA_HOME"]), env, transport=transport, clock=LaterClock(later), kinds=kinds)
    )
    await house.open()
    if key:
        house.secrets.remember(origin_of(url), key)
    await house.settings.change(key_source="run", takoapi_enabled=on)
    if on:
        await until(house, lambda: REMOTE in house.store.roster.sources and REMOTE in house._sources)
    try:
        yield house
    finally:
        await house.close()


async def until(house: House, holds) -> None:
    """Wait on the store's own word until something holds."""
    import asyncio

    met = asyncio.Event()
    stop = house.store.subscribe(lambda _old, _new: met.set() if holds() else None)
    try:
        while not holds():
            met.clear()
            with contextlib.suppress(TimeoutError):
                # The store tells; the limit only covers what stands outside of it (a source that opens).
                await asyncio.wait_for(met.wait(), 0.05)
    finally:
        stop()


async def call(house: House, slug: str, text: str = "hello", label: str = ""):
    """Send as an owner who accepts the price; the session as it stands when the call is over."""
    outcome = await house.perform(Send(REMOTE, slug, text, label))
    if outcome.price:
        outcome = await house.perform(Send(REMOTE, slug, text, label, outcome.price))
    assert outcome.result is not Result.REFUSED, outcome
    await until(house, lambda: (s := house.store.roster.get(outcome.key)) is None or not s.followed)
    return house.store.roster.get(outcome.key)


def shown(house: House):
    """The rows of the roster, most urgent first."""
    return rows(house.store.roster)
