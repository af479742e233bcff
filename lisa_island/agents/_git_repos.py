"""Finds git repositories below some folders by names alone, in a bounded part of a disk.

Nothing is opened: a folder with `.git` in it is one, whatever is inside. Blocking: for the worker alone.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

MOST_ENTRIES = 20_000
MOST_REPOSITORIES = 200
DEPTH = 4

# Folders of tools, where a repository is none of the owner's work.
SKIPPED = frozenset(
    {"node_modules", "site-packages", "venv", "env", "vendor", "target", "build", "dist"}
    | {"__pycache__", "Library", "AppData", "snap"}
)


def roots(variable: Callable[[str], str]) -> tuple[Path, ...]:
    """Where to look: `LISA_ISLAND_FOLDERS` (several as in PATH), else the home folder."""
    home = variable("HOME") or variable("USERPROFILE")
    named = [part.strip() for part in variable("LISA_ISLAND_FOLDERS").split(os.pathsep) if part.strip()]
    expanded = [home + n[1:] if home and (n == "~" or n.startswith("~/")) else n for n in named or [home]]
    return tuple(dict.fromkeys(Path(n) for n in expanded if n and Path(n).is_absolute()))


@dataclass(frozen=True, slots=True)
class Found:
    """`repositories` are the folders that hold a `.git`; `unreadable` counts folders; `is_cut`: there may be
    more than a look may find.
    """

    repositories: tuple[Path, ...] = ()
    unreadable: int = 0
    is_cut: bool = False


def find(roots: Iterable[Path]) -> Found:
    """Look below each root, `DEPTH` folders deep, into no link, no other file system and no dotted folder.

    Near ones come first, so that what a bounded look leaves out is deep down.
    """
    real = (root.resolve() for root in roots)  # a home may be a link; what is below it may not
    ahead = deque((root, device, DEPTH) for root in real if (device := _device(root)) is not None)
    starts, found = len(ahead), dict[Path, None]()
    entries = unreadable = 0
    while ahead and entries < MOST_ENTRIES and len(found) < MOST_REPOSITORIES:
        folder, device, depth = ahead.popleft()
        starts -= 1
        try:
            folders, is_one, count = _listing(folder, MOST_ENTRIES - entries)
        except OSError:
            unreadable += 1
            continue
        entries += count
        if is_one:
            found[folder] = None
        # What is inside of one belongs to it; a home that is one itself holds others all the same.
        if depth > 0 and (not is_one or starts >= 0):
            ahead += ((path, device, depth - 1) for path in folders if _device(path) == device)
    return Found(tuple(found), unreadable, bool(ahead))


def _device(folder: Path) -> int | None:
    try:
        return folder.stat(follow_symlinks=False).st_dev
    except OSError:
        return None


def _listing(folder: Path, limit: int) -> tuple[list[Path], bool, int]:
    """The folders in it that may hold work, whether it is a repository, and how many entries were seen."""
    folders, is_one, count = [], False, 0
    with os.scandir(folder) as entries:
        for entry in islice(entries, limit):
            count += 1
            if entry.name == ".git":
                is_one = not entry.is_symlink()
            elif _may_hold_work(entry):
                folders.append(Path(entry.path))
    return sorted(folders), is_one, count


def _may_hold_work(entry: "os.DirEntry[str]") -> bool:
    is_usual = not entry.name.startswith(".") and entry.name not in SKIPPED
    return is_usual and entry.is_dir(follow_symlinks=False)
