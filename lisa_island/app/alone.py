"""A command without a running island: a house of its own for one request; a call ends with its command."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from lisa_island.app.door import serve
from lisa_island.app.gate import UNSURE, Caller
from lisa_island.app.house import DIRECT, REMOTE, House, Plan
from lisa_island.app.owner import caller_of_self
from lisa_island.app.waits import holds
from lisa_island.core.agent import AgentSession
from lisa_island.core.errors import IslandError

Json = dict[str, Any]

# What writes later states while it runs alone; the rest only reads.
RECORDS = frozenset({"send", "answer", "cancel"})
# What shows rows of every kind.
SHOWS = frozenset({"status", "explain"})
READY_SECONDS = 5.0
LISA_SECONDS = 2.0
ANCESTRY_SECONDS = 5.0
# After the last word the agent ends its stream; hanging up before that would read as leaving early.
LINGER_SECONDS = 10.0


async def alone(plan: Plan, request: Json) -> AsyncGenerator[Json, None]:
    """Serve one request as the door would; each answer is marked `alone`."""
    plan.records = request["do"] in RECORDS
    house = House(plan)
    try:
        await _open(house, is_needed=request["do"] != "facts", local=request["do"] in SHOWS)
        caller = await _caller(house)
        async with aclosing(serve(house, request | {"wait": True}, caller)) as answers:
            async for answer in answers:
                yield answer | {"alone": True}
        await _hung_up(house)
    except IslandError as error:
        yield {"error": "failed", "word": error.word, "values": error.values, "alone": True}
    finally:
        await house.close()


async def _open(house: House, *, is_needed: bool, local: bool) -> None:
    """Open it; where facts alone are asked for, what is in the way is one of them."""
    try:
        await house.open()
        await ready(house, local=local)
    except IslandError as error:
        if is_needed:
            raise
        house.problems.append(error)


async def ready(house: House, *, local: bool = False) -> None:
    """Wait until each source has told its stored rows, LISA's rows and its own state, or is late.

    `local`: also those on this machine; a call need not wait for what it does not ask.
    """
    kinds = house.plan.kinds if local else ()
    expected = {REMOTE} | ({DIRECT} if house.preferences.direct_agents else set())
    expected |= {kind.id for kind in kinds if house.preferences.is_on(kind.id)}
    await holds(house, lambda roster: expected <= roster.sources.keys(), READY_SECONDS)
    if house.preferences.takoapi_enabled:
        await _lisa_told(house)


async def _lisa_told(house: House) -> None:
    """The first reading of the shared list; the source hears of it in the same turn of the loop as we do."""
    try:
        async with asyncio.timeout(LISA_SECONDS), aclosing(house.tasks.changes()) as rows:  # type: ignore[type-var]
            async for _ in rows:
                break
    except TimeoutError:
        return
    # One turn for the source to queue them, one for the store to take them.
    await asyncio.sleep(0)
    await asyncio.sleep(0)


def _is_open(session: AgentSession) -> bool:
    return session.followed and session.key.agent != DIRECT


async def _caller(house: House) -> Caller:
    try:
        return await house.worker.run(caller_of_self, limit=ANCESTRY_SECONDS, name="ancestry")
    except TimeoutError:
        return Caller(owner=False, agent=UNSURE)


async def _hung_up(house: House) -> None:
    # A direct agent can be asked again; only behind a gateway is hanging up early a doubt.
    await holds(house, lambda roster: not any(_is_open(s) for s in roster.sessions.values()), LINGER_SECONDS)
    await house.stored.settled()
