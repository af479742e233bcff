"""The task database with its mirror: `$LISA_HOME/island.db` and `$LISA_HOME/takoapi-calls.json`.

The database is authoritative: a record is acknowledged when it is committed there, whatever becomes of the
mirror. Neither holds a prompt or a reply; a question is held while its task waits, and leaves no byte behind.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

from lisa_island.core.agent import SessionKey
from lisa_island.core.errors import StorageError
from lisa_island.core.journal import Entry
from lisa_island.core.ports import Clock, LisaRow, TaskRow
from lisa_island.system._problem import Problem
from lisa_island.system._task_file import TaskFile
from lisa_island.system.home import DATABASE
from lisa_island.system.mirror import MERGE_SECONDS, Mirror
from lisa_island.system.worker import Worker

LIMIT_SECONDS = 10.0


class TaskDatabase:
    """`core.ports.Tasks` and `Records` on this machine. Nothing is opened before the first call."""

    def __init__(
        self, home: Path, clock: Clock, worker: Worker, *, merge_seconds: float = MERGE_SECONDS
    ) -> None:
        self._home = home
        self._lane = worker.lane("tasks")
        self._file = TaskFile(home / DATABASE, clock.now)
        self._mirror = Mirror(home, clock, worker, self._file, self._lane, merge_seconds)

    async def open(self) -> None:
        """Open the file and bring the mirror up to date, so that trouble is known before the first call.

        Raises StorageError. Calls work without it.
        """
        await self._run(self._file.list)
        self._mirror.touch()

    async def begin(self, row: TaskRow) -> None:
        """Write a new row; it is on the disk when this returns. Raises StorageError; then it is not there."""
        try:
            await self._run(self._file.begin, row)
        except StorageError as error:
            if error.word == "storage.timeout":
                self._take_back(row)
            raise
        except asyncio.CancelledError:
            self._take_back(row)
            raise
        self._mirror.touch()

    async def update(self, row: TaskRow) -> None:
        """Write the row whole; it is on the disk when this returns. Raises StorageError."""
        await self._run(self._file.update, row)
        self._mirror.touch()

    async def remove(self, session_id: str) -> None:
        """Forget a row and its question, here and in the mirror. Raises StorageError."""
        await self._run(self._file.remove, session_id)
        self._mirror.touch()

    async def list(self) -> Sequence[TaskRow]:
        """All rows that were not pruned, newest first. Raises StorageError."""
        rows: Sequence[TaskRow] = await self._run(self._file.list)
        return rows

    async def keep(self, entries: Sequence[Entry], days: int) -> None:
        """Add to the journal; let go of what is older than `days`, of all for 0. Raises StorageError."""
        await self._run(self._file.keep, entries, days)

    async def entries(self, key: SessionKey | None = None) -> Sequence[Entry]:
        """The journal, or one session's, oldest first. Raises StorageError."""
        found: Sequence[Entry] = await self._run(self._file.entries, key)
        return found

    def changes(self) -> AsyncIterator[tuple[LisaRow, ...]]:
        """LISA's rows of the last day, whole and newest first: now, and after each change of the list."""
        return self._mirror.changes()

    def problems(self) -> tuple[Problem, ...]:
        """What went wrong and was mended or worked around, as (catalogue key, values)."""
        return (*self._file.problems, *self._mirror.problems)

    async def close(self) -> None:
        """Bring the mirror up to date and close the file."""
        await self._mirror.close()
        try:
            await self._lane.run(self._file.close, limit=LIMIT_SECONDS)
        except TimeoutError:  # the disk hangs; what was acknowledged is on it
            pass

    async def _run(self, call: Callable[..., Any], *args: object) -> Any:
        try:
            return await self._lane.run(call, *args, limit=LIMIT_SECONDS)
        except TimeoutError as error:
            raise StorageError("storage.timeout", place=str(self._home)) from error

    def _take_back(self, row: TaskRow) -> None:
        """The row may still be written after its caller has gone; nothing is sent for it, so it goes."""
        self._lane.submit(self._file.take_back, row, done=lambda _result, _error: None)
