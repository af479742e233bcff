"""The SQLite file of the tasks: opened for its owner alone, migrated, set aside when it cannot be trusted.

Everything in here blocks and runs in one lane of the worker.
"""

import os
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lisa_island.core.errors import StorageError
from lisa_island.system._files import OWNER_ONLY, aside_name, locked, storage_error

APPLICATION_ID = 0x4C495341  # "LISA" in ASCII
BUSY_SECONDS = 4.0
# SQLite's own names beside the file; they follow it when it is set aside.
COMPANIONS = ("", "-wal", "-shm", "-journal")

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE tasks (
        session_id TEXT NOT NULL PRIMARY KEY,
        target TEXT NOT NULL,
        message_id TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        state TEXT NOT NULL,
        reason TEXT NOT NULL,
        task_state TEXT NOT NULL,
        terminal INTEGER NOT NULL,
        task_id TEXT NOT NULL,
        context_id TEXT NOT NULL,
        label TEXT NOT NULL,
        unread INTEGER NOT NULL,
        notified TEXT NOT NULL,
        calls INTEGER NOT NULL,
        price TEXT NOT NULL,
        had_reply INTEGER NOT NULL,
        question TEXT
    ) STRICT;
    CREATE INDEX tasks_by_age ON tasks (updated_at);
    -- What LISA wrote into the shared list and we have seen; structure only.
    CREATE TABLE lisa_rows (
        slug TEXT NOT NULL PRIMARY KEY,
        task_id TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        last_mtime INTEGER NOT NULL,
        last_state TEXT NOT NULL
    ) STRICT;
    -- What we wrote into the shared list, so that it is never taken for LISA's.
    CREATE TABLE written (
        slug TEXT NOT NULL,
        last_mtime INTEGER NOT NULL,
        PRIMARY KEY (slug, last_mtime)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    ALTER TABLE tasks ADD COLUMN agent TEXT NOT NULL DEFAULT 'takoapi';
    ALTER TABLE tasks ADD COLUMN endpoint TEXT NOT NULL DEFAULT '';
    """,
    """
    -- What happened in sessions, structure only; `event` is JSON of `core.journal_lines`.
    CREATE TABLE journal (
        id INTEGER NOT NULL PRIMARY KEY,
        agent TEXT NOT NULL,
        session_id TEXT NOT NULL,
        at INTEGER NOT NULL,
        event TEXT NOT NULL
    ) STRICT;
    CREATE INDEX journal_by_session ON journal (agent, session_id, id);
    -- How much each session holds there, so that its bounds cost nothing.
    CREATE TABLE journal_sessions (
        agent TEXT NOT NULL,
        session_id TEXT NOT NULL,
        entries INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        first_at INTEGER NOT NULL,
        last_at INTEGER NOT NULL,
        is_over INTEGER NOT NULL,
        PRIMARY KEY (agent, session_id)
    ) STRICT, WITHOUT ROWID;
    """,
)


class UntrustedError(Exception):
    """The file is broken, another program's, or from a newer version; `word` says which."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@dataclass(slots=True)
class Opened:
    """A connection, and the catalogue key and name of a file that was set aside on the way, or None."""

    connection: sqlite3.Connection
    inode: int
    set_aside: tuple[str, str] | None = None


def open_database(path: Path, now: int, migrations: Sequence[str] = MIGRATIONS) -> Opened:
    """Open or create the file. What cannot be trusted is renamed, never deleted. Raises StorageError."""
    problem: tuple[str, str] | None = None
    with locked(path.with_name("island-database.lock")):
        for _ in range(2):
            try:
                return Opened(_connect(path, migrations), path.stat().st_ino, problem)
            except UntrustedError as error:
                problem = (error.word, set_aside(path, now).name)
            except OSError as error:
                raise storage_error(error, path) from error
            except sqlite3.Error as error:
                raise sentence(error, path) from error
    raise StorageError("storage.unwritable", place=str(path))


def set_aside(path: Path, now: int) -> Path:
    """Rename the file with its companions to a name that SQLite still opens as one. Raises OSError."""
    aside = aside_name(path, now)
    for suffix in COMPANIONS:
        try:
            Path(f"{path}{suffix}").replace(f"{aside}{suffix}")
        except FileNotFoundError:
            pass
    return aside


def is_broken(error: sqlite3.Error) -> bool:
    """Whether the file itself is at fault, not the disk or another process."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def sentence(error: sqlite3.Error, path: Path) -> StorageError:
    """What to tell the owner about an error of the database."""
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_FULL:
            word = "storage.full"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            word = "storage.read-only"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            word = "storage.busy"
        case _:
            word = "storage.unwritable"
    return StorageError(word, place=str(path.parent))


def _connect(path: Path, migrations: Sequence[str]) -> sqlite3.Connection:
    _own(path)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        version = _judge(connection, len(migrations))
        _prepare(connection)
        _migrate(connection, migrations, version)
    except sqlite3.Error as error:
        connection.close()
        if is_broken(error):
            raise UntrustedError("storage.database-broken") from error
        raise
    except BaseException:
        connection.close()
        raise
    return connection


def _own(path: Path) -> None:
    """The owner's alone before SQLite sees it: the WAL and its index inherit the mode of the file."""
    try:
        # Never opened when it exists: closing it would drop the locks of another connection in this process.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    except FileExistsError:
        pass
    for suffix in COMPANIONS:
        try:
            Path(f"{path}{suffix}").chmod(OWNER_ONLY)
        except FileNotFoundError:
            pass


def _judge(connection: sqlite3.Connection, newest: int) -> int:
    """The version of the schema, 0 for a new file. Changes no byte of a file that it does not trust."""
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise UntrustedError("storage.database-broken")
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    owner = connection.execute("PRAGMA application_id").fetchone()[0]
    if tables and owner != APPLICATION_ID:
        raise UntrustedError("storage.database-broken")
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > newest:
        raise UntrustedError("storage.database-newer")
    return version


def _prepare(connection: sqlite3.Connection) -> None:
    connection.row_factory = sqlite3.Row
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",  # a commit that returned is on the disk
        "secure_delete = ON",
        "temp_store = MEMORY",
        "trusted_schema = OFF",
        "cell_size_check = ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _migrate(connection: sqlite3.Connection, migrations: Sequence[str], version: int) -> None:
    for number, script in enumerate(migrations[version:], version + 1):
        connection.executescript(
            f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {number};"
            f" PRAGMA application_id = {APPLICATION_ID}; COMMIT;"
        )
