"""Start at login. The desktop's own entry is the truth: it is read each time, and nothing else remembers it.

On Linux that is the XDG autostart folder, where the owner or a tool of the desktop may change it too.
"""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from lisa_island.system import _login_items, desktop_entry
from lisa_island.system._files import TooLargeError, read_bounded, replace_file, storage_error

SIZE_LIMIT = 64 * 1024
READABLE_BY_ALL = 0o644

# What a desktop's own tool writes to switch an entry off without deleting it.
_SWITCHES = {"Hidden": "true", "X-GNOME-Autostart-enabled": "false"}


def is_on(environ: Mapping[str, str] = os.environ) -> bool | None:
    """Whether the next login starts an island; None where this system offers no way. Blocks.

    An entry whose program is gone starts nothing, so it counts as off.
    """
    if sys.platform in ("win32", "darwin"):
        return _login_items.is_on()
    return _is_on(entries(environ))


def turn(on: bool, environ: Mapping[str, str] = os.environ) -> None:
    """Start at login from now on, or not. Blocks. Raises StorageError."""
    if sys.platform in ("win32", "darwin"):
        _login_items.turn(on, desktop_entry.command())
        return
    own, *others = entries(environ)
    try:
        if on:
            _write(own, desktop_entry.entry(desktop_entry.command()))
        elif _is_on(others):
            # The system's own entry would start it all the same; this is how a user overrules one.
            _write(own, "[Desktop Entry]\nType=Application\nName=LISA Island\nHidden=true\n")
        else:
            own.unlink(missing_ok=True)
    except OSError as error:
        raise storage_error(error, own) from error


def entries(environ: Mapping[str, str]) -> list[Path]:
    """Where an entry may stand, the owner's own first: the first that is there counts, and only that."""
    home = environ.get("HOME") or str(Path.home())
    own = _absolute(environ.get("XDG_CONFIG_HOME", "")) or Path(home) / ".config"
    shared = [_absolute(part) for part in (environ.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(":")]
    return [folder / "autostart" / desktop_entry.NAME for folder in (own, *shared) if folder]


def _absolute(text: str) -> Path | None:
    """A relative folder in these variables is to be ignored, says the XDG specification."""
    path = Path(text)
    return path if path.is_absolute() else None


def _is_on(paths: list[Path]) -> bool:
    for path in paths:
        try:
            data = read_bounded(path, SIZE_LIMIT)
        except (OSError, TooLargeError):
            return False
        if data is not None:
            return _starts(desktop_entry.read(data.decode("utf-8", "replace")))
    return False


def _starts(keys: Mapping[str, str]) -> bool:
    if any(keys.get(key, "").lower() == off for key, off in _SWITCHES.items()):
        return False
    program, *_ = desktop_entry.arguments(keys.get("Exec", "")) or ("",)
    return all(shutil.which(name) for name in (program, keys.get("TryExec", program)))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(path, text.encode(), READABLE_BY_ALL)
