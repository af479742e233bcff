"""The command line: `main` for a console, `gui` for a launcher. Imports the app late, Qt only for windows."""

import sys

from lisa_island.cli.parser import parse


def main(argv: list[str] | None = None) -> int:
    """Run one command; the answer is the exit code: 0 ok, 1 failed, 2 usage, 3 not allowed, 4 not running."""
    arguments = parse(sys.argv[1:] if argv is None else argv)
    if isinstance(arguments, int):
        return arguments
    from lisa_island.cli.commands import run

    try:
        return run(arguments)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output has left; point it at nothing so that the exit stays quiet.
        sys.stdout = None  # type: ignore[assignment]
        return 1


def gui() -> int:
    """Start the island from a launcher; there is no console to speak to."""
    return main([])
