"""Waiting for the roster to become so."""

import asyncio
from collections.abc import Callable

from lisa_island.app.house import House
from lisa_island.core.roster import Roster


async def holds(house: House, met: Callable[[Roster], bool], limit: float) -> bool:
    """Wait on the store until something holds; False when the time is up first (seconds)."""
    event = asyncio.Event()
    stop = house.store.subscribe(lambda _old, new: event.set() if met(new) else None)
    try:
        if not met(house.store.roster):
            async with asyncio.timeout(limit):
                await event.wait()
        return True
    except TimeoutError:
        return False
    finally:
        stop()
