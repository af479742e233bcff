"""Runs a program of the owner's (`git`, `gh`) and reads what it prints. Blocking: for the worker alone.

It gets a few named variables and none of ours, no input, no terminal, a time limit and a limit on its output;
what it writes to its error stream is not read, for that is prose.
"""

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

OUTPUT_LIMIT = 2 * 1024 * 1024
PIECE = 64 * 1024
END_SECONDS = 5.0

# What a program needs to find itself, its own settings and its own keyring. No token, no key, no setting that
# would send git elsewhere (GIT_DIR and its like).
PASSED = (
    "PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
    "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
    "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "SYSTEMROOT", "USERPROFILE",
    "APPDATA", "LOCALAPPDATA", "PATHEXT", "COMSPEC", "TEMP", "TMP",
)  # fmt: skip


class Ended(StrEnum):
    """How a run came to its end."""

    BY_ITSELF = "by-itself"
    ABSENT = "absent"
    LATE = "late"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run left: `code` is its exit status where it ended by itself; `is_cut`: it printed more."""

    ended: Ended
    code: int = -1
    output: bytes = field(default=b"", repr=False)
    is_cut: bool = False

    @property
    def is_good(self) -> bool:
        """Whether it said that all went well."""
        return self.ended is Ended.BY_ITSELF and self.code == 0


class Program:
    """One program by its name. One run at a time; `stop` may come from another thread, and is for good."""

    def __init__(self, name: str, variable: Callable[[str], str], more: Mapping[str, str]) -> None:
        self._name = name
        self._environ = {n: v for n in PASSED if (v := variable(n))} | dict(more)
        self._child: subprocess.Popen[bytes] | None = None
        self._is_stopped = False

    def run(self, *args: str, limit: float, cwd: str | None = None) -> Ran:
        """Run it with these arguments for at most so many seconds; never raises."""
        path = shutil.which(self._name, path=self._environ.get("PATH", ""))
        if path is None:
            return Ran(Ended.ABSENT)
        try:
            child = self._start(path, args, cwd)
        except (OSError, ValueError):
            return Ran(Ended.FAILED)
        self._child = child
        try:
            if self._is_stopped:
                return Ran(Ended.STOPPED)
            return self._read(child, limit)
        finally:
            self._child = None
            _end(child)

    def stop(self) -> None:
        """End what runs, and let nothing begin any more."""
        self._is_stopped = True
        if (child := self._child) is not None:
            _kill(child)

    def _start(self, path: str, args: tuple[str, ...], cwd: str | None) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [path, *args],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environ,
            cwd=cwd,
            # Without a terminal it cannot ask for a password, and Ctrl-C in ours does not reach it.
            start_new_session=sys.platform != "win32",
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def _read(self, child: "subprocess.Popen[bytes]", limit: float) -> Ran:
        until = time.monotonic() + limit
        try:
            output, is_cut = _output(child, until)
            code = child.wait(max(0.0, until - time.monotonic())) if not is_cut else 0
        except (TimeoutError, subprocess.TimeoutExpired):
            return Ran(Ended.STOPPED if self._is_stopped else Ended.LATE)
        if self._is_stopped:
            return Ran(Ended.STOPPED)
        return Ran(Ended.BY_ITSELF, code, output, is_cut)


def _output(child: "subprocess.Popen[bytes]", until: float) -> tuple[bytes, bool]:
    """What it prints, up to the limit. Raises TimeoutError."""
    if sys.platform == "win32":  # a pipe cannot be selected there
        text, _ = child.communicate(timeout=max(0.0, until - time.monotonic()))
        return text[:OUTPUT_LIMIT], len(text) > OUTPUT_LIMIT
    assert child.stdout is not None
    parts: list[bytes] = []
    count, fd = 0, child.stdout.fileno()
    with selectors.DefaultSelector() as ready:
        ready.register(fd, selectors.EVENT_READ)
        while count <= OUTPUT_LIMIT:
            left = until - time.monotonic()
            if left <= 0 or not ready.select(left):
                raise TimeoutError
            part = os.read(fd, PIECE)
            if not part:
                return b"".join(parts), False
            parts.append(part)
            count += len(part)
    return b"".join(parts)[:OUTPUT_LIMIT], True


def _end(child: "subprocess.Popen[bytes]") -> None:
    _kill(child)
    with contextlib.suppress(subprocess.TimeoutExpired):  # on a dead disk nothing ends it
        child.wait(END_SECONDS)
    if child.stdout is not None:
        child.stdout.close()


def _kill(child: "subprocess.Popen[bytes]") -> None:
    """End it, with what it started: neither may go on for an answer that nobody waits for."""
    try:
        if sys.platform != "win32":
            # Also where it has ended itself: its number is the group's while one of that lives.
            os.killpg(child.pid, signal.SIGKILL)
        elif child.poll() is None:
            child.kill()
    except (ProcessLookupError, PermissionError):
        pass
