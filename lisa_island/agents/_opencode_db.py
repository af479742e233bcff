"""OpenCode's database (1.2 and later, and the tables of 2.0), read only. Blocking: for the worker alone.

Named columns alone, never `*`: the same file holds credentials. Text stays inside SQLite but for the start of
a shell command. Nothing is written, not even the index beside the write-ahead log.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from stat import S_ISREG
from typing import Any
from urllib.parse import quote

from lisa_island.agents import _fields
from lisa_island.agents._command import READ_LIMIT, program
from lisa_island.agents._opencode_talk import Call, Talk, failure

BUSY_SECONDS = 0.2
MOST_SESSIONS = 40
MOST_MESSAGES = 8
MOST_CALLS = 32
MOST_COUNTED = 1_000
MOST_CHANNELS = 8

Stamp = tuple[tuple[int, int, int], ...]


def stamp(path: Path) -> Stamp | None:
    """What changes with every commit; None for no database. Raises OSError for one that cannot be seen."""
    try:
        parts = [path.stat()]
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not S_ISREG(parts[0].st_mode):
        raise OSError("not a regular file")
    try:
        parts.append(Path(f"{path}-wal").stat())
    except FileNotFoundError:
        pass
    return tuple((s.st_ino, s.st_size, s.st_mtime_ns) for s in parts)


_HEADER = 20  # its last two bytes say whether commits go into a write-ahead log


def read(path: Path, is_wanted: Callable[[str, str], bool]) -> tuple[Talk, ...]:
    """The newest sessions for which `is_wanted(session, directory)`. Raises OSError, sqlite3.Error."""
    with closing(_open(path)) as db:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        found: dict[str, Talk] = {}
        if "session" in tables:
            for talk in _sessions(db, "session", is_wanted):
                found[talk.session] = _first(db, talk) if "message" in tables else talk
        if "session_v2" in tables:
            for talk in _sessions(db, "session_v2", is_wanted):
                found[talk.session] = _second(db, talk)
        return tuple(found.values())


def _open(path: Path) -> sqlite3.Connection:
    with path.open("rb") as file:
        is_logged = file.read(_HEADER)[-2:] == b"\2\2"
    if is_logged and not Path(f"{path}-wal").exists():
        # Everybody has closed it: all is in the file, and SQLite would make a log of its own to read it.
        return _connect(path, "mode=ro&immutable=1")
    return _connect(path, "mode=ro&readonly_shm=1")


def _connect(path: Path, how: str) -> sqlite3.Connection:
    db = sqlite3.connect(f"file:{quote(str(path))}?{how}", uri=True, timeout=BUSY_SECONDS)
    try:
        db.execute("PRAGMA query_only = 1")
        db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
    except sqlite3.Error:
        db.close()
        raise
    return db


def _json(where: str, *names: str) -> str:
    """SQL for one member of a JSON column; nothing where the column holds no JSON."""
    column, _, member = where.partition("$")
    found = f"CASE WHEN json_valid({column}) THEN json_extract({column}, '${member}') END"
    return f"{found} AS {names[0]}" if names else found


_SESSION = (
    "id", "parent_id", "directory", "version", "agent", "time_created", "time_updated", "time_compacting",
    "time_archived", "tokens_output",
)  # fmt: skip


def _sessions(db: sqlite3.Connection, table: str, is_wanted: Callable[[str, str], bool]) -> list[Talk]:
    there = {row[1] for row in db.execute(f"PRAGMA table_info({table})")}
    columns = ", ".join(name if name in there else f"NULL AS {name}" for name in _SESSION)
    own = "WHERE parent_id IS NULL" if "parent_id" in there else ""  # a subagent's is no row of its own
    rows = db.execute(
        f"SELECT {columns} FROM {table} {own} ORDER BY time_updated DESC LIMIT {MOST_SESSIONS}"
    ).fetchall()
    return [_session(row) for row in rows if is_wanted(_fields.ident(row[0]), _fields.path(row[2]))]


def _session(row: Sequence[Any]) -> Talk:
    return Talk(
        _fields.ident(row[0]), _fields.path(row[2]), _time(row[5]), _time(row[6]), _fields.word(row[3]),
        _fields.ident(row[1]), _time(row[8]), _time(row[7]), tokens=_fields.count(row[9]) or 0,
        mode=_fields.word(row[4]),
    )  # fmt: skip


def _time(found: Any) -> int:
    return _fields.count(found) or 0


# --- 1.x: messages and their parts ---

_MESSAGE = ", ".join(
    (
        "id", "time_updated", _json("data$.role"), _json("data$.time.completed"), _json("data$.finish"),
        _json("data$.error.name"), _json("data$.error.data.statusCode"), _json("data$.modelID"),
        _json("data$.agent"),
    )
)  # fmt: skip
_REFUSED = f"instr({_json('data$.state.error')}, 'rejected permission') > 0"
_PART = ", ".join(
    (
        "time_updated", _json("data$.type"), _json("data$.callID"), _json("data$.tool"),
        _json("data$.state.status"), f"substr({_json('data$.state.input.command')}, 1, {READ_LIMIT})",
        f"coalesce({_json('data$.state.input.filePath')}, {_json('data$.state.input.path')})", _REFUSED,
    )
)  # fmt: skip


def _first(db: sqlite3.Connection, talk: Talk) -> Talk:
    rows = db.execute(
        f"SELECT {_MESSAGE} FROM message WHERE session_id = ? "
        f"ORDER BY time_created DESC, id DESC LIMIT {MOST_MESSAGES}",
        (talk.session,),
    ).fetchall()
    turns, counted = db.execute(
        f"SELECT sum(role = 'user'), count(*) FROM (SELECT {_json('data$.role', 'role')} FROM message "
        f"WHERE session_id = ? ORDER BY time_created DESC LIMIT {MOST_COUNTED})",
        (talk.session,),
    ).fetchone()
    parts = [_parts(db, row[0]) for row in rows]
    past = tuple(c for _, calls, _ in reversed(parts[1:]) for c in calls)
    said = rows[0] if rows else (None,) * 9
    at, calls, is_retrying = parts[0] if parts else (0, (), False)
    role = said[2] if said[2] in ("user", "assistant") else ""
    answer: Sequence[Any] = next((row for row in rows if row[2] == "assistant"), said)
    return replace(
        talk, role=role, at=max(at, _time(said[1])), updated=max(talk.updated, at, _time(said[1])),
        is_completed=said[3] is not None, finish=_fields.word(said[4]),
        error=failure(said[5], said[6]) if isinstance(said[5], str) else "",
        is_retrying=is_retrying, calls=calls, past=past, turns=int(turns or 0),
        is_partial=counted >= MOST_COUNTED, model=_fields.word(answer[7]),
        mode=_fields.word(said[8]) or talk.mode,
    )  # fmt: skip


def _parts(db: sqlite3.Connection, message: str) -> tuple[int, tuple[Call, ...], bool]:
    """Of one message: the time of its newest part, its calls, whether it is being tried again."""
    rows = db.execute(
        f"SELECT {_PART} FROM part WHERE message_id = ? "
        f"ORDER BY time_created DESC, id DESC LIMIT {MOST_CALLS}",
        (message,),
    ).fetchall()
    calls = tuple(_call(row[2:]) for row in reversed(rows) if row[1] == "tool")
    at = max((_time(row[0]) for row in rows), default=0)
    return at, calls, bool(rows) and rows[0][1] == "retry"


_FILE_TOOLS = frozenset({"read", "write", "edit", "multiedit", "patch"})


def _call(row: Sequence[Any]) -> Call:
    id_, named, status, command, file, refused = row
    tool = _fields.tool(named)
    return Call(
        _fields.ident(id_), tool, _fields.word(status), program(command),
        _fields.basename(file) if tool in _FILE_TOOLS else "", bool(refused),
    )  # fmt: skip


# --- 2.0: one row for each message, its calls inside it ---

_DECIDES = ("user", "assistant", "idle", "shell")
_ROW = ", ".join(
    (
        "id", "time_updated", "type", _json("data$.time.completed"), _json("data$.finish"),
        _json("data$.error.type"), _json("data$.error.status"), _json("data$.model.id"),
        _json("data$.agent"), _json("data$.outcome"),
    )
)  # fmt: skip
_CONTENT = ", ".join(
    (
        _json("e.value$.id"), _json("e.value$.name"), _json("e.value$.state.status"),
        f"substr({_json('e.value$.state.input.command')}, 1, {READ_LIMIT})",
        f"coalesce({_json('e.value$.state.input.filePath')}, {_json('e.value$.state.input.path')})", "0",
    )
)  # fmt: skip


def _second(db: sqlite3.Connection, talk: Talk) -> Talk:
    marks = ", ".join("?" for _ in _DECIDES)
    rows = db.execute(
        f"SELECT {_ROW} FROM session_message WHERE session_id = ? AND type IN ({marks}) "
        f"ORDER BY seq DESC LIMIT {MOST_MESSAGES}",
        (talk.session, *_DECIDES),
    ).fetchall()
    (turns,) = db.execute(
        "SELECT count(*) FROM session_message WHERE session_id = ? AND type = 'user'", (talk.session,)
    ).fetchone()
    if not rows:
        return talk
    said = rows[0]
    answer = next((row for row in rows if row[2] == "assistant"), said)
    outcome = _fields.word(said[9]) if said[2] == "idle" else ""
    failed = outcome == "failed" or said[2] == "assistant"
    return replace(
        talk, role="assistant" if said[2] == "shell" else str(said[2]), at=_time(said[1]),
        updated=max(talk.updated, _time(said[1])), is_completed=said[3] is not None,
        finish=_fields.word(said[4]), outcome=outcome,
        error=failure(str(answer[5] or ""), answer[6]) if failed and (answer[5] or outcome) else "",
        calls=_content(db, said), past=tuple(c for row in reversed(rows[1:]) for c in _content(db, row)),
        turns=turns, model=_fields.word(answer[7]), mode=_fields.word(answer[8]) or talk.mode,
    )  # fmt: skip


def _content(db: sqlite3.Connection, row: Sequence[Any]) -> tuple[Call, ...]:
    if row[2] != "assistant":
        return ()
    found = db.execute(
        f"SELECT {_CONTENT} FROM session_message m, json_each(CASE WHEN json_valid(m.data) THEN m.data END, "
        f"'$.content') e WHERE m.id = ? AND {_json('e.value$.type')} = 'tool' LIMIT {MOST_CALLS}",
        (row[0],),
    )
    return tuple(_call(call) for call in found)


def places(folder: Path, chosen: str) -> Sequence[Path]:
    """Where a database may be: the one that is named, else all of the folder's channels."""
    if chosen:
        return () if chosen == ":memory:" else (folder / chosen,)
    return (folder / "opencode.db", *sorted(folder.glob("opencode-*.db"))[:MOST_CHANNELS])
