"""Which branch a folder is on, by its repository's files; starts no program. Blocking: for the worker."""

import re
from dataclasses import dataclass
from pathlib import Path

from lisa_island.agents._jsonl import read_small
from lisa_island.core.text import clean

LINK_LIMIT = 4 * 1024
BRANCH_LIMIT = 120
MOST_PARENTS = 32

_REF = re.compile(rb"ref: refs/heads/([^\n]{1,400})\n?")
_ID = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64})\n?")


@dataclass(frozen=True, slots=True)
class Places:
    """Where a working tree keeps its own state (`own`) and what it shares with others (`common`)."""

    own: Path
    common: Path


def places(tree: Path) -> Places | None:
    """The git folder of a working tree: `.git` itself, or what the file `.git` points to."""
    link = tree / ".git"
    if link.is_dir():
        return Places(link, link)
    try:
        data = read_small(link, LINK_LIMIT)
    except FileNotFoundError:
        return None
    if data is None or not data.startswith(b"gitdir:"):
        return None
    own = _pointed(tree, data[len(b"gitdir:") :])
    if not own.is_dir():
        return None
    try:
        shared = read_small(own / "commondir", LINK_LIMIT)
    except FileNotFoundError:
        shared = None
    return Places(own, _pointed(own, shared) if shared else own)


def _pointed(base: Path, data: bytes) -> Path:
    return base / data.split(b"\0")[0].decode("utf-8", "replace").strip()


def branch(head: Path) -> str:
    """The branch that a HEAD file names, the first digits of a detached one, "" where it does not say."""
    data = read_small(head, LINK_LIMIT) or b""
    if named := _REF.fullmatch(data):
        shown = clean(named[1].decode("utf-8", "replace"), BRANCH_LIMIT)
        return "" if shown == ".invalid" else shown  # another store of refs keeps it elsewhere
    detached = _ID.fullmatch(data)
    return detached[1][:7].decode("ascii") if detached else ""


def root(folder: Path) -> Path | None:
    """The working tree that a folder is in: the nearest one above it that has a `.git`."""
    for place in [folder, *folder.parents][:MOST_PARENTS]:
        try:
            if (place / ".git").exists():
                return place
        except OSError:
            return None
    return None


class Branches:
    """The branches of a few folders, read again when their `HEAD` changed. One call at a time."""

    def __init__(self) -> None:
        self._heads: dict[str, Path | None] = {}
        self._known: dict[str, tuple[tuple[int, int], str]] = {}

    def of(self, folder: str) -> str:
        """The branch's name, "" where there is none or it is not told; never raises."""
        try:
            return self._read(folder)
        except OSError:
            return ""

    def _read(self, folder: str) -> str:
        if folder not in self._heads:
            tree = root(Path(folder)) if folder else None
            found = places(tree) if tree is not None else None
            self._heads[folder] = found.own / "HEAD" if found is not None else None
        head = self._heads[folder]
        if head is None:
            return ""
        status = head.stat()
        stamp = status.st_ino, status.st_mtime_ns
        known = self._known.get(folder)
        if known is None or known[0] != stamp:
            known = self._known[folder] = stamp, branch(head)
        return known[1]
