"""Writing a file that the owner named: only where nothing is, and for its owner alone."""

import os

from lisa_island.cli.parser import say
from lisa_island.cli.printing import FAILED, err, out


def write_new(name: str, text: str, done: str) -> int:
    """Write to a new file, or print for `-`; `done` is the sentence afterwards. The exit code."""
    if name == "-":
        out(text.rstrip("\n"))
        return 0
    try:
        # Only where nothing is: a slip of the fingers must not cost a file.
        with os.fdopen(
            os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as file:
            file.write(text)
    except FileExistsError:
        err(say("cli.export.exists", file=name))
        return FAILED
    except OSError as error:
        err(say("cli.export.failed", file=name, why=error.strerror))
        return FAILED
    err(say(done, file=name))
    return 0
