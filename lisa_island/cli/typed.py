"""What a person types at a question. Ctrl-C ends it whenever it comes, also just before the read begins."""

import contextlib
import getpass
import os
import select
import signal
import sys
from collections.abc import Iterator
from typing import IO

try:
    import termios
except ImportError:  # Windows: a console's read returns on Ctrl-C by itself
    termios = None  # type: ignore[assignment]


def line(prompt: str) -> str:
    """A line of standard input, asked for on standard error; empty at its end. Where no loop runs."""
    sys.stderr.write(prompt)
    sys.stderr.flush()
    _await_line(sys.stdin)
    return sys.stdin.buffer.readline().decode("utf-8", "replace")


def secret(prompt: str, limit: int) -> str:
    """A line nobody sees: typed without echo on a terminal, else at most `limit` bytes of a pipe."""
    if sys.stdin is None:
        return ""
    if not sys.stdin.isatty():
        return sys.stdin.buffer.readline(limit).decode("utf-8", "replace").strip()
    if termios is None:
        with contextlib.suppress(EOFError):
            return getpass.getpass(prompt).strip()
        return ""
    with _without_echo(sys.stdin.fileno()):
        said = line(prompt)
    sys.stderr.write("\n")
    return said.strip()


@contextlib.contextmanager
def _without_echo(fd: int) -> Iterator[None]:
    before = termios.tcgetattr(fd)
    hidden = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
    try:
        # FLUSH: what was typed before the question is no answer to it.
        termios.tcsetattr(fd, termios.TCSAFLUSH, hidden)
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _await_line(stream: IO[str]) -> None:
    """Return when a read gives something at once; KeyboardInterrupt on Ctrl-C.

    A signal that comes after Python looked for one and before it reads is seen only when the read ends. The
    byte it leaves in a pipe is not missed.
    """
    if termios is None:
        return
    hear, tell = os.pipe()
    os.set_blocking(tell, False)
    before = signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    try:
        # A byte in the pipe means that a handler is due: it runs before `select` is asked again.
        while stream.fileno() not in select.select([stream.fileno(), hear], [], [])[0]:
            os.read(hear, 1)
    finally:
        signal.set_wakeup_fd(before)
        os.close(hear)
        os.close(tell)
