"""`lisa-island demo`: the whole island against a gateway on this computer, in a folder of its own.

No key is needed and the real keyring is never asked: the sandbox makes a key that lives in memory.
"""

import asyncio
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator, MutableMapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lisa_island.app.house import House, Plan
from lisa_island.core.errors import IslandError
from lisa_island.core.intents import Send
from lisa_island.core.origin import origin_of

START_SECONDS = 20.0
STOP_SECONDS = 5.0

# What the demo calls, in order: (slug, task, label, pause before it in seconds).
SCRIPT: tuple[tuple[str, str, str, float], ...] = (
    ("sheet-wizard", "Totals per customer, as CSV", "Invoice totals", 0.5),
    ("acme-research", "Scan the market for Q3", "Q3 market scan", 1.0),
    ("flaky-build", "Build the release", "release build", 1.5),
    ("hostile-harry", "Say hello", "", 1.0),
    ("slow-report", "Write the long report", "Long report", 1.0),
)


@dataclass(frozen=True, slots=True)
class Gateway:
    """The sandbox as it said it listens."""

    url: str
    key: str


@asynccontextmanager
async def gateway(relays: Sequence[str], generation: str) -> AsyncIterator[Gateway]:
    """The sandbox as a child process; it dies with its standard input. Raises IslandError."""
    words = [arg for relay in relays for arg in ("--relay", relay)]
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "lisa_island.sandbox",
        "--generation",
        generation,
        *words,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert child.stdin is not None and child.stdout is not None
    try:
        try:
            line = await asyncio.wait_for(child.stdout.readline(), START_SECONDS)
            told = json.loads(line)
            found = Gateway(told["url"], told["key"])
        except (TimeoutError, ValueError, KeyError) as error:
            raise IslandError("demo.gateway", reason=type(error).__name__) from error
        yield found
    finally:
        child.stdin.close()
        with contextlib.suppress(TimeoutError, ProcessLookupError):
            await asyncio.wait_for(child.wait(), STOP_SECONDS)
        if child.returncode is None:
            child.kill()
            await child.wait()


@contextlib.contextmanager
def temporary_plan(url: str) -> Any:
    """A plan in a folder of its own, gone with the demo."""
    with tempfile.TemporaryDirectory(prefix="lisa-island-demo-") as folder:
        environ: MutableMapping[str, str] = dict(os.environ)
        environ["LISA_HOME"] = folder
        environ["TAKOAPI_BASE_URL"] = url
        environ.pop("TAKO_KEY", None)
        yield Plan(Path(folder), environ, demo=True)


async def prepare(house: House, key: str) -> None:
    """The owner's choices of a demo: remote agents on, the sandbox's key for this run, a few pins."""
    house.secrets.remember(origin_of(house.preferences.base_url), key)
    await house.settings.change(takoapi_enabled=True, key_source="run", welcomed=True)


async def direct(house: House, relays: Sequence[str] = ()) -> None:
    """Call the sandbox's agents one after the other, as an owner would who has accepted their prices."""
    relayed = [(relay.partition("=")[0], "Say hello", "", 1.0) for relay in relays]
    for slug, text, label, pause in (*SCRIPT, *relayed):
        await house.clock.sleep(pause)
        house.nursery.start(_send(house, slug, text, label), f"demo {slug}")


async def _send(house: House, slug: str, text: str, label: str) -> None:
    intent = Send("takoapi", slug, text, label)
    outcome = await house.perform(intent)
    if outcome.price:
        await house.perform(Send("takoapi", slug, text, label, outcome.price))
