"""Lists folders, bounded: one that is not there is empty, one that is closed to us is noted. Blocking."""

import os
from pathlib import Path


def listing(folder: Path, limit: int, unreadable: set[Path]) -> "list[os.DirEntry[str]]":
    """At most `limit` entries, in no order; never raises."""
    try:
        with os.scandir(folder) as found:
            return [entry for entry, _ in zip(found, range(limit), strict=False)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError:
        unreadable.add(folder)
        return []
