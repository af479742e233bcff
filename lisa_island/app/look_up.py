"""Names are looked up in threads that nobody waits for.

The default executor of a loop joins its threads at the end: a resolver that hangs would hold up quitting.
Whoever connects, httpx included, asks the loop; so the loop is where it is changed.
"""

import asyncio
import socket
from typing import Any, TypeVar

from lisa_island.system.worker import Worker

LOOK_UP_SECONDS = 10.0

L = TypeVar("L", bound=asyncio.AbstractEventLoop)


def looks_up_apart(loop: L) -> L:
    """The loop, which now looks names up in the worker; one that takes too long raises TimeoutError."""
    worker = Worker()

    async def getaddrinfo(
        host: Any, port: Any, *, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0
    ) -> list[Any]:
        return await worker.run(
            socket.getaddrinfo, host, port, family, type, proto, flags,
            limit=LOOK_UP_SECONDS, name="look up",
        )  # fmt: skip

    # An override in a class would have to know the platform's own.
    loop.getaddrinfo = getaddrinfo  # type: ignore[method-assign]
    return loop


def make() -> asyncio.AbstractEventLoop:
    """A loop of asyncio's for this platform."""
    return looks_up_apart(asyncio.new_event_loop())
