"""Follows a file of lines that another program appends to. Blocking: for the worker alone.

By device, inode and offset: only appended bytes are read. The first look reads the tail, growing until it is
enough. A shorter file, another inode or another head is a new file. Memory is bounded whatever the sizes.
"""

import json
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WINDOWS = (64 * 1024, 256 * 1024, 1024 * 1024, 8 * 1024 * 1024)
CHUNK = 256 * 1024
TICK_LIMIT = 4 * 1024 * 1024
BACKLOG_LIMIT = 32 * 1024 * 1024
LINE_LIMIT = 1024 * 1024
EDGE = 4 * 1024
HEAD = 256
# Where a record of its own can begin in a line that a crash left half written.
STARTS = (b'{"parentUuid"', b'{"type"')

_FLAGS = (
    os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
)
_BOM = b"\xef\xbb\xbf"
_NOBODY = (-1, -1)
_DECODER = json.JSONDecoder(parse_constant=lambda _word: None)


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end. `tail` is not empty for one that was too long: then `data` is its first
    bytes, `tail` its last, and nothing between was kept.
    """

    data: bytes = field(repr=False)
    tail: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Piece:
    """What a look found. `restarted`: it is another file now, what was known of it is void. `partial`: bytes
    before these lines were not read, so counts are lower bounds. `more`: there is more to read at once.
    """

    lines: tuple[Line, ...] = ()
    restarted: bool = False
    partial: bool = False
    more: bool = False


Stamp = tuple[int, int, int, int]


class Tail:
    """One file. `enough(lines)` says whether a first look at its end has found what it needs; `trims` are the
    bytes at a line's ends that say nothing.
    """

    def __init__(
        self,
        path: Path,
        enough: Callable[[tuple[Line, ...]], bool] = lambda _lines: True,
        trims: bytes = b"\r\0 \t",
    ) -> None:
        self.path = path
        self._enough = enough
        self._trims = trims
        self._stamp: Stamp | None = None
        self._known = _NOBODY
        self._offset = 0
        self._head = b""
        self._carry = bytearray()
        self._edge = b""  # the first bytes of a line that is too long
        self._long = False

    def look(self, found: os.stat_result) -> Piece:
        """What is new, given the file's `stat`. Raises OSError for what cannot be opened or is no file."""
        now = _stamp(found)
        if now == self._stamp:
            return Piece()
        with _Opened(self.path) as handle:
            status = os.fstat(handle.fd)  # a listing may be older than the file
            if self._is_another(handle.fd, status):
                piece = self._first(handle.fd, status)
            else:
                piece = self._next(handle.fd, status)
        # With more to come the file counts as changed at the next look.
        self._stamp = None if piece.more else _stamp(status)
        self._known = (status.st_dev, status.st_ino)
        return piece

    def _is_another(self, fd: int, status: os.stat_result) -> bool:
        if (status.st_dev, status.st_ino) != self._known or status.st_size < self._offset:
            return True
        return _read(fd, 0, len(self._head)) != self._head

    def _first(self, fd: int, status: os.stat_result) -> Piece:
        restarted = self._known != _NOBODY
        size = status.st_size
        self._head = _read(fd, 0, min(HEAD, size))
        lines: tuple[Line, ...] = ()
        for window in WINDOWS:
            start = max(0, size - window)
            lines = self._window(fd, start, size)
            if start == 0 or self._enough(lines):
                break
        return Piece(lines, restarted, partial=start > 0)

    def _window(self, fd: int, start: int, size: int) -> tuple[Line, ...]:
        self._carry, self._edge, self._long = bytearray(), b"", False
        self._offset = start
        if start > 0:
            # What stands before the first line end belongs to a line whose beginning was not read.
            self._long = _read(fd, start - 1, 1) != b"\n"
        is_cut = self._long
        lines = self._take(fd, size)
        return tuple(lines[1:] if is_cut else lines)

    def _next(self, fd: int, status: os.stat_result) -> Piece:
        if len(self._head) < HEAD:
            self._head = _read(fd, 0, min(HEAD, status.st_size))
        if status.st_size - self._offset > BACKLOG_LIMIT:
            return Piece(self._window(fd, status.st_size - WINDOWS[0], status.st_size), partial=True)
        end = min(status.st_size, self._offset + TICK_LIMIT)
        return Piece(tuple(self._take(fd, end)), more=end < status.st_size)

    def _take(self, fd: int, end: int) -> list[Line]:
        lines: list[Line] = []
        while self._offset < end:
            data = _read(fd, self._offset, min(CHUNK, end - self._offset))
            if not data:  # it shrank meanwhile; the next look sees that
                break
            at_start, self._offset = self._offset == 0, self._offset + len(data)
            if at_start and data.startswith(_BOM):
                data = data[len(_BOM) :]
            *whole, rest = data.split(b"\n")
            for part in whole:
                self._end(part, lines)
            self._keep(rest)
        return lines

    def _end(self, part: bytes, lines: list[Line]) -> None:
        self._keep(part)
        if self._long:
            lines.append(Line(self._edge, bytes(self._carry[-EDGE:]).rstrip(b"\r")))
        elif kept := bytes(self._carry).strip(self._trims):
            lines.append(Line(kept))
        self._carry, self._edge, self._long = bytearray(), b"", False

    def _keep(self, part: bytes) -> None:
        self._carry += part
        if not self._long and len(self._carry) > LINE_LIMIT:
            self._long, self._edge = True, bytes(self._carry[:EDGE])
        if self._long and len(self._carry) > EDGE:
            del self._carry[:-EDGE]


class _Opened:
    """A descriptor of a regular file, closed at the end. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self.fd = os.open(path, _FLAGS)

    def __enter__(self) -> "_Opened":
        if not stat.S_ISREG(os.fstat(self.fd).st_mode):
            os.close(self.fd)
            raise OSError("not a regular file")
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)


def read_small(path: Path, limit: int) -> bytes | None:
    """A whole small file, or None when it is larger. Raises OSError."""
    with _Opened(path) as handle:
        if os.fstat(handle.fd).st_size > limit:
            return None
        return _read(handle.fd, 0, limit)


def read_start(path: Path, limit: int) -> bytes:
    """The first bytes of a file. Raises OSError."""
    with _Opened(path) as handle:
        return _read(handle.fd, 0, limit)


def record(line: bytes, starts: tuple[bytes, ...] = STARTS) -> dict[str, Any] | None:
    """The JSON object in a line, or None. A record that was glued to a half written one is found by how it
    begins.
    """
    found = _object(line)
    if found is None and (at := max(line.rfind(start) for start in starts)) > 0:
        found = _object(line[at:])
    return found


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = _DECODER.decode(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _read(fd: int, start: int, count: int) -> bytes:
    os.lseek(fd, start, os.SEEK_SET)
    return os.read(fd, count)


def _stamp(found: os.stat_result) -> Stamp:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
