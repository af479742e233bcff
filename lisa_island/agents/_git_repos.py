"""Finds git repositories below some folders by names alone, in a bounded part of a disk.

Nothing is opened: a folder with `.git` in it is one, whatever is inside. Blocking: for the worker alone.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
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


@dataclass(slots=True)
class _Budget:
    left: int = MOST_ENTRIES


@dataclass(frozen=True, slots=True)
class Found:
    """`repositories` are the folders that hold a `.git`; `unreadable` counts folders."""

    repositories: tuple[Path, ...] = ()
    unreadable: int = 0
    is_cut: bool = False


def find(roots: Iterable[Path]) -> Found:
    """Look below each root, `DEPTH` folders deep, into no link, no other file system and no dotted folder."""
    budget, unreadable = _Budget(), [0]
    found: dict[Path, None] = {}
    for root in roots:
        try:
            device = root.stat().st_dev
        except OSError:
            continue
        for path in _below(root, device, DEPTH, budget, unreadable):
            found[path] = None
            if len(found) >= MOST_REPOSITORIES:
                return Found(tuple(found), unreadable[0], True)
    return Found(tuple(found), unreadable[0], budget.left <= 0)


def _below(
    folder: Path, device: int, depth: int, budget: _Budget, unreadable: list[int], *, is_root: bool = True
) -> Iterator[Path]:
    folders, is_one = _listing(folder, budget, unreadable)
    if is_one:
        yield folder
        if not is_root:  # what is inside belongs to it; a home that is one itself holds others all the same
            return
    if depth <= 0:
        return
    for entry in folders:
        try:
            if entry.stat(follow_symlinks=False).st_dev != device:
                continue
        except OSError:
            continue
        yield from _below(Path(entry.path), device, depth - 1, budget, unreadable, is_root=False)


def _listing(folder: Path, budget: _Budget, unreadable: list[int]) -> "tuple[list[os.DirEntry[str]], bool]":
    folders: list[os.DirEntry[str]] = []
    is_one = False
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                budget.left -= 1
                if budget.left <= 0:
                    break
                if entry.name == ".git":
                    is_one = not entry.is_symlink()
                elif _may_hold_work(entry):
                    folders.append(entry)
    except OSError:
        unreadable[0] += 1
    # The same folders first at every look, where there are more than a look may take.
    return sorted(folders, key=lambda entry: entry.name), is_one


def _may_hold_work(entry: "os.DirEntry[str]") -> bool:
    is_usual = not entry.name.startswith(".") and entry.name not in SKIPPED
    return is_usual and entry.is_dir(follow_symlinks=False)
