"""One client of the door: its conversation ends when it hangs up."""

import asyncio
from collections.abc import Awaitable, Callable

from lisa_island.system.door_line import REQUEST_LIMIT

Converse = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Connection(asyncio.StreamReaderProtocol):
    """Ends its conversation as soon as the client hangs up, even while the handler is busy."""

    def __init__(self, clients: "set[Connection]", converse: Converse) -> None:
        super().__init__(asyncio.StreamReader(limit=REQUEST_LIMIT), self._run)
        self._clients = clients
        self._converse = converse
        self._conversation: asyncio.Task[None] | None = None
        self._is_over = self._is_lost = self._has_run = False
        self._gone = asyncio.Event()
        clients.add(self)

    async def end(self) -> None:
        """Stop the conversation and wait until nothing of it is left; its own task is let be."""
        if self._conversation is not asyncio.current_task():
            self._hang_up()
            await self._gone.wait()

    def eof_received(self) -> bool:
        """The client closed its side, so it does not wait for the answer: the connection is closed."""
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone, whoever ended it."""
        super().connection_lost(exc)
        self._is_lost = True
        self._hang_up()
        self._leave()

    async def _run(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._conversation = asyncio.current_task()
        try:
            if not self._is_over:
                await self._converse(reader, writer)
                writer.close()
                await writer.wait_closed()
        except (asyncio.CancelledError, OSError, TimeoutError):
            pass  # The client is gone, or too slow, or we close: nobody waits for this task but `end`.
        finally:
            self._has_run = True
            if not self._is_lost:
                writer.transport.abort()
            self._leave()

    def _hang_up(self) -> None:
        if not self._is_over and self._conversation is not None:
            self._conversation.cancel()
        self._is_over = True

    def _leave(self) -> None:
        if self._is_lost and self._has_run:
            self._clients.discard(self)
            self._gone.set()
