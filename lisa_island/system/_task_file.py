"""One connection to the task database, for one lane: every call is a whole transaction.

Everything in here blocks. Errors of SQLite leave as StorageError; a file that turns out broken is set aside
and the call is done once more on a new one.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from lisa_island.core.agent import SessionKey
from lisa_island.core.errors import StorageError
from lisa_island.core.journal import Entry
from lisa_island.core.ports import LisaRow, TaskRow
from lisa_island.system import _journal_rows, _rows
from lisa_island.system._database import Opened, is_broken, open_database, sentence, set_aside
from lisa_island.system._files import storage_error
from lisa_island.system._problem import Problem
from lisa_island.system.home import make_home

T = TypeVar("T")

DAY_MS = 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class Known:
    """What the database knows of the shared list: our rows (newest first), what we wrote, what LISA wrote."""

    ours: tuple[TaskRow, ...]
    written: frozenset[tuple[str, int]]
    lisa: tuple[LisaRow, ...]


class TaskFile:
    """The tasks of one `LISA_HOME`, opened at the first call."""

    def __init__(self, path: Path, now: Callable[[], int]) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self._now = now
        self._opened: Opened | None = None
        self._traces = False

    def begin(self, row: TaskRow) -> None:
        """Add a row; it is on the disk when this returns. Raises StorageError."""

        def work(connection: sqlite3.Connection) -> bool:
            try:
                _rows.insert(connection, row)
            except sqlite3.IntegrityError as error:
                raise StorageError("storage.twin") from error
            return _rows.prune(connection, self._now(), keep=row.session_id)

        self._write(work)

    def update(self, row: TaskRow) -> None:
        """Write a row whole. Raises StorageError."""

        def work(connection: sqlite3.Connection) -> bool:
            gone = _rows.put(connection, row)
            return _rows.prune(connection, self._now(), keep=row.session_id) or gone

        self._write(work)

    def remove(self, session_id: str) -> None:
        """Forget a row and its question. Raises StorageError."""
        self._write(lambda connection: _rows.delete(connection, session_id))

    def take_back(self, row: TaskRow) -> None:
        """Forget a row whose `begin` came too late, and no other of that session. Raises StorageError."""
        self._write(lambda connection: _rows.delete(connection, row.session_id, row.message_id))

    def list(self) -> list[TaskRow]:
        """All rows that were not pruned, newest first. Raises StorageError."""
        try:
            self._write(lambda connection: _rows.prune(connection, self._now()))
        except StorageError as error:
            if error.word != "storage.full":  # what is there can still be read
                raise
        return self._do(_rows.every)

    def known(self) -> Known:
        """What the mirror needs. Raises StorageError."""
        oldest = self._now() - DAY_MS

        def work(connection: sqlite3.Connection) -> Known:
            written = connection.execute("SELECT slug, last_mtime FROM written").fetchall()
            lisa = connection.execute(
                "SELECT slug, task_id, started_at, last_mtime, last_state FROM lisa_rows"
                " WHERE last_mtime >= ? ORDER BY last_mtime DESC, slug",
                (oldest,),
            ).fetchall()
            # LISA's list knows the gateway's agents alone.
            mirrored = (r for r in _rows.every(connection) if r.agent == "takoapi")
            ours = tuple(row for row in mirrored if row.updated_at >= oldest)
            return Known(ours, frozenset(map(tuple, written)), tuple(LisaRow(*row) for row in lisa))

        return self._do(work)

    def remember(self, lisa: Iterable[LisaRow], written: Iterable[tuple[str, int]]) -> None:
        """Keep what LISA wrote and what we are about to write, for a day. Raises StorageError."""
        oldest = self._now() - DAY_MS

        def work(connection: sqlite3.Connection) -> bool:
            connection.executemany(
                "INSERT OR REPLACE INTO lisa_rows VALUES (?, ?, ?, ?, ?)",
                [(r.target, r.task_id, r.started_at, r.updated_at, r.last_state) for r in lisa],
            )
            connection.executemany("INSERT OR IGNORE INTO written VALUES (?, ?)", list(written))
            connection.execute("DELETE FROM lisa_rows WHERE last_mtime < ?", (oldest,))
            connection.execute("DELETE FROM written WHERE last_mtime < ?", (oldest,))
            return False

        self._write(work)

    def forget_lisa(self) -> None:
        """The owner deleted the shared list: LISA's rows went with it. Raises StorageError."""

        def work(connection: sqlite3.Connection) -> bool:
            connection.execute("DELETE FROM lisa_rows")
            return False

        self._write(work)

    def keep(self, entries: Sequence[Entry], days: int) -> None:
        """Add to the journal; let go of what is older than `days`, of all for 0. Raises StorageError."""
        oldest = self._now() - days * DAY_MS

        def work(connection: sqlite3.Connection) -> bool:
            if days <= 0:
                _journal_rows.clear(connection)
            else:
                _journal_rows.append(connection, entries)
                _journal_rows.expire(connection, oldest)
            return False

        self._write(work)

    def entries(self, key: SessionKey | None) -> Sequence[Entry]:
        """The journal, or one session's, oldest first. Raises StorageError."""
        return self._do(lambda connection: _journal_rows.every(connection, key))

    def close(self) -> None:
        """Leave no question in the log and close."""
        if self._opened is None:
            return
        try:
            self._clear_traces(self._opened.connection)
        except sqlite3.DatabaseError:  # broken: the next opening sets it aside
            pass
        self._opened.connection.close()
        self._opened = None

    def _write(self, work: Callable[[sqlite3.Connection], bool]) -> None:
        """One transaction; `work` tells whether a question was deleted, whose bytes must go too."""

        def transaction(connection: sqlite3.Connection) -> None:
            connection.execute("BEGIN IMMEDIATE")
            try:
                self._traces |= work(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            self._clear_traces(connection)

        self._do(transaction)

    def _clear_traces(self, connection: sqlite3.Connection) -> None:
        """Deleted bytes are zero in the file, but old pages still stand in the log: cut it."""
        if not self._traces:
            return
        try:
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self._traces = bool(busy)
        except sqlite3.OperationalError:  # the record itself is safe; the next call tries again
            pass

    def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        for last in (False, True):
            try:
                return work(self._connection())
            except sqlite3.Error as error:
                if last or not is_broken(error):
                    raise sentence(error, self.path) from error
                self._give_up()
            except OSError as error:
                raise storage_error(error, self.path) from error
        raise AssertionError

    def _connection(self) -> sqlite3.Connection:
        if self._opened is not None and self._is_gone(self._opened.inode):
            self._opened.connection.close()
            self._opened = None
        if self._opened is None:
            make_home(self.path.parent)
            self._opened = open_database(self.path, self._now())
            # What an earlier run could not clear, for it was killed or another process was reading.
            self._traces = True
            if self._opened.set_aside is not None:
                word, name = self._opened.set_aside
                self.problems.append((word, {"file": name}))
        return self._opened.connection

    def _is_gone(self, inode: int) -> bool:
        """Whether the file was deleted or replaced under us: what we wrote there would be lost."""
        try:
            return self.path.stat().st_ino != inode
        except FileNotFoundError:
            return True

    def _give_up(self) -> None:
        if self._opened is not None:
            self._opened.connection.close()
            self._opened = None
        aside = set_aside(self.path, self._now())
        self.problems.append(("storage.database-broken", {"file": aside.name}))
