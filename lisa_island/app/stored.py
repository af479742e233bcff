"""What is kept of tasks and of what happened: opened when something needs it, written behind the store.

With everything off and nothing kept it is never opened: SQLite weighs 3 MB.
"""

import asyncio
from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from lisa_island.app.recorder import Recorder
from lisa_island.core.errors import IslandError
from lisa_island.core.ports import Clock
from lisa_island.core.preferences import Preferences
from lisa_island.runtime.journal import Journal
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from lisa_island.system.home import DATABASE
from lisa_island.system.settings import FileSettings
from lisa_island.system.worker import Worker

if TYPE_CHECKING:
    from pathlib import Path

    from lisa_island.system._problem import Problem
    from lisa_island.system.tasks import TaskDatabase

OPEN_SECONDS = 60.0
LOOK_SECONDS = 5.0


class Stored:
    """The task database with its two writers. `records` is off where a run leaves no trace."""

    def __init__(
        self, home: "Path", clock: Clock, worker: Worker, store: Store, nursery: Nursery,
        settings: FileSettings, failed: Callable[[IslandError], None], records: bool,
    ) -> None:  # fmt: skip
        self._home, self._clock, self._worker = home, clock, worker
        self._store, self._nursery, self._settings = store, nursery, settings
        self._failed = failed
        self._records = records
        self._turn = asyncio.Lock()
        self._began = False
        self._ends: list[Callable[[], None]] = []
        self.recorder: Recorder | None = None
        self.journal: Journal | None = None

    @cached_property
    def tasks(self) -> "TaskDatabase":
        """The rows of tasks; asking for it reads SQLite."""
        from lisa_island.system.tasks import TaskDatabase

        return TaskDatabase(self._home, self._clock, self._worker)

    @property
    def is_there(self) -> bool:
        """Whether the database was asked for in this run."""
        return "tasks" in self.__dict__

    async def is_kept(self) -> bool:
        """Whether an earlier run left something; what cannot be told in time may be there."""
        try:
            return await self._worker.run((self._home / DATABASE).exists, limit=LOOK_SECONDS, name="kept")
        except (TimeoutError, OSError):
            return True

    @property
    def problems(self) -> "tuple[Problem, ...]":
        """What went wrong and was mended or worked around, as (catalogue key, values)."""
        return self.tasks.problems() if self.is_there else ()

    async def open(self) -> None:
        """Open it, once, and record from now on, also when it raises StorageError."""
        async with self._turn:
            if self._began:
                return
            self._began = True
            await self._worker.run(
                import_module, "lisa_island.system.tasks", limit=OPEN_SECONDS, name="tasks"
            )
            try:
                await self.tasks.open()
            finally:
                if self._records:
                    self._record()

    async def settled(self) -> None:
        """Wait until everything told so far was written, or refused by the disk."""
        if self.recorder is not None:
            await self.recorder.settled()

    async def close(self) -> None:
        """Write what is pending and close. After the store, which tells the last of it."""
        for end in self._ends:
            end()
        if self.recorder is not None:
            await self.recorder.close()
        if self.journal is not None:
            await self.journal.close()
        if self.is_there:
            await self.tasks.close()

    def _record(self) -> None:
        self.recorder = Recorder(self._store, self.tasks, self._failed)
        self._nursery.start(self.recorder.run(), "recorder")
        self.journal = journal = Journal(self._store, self.tasks, self._clock, self._days)
        self._nursery.start(journal.run(), "journal")

        def changed(_now: Preferences) -> None:
            journal.look_again()

        self._ends.append(self._settings.subscribe(changed))

    def _days(self) -> int:
        return self._settings.now().journal_days
