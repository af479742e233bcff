"""Commands that need settings and keys themselves: a house of which no more is opened, and ended in order."""

import contextlib
from collections.abc import Awaitable, Callable

from lisa_island.app.client import Place, call
from lisa_island.app.house import House
from lisa_island.cli.printing import FAILED, err, sentence
from lisa_island.core.errors import IslandError, NotRunningError


async def housed(place: Place, work: Callable[[House], Awaitable[int]]) -> int:
    """`work` with the settings open; its exit code, or that of a failure, which is said."""
    house = House(place.plan())
    try:
        await house.settings.open()
        return await work(house)
    except IslandError as error:
        err(sentence(error.word, error.values))
        return FAILED
    finally:
        await house.leave()


async def tell_key_changed(place: Place) -> None:
    """Let an island that runs look at its keys again."""
    with contextlib.suppress(NotRunningError, IslandError):
        async for _answer in call(place, {"do": "key-changed"}):
            pass
