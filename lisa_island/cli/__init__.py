"""The command line: `main` for a console, `gui` for a launcher. Imports the app late, Qt only for windows."""

import contextlib
import os
import sys

INTERRUPTED = 130


def main(argv: list[str] | None = None) -> int:
    """Run one command; the answer is the exit code: 0 ok, 1 failed, 2 usage, 3 not allowed, 4 not running."""
    _hold_streams()
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _let_go_of_output()
        return 1
    except OSError as error:
        # Nothing below lets one pass: it is our own output that cannot be written.
        _let_go_of_output()
        from lisa_island.cli.parser import say

        if sys.stderr is not None:
            sys.stderr.write(say("cli.output", why=error.strerror) + "\n")
        return 1


def _run(argv: list[str]) -> int:
    if not argv:
        # Before anything else is read: the owner sees at once that it starts.
        from lisa_island.app.interrupt import end_at_once

        end_at_once()
        from lisa_island.app.desktop import first

        first.show()
    from lisa_island.cli.parser import parse

    arguments = parse(argv)
    if isinstance(arguments, int):
        return arguments
    from lisa_island.app.lean import read_lean

    read_lean()
    from lisa_island.cli.commands import run

    return run(arguments)


def gui() -> int:
    """Start the island from a launcher; there is no console to speak to."""
    return main([])


def _hold_streams() -> None:
    """A standard stream that came closed must not become the number of a database or a socket."""
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter shows a question mark; it is no reason to fail.
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _let_go_of_output() -> None:
    """Whoever read our output has left; what is still in the buffer goes nowhere, quietly."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
