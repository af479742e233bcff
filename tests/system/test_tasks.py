"""The task database: durable, private, pruned, and honest about what it cannot do."""

import asyncio
import os
import sqlite3
import stat
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio

from lisa_island.core.agent import Blocked, RequestKind
from lisa_island.core.errors import StorageError
from lisa_island.core.ports import TaskRow, Tasks
from lisa_island.system import _database, _rows
from lisa_island.system.tasks import TaskDatabase
from lisa_island.system.worker import Worker
from tests.fakes.clock import FakeClock, settle
from tests.system.rows import DAY, task, waiting

CANARY = "canary-7f3a1c"


@pytest_asyncio.fixture
async def tasks(home: Path, clock: FakeClock, worker: Worker) -> AsyncIterator[TaskDatabase]:
    database = TaskDatabase(home, clock, worker)
    yield database
    await database.close()


@pytest.fixture
def reopened(home: Path, clock: FakeClock, worker: Worker) -> Callable[[], TaskDatabase]:
    return lambda: TaskDatabase(home, clock, worker)


def files(home: Path) -> list[Path]:
    return sorted(home.glob("island.db*"))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def make_folder(path: Path) -> None:
    """Usable whatever the mask."""
    path.mkdir()
    path.chmod(0o700)


async def test_it_is_the_port(tasks: Tasks) -> None:
    assert await tasks.list() == []


async def test_rows_come_back_as_they_were(
    tasks: TaskDatabase, reopened: Callable[[], TaskDatabase], clock: FakeClock
) -> None:
    full = waiting(
        number=2, label="mine", unread=True, notified="request-2", calls=3, price="0.02 USD", had_reply=True
    )
    await tasks.begin(task(number=1))
    await tasks.begin(full.with_(updated_at=clock.now() + 5))
    await tasks.close()
    again = reopened()
    assert await again.list() == [full.with_(updated_at=clock.now() + 5), task(number=1)]
    await again.close()


async def test_update_writes_the_row_whole(tasks: TaskDatabase) -> None:
    await tasks.begin(waiting())
    after = task(state="done", reason="completed", task_state="completed", terminal=True, task_id="")
    await tasks.update(after)
    assert await tasks.list() == [after]
    await tasks.remove(after.session_id)
    await tasks.remove("nobody/00000000")
    assert await tasks.list() == []


async def test_begin_never_writes_over_a_task(tasks: TaskDatabase) -> None:
    await tasks.begin(task())
    with pytest.raises(StorageError) as refused:
        await tasks.begin(task(message_id="another"))
    assert refused.value.word == "storage.twin"
    assert (await tasks.list())[0].message_id == "message-1"


@pytest.mark.parametrize("mask", [0o000, 0o077, 0o777])
async def test_private_from_birth(home: Path, clock: FakeClock, worker: Worker, mask: int) -> None:
    before = os.umask(mask)
    try:
        make_folder(home.parent)
        make_folder(home)
        tasks = TaskDatabase(home, clock, worker)
        await tasks.begin(task())
        modes = {path.name: mode(path) for path in files(home)}
        await tasks.close()
    finally:
        os.umask(before)
    assert modes == {"island.db": 0o600, "island.db-shm": 0o600, "island.db-wal": 0o600}


async def test_an_old_file_with_a_wide_mode_is_narrowed(
    tasks: TaskDatabase, home: Path, reopened: Callable[[], TaskDatabase]
) -> None:
    await tasks.begin(task())
    await tasks.close()
    (home / "island.db").chmod(0o644)
    again = reopened()
    assert len(await again.list()) == 1
    assert {mode(path) for path in files(home)} == {0o600}
    await again.close()


async def test_the_home_is_made_for_its_owner_alone(tasks: TaskDatabase, home: Path) -> None:
    await tasks.list()
    assert mode(home) == 0o700


# --- the question ---


def traces(home: Path, canary: str = CANARY) -> list[str]:
    return [path.name for path in home.rglob("*") if path.is_file() and canary.encode() in path.read_bytes()]


async def test_an_answered_question_is_in_no_byte(tasks: TaskDatabase, home: Path) -> None:
    await tasks.begin(task())
    await tasks.update(waiting(asks=f"{CANARY} " * 400))
    assert traces(home)
    await tasks.update(task())
    assert not traces(home)


async def test_nothing_is_left_of_many_questions(
    tasks: TaskDatabase, home: Path, reopened: Callable[[], TaskDatabase]
) -> None:
    chance = Random(7)
    numbers = list(range(60))
    for number in numbers:
        asks = f"{CANARY}" + "问" * chance.randrange(3_900)
        await tasks.begin(waiting(number=number, asks=asks))
        if chance.random() < 0.3:
            await tasks.update(waiting(number=number, asks=asks[: len(asks) // 2]))
    assert traces(home)
    chance.shuffle(numbers)
    for number in numbers:
        if chance.random() < 0.5:
            await tasks.remove(task(number=number).session_id)
        else:
            await tasks.update(task(number=number))
    assert not traces(home)
    await tasks.close()
    assert not traces(home)


async def test_a_new_question_replaces_the_old_without_a_trace(tasks: TaskDatabase, home: Path) -> None:
    await tasks.begin(waiting(asks=CANARY))
    await tasks.update(waiting(asks="Another one?"))
    assert not traces(home)
    assert (await tasks.list())[0].question.summary == "Another one?"  # type: ignore[union-attr]


async def test_a_pruned_question_leaves_no_trace(tasks: TaskDatabase, home: Path, clock: FakeClock) -> None:
    await tasks.begin(waiting(asks=CANARY))
    clock.jump(7 * DAY + 1)
    assert await tasks.list() == []
    assert not traces(home)


async def test_a_reader_that_stands_in_the_way_only_delays_it(
    tasks: TaskDatabase, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_database, "BUSY_SECONDS", 0.01)
    await tasks.begin(waiting(asks=CANARY))
    reader = sqlite3.connect(home / "island.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM tasks").fetchall()
    await tasks.update(task())
    assert traces(home), "the reader holds the old page"
    reader.execute("COMMIT")
    reader.close()
    await tasks.list()
    assert not traces(home)


async def test_only_a_waiting_task_keeps_its_question(tasks: TaskDatabase, home: Path) -> None:
    question = Blocked(RequestKind.INPUT, "r", 1, CANARY)
    await tasks.begin(task(question=question))
    await tasks.begin(task(number=2, state="error", question=question))
    assert [row.question for row in await tasks.list()] == [None, None]
    assert not traces(home)


async def test_a_question_is_cleaned_and_cut(tasks: TaskDatabase) -> None:
    asks = "Which\u202e one?\x1b[31m\nThis\ud800?" + "x" * 9_000
    await tasks.begin(waiting(asks=asks))
    question = (await tasks.list())[0].question
    assert question is not None
    assert question.summary.startswith("Which one?\nThis?xxx")
    assert len(question.summary) == 4_000


async def test_odd_text_is_storable(tasks: TaskDatabase) -> None:
    await tasks.begin(task(reason="a\ud800b\x00c", label="名"))
    assert [(row.reason, row.label) for row in await tasks.list()] == [("a?b\x00c", "名")]


# --- what goes, and when ---


@pytest.mark.parametrize(
    ("row", "kept_for"),
    [
        (task(state="done", reason="completed", terminal=True), DAY),
        (task(state="error", reason="failed", terminal=True), DAY),
        (task(state="error", reason="failed", unread=True), DAY),
        (task(), 7 * DAY),
        (waiting(), 7 * DAY),
        (task(state="unknown", reason="outcome-unknown"), 7 * DAY),
    ],
)
async def test_time_limits(tasks: TaskDatabase, clock: FakeClock, row: TaskRow, kept_for: int) -> None:
    await tasks.begin(row)
    clock.jump(kept_for)
    assert await tasks.list() == [row]
    clock.jump(1)
    assert await tasks.list() == []


@pytest.mark.parametrize("touch", ["begin", "update"])
async def test_writing_prunes(tasks: TaskDatabase, clock: FakeClock, home: Path, touch: str) -> None:
    await tasks.begin(task(number=1))
    await tasks.begin(task(number=2, at=clock.now() + 8 * DAY))
    clock.jump(8 * DAY)
    row = task(number=3 if touch == "begin" else 2, at=clock.now())
    await (tasks.begin(row) if touch == "begin" else tasks.update(row))
    with sqlite3.connect(home / "island.db") as direct:
        stored = {number for (number,) in direct.execute("SELECT session_id FROM tasks")}
    direct.close()
    assert "acme/00000001" not in stored


async def test_a_thousand_rows_at_most(tasks: TaskDatabase, clock: FakeClock) -> None:
    def fill() -> None:
        connection = tasks._file._connection()
        connection.execute("BEGIN")
        for number in range(1_000):
            state = "done" if number % 10 == 0 else "working"
            _rows.insert(connection, task(number=number, at=clock.now() - 5_000 + number, state=state))
        connection.execute("COMMIT")

    await tasks._run(fill)
    for number in range(1_000, 1_100):
        await tasks.begin(task(number=number, at=clock.now()))
    rows = await tasks.list()
    assert len(rows) == 1_000
    assert not [row for row in rows if row.state == "done"], "all 100 finished ones went first"
    await tasks.begin(task(number=1_100, at=clock.now()))
    assert task(number=1).session_id not in {row.session_id for row in await tasks.list()}
    # Even one that is older than all others is not lost by being written.
    oldest = task(number=1_101, at=clock.now() - 9_000)
    await tasks.begin(oldest)
    assert oldest in await tasks.list()


# --- what cannot be trusted, or not be written ---


def spoil_header(path: Path) -> None:
    path.write_bytes(b"this is no database " * 500)


def spoil_pages(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(bytes(data))


def make_newer(path: Path) -> None:
    with sqlite3.connect(path) as direct:
        direct.execute("PRAGMA user_version = 99")
    direct.close()


def make_foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as direct:
        direct.execute("CREATE TABLE recipes (name)")
    direct.close()


@pytest.mark.parametrize(
    ("spoil", "word"),
    [
        (spoil_header, "storage.database-broken"),
        (spoil_pages, "storage.database-broken"),
        (make_newer, "storage.database-newer"),
        (make_foreign, "storage.database-broken"),
    ],
)
async def test_a_file_that_cannot_be_trusted_is_set_aside(
    tasks: TaskDatabase,
    reopened: Callable[[], TaskDatabase],
    home: Path,
    spoil: Callable[[Path], None],
    word: str,
) -> None:
    await tasks.begin(task())
    await tasks.close()
    spoil(home / "island.db")
    before = (home / "island.db").read_bytes()
    again = reopened()
    await again.begin(task(number=2))
    assert [row.session_id for row in await again.list()] == ["acme/00000002"]
    [(said, values)] = again.problems()
    assert said == word
    assert values["file"].startswith("island.db.broken-")
    assert (home / values["file"]).read_bytes() == before
    await again.close()


async def test_a_second_broken_file_does_not_overwrite_the_first(
    tasks: TaskDatabase, reopened: Callable[[], TaskDatabase], home: Path
) -> None:
    for text in ("one", "two"):
        (home / "island.db").parent.mkdir(parents=True, exist_ok=True)
        (home / "island.db").write_text(text * 1_000)
        again = reopened()
        await again.begin(task())
        await again.close()
    assert sorted(p.read_text()[:3] for p in files(home) if ".broken-" in p.name) == ["one", "two"]


async def test_a_file_that_breaks_while_it_is_open(tasks: TaskDatabase, home: Path) -> None:
    for number in range(50):
        await tasks.begin(task(number=number))

    def spoil() -> None:
        connection = tasks._file._connection()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        spoil_pages(home / "island.db")
        connection.execute("PRAGMA shrink_memory")

    await tasks._run(spoil)
    await tasks.begin(task(number=100))
    assert task(number=100) in await tasks.list()
    assert [word for word, _ in tasks.problems()] == ["storage.database-broken"]


async def test_a_file_that_was_deleted_under_us(tasks: TaskDatabase, home: Path) -> None:
    await tasks.begin(task())
    for path in files(home):
        path.unlink()
    await tasks.begin(task(number=2))
    assert (home / "island.db").exists()
    assert await tasks.list() == [task(number=2)]


async def test_a_full_disk_has_a_sentence(tasks: TaskDatabase) -> None:
    await tasks.begin(task())
    await tasks._run(lambda: tasks._file._connection().execute("PRAGMA max_page_count = 1"))
    with pytest.raises(StorageError) as full:
        for number in range(2, 200):
            await tasks.begin(waiting(number=number, asks="x" * 4_000))
    assert full.value.word == "storage.full"
    rows = await tasks.list()
    await tasks._run(lambda: tasks._file._connection().execute("PRAGMA max_page_count = 100000"))
    await tasks.begin(task(number=500))
    assert len(await tasks.list()) == len(rows) + 1


async def test_a_home_that_cannot_be_written_has_a_sentence(clock: FakeClock, worker: Worker) -> None:
    # Nobody, not even root, can make a folder here.
    tasks = TaskDatabase(Path("/sys/lisa"), clock, worker)
    with pytest.raises(StorageError) as refused:
        await tasks.begin(task())
    assert refused.value.word == "storage.read-only"
    await tasks.close()


async def test_a_busy_database_has_a_sentence(
    tasks: TaskDatabase, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_database, "BUSY_SECONDS", 0.01)
    await tasks.begin(task())
    other = sqlite3.connect(home / "island.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError) as busy:
        await tasks.begin(task(number=2))
    assert busy.value.word == "storage.busy"
    other.execute("ROLLBACK")
    other.close()
    await tasks.begin(task(number=2))


async def test_a_full_disk_can_still_be_read(tasks: TaskDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    await tasks.begin(task())

    def full(*_: object, **__: object) -> bool:
        raise StorageError("storage.full")

    monkeypatch.setattr(_rows, "prune", full)
    assert await tasks.list() == [task()]


async def test_what_came_too_late_is_taken_back(tasks: TaskDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    await tasks.begin(task())
    free, entered, now = threading.Event(), threading.Event(), tasks._file._now

    def hang() -> int:
        entered.set()
        free.wait()
        return now()

    monkeypatch.setattr(tasks._file, "_now", hang)
    late = asyncio.get_running_loop().create_task(tasks.begin(task(number=2)))
    while not entered.is_set():
        await settle()
    late.cancel()  # in the middle of the transaction
    with pytest.raises(asyncio.CancelledError):
        await late
    monkeypatch.setattr("lisa_island.system.tasks.LIMIT_SECONDS", 0.01)
    for number in (3, 1):  # in the queue; the second is also a twin, whose row must stay
        with pytest.raises(StorageError) as too_late:
            await tasks.begin(task(number=number, message_id="late"))
        assert too_late.value.word == "storage.timeout"
    free.set()
    monkeypatch.undo()
    assert await tasks.list() == [task()]


# --- migrations ---


def test_migrations_go_step_by_step_and_keep_what_is_there(home: Path) -> None:
    home.mkdir(parents=True)
    path = home / "island.db"
    first = _database.open_database(path, 0)
    first.connection.execute("INSERT INTO written VALUES ('acme', 1)")
    first.connection.close()
    steps = (*_database.MIGRATIONS, "ALTER TABLE written ADD COLUMN note TEXT NOT NULL DEFAULT '';")
    second = _database.open_database(path, 0, steps)
    assert [tuple(row) for row in second.connection.execute("SELECT * FROM written")] == [("acme", 1, "")]
    assert second.connection.execute("PRAGMA user_version").fetchone()[0] == len(steps)
    second.connection.close()


def test_a_migration_that_fails_changes_nothing(home: Path) -> None:
    home.mkdir(parents=True)
    path = home / "island.db"
    _database.open_database(path, 0).connection.close()
    steps = (*_database.MIGRATIONS, "ALTER TABLE written ADD COLUMN note TEXT; DROP TABLE nothing;")
    with pytest.raises(StorageError):
        _database.open_database(path, 0, steps)
    again = _database.open_database(path, 0)
    assert again.set_aside is None
    assert len(again.connection.execute("PRAGMA table_info(written)").fetchall()) == 2
    again.connection.close()
