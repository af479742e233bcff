"""The journal in the task database: its order, and each of its bounds."""

import json
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_island.core.agent import SessionKey, State
from lisa_island.core.journal import (
    MAIN,
    ActionBegan,
    AgentJoined,
    AgentLeft,
    AgentStated,
    Entry,
    Known,
    SessionTold,
    Used,
    fold,
    tag,
)
from lisa_island.core.ports import Records
from lisa_island.system import _database, _journal_rows
from lisa_island.system.tasks import TaskDatabase
from lisa_island.system.worker import Worker
from tests.core.test_journal import HAPPENINGS
from tests.fakes.clock import START, FakeClock

DAY = 24 * 60 * 60 * 1000
KEY = SessionKey("claude-code", "s-1")


def key(n: int) -> SessionKey:
    return SessionKey("codex", f"s-{n}")


def began(k: SessionKey, at: int = START) -> list[Entry]:
    """A session that lives."""
    return [Entry(at, k, AgentJoined(MAIN)), Entry(at, k, AgentStated(MAIN, State.WORKING, "working"))]


def used(k: SessionKey, n: int, at: int = START) -> list[Entry]:
    return [Entry(at + i, k, Used(MAIN, i + 1)) for i in range(n)]


def stood(entries: list[Entry], k: SessionKey) -> Known:
    known = Known()
    for entry in entries:
        known = fold(known, entry.happening) if entry.key == k else known
    return known


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = _database.open_database(tmp_path / "island.db", START).connection
    yield opened
    opened.close()


@pytest_asyncio.fixture
async def records(home: Path, clock: FakeClock, worker: Worker) -> AsyncIterator[TaskDatabase]:
    database = TaskDatabase(home, clock, worker)
    yield database
    await database.close()


def counted(connection: sqlite3.Connection) -> None:
    """The table of sizes says what is there."""
    told = connection.execute(
        "SELECT agent, session_id, entries, first_at, last_at FROM journal_sessions ORDER BY 1, 2"
    ).fetchall()
    found = connection.execute(
        "SELECT agent, session_id, count(*), min(at) FROM journal GROUP BY 1, 2 ORDER BY 1, 2"
    ).fetchall()
    assert [tuple(row[:3]) for row in told] == [tuple(row[:3]) for row in found]
    bytes_told = connection.execute("SELECT coalesce(sum(bytes), 0) FROM journal_sessions").fetchone()[0]
    real = connection.execute(
        "SELECT coalesce(sum(length(event) + length(agent) + length(session_id) + ?), 0) FROM journal",
        (_journal_rows.ROW_BYTES,),
    ).fetchone()[0]
    assert bytes_told == real


async def test_it_is_the_port_and_entries_come_back_in_order(records: Records) -> None:
    told = [*began(KEY), *began(key(1)), *used(KEY, 3)]
    await records.keep(told[:3], 7)
    await records.keep(told[3:], 7)
    assert list(await records.entries()) == told
    assert list(await records.entries(key(1))) == began(key(1))


async def test_entries_outlive_the_island(
    records: TaskDatabase, home: Path, clock: FakeClock, worker: Worker
) -> None:
    await records.keep(began(KEY), 7)
    await records.close()
    again = TaskDatabase(home, clock, worker)
    assert list(await again.entries()) == began(KEY)
    await again.close()


async def test_days_that_are_over_take_their_entries_along(records: TaskDatabase, clock: FakeClock) -> None:
    await records.keep([*began(KEY), *began(key(1))], 7)
    clock.advance(3 * DAY / 1000)
    await records.keep(used(KEY, 2, clock.now()), 7)
    clock.advance(5 * DAY / 1000)
    await records.keep([], 7)
    left = list(await records.entries())
    assert {e.key for e in left} == {KEY} and all(e.at >= clock.now() - 7 * DAY for e in left)
    known = stood(left, KEY)
    assert (known.state, known.tokens, known.is_over) == (State.WORKING, 2, False), "how it stood is kept"


async def test_no_days_forget_all(records: TaskDatabase) -> None:
    await records.keep(began(KEY), 7)
    await records.keep(began(KEY), 0)
    assert list(await records.entries()) == []


def test_a_session_over_its_bound_begins_with_how_it_stood(connection: sqlite3.Connection) -> None:
    opened = [Entry(START, KEY, ActionBegan(MAIN, "server", tag("open")))]
    told = [*began(KEY), *opened, *used(KEY, _journal_rows.MOST_ENTRIES)]
    _journal_rows.append(connection, told)
    left = _journal_rows.every(connection)
    assert len(left) <= _journal_rows.MOST_ENTRIES * _journal_rows.LEFT + 5
    assert stood(left, KEY) == stood(told, KEY) and stood(left, KEY).calls
    assert [e.at for e in left] == sorted(e.at for e in left)
    counted(connection)


def test_sessions_that_are_over_go_first_and_the_longest_over_before_others(
    connection: sqlite3.Connection,
) -> None:
    ended = [
        Entry(START + 500, key(5), AgentLeft(MAIN)),
        Entry(START + 400, key(9), SessionTold(False, gone=True)),
    ]
    for n in range(_journal_rows.MOST_SESSIONS):
        _journal_rows.append(connection, began(key(n), START + n))
    _journal_rows.append(connection, ended)
    for n, lost in ((100, key(9)), (101, key(5)), (102, key(0))):
        _journal_rows.append(connection, began(key(n), START + 1_000 + n))
        keys = {e.key for e in _journal_rows.every(connection)}
        assert len(keys) == _journal_rows.MOST_SESSIONS and lost not in keys
    counted(connection)


def test_one_that_goes_on_is_not_over(connection: sqlite3.Connection) -> None:
    _journal_rows.append(connection, [*began(KEY), Entry(START, KEY, AgentLeft(MAIN)), *began(KEY)])
    assert connection.execute("SELECT is_over FROM journal_sessions").fetchone()[0] == 0


def test_bytes_are_bounded_too(connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_journal_rows, "MOST_BYTES", 20_000)
    over = [*began(key(1)), Entry(START, key(1), AgentLeft(MAIN))]
    told = [*began(KEY), *used(KEY, 400)]
    _journal_rows.append(connection, [*over, *told])
    left = _journal_rows.every(connection)
    assert {e.key for e in left} == {KEY}, "what is over goes first"
    assert 0 < connection.execute("SELECT sum(bytes) FROM journal_sessions").fetchone()[0] <= 20_000
    assert stood(left, KEY) == stood(told, KEY)
    counted(connection)
    monkeypatch.setattr(_journal_rows, "MOST_BYTES", 10)
    _journal_rows.append(connection, [])
    assert _journal_rows.every(connection) == []


def test_a_row_that_was_edited_by_hand_is_left_out(connection: sqlite3.Connection) -> None:
    _journal_rows.append(connection, began(KEY))
    connection.execute(
        "UPDATE journal SET event = ? WHERE id = 1", (json.dumps({"type": "say", "text": "x"}),)
    )
    assert _journal_rows.every(connection) == began(KEY)[1:]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), HAPPENINGS), max_size=60), st.integers(5, 12), st.integers(1, 9))
def test_whatever_comes_the_bounds_hold_and_what_is_known_stays(told, most, heap) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_journal_rows, "MOST_ENTRIES", most)
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.executescript("".join(_database.MIGRATIONS))
        entries = [Entry(START + i, key(n), happening) for i, (n, happening) in enumerate(told)]
        for i in range(0, len(entries), heap):
            _journal_rows.append(connection, entries[i : i + heap])
        left = _journal_rows.every(connection)
        for n in range(3):
            assert stood(left, key(n)) == stood(entries, key(n))
        counted(connection)
        connection.close()
