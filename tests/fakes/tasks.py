"""The task database in memory."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from lisa_island.core.errors import StorageError
from lisa_island.core.ports import LisaRow, TaskRow


class FakeTasks:
    """`core.ports.Tasks`. `log` lists writes; `broken` makes them fail; `lisa(...)` changes LISA's rows."""

    def __init__(self, *rows: TaskRow) -> None:
        self.rows = {row.session_id: row for row in rows}
        self.log: list[tuple[str, str]] = []
        self.broken = False
        self._lisa: tuple[LisaRow, ...] = ()
        self._version = 0
        self._changed = asyncio.Event()

    async def begin(self, row: TaskRow) -> None:
        """Write a new row."""
        self._write("begin", row.session_id)
        self.rows[row.session_id] = row

    async def update(self, row: TaskRow) -> None:
        """Write the row whole."""
        self._write("update", row.session_id)
        if row.session_id in self.rows:
            self.rows[row.session_id] = row

    async def remove(self, session_id: str) -> None:
        """Forget it."""
        self._write("remove", session_id)
        self.rows.pop(session_id, None)

    async def list(self) -> Sequence[TaskRow]:
        """Newest first."""
        return sorted(self.rows.values(), key=lambda row: -row.updated_at)

    async def changes(self) -> AsyncIterator[tuple[LisaRow, ...]]:
        """What `lisa` was told, now and after each change."""
        seen = -1
        while True:
            if seen != self._version:
                seen = self._version
                yield self._lisa
                continue
            self._changed.clear()
            await self._changed.wait()

    def lisa(self, *rows: LisaRow) -> None:
        """LISA wrote its list anew."""
        self._lisa = rows
        self._version += 1
        self._changed.set()

    def _write(self, verb: str, session_id: str) -> None:
        if self.broken:
            raise StorageError("storage.timeout", place="the test")
        self.log.append((verb, session_id))
