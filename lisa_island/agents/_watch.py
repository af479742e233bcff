"""The kernel's hints about changes in folders: they only make a sweep come sooner, they replace none.

`mode` says whether there are hints. Where the kernel has none left, or the place gives none (a network's
folder), sweeps alone find every change, and `mode` says so.
"""

import asyncio
import errno
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from lisa_island.core.ports import Clock

GAP_SECONDS = 0.05
LIMIT_SECONDS = 5.0
MOST_FOLDERS = 64

HINTS = "hints"
SWEEPS = "sweeps"
EXHAUSTED = "exhausted"

log = logging.getLogger(__name__)

Run = Callable[..., Awaitable[Any]]


class Hints:
    """Follows folders, not what is below them. `changed()` is called on the loop: the first change at once,
    then merged for a moment.
    """

    def __init__(self, run: Run, clock: Clock, changed: Callable[[], None]) -> None:
        self._run = run
        self._clock = clock
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._observer: Any = None
        self._watched: dict[str, Any] = {}
        self._wanted: frozenset[str] = frozenset()
        self._last = float("-inf")
        self._due: Callable[[], None] | None = None
        self._open = True
        self.mode = SWEEPS

    async def follow(self, folders: frozenset[str]) -> None:
        """Watch exactly these, at most `MOST_FOLDERS`; never raises but for cancellation."""
        wanted = frozenset(sorted(folders)[:MOST_FOLDERS])
        if wanted == self._wanted or self.mode == EXHAUSTED:
            return
        self._wanted = wanted
        try:
            await self._run(self._set, wanted, limit=LIMIT_SECONDS)
            self.mode = HINTS if self._watched else SWEEPS
        except (OSError, TimeoutError) as error:
            number = getattr(error, "errno", None)
            self.mode = EXHAUSTED if number in (errno.ENOSPC, errno.EMFILE) else SWEEPS
            log.warning("no hints about file changes: %s %s", type(error).__name__, number)

    def close(self) -> None:
        """Stop at once; its thread ends by itself."""
        self._open = False
        if self._due is not None:
            self._due()
        if self._observer is not None:
            self._observer.stop()

    def _set(self, wanted: frozenset[str]) -> None:
        if self._observer is None:
            self._observer = _observer()
        events = _events()
        for folder in self._watched.keys() - wanted:
            self._observer.unschedule(self._watched.pop(folder))
        handler = _handler(self._hint)
        for folder in sorted(wanted - self._watched.keys()):
            try:
                self._watched[folder] = self._observer.schedule(handler, folder, event_filter=events)
            except (FileNotFoundError, PermissionError):
                continue  # the sweeps find what there is

    def _hint(self) -> None:
        """From the observer's thread."""
        try:
            self._loop.call_soon_threadsafe(self._hinted)
        except RuntimeError:  # the loop has closed
            pass

    def _hinted(self) -> None:
        if not self._open or self._due is not None:
            return
        wait = self._last + GAP_SECONDS - self._clock.monotonic()
        if wait <= 0:
            self._tell()
        else:
            self._due = self._clock.call_later(wait, self._tell)

    def _tell(self) -> None:
        self._due = None
        self._last = self._clock.monotonic()
        if self._open:
            self._changed()


def _observer() -> Any:
    # Imported here: the import takes a moment that the loop does not have.
    from watchdog.observers import Observer

    observer = Observer()
    observer.start()
    return observer


def _events() -> list[Any]:
    # Reading a file makes events of its own; these are the ones that a change makes.
    from watchdog import events as e

    files = [e.FileCreatedEvent, e.FileModifiedEvent, e.FileMovedEvent, e.FileDeletedEvent]
    return [*files, e.DirCreatedEvent, e.DirMovedEvent, e.DirDeletedEvent]


def _handler(hint: Callable[[], None]) -> Any:
    from watchdog.events import FileSystemEvent, FileSystemEventHandler

    class Handler(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            hint()

    return Handler()
