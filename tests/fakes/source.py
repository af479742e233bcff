"""A source that tells what the test tells it."""

import asyncio
from collections.abc import AsyncIterator, Collection

from lisa_island.core.events import Event
from lisa_island.core.intents import Intent, Outcome, done


class FakeSource:
    """`core.ports.Source`. `tell(event)` yields it; `performed` lists intents; `outcome` answers them."""

    def __init__(self, key: str = "takoapi", *events: Event) -> None:
        self.key = key
        self.performed: list[Intent] = []
        self.outcome: Outcome = done()
        self.forgotten: set[str] = set()
        self.is_closed = False
        self._queue: asyncio.Queue[Event | Exception] = asyncio.Queue()
        self.tell(*events)

    async def events(self) -> AsyncIterator[Event]:
        """Whatever `tell` and `fail` bring."""
        try:
            while True:
                event = await self._queue.get()
                if isinstance(event, Exception):
                    raise event
                yield event
        finally:
            self.is_closed = True

    async def perform(self, intent: Intent) -> Outcome:
        """Note it."""
        self.performed.append(intent)
        return self.outcome

    def forget(self, session_ids: Collection[str]) -> None:
        """Rows left the roster."""
        self.forgotten |= set(session_ids)

    def tell(self, *events: Event) -> None:
        """Let these happen."""
        for event in events:
            self._queue.put_nowait(event)

    def fail(self, error: Exception) -> None:
        """Let the source break."""
        self._queue.put_nowait(error)
