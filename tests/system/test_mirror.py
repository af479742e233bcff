"""The call list shared with LISA, which takes no lock and rewrites it in place."""

import asyncio
import json
import os
import shutil
import stat
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from lisa_island.core.ports import LisaRow
from lisa_island.system._mirror_file import MirrorFile
from lisa_island.system._watch import FileWatch
from lisa_island.system.mirror import NAME
from lisa_island.system.tasks import TaskDatabase
from lisa_island.system.worker import Worker
from tests.fakes.clock import START, FakeClock, settle
from tests.system.rows import DAY, HOUR, ledger, lisa_row, task, waiting, write_as_lisa

Made = Callable[[], TaskDatabase]


@pytest_asyncio.fixture
async def made(home: Path, clock: FakeClock, worker: Worker) -> AsyncIterator[Made]:
    every: list[TaskDatabase] = []

    def make() -> TaskDatabase:
        every.append(TaskDatabase(home, clock, worker))
        return every[-1]

    yield make
    for tasks in every:
        await tasks.close()


@pytest.fixture
def tasks(made: Made, home: Path) -> TaskDatabase:
    home.mkdir(parents=True)
    return made()


async def synced(tasks: TaskDatabase, clock: FakeClock) -> None:
    """Until the mirror has nothing left to do: every timer has run and every file was read again."""
    mirror = tasks._mirror
    while mirror._running or mirror._wanted or mirror._timers:
        await clock.run(2)
        await mirror._lane.run(int, limit=60)
        await settle()


async def first(tasks: TaskDatabase, until: Callable[[tuple[LisaRow, ...]], bool]) -> tuple[LisaRow, ...]:
    """The first word of `changes` that satisfies a condition."""
    async with aclosing(tasks.changes()) as changes:  # type: ignore[type-var]
        async for rows in changes:
            if until(rows):
                return rows
    raise AssertionError


def raw(home: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((home / NAME).read_text("utf-8"))
    return found


def put(home: Path, content: Any) -> Path:
    path = home / NAME
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    path.write_bytes(data)
    return path


def stamp(home: Path) -> tuple[int, int]:
    found = (home / NAME).stat()
    return found.st_ino, found.st_mtime_ns


def names(home: Path) -> set[str]:
    return {p.name for p in home.iterdir() if not p.name.startswith("island")}


# --- our rows in LISA's format ---


async def test_a_task_stands_in_the_list_as_lisa_writes_it(
    tasks: TaskDatabase, home: Path, clock: FakeClock
) -> None:
    await tasks.begin(task(task_id="", task_state="", reason="sending"))
    await synced(tasks, clock)
    assert raw(home) == [{"slug": "acme", "startedAt": START, "lastMtime": START, "lastState": "submitted"}]
    assert stat.S_IMODE((home / NAME).stat().st_mode) == 0o600
    await tasks.update(task(updated_at=START + 5))
    await synced(tasks, clock)
    assert raw(home) == [
        {
            "slug": "acme", "taskId": "task-acme-1", "startedAt": START, "lastMtime": START + 5,
            "lastState": "working",
        }
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"state": "working", "task_state": "submitted"}, "submitted"),
        ({"state": "working", "task_state": "working"}, "working"),
        ({"state": "waiting", "task_state": "input-required"}, "input-required"),
        ({"state": "waiting", "task_state": "auth-required"}, "auth-required"),
        ({"state": "waiting", "task_state": "", "reason": "auth-required"}, "auth-required"),
        ({"state": "done", "task_state": "completed"}, "completed"),
        ({"state": "done", "task_state": "canceled", "reason": "canceled"}, "canceled"),
        ({"state": "done", "task_state": "", "reason": "completed"}, "completed"),  # a synchronous reply
        ({"state": "error", "task_state": "failed"}, "failed"),
        ({"state": "error", "task_state": "rejected"}, "rejected"),
        ({"state": "error", "task_state": "", "reason": "rpc-error"}, "failed"),  # 200 with a JSON-RPC error
        ({"state": "error", "task_state": "working", "reason": "refused"}, "failed"),
        ({"state": "unknown", "task_state": "working", "reason": "outcome-unknown"}, "unknown"),
        ({"state": "unknown", "task_state": "thinking", "reason": "thinking"}, "thinking"),
    ],
)
async def test_states_are_a2a_words(
    tasks: TaskDatabase, home: Path, clock: FakeClock, changes: dict[str, str], word: str
) -> None:
    await tasks.begin(task(**changes))
    await synced(tasks, clock)
    assert raw(home)[0]["lastState"] == word


async def test_one_row_per_slug_and_the_latest_wins(
    tasks: TaskDatabase, home: Path, clock: FakeClock
) -> None:
    await tasks.begin(task(number=1, at=START - 10))
    await tasks.begin(task(number=2, at=START, task_id=""))
    await tasks.update(task(number=1, at=START - 5))
    await synced(tasks, clock)
    assert raw(home) == [{"slug": "acme", "startedAt": START, "lastMtime": START, "lastState": "working"}]


async def test_nothing_but_structure(tasks: TaskDatabase, home: Path, clock: FakeClock) -> None:
    await tasks.begin(waiting(asks="canary", label="canary", price="canary"))
    await synced(tasks, clock)
    assert b"canary" not in (home / NAME).read_bytes()


async def test_a_removed_row_leaves_the_list(tasks: TaskDatabase, home: Path, clock: FakeClock) -> None:
    put(home, [lisa_row("other", START)])
    await tasks.begin(task())
    await synced(tasks, clock)
    assert set(ledger(home)) == {"other", "acme"}
    await tasks.remove(task().session_id)
    await synced(tasks, clock)
    assert set(ledger(home)) == {"other"}


async def test_many_changes_are_one_write(tasks: TaskDatabase, home: Path, clock: FakeClock) -> None:
    await tasks.begin(task())
    await synced(tasks, clock)
    inodes = set()
    for number in range(20):
        await tasks.update(task(updated_at=START + number))
        inodes.add(stamp(home)[0])
    await synced(tasks, clock)
    inodes.add(stamp(home)[0])
    assert len(inodes) <= 3
    assert raw(home)[0]["lastMtime"] == START + 19


async def test_rows_older_than_a_day_go(tasks: TaskDatabase, home: Path, clock: FakeClock) -> None:
    put(home, [lisa_row("old", START - DAY - 1), lisa_row("young", START - DAY + 60_000)])
    await tasks.begin(task(at=START - DAY - 1))
    await tasks.begin(task("globex", 2, at=START - DAY + 60_000))
    await synced(tasks, clock)
    assert set(ledger(home)) == {"young", "globex"}


async def test_what_is_as_it_should_be_is_not_written(
    tasks: TaskDatabase, home: Path, clock: FakeClock
) -> None:
    put(home, [lisa_row("acme", START, note="x")])
    before = stamp(home)
    await first(tasks, bool)
    await synced(tasks, clock)
    assert stamp(home) == before
    assert names(home) == {NAME}


async def test_without_calls_there_is_no_list(tasks: TaskDatabase, home: Path, clock: FakeClock) -> None:
    assert await first(tasks, lambda rows: True) == ()
    await synced(tasks, clock)
    assert names(home) == set()


async def test_the_mode_and_a_link_are_kept(
    tasks: TaskDatabase, home: Path, clock: FakeClock, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere.json").write_text("[]")
    (tmp_path / "elsewhere.json").chmod(0o640)
    (home / NAME).symlink_to(tmp_path / "elsewhere.json")
    await tasks.begin(task())
    await synced(tasks, clock)
    assert (home / NAME).is_symlink()
    assert stat.S_IMODE((home / NAME).stat().st_mode) == 0o640
    assert set(ledger(home)) == {"acme"}
    assert names(tmp_path) == {"home", "elsewhere.json"}


# --- LISA's rows ---


async def test_lisas_rows_are_told(tasks: TaskDatabase, home: Path) -> None:
    put(home, [lisa_row("acme", START - HOUR, "work\u202eing", taskId="t", startedAt=START - 2 * HOUR)])
    assert await first(tasks, bool) == (LisaRow("acme", "t", START - 2 * HOUR, START - HOUR, "working"),)


async def test_lisas_calls_appear_while_we_run(tasks: TaskDatabase, home: Path, clock: FakeClock) -> None:
    async with aclosing(tasks.changes()) as changes:  # type: ignore[type-var]
        assert await anext(changes) == ()
        await synced(tasks, clock)
        write_as_lisa(home, lisa_row("acme", START, "working"))
        assert [row.last_state for row in await moved(changes, clock)] == ["working"]
        write_as_lisa(home, lisa_row("acme", START + 1, "completed"), lisa_row("globex", START + 2))
        rows = await moved(changes, clock)
        assert [(row.target, row.last_state) for row in rows] == [
            ("globex", "completed"),
            ("acme", "completed"),
        ]


async def moved(changes: AsyncIterator[tuple[LisaRow, ...]], clock: FakeClock) -> tuple[LisaRow, ...]:
    """The next word, with time passing meanwhile."""
    waits = asyncio.ensure_future(anext(changes))
    while not waits.done():
        await clock.run(0.5)
    return await waits


async def test_ours_are_never_told_as_lisas(
    tasks: TaskDatabase, made: Made, home: Path, clock: FakeClock
) -> None:
    put(home, [lisa_row("theirs", START)])
    await tasks.begin(task())
    await tasks.begin(task("globex", 2))
    await synced(tasks, clock)
    early = (home / NAME).read_bytes()
    await tasks.update(task(updated_at=START + 5, state="done", task_state="completed", terminal=True))
    await synced(tasks, clock)
    # LISA had read the list before our last write, and writes it back with a row of its own.
    put(home, [*json.loads(early), lisa_row("late", START + 9)])
    assert {row.target for row in await first(tasks, lambda rows: len(rows) > 1)} == {"theirs", "late"}
    await synced(tasks, clock)
    assert ledger(home)["acme"]["lastState"] == "completed"
    await tasks.remove(task().session_id)
    await tasks.close()
    again = made()
    assert {row.target for row in await first(again, bool)} == {"theirs", "late"}


async def test_lisas_call_to_a_slug_that_we_called_too(
    tasks: TaskDatabase, home: Path, clock: FakeClock
) -> None:
    await tasks.begin(task())
    await synced(tasks, clock)
    # LISA keeps startedAt and taskId of the call before: they are ours and say nothing about its call.
    write_as_lisa(home, lisa_row("acme", START + 50, "completed"))
    assert ledger(home)["acme"]["taskId"] == "task-acme-1"
    [row] = await first(tasks, bool)
    assert (row.target, row.task_id, row.updated_at, row.last_state) == ("acme", "", START + 50, "completed")
    # Our task goes on, and the latest wins; LISA's call is still known.
    await tasks.update(task(updated_at=START + 90))
    await synced(tasks, clock)
    assert ledger(home)["acme"]["lastMtime"] == START + 90
    assert [row.updated_at for row in await first(tasks, bool)] == [START + 50]
    await tasks.remove(task().session_id)
    await synced(tasks, clock)
    assert ledger(home)["acme"]["lastMtime"] == START + 50


async def test_a_row_of_lisa_that_was_seen_is_remembered(
    tasks: TaskDatabase, made: Made, home: Path, clock: FakeClock
) -> None:
    put(home, [lisa_row("acme", START), lisa_row("globex", START)])
    await first(tasks, bool)
    await synced(tasks, clock)
    await tasks.close()
    # Another LISA process had read the list before `globex` was in it.
    put(home, [lisa_row("acme", START)])
    again = made()
    assert {row.target for row in await first(again, bool)} == {"acme", "globex"}
    await synced(again, clock)
    assert set(ledger(home)) == {"acme", "globex"}


async def test_the_memory_lasts_a_day(tasks: TaskDatabase, home: Path, clock: FakeClock) -> None:
    put(home, [lisa_row("acme", START)])
    await first(tasks, bool)
    await synced(tasks, clock)
    clock.jump(DAY + 1)
    assert await first(tasks, lambda rows: not rows) == ()
    await synced(tasks, clock)
    assert ledger(home) == {}


async def test_a_list_that_its_owner_deleted_stays_empty_of_lisas_rows(
    tasks: TaskDatabase, home: Path, clock: FakeClock
) -> None:
    put(home, [lisa_row("acme", START)])
    await first(tasks, bool)
    await tasks.begin(task("globex"))
    await synced(tasks, clock)
    (home / NAME).unlink()
    assert await first(tasks, lambda rows: not rows) == ()
    await synced(tasks, clock)
    assert set(ledger(home)) == {"globex"}


async def test_unknown_keys_stay(tasks: TaskDatabase, home: Path, clock: FakeClock) -> None:
    put(home, [lisa_row("acme", START - 5, cost={"usd": 1.25}), lisa_row("other", START, x=[1])])
    await tasks.begin(task())
    await synced(tasks, clock)
    assert ledger(home)["acme"]["cost"] == {"usd": 1.25}
    assert ledger(home)["acme"]["lastMtime"] == START
    assert ledger(home)["other"] == lisa_row("other", START, x=[1])


async def test_rows_that_are_none_are_dropped_as_lisa_does(
    tasks: TaskDatabase, home: Path, clock: FakeClock
) -> None:
    good = lisa_row("good", START, startedAt="yesterday", taskId=7)
    bad: list[Any] = [
        None, 1, "x", [], {}, {"slug": "a"}, lisa_row("", START), {**lisa_row("b", START), "slug": 1},
        {**lisa_row("c", START), "lastState": None}, {**lisa_row("d", START), "lastMtime": "now"},
        {**lisa_row("e", START), "lastMtime": True}, {**lisa_row("f", START), "lastMtime": 10**40},
        {**lisa_row("g", START), "lastMtime": -1},
    ]  # fmt: skip
    put(home, [*bad, good])
    assert await first(tasks, bool) == (LisaRow("good", "", START, START, "completed"),)
    await tasks.begin(task())
    await synced(tasks, clock)
    assert ledger(home) == {"good": good, "acme": ledger(home)["acme"]}


async def test_names_that_cannot_be_shown_and_times_to_come_are_not_told(
    tasks: TaskDatabase, home: Path, clock: FakeClock
) -> None:
    rows = [
        lisa_row("evil\u202e", START), lisa_row("x" * 300, START), lisa_row("later", START + 2 * DAY),
        lisa_row("fine", START, "s" * 9_000),
    ]  # fmt: skip
    put(home, rows)
    [told] = await first(tasks, bool)
    assert (told.target, len(told.last_state)) == ("fine", 64)
    await tasks.begin(task())
    await synced(tasks, clock)
    assert list(ledger(home)) == [*(row["slug"] for row in rows), "acme"]


# --- what can go wrong between two writers ---


async def test_a_row_written_into_the_replaced_file_is_merged_back(
    tasks: TaskDatabase, home: Path, clock: FakeClock
) -> None:
    path = put(home, [lisa_row("early", START)])
    with path.open("r+b") as lisa:  # LISA has opened the file, and is slow
        await tasks.begin(task())
        await tasks._mirror._lane.run(int, limit=60)
        await settle()
        assert set(ledger(home)) == {"early", "acme"}
        lisa.truncate()
        lisa.write(json.dumps([lisa_row("early", START), lisa_row("late", START)]).encode())
    await synced(tasks, clock)
    assert set(ledger(home)) == {"early", "late", "acme"}
    assert names(home) == {NAME}


async def test_a_row_written_a_moment_before_the_second_look(
    tasks: TaskDatabase, home: Path, clock: FakeClock
) -> None:
    path = put(home, [])
    with path.open("r+b") as lisa:
        await tasks.begin(task())
        await tasks._mirror._lane.run(int, limit=60)
        await clock.run(0.5)
        await tasks._mirror._lane.run(int, limit=60)
        lisa.write(json.dumps([lisa_row("late", START)]).encode())
    await synced(tasks, clock)
    assert set(ledger(home)) == {"late", "acme"}


async def test_a_killed_run_leaves_its_second_look_to_the_next(
    tasks: TaskDatabase, made: Made, home: Path, clock: FakeClock
) -> None:
    put(home, [lisa_row("early", START)])
    old = home / f".{NAME}.4711-0.old"
    os.link(home / NAME, old)
    old.unlink()
    old.write_text(json.dumps([lisa_row("late", START)]))
    (home / f".{NAME}.4711-1.tmp").write_text("[")
    assert {row.target for row in await first(tasks, bool)} == {"early", "late"}
    await synced(tasks, clock)
    assert set(ledger(home)) == {"early", "late"}
    assert names(home) == {NAME}


async def test_quitting_before_the_second_look_loses_nothing(
    tasks: TaskDatabase, made: Made, home: Path, clock: FakeClock
) -> None:
    path = put(home, [])
    with path.open("r+b") as lisa:
        await tasks.begin(task())
        await tasks._mirror._lane.run(int, limit=60)
        await settle()
        await tasks.close()
        lisa.write(json.dumps([lisa_row("late", START)]).encode())
    again = made()
    assert [row.target for row in await first(again, bool)] == ["late"]
    await synced(again, clock)
    assert set(ledger(home)) == {"late", "acme"}
    assert names(home) == {NAME}


async def test_quitting_in_the_middle_of_a_write_loses_nothing(
    tasks: TaskDatabase, home: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LISA writes into the file that a sync is just replacing, and we are told to close meanwhile."""
    put(home, [lisa_row("globex", START)])
    closing, there, loop = threading.Event(), asyncio.Event(), asyncio.get_running_loop()
    keep_old = MirrorFile._keep_old

    def while_we_replace(self: MirrorFile, *more: Any) -> None:
        if not closing.is_set():
            loop.call_soon_threadsafe(there.set)
            assert closing.wait(30)
            write_as_lisa(home, lisa_row("initech", START))
        keep_old(self, *more)

    monkeypatch.setattr(MirrorFile, "_keep_old", while_we_replace)
    await tasks.begin(task("acme"))
    await there.wait()
    close = asyncio.ensure_future(tasks.close())
    await settle()
    closing.set()
    await close
    assert {row["slug"] for row in raw(home)} == {"acme", "globex", "initech"}


async def test_a_list_that_lisa_makes_first_is_not_written_over(
    tasks: TaskDatabase, home: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = os.link

    def lisa_is_faster(source: Path, target: Path) -> None:
        if Path(target).name == NAME and not Path(target).exists():
            put(home, [lisa_row("first", START)])
        link(source, target)

    monkeypatch.setattr(os, "link", lisa_is_faster)
    await tasks.begin(task())
    await synced(tasks, clock)
    assert set(ledger(home)) == {"first", "acme"}


async def test_a_file_that_is_being_written_is_read_again(
    tasks: TaskDatabase, home: Path, clock: FakeClock
) -> None:
    whole = json.dumps([lisa_row("early", START)]).encode()
    path = put(home, whole[:20])
    waits: list[float] = []

    def lisa_goes_on(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            path.write_bytes(whole)

    tasks._mirror._file._pause = lisa_goes_on
    await tasks.begin(task())
    await synced(tasks, clock)
    assert set(ledger(home)) == {"early", "acme"}
    assert tasks.problems() == ()


async def test_a_file_that_stays_empty_is_no_loss(tasks: TaskDatabase, home: Path, clock: FakeClock) -> None:
    put(home, b"")
    tasks._mirror._file._pause = lambda _: None
    await tasks.begin(task())
    await synced(tasks, clock)
    assert set(ledger(home)) == {"acme"}
    assert tasks.problems() == ()
    assert names(home) == {NAME}


BROKEN = [b'[{"slug": "early", "lastM', b"{}", b"null", b"[NaN]", b"\xff\xfe[", b"[" * 100_000]


@pytest.mark.parametrize("data", BROKEN)
async def test_a_broken_file_is_set_aside_and_what_was_seen_comes_back(
    tasks: TaskDatabase, home: Path, clock: FakeClock, data: bytes
) -> None:
    tasks._mirror._file._pause = lambda _: None
    put(home, [lisa_row("early", START)])
    await first(tasks, bool)
    await tasks.begin(task())
    await synced(tasks, clock)
    put(home, data)
    await tasks.update(task(updated_at=START + 1))
    await synced(tasks, clock)
    assert set(ledger(home)) == {"early", "acme"}
    [(word, values)] = tasks.problems()
    assert word == "storage.mirror-broken"
    assert (home / values["file"]).read_bytes() == data
    assert names(home) == {NAME, values["file"]}


async def test_a_huge_file_is_set_aside(tasks: TaskDatabase, home: Path, clock: FakeClock) -> None:
    put(home, json.dumps([lisa_row("early", START, note="x" * 5_000_000)]).encode())
    await tasks.begin(task())
    await synced(tasks, clock)
    assert set(ledger(home)) == {"acme"}
    [(word, values)] = tasks.problems()
    assert word == "storage.mirror-huge"
    assert (home / values["file"]).stat().st_size > 5_000_000


async def test_what_lisa_finishes_after_we_gave_up_is_merged(
    tasks: TaskDatabase, home: Path, clock: FakeClock
) -> None:
    whole = json.dumps([lisa_row("slow", START)]).encode()
    path = put(home, b"")
    tasks._mirror._file._pause = lambda _: None
    with path.open("r+b") as lisa:
        lisa.write(whole[:20])
        lisa.flush()
        await tasks.begin(task())
        await tasks._mirror._lane.run(int, limit=60)
        await settle()
        lisa.write(whole[20:])
    await synced(tasks, clock)
    assert set(ledger(home)) == {"slow", "acme"}


# --- when the file cannot be written ---


async def test_a_record_counts_although_the_mirror_fails(
    tasks: TaskDatabase, made: Made, home: Path, clock: FakeClock
) -> None:
    (home / NAME).symlink_to("/sys/takoapi-calls.json")
    await tasks.begin(task())
    await tasks._mirror._lane.run(int, limit=60)
    await settle()
    assert tasks.problems() == (("storage.mirror-unwritable", {}),)
    assert await tasks.list() == [task()]
    (home / NAME).unlink()
    await synced(tasks, clock)
    assert set(ledger(home)) == {"acme"}
    assert tasks.problems() == ()


async def test_who_listens_is_not_left_waiting_when_it_fails(tasks: TaskDatabase, home: Path) -> None:
    (home / NAME).symlink_to("/sys/takoapi-calls.json")
    (home / NAME).parent.joinpath("island-mirror.lock").mkdir()
    assert await first(tasks, lambda rows: True) == ()


# --- what it costs ---


async def test_nothing_polls_while_hints_work(tasks: TaskDatabase, clock: FakeClock) -> None:
    async with aclosing(tasks.changes()) as changes:  # type: ignore[type-var]
        await anext(changes)
        await tasks.begin(task())
        await synced(tasks, clock)
        watch = tasks._mirror._watch
        assert watch is not None
        await begun(watch)
        assert not watch.is_sweeping, "no inotify instance was free"
        assert clock.pending == 0
    assert tasks._mirror._watch is None


async def test_without_hints_it_looks_each_second(
    tasks: TaskDatabase, home: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    from watchdog import observers

    class NoneLeft:
        def __init__(self) -> None:
            raise OSError(24, "no inotify instances left")

    monkeypatch.setattr(observers, "Observer", NoneLeft)
    async with aclosing(tasks.changes()) as changes:  # type: ignore[type-var]
        assert await anext(changes) == ()
        write_as_lisa(home, lisa_row("acme", START))
        assert [row.target for row in await moved(changes, clock)] == ["acme"]
        watch = tasks._mirror._watch
        assert watch is not None
        assert watch.is_sweeping
        monkeypatch.undo()
        while watch.is_sweeping:  # hints are tried for again after a minute of looking
            await clock.run(1)
        write_as_lisa(home, lisa_row("globex", START + 1))
        assert [row.target for row in await moved(changes, clock)] == ["globex", "acme"]
    await synced(tasks, clock)
    assert clock.pending == 0


async def test_a_home_that_is_deleted_and_made_again(
    tasks: TaskDatabase, home: Path, clock: FakeClock
) -> None:
    put(home, [lisa_row("before", START)])
    async with aclosing(tasks.changes()) as changes:  # type: ignore[type-var]
        await anext(changes)
        await synced(tasks, clock)
        watch = tasks._mirror._watch
        assert watch is not None
        await begun(watch)
        remove(home)
        while not watch.is_sweeping:
            await clock.run(1)
        write_as_lisa(home, lisa_row("after", START))
        while [row.target for row in await moved(changes, clock)] != ["after"]:
            pass


async def begun(watch: FileWatch) -> None:
    """Until the kernel watches, or cannot."""
    while watch._observer is None and not watch.is_sweeping:
        await settle()


def remove(home: Path) -> None:
    """As `rm -r` does, although we may put our files back meanwhile."""
    gone = home.with_name("gone")
    home.rename(gone)
    home.mkdir()
    shutil.rmtree(gone)
