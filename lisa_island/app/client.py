"""A command of the command line: through the door of a running island, else alone with a house of its own.

Imports little: most commands are one line to the door, and a person waits for them.
"""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, MutableMapping
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lisa_island.app import look_up
from lisa_island.core.errors import NotRunningError
from lisa_island.system.endpoint import ask
from lisa_island.system.home import lisa_home
from lisa_island.system.secrets import Taken, take_from_environment

if TYPE_CHECKING:
    from lisa_island.app.house import Plan

Json = dict[str, Any]

# What makes no sense without a running island.
NEEDS_ISLAND = frozenset({"show", "hide", "toggle", "quit", "key-changed"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where a command runs; `taken` is the key that stood in its environment."""

    home: Path
    environ: MutableMapping[str, str]
    taken: Taken | None = None

    @classmethod
    def here(cls, environ: MutableMapping[str, str]) -> "Place":
        """The place of this process. First of all the key leaves the environment: no child inherits it."""
        taken = take_from_environment(environ)
        return cls(lisa_home(environ), environ, taken)

    def plan(self) -> "Plan":
        """The plan of a house here."""
        from lisa_island.app.house import Plan

        return Plan(self.home, self.environ, self.taken)


async def call(place: Place, request: Json) -> AsyncGenerator[Json, None]:
    """Yield the answers. Raises NotRunningError for words that need a running island, and IslandError."""
    try:
        async with aclosing(ask(place.home, request)) as answers:
            async for answer in answers:
                yield answer
        return
    except NotRunningError:
        if request["do"] in NEEDS_ISLAND or "events" in request:  # a report outlives no command
            raise
    from lisa_island.app.alone import alone

    async with aclosing(alone(place.plan(), request)) as told:
        async for answer in told:
            yield answer


def run(work: Coroutine[Any, Any, int]) -> int:
    """Run a command's conversation to its end."""
    with asyncio.Runner(loop_factory=look_up.make) as runner:
        return runner.run(work)
