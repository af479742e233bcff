"""Tells when a file changes: by the kernel's hints, or by a look each second where there are none."""

import asyncio
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lisa_island.core.ports import Clock
from lisa_island.system.worker import Worker

SWEEP_SECONDS = 1.0
LOOKS_BEFORE_RETRY = 60

log = logging.getLogger(__name__)

Stamp = tuple[tuple[int, int, int] | None, ...]


class FileWatch:
    """Watches files through the folders they stand in, and the folders they are linked to.

    `changed()` is called on the loop, once when watching has begun and after each change; it may be called
    without need. Nothing polls while hints work.
    """

    def __init__(
        self, paths: tuple[Path, ...], worker: Worker, clock: Clock, changed: Callable[[], None]
    ) -> None:
        self._paths = paths
        self._lane = worker.lane("watch")
        self._clock = clock
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._observer: Any = None
        self._stamp: Stamp = ()
        self._due: Callable[[], None] | None = None
        self._looks = 0
        self._open = True
        self.is_sweeping = False
        """Whether the kernel gives no hints and the file is looked at each second."""
        self._lane.submit(self._start, done=self._started)

    def close(self) -> None:
        """Stop; `changed` is not called any more."""
        self._open = False
        if self._due is not None:
            self._due()
            self._due = None
        self._drop()

    def _start(self) -> Any:
        if not self._open:
            return None
        # Imported here: the import takes a moment that the loop does not have.
        from watchdog.events import (
            DirDeletedEvent,
            FileCreatedEvent,
            FileDeletedEvent,
            FileModifiedEvent,
            FileMovedEvent,
            FileSystemEvent,
            FileSystemEventHandler,
        )
        from watchdog.observers import Observer

        logging.getLogger("watchdog.observers.inotify").addFilter(_is_news)
        # The kernel reports real paths only; a folder that is a link itself would give no hints.
        links = {Path(os.path.realpath(path.parent)) / path.name for path in self._paths}
        places = links | {Path(os.path.realpath(path)) for path in self._paths}
        folders, names = {str(place.parent) for place in places}, {str(place) for place in places}
        watch = self

        class Handler(FileSystemEventHandler):
            def on_any_event(self, event: FileSystemEvent) -> None:
                if isinstance(event, DirDeletedEvent) and event.src_path in folders:
                    watch._hint(watch._lost)
                elif event.src_path in names or event.dest_path in names:
                    watch._hint(watch._tell)

        events = [DirDeletedEvent, FileCreatedEvent, FileDeletedEvent, FileModifiedEvent, FileMovedEvent]

        def start() -> Any:
            observer = Observer()
            try:
                for folder in sorted(folders):
                    observer.schedule(Handler(), folder, event_filter=events)
                observer.start()
            except BaseException:
                observer.stop()
                raise
            return observer

        try:
            return start()
        except OSError:
            # WORKAROUND watchdog 7.1: its shared reader may just have been closed by another observer.
            return start()

    def _started(self, observer: Any, error: BaseException | None) -> None:
        if not self._open:
            if observer is not None:
                self._lane.submit(_stop, observer)
            return
        if error is None:
            self._replace(observer)
        elif not self.is_sweeping:  # no inotify left, no such folder: look ourselves
            log.warning(
                "no hints about file changes: %s %s", type(error).__name__, getattr(error, "errno", "")
            )
        if error is not None:
            self._sweep()
        self._tell()

    def _replace(self, observer: Any) -> None:
        self._drop()
        self._observer = observer
        self.is_sweeping = False

    def _drop(self) -> None:
        if self._observer is not None:
            self._lane.submit(_stop, self._observer)
            self._observer = None

    def _hint(self, call: Callable[[], None]) -> None:
        """From the observer's thread."""
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:  # the loop has closed
            pass

    def _tell(self) -> None:
        if self._open:
            self._changed()

    def _lost(self) -> None:
        """The folder itself was deleted; one that takes its place gives no hints to us."""
        if self._open and not self.is_sweeping:
            self._sweep()
            self._tell()

    def _sweep(self) -> None:
        self.is_sweeping = True
        self._due = self._clock.call_later(SWEEP_SECONDS, self._look)

    def _look(self) -> None:
        self._looks += 1
        if self._looks % LOOKS_BEFORE_RETRY:
            self._lane.submit(_stamps, self._paths, done=self._looked)
        else:  # there may be hints to be had again
            self._lane.submit(self._start, done=self._started)

    def _looked(self, stamp: Any, _error: BaseException | None) -> None:
        if not self._open:
            return
        changed, self._stamp = stamp != self._stamp, stamp
        self._sweep()
        if changed:
            self._tell()


def _stamps(paths: tuple[Path, ...]) -> Stamp:
    return tuple(_stamp(path) for path in paths)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _is_news(record: logging.LogRecord) -> bool:
    # WORKAROUND watchdog 7.1: an event that comes while an observer is stopped is logged as an error.
    return "called when the thread is inactive" not in record.getMessage()


def _stop(observer: Any) -> None:
    observer.stop()
    observer.join()
