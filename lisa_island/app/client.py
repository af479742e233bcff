"""A command of the command line: through the door of a running island, else alone with a house of its own."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Any

from lisa_island.app.door import serve
from lisa_island.app.gate import Caller
from lisa_island.app.house import REMOTE, House, Plan
from lisa_island.core.errors import IslandError, NotRunningError
from lisa_island.core.roster import Roster
from lisa_island.system.endpoint import ask

Json = dict[str, Any]

# What makes no sense without a running island.
NEEDS_ISLAND = frozenset({"show", "hide", "toggle", "quit", "key-changed"})
# What writes later states while it runs alone.
RECORDS = frozenset({"send", "answer"})
RESTORE_SECONDS = 5.0


async def call(plan: Plan, request: Json, caller: Caller) -> AsyncGenerator[Json, None]:
    """Yield the answers. Raises NotRunningError for words that need a running island."""
    try:
        async for answer in ask(plan.home, request):
            yield answer
        return
    except NotRunningError:
        if request["do"] in NEEDS_ISLAND:
            raise
    async for answer in _alone(plan, request, caller):
        yield answer


async def _alone(plan: Plan, request: Json, caller: Caller) -> AsyncGenerator[Json, None]:
    plan.records = request["do"] in RECORDS
    house = House(plan)
    try:
        await house.open()
        await _restored(house)
        # Alone, a call ends with its command: `send` waits for a final or waiting state.
        async for answer in serve(house, request | {"wait": True, "alone": True}, caller):
            yield answer | {"alone": True}
        if house.recorder is not None:
            await house.recorder.settled()
    except IslandError as error:
        yield {"error": "failed", "word": error.word, "values": error.values}
    finally:
        await house.close()


async def _restored(house: House) -> None:
    """Wait until the remote source has told its stored rows and its own state."""
    told = asyncio.Event()

    def look(_old: Roster, new: Roster) -> None:
        if REMOTE in new.sources:
            told.set()

    stop = house.store.subscribe(look)
    look(house.store.roster, house.store.roster)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(told.wait(), RESTORE_SECONDS)
    stop()
