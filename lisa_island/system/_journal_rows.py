"""The journal in SQLite and its bounds: sessions, entries of one, bytes, days. Blocks: one lane runs it.

What is over its bound goes from the oldest on; what is left of a session begins with entries that say how it
stood. Sessions that are over go before those that live.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lisa_island.core.agent import SessionKey
from lisa_island.core.journal import MAIN, AgentJoined, AgentLeft, Entry, Known, SessionTold, fold, head
from lisa_island.core.journal_lines import plain, read

MOST_SESSIONS = 64
MOST_ENTRIES = 800
MOST_BYTES = 4 * 1024 * 1024
# A session over its bound loses a quarter at once, so that it is not over it again with the next entry.
LEFT = 3 / 4
# A session that lives on loses its oldest entries once an hour, not with each new one.
SLACK_MS = 60 * 60 * 1000
# What an entry takes besides its event: ids, time, index.
ROW_BYTES = 120

_OF = "agent = ? AND session_id = ?"
_INSERT = "INSERT INTO journal (id, agent, session_id, at, event)"


def append(connection: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    """Add entries in order and keep every bound but that of days."""
    touched: dict[SessionKey, _Added] = {}
    rows = []
    for entry in entries:
        event = _event(entry)
        rows.append((*_args(entry.key), entry.at, event))
        touched.setdefault(entry.key, _Added(entry.at)).add(entry, _size(entry.key, event))
    connection.executemany(f"{_INSERT} VALUES (NULL, ?, ?, ?, ?)", rows)
    for key, added in touched.items():
        _count_in(connection, key, added)
    for key in touched:
        if _count(connection, key) > MOST_ENTRIES:
            compact(connection, key, int(MOST_ENTRIES * LEFT))
    _bound_sessions(connection)
    _bound_bytes(connection)


def expire(connection: sqlite3.Connection, oldest: int) -> None:
    """Let go of what happened before `oldest` (epoch ms)."""
    for key in _keys(connection, "last_at < ?", oldest):
        drop(connection, key)
    for key in _keys(connection, "first_at < ?", oldest - SLACK_MS):
        found = connection.execute(
            f"SELECT count(*) FROM journal WHERE {_OF} AND at >= ?", (*_args(key), oldest)
        )
        compact(connection, key, found.fetchone()[0], oldest)


def clear(connection: sqlite3.Connection) -> None:
    """Forget everything."""
    connection.execute("DELETE FROM journal")
    connection.execute("DELETE FROM journal_sessions")


def drop(connection: sqlite3.Connection, key: SessionKey) -> None:
    """Forget one session."""
    connection.execute(f"DELETE FROM journal WHERE {_OF}", _args(key))
    connection.execute(f"DELETE FROM journal_sessions WHERE {_OF}", _args(key))


def every(connection: sqlite3.Connection, key: SessionKey | None = None) -> list[Entry]:
    """All entries, or one session's, oldest first. What does not read as an entry is left out."""
    where, args = (f"WHERE {_OF}", _args(key)) if key else ("", ())
    found = connection.execute(f"SELECT agent, session_id, at, event FROM journal {where} ORDER BY id", args)
    return [entry for row in found.fetchall() if (entry := _entry(row)) is not None]


def compact(connection: sqlite3.Connection, key: SessionKey, newest: int, floor: int = 0) -> None:
    """Keep the `newest` entries of a session; before them stands how it was. Its time is `floor` at least."""
    rows = connection.execute(
        f"SELECT id, agent, session_id, at, event FROM journal WHERE {_OF} ORDER BY id", _args(key)
    ).fetchall()
    old = rows[: max(0, len(rows) - newest)]
    if not old:
        return
    known, at = Known(), floor
    for row in old:
        entry = _entry(row[1:])
        known = fold(known, entry.happening) if entry else known
        at = max(at, row[3])
    connection.executemany("DELETE FROM journal WHERE id = ?", [(row[0],) for row in old])
    # Room for the head: the ids of what went, from the last one back.
    told = head(known)
    for number, happening in zip([row[0] for row in old][len(old) - len(told) :], told, strict=True):
        row = (number, *_args(key), at, _event(Entry(at, key, happening)))
        connection.execute(f"{_INSERT} VALUES (?, ?, ?, ?, ?)", row)
    _recount(connection, key)


def _entry(row: Sequence[object]) -> Entry | None:
    agent, session_id, at, event = row
    try:
        return Entry(int(str(at)), SessionKey(str(agent), str(session_id)), read(json.loads(str(event))))
    except (ValueError, RecursionError):  # edited by hand
        return None


@dataclass(slots=True)
class _Added:
    """What one heap adds to a session; `is_over` is None where nothing tells."""

    first: int
    last: int = 0
    entries: int = 0
    bytes: int = 0
    is_over: bool | None = None

    def add(self, entry: Entry, size: int) -> None:
        ends = _ends(entry)
        self.is_over = self.is_over if ends is None else ends
        self.first, self.last = min(self.first, entry.at), max(self.last, entry.at)
        self.entries, self.bytes = self.entries + 1, self.bytes + size


def _count_in(connection: sqlite3.Connection, key: SessionKey, added: _Added) -> None:
    over = None if added.is_over is None else int(added.is_over)
    connection.execute(
        "INSERT INTO journal_sessions VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (agent, session_id) DO UPDATE SET entries = entries + excluded.entries,"
        " bytes = bytes + excluded.bytes, first_at = min(first_at, excluded.first_at),"
        " last_at = max(last_at, excluded.last_at), is_over = coalesce(?, is_over)",
        (*_args(key), added.entries, added.bytes, added.first, added.last, int(bool(over)), over),
    )


def _ends(entry: Entry) -> bool | None:
    """Whether a session is over after this entry; None where the entry does not tell."""
    match entry.happening:
        case AgentJoined(agent) if agent == MAIN:
            return False
        case AgentLeft(agent) if agent == MAIN:
            return True
        case SessionTold(gone=True):
            return True
        case _:
            return None


def _event(entry: Entry) -> str:
    return json.dumps(plain(entry.happening), separators=(",", ":"))


def _size(key: SessionKey, event: str) -> int:
    return len(event) + sum(map(len, _args(key))) + ROW_BYTES


def _recount(connection: sqlite3.Connection, key: SessionKey) -> None:
    connection.execute(
        f"UPDATE journal_sessions SET (entries, bytes, first_at) = (SELECT count(*),"
        f" coalesce(sum(length(event)), 0) + count(*) * ?, min(at) FROM journal WHERE {_OF}) WHERE {_OF}",
        (ROW_BYTES + sum(map(len, _args(key))), *_args(key), *_args(key)),
    )


def _bound_sessions(connection: sqlite3.Connection) -> None:
    count: int = connection.execute("SELECT count(*) FROM journal_sessions").fetchone()[0]
    if count > MOST_SESSIONS:
        for key in _longest_silent(connection, count - MOST_SESSIONS):
            drop(connection, key)


def _bound_bytes(connection: sqlite3.Connection) -> None:
    while _bytes(connection) > MOST_BYTES:
        over = _keys(connection, "is_over = 1 ORDER BY last_at LIMIT 1")
        if over:
            drop(connection, over[0])
            continue
        (largest,) = _keys(connection, "TRUE ORDER BY bytes DESC LIMIT 1")
        before = _count(connection, largest)
        compact(connection, largest, before // 2)
        if _count(connection, largest) >= before:  # nothing but its head is left
            drop(connection, largest)


def _bytes(connection: sqlite3.Connection) -> int:
    found: int = connection.execute("SELECT coalesce(sum(bytes), 0) FROM journal_sessions").fetchone()[0]
    return found


def _longest_silent(connection: sqlite3.Connection, number: int) -> list[SessionKey]:
    return _keys(connection, "TRUE ORDER BY is_over DESC, last_at, agent, session_id LIMIT ?", number)


def _count(connection: sqlite3.Connection, key: SessionKey) -> int:
    found = connection.execute(f"SELECT entries FROM journal_sessions WHERE {_OF}", _args(key)).fetchone()
    return found[0] if found else 0


def _keys(connection: sqlite3.Connection, where: str, *args: object) -> list[SessionKey]:
    found = connection.execute(f"SELECT agent, session_id FROM journal_sessions WHERE {where}", args)
    return [SessionKey(*row) for row in found.fetchall()]


def _args(key: SessionKey) -> tuple[str, str]:
    return _storable(key.agent), _storable(key.session_id)


def _storable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
