"""Reads TAKO_KEY from LISA's `config.env`, a file of KEY=VALUE lines. Never writes it.

The file counts only when nobody else could have put the key there or read it: a regular file of ours, no
symbolic link, mode 0600 or stricter, in a folder that others cannot write to. Other lines are not kept.
"""

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lisa_island.core.errors import SecretError
from lisa_island.system.hidden import Hidden

NAME = "config.env"
SIZE_LIMIT = 64 * 1024

_LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"\s*(?:#.*)?|'([^']*)'\s*(?:#.*)?")
_ESCAPE = re.compile(r"\\([\"\\$`])")


@dataclass(frozen=True, slots=True)
class KeyFile:
    """What the file says of us: the key, and the address it stands beside ("" when it names none)."""

    key: Hidden
    base_url: str = ""


def read(home: Path) -> KeyFile | None:
    """The key in `home/config.env`, None without one. Raises SecretError for a file that is not private."""
    data = _bytes(home / NAME)
    if data is None:
        return None
    found = dict(pairs(data.decode("utf-8-sig", "replace")))
    key = found.get("TAKO_KEY", "")
    return KeyFile(Hidden(key), found.get("TAKOAPI_BASE_URL", "")) if key else None


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """The plain assignments as a shell would read them; nothing is expanded, a later line wins."""
    for line in text.splitlines():
        if found := _LINE.fullmatch(line):
            yield found[1], _value(found[2].strip())


def _value(raw: str) -> str:
    if quoted := _QUOTED.fullmatch(raw):
        double, single = quoted.groups()
        return single if double is None else _ESCAPE.sub(r"\1", double)
    return re.split(r"(?:^|\s)#", raw, maxsplit=1)[0].strip()


def _bytes(path: Path) -> bytes | None:
    # O_NONBLOCK: a pipe in its place must not hold us.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags)
    except FileNotFoundError:
        return None
    except OSError:
        raise SecretError("secrets.file-unreadable", file=NAME) from None
    with os.fdopen(handle, "rb") as file:
        if not _is_private(os.fstat(handle)) or not _is_ours_to_write(path.parent):
            raise SecretError("secrets.file-open", file=NAME)
        return file.read(SIZE_LIMIT)


def _is_private(found: os.stat_result) -> bool:
    if not stat.S_ISREG(found.st_mode):
        return False
    if os.name == "nt":
        return True  # Access there is a list, not a mode; the profile folder is the owner's.
    return found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & 0o077


def _is_ours_to_write(folder: Path) -> bool:
    if os.name == "nt":
        return True
    found = folder.stat()
    return found.st_uid in (os.getuid(), 0) and not stat.S_IMODE(found.st_mode) & 0o022
