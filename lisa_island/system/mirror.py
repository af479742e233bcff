"""The call list shared with LISA: when to sync it, when to look again, and who hears of LISA's rows.

The database is the truth about our rows and this file is derived from it: a sync that was missed, or undone
by LISA, is made up for by the next one. The file is the truth about LISA's rows.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

from lisa_island.core.backoff import delay
from lisa_island.core.ports import Clock, LisaRow
from lisa_island.system._mirror_file import MirrorFile, Old, Synced
from lisa_island.system._problem import Problem
from lisa_island.system._task_file import TaskFile
from lisa_island.system._watch import FileWatch
from lisa_island.system.worker import Lane, Worker

NAME = "takoapi-calls.json"
MERGE_SECONDS = 0.2
# When a replaced file is read again for what LISA still wrote into it.
REREAD_SECONDS = (0.002, 1.0)
LONGEST_RETRY = 60.0
CLOSE_SECONDS = 5.0
MOST_PROBLEMS = 20
UNWRITABLE: Problem = ("storage.mirror-unwritable", {})

log = logging.getLogger(__name__)


class Mirror:
    """One `takoapi-calls.json`. `tasks` runs in `tasks_lane`, the file work in a lane of its own."""

    def __init__(
        self, home: Path, clock: Clock, worker: Worker, tasks: TaskFile, tasks_lane: Lane,
        merge_seconds: float = MERGE_SECONDS,
    ) -> None:  # fmt: skip
        self.problems: list[Problem] = []
        self._path = home / NAME
        self._clock = clock
        self._worker = worker
        self._lane = worker.lane("mirror")
        self._merge_seconds = merge_seconds
        self._file = MirrorFile(
            self._path,
            clock.now,
            known=lambda: tasks_lane.ask(tasks.known),
            remember=lambda lisa, written: tasks_lane.ask(tasks.remember, lisa, written),
            forget_lisa=lambda: tasks_lane.ask(tasks.forget_lisa),
        )
        self._lisa: tuple[LisaRow, ...] | None = None
        self._listeners: set[asyncio.Event] = set()
        self._watch: FileWatch | None = None
        self._timers: dict[object, Callable[[], None]] = {}
        self._olds: dict[Path, Old] = {}
        """Replaced files that are still to be read again; what a run leaves of them the next one reads."""
        self._running = False
        self._wanted = False
        self._began = False
        self._closed = False
        self._failures = 0

    def touch(self) -> None:
        """Something of ours or of the file has changed: sync soon, many changes at once."""
        self._wanted = True
        if not self._closed and not self._running and "merge" not in self._timers:
            self._go()

    async def changes(self) -> AsyncIterator[tuple[LisaRow, ...]]:
        """LISA's rows of the last day, newest first: now, and after each change."""
        heard = asyncio.Event()
        self._listeners.add(heard)
        if self._watch is None:
            self._watch = FileWatch((self._path,), self._worker, self._clock, self.touch)
        told: tuple[LisaRow, ...] | None = None
        try:
            self.touch()
            while True:
                if self._lisa is not None and self._lisa != told:
                    told = self._lisa
                    yield told
                    continue
                await heard.wait()
                heard.clear()
        finally:
            self._listeners.discard(heard)
            if not self._listeners:
                self._stop_watching()

    async def close(self) -> None:
        """Bring the file up to date once more and stop. What cannot be written now is written next time."""
        self._stop_watching()
        self._closed = True
        for cancel in self._timers.values():
            cancel()
        self._timers.clear()
        if not self._wanted and not self._running and not self._began:
            return
        try:
            await self._lane.run(self._last_sync, tuple(self._olds.values()), limit=CLOSE_SECONDS)
        except Exception as error:  # the database has it all
            log.warning("the call list was not brought up to date: %s", type(error).__name__)

    def _go(self) -> None:
        self._running, self._wanted = True, False
        self._lane.submit(self._sync, done=self._synced)

    def _sync(self) -> Synced:
        if self._began:
            return self._file.sync()
        found, leftovers = self._file.leftovers()
        result = self._file.sync(found)
        for path in leftovers:
            path.unlink(missing_ok=True)
        self._began = True
        return result

    def _last_sync(self, olds: tuple[Old, ...]) -> None:
        """A sync that still ran at the close told nobody what it replaced: it lies in the folder.

        It stays there: LISA may be slow, and the next run looks again.
        """
        found, _ = self._file.leftovers()
        result = self._file.sync([*found, *(row for old in olds for row in self._file.reread(old))])
        if written := [row for old in result.olds for row in self._file.reread(old)]:
            self._file.sync(written)

    def _synced(self, result: Synced | None, error: BaseException | None) -> None:
        self._running = False
        if self._closed:
            return
        if result is None:
            self._failed(error)
            return
        self._failures = 0
        self.problems[:] = [p for p in self.problems if p != UNWRITABLE]
        self._take(result)
        self._after("merge", self._merge_seconds, self._merged)

    def _failed(self, error: BaseException | None) -> None:
        log.warning("the call list was not synced: %s", type(error).__name__)
        self._failures += 1
        self._report(UNWRITABLE)
        self._publish(self._lisa or ())
        self._after("retry", delay(self._failures, longest=LONGEST_RETRY), self.touch)

    def _take(self, result: Synced) -> None:
        for problem in result.problems:
            self._report(problem)
        for old in result.olds:
            self._look_again(old)
        self._publish(result.lisa)

    def _merged(self) -> None:
        if self._wanted and not self._running:
            self._go()

    def _look_again(self, old: Old) -> None:
        self._olds[old.path] = old
        for seconds in REREAD_SECONDS:
            is_last = seconds == REREAD_SECONDS[-1]
            self._after((old.path, seconds), seconds, partial(self._reread, old, is_last))

    def _reread(self, old: Old, is_last: bool) -> None:
        def work() -> Synced | None:
            found = self._file.reread(old)
            result = self._file.sync(found) if found else None
            if is_last and not old.keep:
                old.path.unlink(missing_ok=True)
            return result

        if is_last:
            self._olds.pop(old.path, None)
        self._lane.submit(work, done=self._was_reread)

    def _was_reread(self, result: Synced | None, error: BaseException | None) -> None:
        if self._closed:
            return
        if error is not None:
            self._failed(error)
        elif result is not None:
            self._take(result)

    def _publish(self, lisa: tuple[LisaRow, ...]) -> None:
        if lisa != self._lisa:
            self._lisa = lisa
            for heard in self._listeners:
                heard.set()

    def _after(self, key: object, seconds: float, call: Callable[[], None]) -> None:
        if (cancel := self._timers.pop(key, None)) is not None:
            cancel()

        def due() -> None:
            self._timers.pop(key, None)
            call()

        self._timers[key] = self._clock.call_later(seconds, due)

    def _report(self, problem: Problem) -> None:
        if problem not in self.problems:
            self.problems[:] = [*self.problems, problem][-MOST_PROBLEMS:]

    def _stop_watching(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None
