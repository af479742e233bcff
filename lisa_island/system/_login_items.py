"""Start at login on Windows (the Run key) and macOS (a LaunchAgent).

UNTESTED: written from the systems' documentation, never run on either.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from lisa_island.core.errors import StorageError
from lisa_island.system._files import storage_error

LABEL = "lisa-island"
_RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"
# What the Task Manager's start-up page writes: the first byte is odd while the owner has switched it off.
_APPROVED = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"


def is_on() -> bool | None:
    """Whether the next login starts an island. Blocks."""
    if sys.platform == "win32":
        return bool(_value(_RUN)) and not _is_disapproved(_value(_APPROVED))
    if sys.platform == "darwin":
        return _reads_on(agent_file(Path.home()))
    return None


def turn(on: bool, argv: Sequence[str]) -> None:
    """Start at login from now on, or not. Blocks. Raises StorageError."""
    path = agent_file(Path.home())
    try:
        if sys.platform == "win32":
            _set_run(subprocess.list2cmdline(argv) if on else "")
        elif sys.platform == "darwin":
            if on:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                path.write_bytes(agent(argv))
            else:
                path.unlink(missing_ok=True)
    except OSError as error:
        where = path if sys.platform == "darwin" else Path(_RUN)
        raise storage_error(error, where) from error


def agent_file(home: Path) -> Path:
    """Where macOS looks for what starts with the login of its owner."""
    return home / "Library" / "LaunchAgents" / f"{LABEL}.plist"


def agent(argv: Sequence[str]) -> bytes:
    """A LaunchAgent that starts once, in the graphical session only, and is not started anew when it ends."""
    import plistlib

    made = {
        "Label": LABEL,
        "ProgramArguments": list(argv),
        "RunAtLoad": True,
        "LimitLoadToSessionType": "Aqua",
        "ProcessType": "Interactive",
    }
    return plistlib.dumps(made)


def _reads_on(path: Path) -> bool:
    import plistlib

    try:
        read = plistlib.loads(path.read_bytes())
    except (OSError, plistlib.InvalidFileException, ValueError):
        return False
    if not isinstance(read, dict) or read.get("Disabled") is True or read.get("RunAtLoad") is not True:
        return False
    argv = read.get("ProgramArguments")
    return isinstance(argv, list) and bool(argv) and Path(str(argv[0])).is_file()


def _is_disapproved(value: object) -> bool:
    return isinstance(value, bytes) and bool(value) and value[0] % 2 == 1


def _value(key: str) -> object:
    """The value of ours in a registry key, or None."""
    if sys.platform != "win32":
        return None
    import winreg

    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
            return winreg.QueryValueEx(opened, LABEL)[0]
    except OSError:
        return None


def _set_run(command: str) -> None:
    """Write or delete the values; a choice of the owner's in the Task Manager is undone by the owner here."""
    if sys.platform != "win32":
        raise StorageError("storage.unwritable", place=_RUN)
    import winreg

    access = winreg.KEY_SET_VALUE
    with winreg.CreateKeyEx(winreg.HKEY_CURRENT_USER, _RUN, access=access) as run:
        if command:
            winreg.SetValueEx(run, LABEL, 0, winreg.REG_SZ, command)
        else:
            _delete(run)
    with winreg.CreateKeyEx(winreg.HKEY_CURRENT_USER, _APPROVED, access=access) as approved:
        _delete(approved)


def _delete(key: object) -> None:
    if sys.platform == "win32":
        import winreg

        try:
            winreg.DeleteValue(key, LABEL)
        except FileNotFoundError:
            pass  # It was not there: that is what was wanted.
