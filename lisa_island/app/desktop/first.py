"""The first thing on the screen: a pill that says it is starting, before the rest of the program is read.

show()             at the very start of `lisa-island`; nothing where no pill will be
hand_over(pill)    the real pill takes its place      take_away()    there will be none after all
"""

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import shiboken6
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from lisa_island.app.desktop import bare_application
from lisa_island.app.display import has_display
from lisa_island.core.words._pill import WORDS
from lisa_island.system.home import lisa_home
from lisa_island.ui.first_pill import FirstPill, look

# A window manager takes a few ms to map a window; whoever takes longer gets the picture later.
PATIENCE = 0.1
GLANCE = 0.001
LIMIT = 1024 * 1024
# As the settings file has it: no screen is further away, and Qt's numbers are not longer.
FARTHEST = 2**24

_shown: FirstPill | None = None
# Python's hold of it lasts as long as the process: Qt alone decides when it goes.
_held: list[FirstPill] = []


def show() -> None:
    """Put it on the screen, unless another island runs, the owner wants none, or windows cannot float."""
    global _shown
    home = lisa_home(os.environ)
    if not (has_display() or os.environ.get("QT_QPA_PLATFORM")) or _is_running(home):
        return
    choices = _choices(home)
    app = bare_application()
    if choices.get("presenting") is True or QGuiApplication.platformName().startswith("wayland"):
        return
    text = WORDS["pill.starting"][_speaks_chinese(choices, os.environ)]
    positions = tuple(_positions(choices.get("positions")))
    screen = str(choices.get("screen", "pointer"))
    _shown = FirstPill(text, look(str(choices.get("theme"))), positions, screen)
    _held.append(_shown)
    _shown.show()
    until = time.monotonic() + PATIENCE
    while not _shown.is_drawn and time.monotonic() < until:
        app.processEvents()
        time.sleep(GLANCE)


def hand_over(pill: QWidget) -> None:
    """Let the real pill take its place."""
    global _shown
    if _shown is not None:
        _shown.hand_over(pill)
        _shown = None


def take_away() -> None:
    """No pill follows."""
    global _shown
    if _shown is not None:
        _shown.close()
        _shown.deleteLater()
        _shown = None


def end() -> None:
    """The application ends: also a pill that was never taken over is gone before it."""
    global _shown
    _shown = None
    while _held:
        pill = _held.pop()
        if shiboken6.isValid(pill):
            pill.hide()
            shiboken6.delete(pill)


def _is_running(home: Path) -> bool:
    """Whether another process holds the single-instance lock; then that one shows itself."""
    try:
        import fcntl
    except ImportError:  # Windows: the door is not there yet either
        return False
    try:
        with os.fdopen(_open(home / "island.lock"), "rb") as held:
            fcntl.flock(held, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _choices(home: Path) -> dict[str, Any]:
    """What the owner chose, unchecked; what cannot be read has its default."""
    try:
        with os.fdopen(_open(home / "island.json"), "rb") as file:
            text = file.read(LIMIT + 1)
        found = json.loads(text) if len(text) <= LIMIT else None
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _open(path: Path) -> int:
    """To read; a pipe in its place is not waited for."""
    return os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))


def _positions(saved: object) -> list[tuple[str, int, int]]:
    rows = saved if isinstance(saved, list) else []
    return [
        (row[0], row[1], row[2])
        for row in rows
        if isinstance(row, list) and len(row) == 3 and isinstance(row[0], str) and all(map(_fits, row[1:]))
    ]


def _fits(place: object) -> bool:
    return type(place) is int and abs(place) <= FARTHEST


def _speaks_chinese(choices: Mapping[str, Any], environ: Mapping[str, str]) -> bool:
    chosen = environ.get("LISA_ISLAND_LANG") or choices.get("language")
    if not isinstance(chosen, str) or chosen == "system":
        names = ("LC_ALL", "LC_MESSAGES", "LANG")
        chosen = next((environ[name] for name in names if environ.get(name)), "en")
    return chosen.lower().startswith("zh")
