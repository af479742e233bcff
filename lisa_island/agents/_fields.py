"""Takes one value out of what an agent wrote, whatever its type: bounded and cleaned, or nothing."""

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from lisa_island.core.text import clean

TOOL = re.compile(r"[A-Za-z0-9_.:/-]{1,64}")
WORD = re.compile(r"[A-Za-z0-9_.:@/\[\]-]{1,80}")
ID = re.compile(r"[\w.:-]{1,128}", re.ASCII)
NAME_LIMIT = 80
PATH_LIMIT = 1_024
MOST_BLOCKS = 256
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[\\/]|\\\\")


def moment(found: Any) -> int | None:
    """Epoch ms of an ISO time, or None."""
    if not isinstance(found, str) or len(found) > 40:
        return None
    try:
        read_ = datetime.fromisoformat(found)
    except ValueError:
        return None
    try:
        return int((read_ if read_.tzinfo else read_.replace(tzinfo=UTC)).timestamp() * 1000)
    except (OverflowError, ValueError, OSError):
        return None


def _cleaned(found: str, limit: int) -> str:
    return _known(found, limit) if len(found) <= limit else clean(found, limit)


# Each record of a session names its folder and its branch again.
_known = lru_cache(maxsize=64)(clean)


def path(found: Any) -> str:
    """An absolute path of this or another system, cleaned, or "" ."""
    if not isinstance(found, str) or not _ABSOLUTE.match(found):
        return ""
    return _cleaned(found, PATH_LIMIT)


def basename(found: Any) -> str:
    """The last part of a path, cleaned, or "" ."""
    if not isinstance(found, str):
        return ""
    return clean(re.split(r"[\\/]", found[-PATH_LIMIT:].rstrip("\\/"))[-1], NAME_LIMIT)


def blocks(content: Any) -> list[dict[str, Any]]:
    """The objects in a list."""
    return [b for b in content[:MOST_BLOCKS] if isinstance(b, dict)] if isinstance(content, list) else []


def mapping(found: Any) -> dict[str, Any]:
    """The object, or an empty one."""
    return found if isinstance(found, dict) else {}


def word(found: Any) -> str:
    """A machine's word (a version, a mode, a model), or "" ."""
    return found if isinstance(found, str) and WORD.fullmatch(found) else ""


def tool(found: Any) -> str:
    """The name of a tool; what is none is called "tool"."""
    return found if isinstance(found, str) and TOOL.fullmatch(found) else "tool"


def ident(found: Any) -> str:
    """An id, or "" ."""
    return found if isinstance(found, str) and ID.fullmatch(found) else ""


def name(found: Any) -> str:
    """A short name, cleaned."""
    return _cleaned(found, NAME_LIMIT) if isinstance(found, str) else ""


def count(found: Any) -> int | None:
    """A number of things."""
    is_count = isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 2**53
    return found if is_count else None
