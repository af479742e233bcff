"""The folder that LISA and the island share."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path

DATABASE = "island.db"


def lisa_home(environ: Mapping[str, str]) -> Path:
    """`$LISA_HOME`, else `.lisa` in the owner's home. Nothing is created."""
    named = environ.get("LISA_HOME", "").strip()
    if named:
        return Path(named).expanduser().absolute()
    home = environ.get("HOME", "")
    return (Path(home) if home else Path.home()).absolute() / ".lisa"


def make_home(home: Path) -> None:
    """Create the folder for its owner alone, unless it is there. Raises StorageError."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        from lisa_island.system._files import storage_error

        raise storage_error(error, home) from error


def others_can_write(home: Path) -> bool:
    """Whether any user here may put files there. A group is let be: often it is the owner's own."""
    if os.name == "nt":
        return False  # Access there is a list, not a mode; the profile folder is the owner's.
    try:
        return bool(home.stat().st_mode & stat.S_IWOTH)
    except OSError:
        return False
