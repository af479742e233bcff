"""What went wrong unforeseen, in one private, bounded file of this LISA_HOME; nothing is sent anywhere.

Python's fatal dumps, exceptions that nobody caught (main, threads, slots of Qt, tasks, callbacks of the
loop) and Qt's last word go there. An exception is told by its type and its place in the code; its message
only where the interpreter itself wrote it, since any other may quote a peer, a path or the owner.

    begin(home)     first thing of a run            record(where, error)   from whoever catches the rest
    end()           last thing of an ordered one    take(home)             what the last run left, once
"""

import faulthandler
import logging
import os
import platform
import sys
import threading
import traceback
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from lisa_island import __version__
from lisa_island.core.text import clean
from lisa_island.system import logfile
from lisa_island.system._files import TooLargeError, read_bounded, replace_file
from lisa_island.system.door_place import fingerprint
from lisa_island.system.scrub import scrub, source

SIZE = 64 * 1024
# A fatal dump follows what is already there; Python bounds it (100 threads of 100 frames at most).
READ_LIMIT = 2 * 1024 * 1024
FRAMES = 40
CHAIN = 4
MESSAGE_LIMIT = 200
ENDED = "=== ended in order\n"
FATAL = "Fatal Python error"

# Messages of these name parts of our own code; those of others may hold what a peer or the owner wrote.
_OWN_WORDS = (AttributeError, NameError, ImportError, IndexError, RecursionError, ZeroDivisionError)
_QT_WORDS = ("Internal C++ object", "libshiboken: Internal C++ object")


@dataclass(frozen=True, slots=True)
class Report:
    """A run that went wrong. `fatal`: it never came to its ordered end. `path` holds `text`."""

    text: str
    fatal: bool
    path: Path


class _Running:
    """The file of this run, open from its begin: what is about to die can no longer open one."""

    def __init__(self, path: Path) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        self.file = os.fdopen(os.open(path, flags, 0o600), "a", encoding="utf-8", errors="replace")
        self.is_over = False

    def shorten(self) -> None:
        """Where every run dies before it takes the report, the first few are enough."""
        if os.fstat(self.file.fileno()).st_size > SIZE:
            self.file.truncate(SIZE)

    def write(self, text: str) -> None:
        # The first faults say most; a fault in every paint event must not fill the disk.
        if os.fstat(self.file.fileno()).st_size + len(text) <= SIZE:
            self.file.write(text)
            self.file.flush()


_running: _Running | None = None


def begin(home: Path) -> None:
    """Catch what nobody else does, from now on. A place that cannot be written is no reason not to run."""
    global _running
    try:
        logfile.folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        _running = _Running(live_file(home))
        _running.shorten()
        faulthandler.enable(_running.file, all_threads=True)
    except OSError:
        return
    sys.excepthook = _uncaught
    sys.unraisablehook = _unraisable
    threading.excepthook = _in_thread


def end() -> None:
    """The run that has the door came to its end in order: whatever stands in the file did not end it."""
    if _running is not None:
        # Python's fatal dumps still get there; what else is said while things are put away is no news.
        _running.is_over = True
        if os.fstat(_running.file.fileno()).st_size:
            _running.file.write(ENDED)
            _running.file.flush()


def record(where: str, error: BaseException | None) -> None:
    """Note an exception that ended something it should not have; `where` is a word of ours."""
    if error is not None and not isinstance(error, KeyboardInterrupt | SystemExit):
        note(where, "".join(_told(error)))


def note(where: str, text: str) -> None:
    """Note what went wrong, with the time and the versions."""
    if _running is None or _running.is_over:
        return
    head = f"=== {datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} lisa-island {__version__}"
    system = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    told = scrub(f"{head}, {system}: {where}\n{text}", SIZE) + "\n"
    _running.write(told)
    if sys.stderr is not None:
        sys.stderr.write(told)


def take(home: Path) -> Report | None:
    """What the last run left; a second call finds nothing. Only by the run that has the door."""
    live, kept = live_file(home), last_file(home)
    try:
        data = read_bounded(live, READ_LIMIT)
        if not data:
            return None
        text = data.decode("utf-8", "replace")
        _, ended, after = text.rpartition(ENDED)
        report = Report(scrub(text, READ_LIMIT), not ended or FATAL in after, kept)
        replace_file(kept, report.text.encode() + b"\n")
        os.truncate(live, 0)
    except (OSError, TooLargeError):
        return None
    return report


def last(home: Path) -> tuple[Path, float] | None:
    """Where the newest report is and when it was written (seconds since 1970), offered or not yet."""
    found = []
    for path in (live_file(home), last_file(home)):
        try:
            told = path.stat()
        except OSError:
            continue
        if told.st_size:
            found.append((path, told.st_mtime))
    return max(found, key=lambda pair: pair[1], default=None)


def live_file(home: Path) -> Path:
    """Where the run of this LISA_HOME writes."""
    return logfile.folder() / f"crash-{fingerprint(home)}.log"


def last_file(home: Path) -> Path:
    """Where the last report stays, scrubbed, until the next one or `erase`."""
    return logfile.folder() / f"last-crash-{fingerprint(home)}.log"


def files() -> list[Path]:
    """What is there, for `erase`."""
    found = [*logfile.folder().glob("crash-*.log"), *logfile.folder().glob("last-crash-*.log")]
    return sorted(p for p in found if p.is_file() and not p.is_symlink())


def _told(error: BaseException) -> list[str]:
    """The exception and what led to it, newest first."""
    lines: list[str] = []
    led: BaseException | None = error
    for _ in range(CHAIN):
        if led is None:
            break
        lines.append(f"{'after ' if lines else ''}{type(led).__qualname__}{_message(led)}\n")
        frames = traceback.extract_tb(led.__traceback__, limit=-FRAMES)
        lines += [f"  {source(frame.filename)}:{frame.lineno} in {frame.name}\n" for frame in frames]
        led = led.__cause__ or (None if led.__suppress_context__ else led.__context__)
    return lines


def _message(error: BaseException) -> str:
    if isinstance(error, _OWN_WORDS) or str(error).startswith(_QT_WORDS):
        return f": {clean(str(error), MESSAGE_LIMIT)}"
    return ""


def _uncaught(_kind: type[BaseException], error: BaseException, _frames: TracebackType | None) -> None:
    if isinstance(error, KeyboardInterrupt):
        sys.__excepthook__(_kind, error, _frames)
        return
    record("uncaught", error)


def in_loop(_loop: object, context: dict[str, Any]) -> None:
    """For `loop.set_exception_handler`: asyncio's own line would quote arguments and results."""
    error = context.get("exception")
    told = type(error).__name__ if error else clean(str(context.get("message", "")), MESSAGE_LIMIT)
    logging.getLogger("asyncio").error("unhandled in the loop: %s", told)
    record("loop", error)


def _in_thread(told: threading.ExceptHookArgs) -> None:
    record("thread", told.exc_value)


def _unraisable(told: Any) -> None:
    record("unraisable", told.exc_value)
