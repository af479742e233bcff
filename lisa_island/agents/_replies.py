"""Answers, held in memory only: 2 MiB each, 32 MiB in all, until their row leaves the roster."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass

from lisa_island.core.text import clean

EACH = 2 * 1024 * 1024
IN_ALL = 32 * 1024 * 1024
_PIECE = 16 * 1024


@dataclass(slots=True)
class _Held:
    text: str
    size: int
    is_read: bool = False


class Replies:
    """Texts by session id, oldest first. They are foreign; `read` cleans them."""

    def __init__(self, each: int = EACH, in_all: int = IN_ALL) -> None:
        self._each = each
        self._in_all = in_all
        self._held: dict[str, _Held] = {}

    def __contains__(self, session_id: str) -> bool:
        return session_id in self._held

    def keep(self, session_id: str, text: str) -> tuple[str, ...]:
        """Hold a text, cut to its limit; answers with the sessions whose text had to go for it."""
        self._held.pop(session_id, None)
        cut = cut_bytes(text, self._each)
        self._held[session_id] = _Held(cut, size_of(cut))
        return tuple(self._make_room(session_id))

    def _make_room(self, newest: str) -> list[str]:
        gone = []
        while sum(h.size for h in self._held.values()) > self._in_all:
            others = [key for key in self._held if key != newest]
            if not others:
                break
            # What was read can be lost with the least harm; `min` takes the oldest of equals.
            victim = min(others, key=lambda key: not self._held[key].is_read)
            del self._held[victim]
            gone.append(victim)
        return gone

    async def read(self, session_id: str) -> str | None:
        """The text, cleaned, or None when it is not held; lets the loop run between its pieces."""
        held = self._held.get(session_id)
        if held is None:
            return None
        held.is_read = True
        return await clean_long(held.text)

    def forget(self, session_ids: Iterable[str]) -> None:
        """Drop the texts of rows that left."""
        for session_id in session_ids:
            self._held.pop(session_id, None)


def cut_bytes(text: str, limit: int) -> str:
    """At most `limit` bytes of UTF-8, whole characters only."""
    if len(text) * 4 <= limit:
        return text
    if text.isascii():
        return text[:limit]
    return text[:limit].encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")


def size_of(text: str) -> int:
    """Bytes in UTF-8; of ASCII, which is most of what is long, known at once."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


_LINE_ENDS = re.compile(r"\s*\n")


async def clean_long(text: str) -> str:
    """A long foreign text, cleaned piece by piece, at line ends where it has any."""
    done, at = [], 0
    while at < len(text):
        end = _piece_end(text, at)
        ends = _LINE_ENDS.match(text, end)
        done.append(clean(text[at:end], end - at, newlines=True))
        if ends:
            done.append("\n" * min(3, ends[0].count("\n")))
        at = ends.end() if ends else end
        await asyncio.sleep(0)
    return "".join(done).rstrip()


def _piece_end(text: str, at: int) -> int:
    end = min(len(text), at + _PIECE)
    if end < len(text) and (line := text.rfind("\n", at, end)) > at:
        end = line
    # Space at the end of a piece would be taken for the end of a line.
    while end > at + 1 and text[end - 1].isspace():
        end -= 1
    return end
