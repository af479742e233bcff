"""A notification server in memory: what is open, what ever came, and fingers to press with."""

import asyncio
from collections.abc import AsyncIterator

from lisa_island.core.notices import Note


class FakeNotifier:
    """`core.ports.Notifier`. With `is_here` False nobody shows notices, as on a desktop without a server."""

    def __init__(self, is_here: bool = True) -> None:
        self.is_here = is_here
        self.trouble = "" if is_here else "notices.no-server"
        self.history: list[Note] = []
        self.open: dict[str, Note] = {}
        self.withdrawn: list[str] = []
        self._presses: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    async def show(self, note: Note) -> bool:
        """Show or replace."""
        if not self.is_here:
            return False
        self.history.append(note)
        self.open[note.note_id] = note
        return True

    async def withdraw(self, note_id: str) -> None:
        """Close it."""
        self.withdrawn.append(note_id)
        self.open.pop(note_id, None)

    async def pressed(self) -> AsyncIterator[tuple[str, str]]:
        """What `press` pressed."""
        while True:
            yield await self._presses.get()

    def press(self, note_id: str, action: str = "default") -> None:
        """Press a button of an open notice, or the notice itself."""
        self._presses.put_nowait((note_id, action))
