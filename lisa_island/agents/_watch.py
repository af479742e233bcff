"""The kernel's hints about changes in folders: they only make a sweep come sooner, they replace none.

`mode` says whether there are hints. Where the kernel has none left, or the place gives none (a network's
folder), sweeps alone find every change, and `mode` says so.
"""

import asyncio
import errno
import logging
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from lisa_island.agents._inotify import Inotify
from lisa_island.core.ports import Clock

GAP_SECONDS = 0.05
MOST_GAP_SECONDS = 0.25
RETRY_SECONDS = 15.0
LIMIT_SECONDS = 5.0
MOST_FOLDERS = 64

HINTS = "hints"
SWEEPS = "sweeps"
EXHAUSTED = "exhausted"

log = logging.getLogger(__name__)

Run = Callable[..., Awaitable[Any]]


class Hints:
    """Follows folders, not what is below them. `changed()` is called on the loop: the first change at once,
    then merged for a moment, which grows while they do not end.
    """

    def __init__(self, run: Run, clock: Clock, changed: Callable[[], None]) -> None:
        self._run = run
        self._clock = clock
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._kernel: Inotify | _Observed | None = None
        self._wanted: frozenset[str] = frozenset()
        self._retry = 0.0
        self._gap = GAP_SECONDS
        self._due: Callable[[], None] | None = None
        self._again = False
        self._open = True
        self.mode = SWEEPS

    async def follow(self, folders: frozenset[str]) -> None:
        """Watch exactly these, at most `MOST_FOLDERS`; never raises but for cancellation."""
        wanted = frozenset(sorted(folders)[:MOST_FOLDERS])
        now = self._clock.monotonic()
        if self.mode == EXHAUSTED or (wanted == self._wanted and not self._is_short(now)):
            return
        self._wanted, self._retry = wanted, now + RETRY_SECONDS
        try:
            watched = await self._run(self._set, wanted, limit=LIMIT_SECONDS)
            self._retry = now + RETRY_SECONDS if watched != wanted else float("inf")
            self.mode = HINTS if watched else SWEEPS
            self._listen()
        except (OSError, TimeoutError) as error:
            number = getattr(error, "errno", None)
            self.mode = EXHAUSTED if number in (errno.ENOSPC, errno.EMFILE) else SWEEPS
            log.warning("no hints about file changes: %s %s", type(error).__name__, number)

    def _is_short(self, now: float) -> bool:
        """Whether a folder has no watch that may have one by now: it was not there, or was made anew."""
        return now >= self._retry or (self._kernel is not None and self._kernel.is_missing)

    def close(self) -> None:
        """Stop at once; what is behind it ends by itself."""
        self._open = False
        if self._due is not None:
            self._due()
        if self._kernel is not None:
            self._unlisten()
            self._kernel.close()

    def _set(self, wanted: frozenset[str]) -> frozenset[str]:
        if self._kernel is None:
            self._kernel = _kernel(self._hint)
        return self._kernel.set(wanted)

    def _listen(self) -> None:
        if self._open and self._due is None and isinstance(self._kernel, Inotify):
            self._loop.add_reader(self._kernel.fd, self._hinted)

    def _unlisten(self) -> None:
        if isinstance(self._kernel, Inotify):
            self._loop.remove_reader(self._kernel.fd)

    def _hint(self) -> None:
        """From a thread."""
        try:
            self._loop.call_soon_threadsafe(self._hinted)
        except RuntimeError:  # the loop has closed
            pass

    def _hinted(self) -> None:
        if self._open and self._due is None:
            self._unlisten()  # what comes meanwhile waits in the kernel
            self._tell()
        else:
            self._again = True

    def _tell(self) -> None:
        self._again = False
        if self._kernel is not None:
            self._kernel.drain()
        self._due = self._clock.call_later(self._gap, self._passed)
        self._changed()

    def _passed(self) -> None:
        self._due = None
        if self._again or (self._kernel is not None and self._kernel.drain()):
            self._gap = min(2 * self._gap, MOST_GAP_SECONDS)
            self._tell()
        else:
            self._gap = GAP_SECONDS
            self._listen()


class _Observed:
    """The same by watchdog's observer, for kernels other than Linux'. `hint()` is called from its thread."""

    is_missing = False

    def __init__(self, hint: Callable[[], None]) -> None:
        self._observer = _observer()
        self._handler = _handler(hint)
        self._watched: dict[str, Any] = {}

    def set(self, wanted: frozenset[str]) -> frozenset[str]:
        """Watch exactly these; which of them there are. Raises OSError. Blocking."""
        events = _events()
        for folder in self._watched.keys() - wanted:
            self._observer.unschedule(self._watched.pop(folder))
        for folder in sorted(wanted - self._watched.keys()):
            try:
                self._watched[folder] = self._observer.schedule(self._handler, folder, event_filter=events)
            except (FileNotFoundError, PermissionError):
                continue  # the sweeps find what there is
        return frozenset(self._watched)

    def drain(self) -> bool:
        """Its thread tells by itself."""
        return False

    def close(self) -> None:
        """Its thread ends by itself."""
        self._observer.stop()


def _kernel(hint: Callable[[], None]) -> "Inotify | _Observed":
    return Inotify() if sys.platform == "linux" else _Observed(hint)


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
