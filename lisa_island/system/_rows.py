"""Task rows in SQLite, and what may stay there. Blocks: one lane of the worker runs it."""

import json
import sqlite3
from dataclasses import fields
from typing import Any

from lisa_island.core.agent import Blocked, RequestKind, State
from lisa_island.core.ports import TaskRow
from lisa_island.core.text import clean

FINISHED_MS = 24 * 60 * 60 * 1000
UNFINISHED_MS = 7 * FINISHED_MS
MOST_ROWS = 1_000
QUESTION_LIMIT = 4_000
OPTION_LIMIT = 200
MOST_OPTIONS = 20

COLUMNS = tuple(f.name for f in fields(TaskRow))
FLAGS = frozenset({"terminal", "unread", "had_reply"})

_FINISHED = "(terminal OR state IN ('done', 'error', 'idle'))"
_INSERT = f"INSERT INTO tasks ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
_UPSERT = (
    f"{_INSERT} ON CONFLICT (session_id) DO UPDATE SET"
    f" {', '.join(f'{c} = excluded.{c}' for c in COLUMNS if c != 'session_id')}"
)
_EXPIRED = f"updated_at < CASE WHEN {_FINISHED} THEN :finished ELSE :unfinished END"
_SURPLUS = f"""
    session_id IN (
        SELECT session_id FROM tasks WHERE session_id <> :keep
        ORDER BY {_FINISHED} DESC, updated_at, session_id
        LIMIT max(0, (SELECT count(*) FROM tasks) - {MOST_ROWS})
    )
"""


def insert(connection: sqlite3.Connection, row: TaskRow) -> None:
    """Add a new row. Raises sqlite3.IntegrityError when the session exists."""
    connection.execute(_INSERT, _values(row))


def put(connection: sqlite3.Connection, row: TaskRow) -> bool:
    """Write the row whole; True when a stored question went with the old one."""
    old = _questions(connection, "session_id = :id", id=row.session_id)
    values = _values(row)
    connection.execute(_UPSERT, values)
    return bool(old) and old[0] != values[-1]


def delete(connection: sqlite3.Connection, session_id: str, message_id: str | None = None) -> bool:
    """Forget a row, if need be only the one with this message; True when a stored question went with it."""
    where = "session_id = :id AND message_id = coalesce(:message, message_id)"
    return _delete(connection, where, id=session_id, message=message_id)


def prune(connection: sqlite3.Connection, now: int, keep: str = "") -> bool:
    """Drop what is over its time or count, but `keep` for its count; True when a question went with it."""
    expired = _delete(connection, _EXPIRED, finished=now - FINISHED_MS, unfinished=now - UNFINISHED_MS)
    return _delete(connection, _SURPLUS, keep=keep) or expired


def every(connection: sqlite3.Connection) -> list[TaskRow]:
    """All rows, newest first."""
    found = connection.execute(
        f"SELECT {', '.join(COLUMNS)} FROM tasks ORDER BY updated_at DESC, started_at DESC, session_id"
    )
    return [_row(values) for values in found.fetchall()]


def _questions(connection: sqlite3.Connection, where: str, **values: object) -> list[str]:
    found = connection.execute(f"SELECT question FROM tasks WHERE question IS NOT NULL AND {where}", values)
    return [text for (text,) in found.fetchall()]


def _delete(connection: sqlite3.Connection, where: str, **values: object) -> bool:
    had_question = bool(_questions(connection, where, **values))
    connection.execute(f"DELETE FROM tasks WHERE {where}", values)
    return had_question


def _values(row: TaskRow) -> tuple[object, ...]:
    values = {name: getattr(row, name) for name in COLUMNS}
    waits = row.state == State.WAITING
    values["question"] = _packed(row.question) if waits and row.question is not None else None
    # A lone surrogate has no UTF-8 and would make SQLite refuse the whole row.
    return tuple(_storable(value) for value in values.values())


def _storable(value: object) -> object:
    if isinstance(value, str):
        return str(value).encode("utf-8", "replace").decode()
    return int(value) if isinstance(value, bool) else value


def _packed(question: Blocked) -> str:
    return json.dumps(
        {
            "kind": str(question.kind),
            "id": question.request_id,
            "since": question.since,
            "summary": clean(question.summary, QUESTION_LIMIT, newlines=True),
            "options": [clean(option, OPTION_LIMIT) for option in question.options[:MOST_OPTIONS]],
        },
        ensure_ascii=False,
    )


def _unpacked(text: str) -> Blocked | None:
    try:
        stored = json.loads(text)
        return Blocked(
            RequestKind(stored["kind"]), stored["id"], stored["since"],
            stored["summary"], tuple(stored["options"]),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError):  # edited by hand: the row still counts, its question is lost
        return None


def _row(values: sqlite3.Row) -> TaskRow:
    plain: dict[str, Any] = {n: bool(values[n]) if n in FLAGS else values[n] for n in COLUMNS}
    text = plain.pop("question")
    return TaskRow(**plain, question=_unpacked(text) if text else None)
