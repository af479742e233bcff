"""Later states of our own tasks reach the disk behind the store."""

import asyncio
from dataclasses import replace

import pytest

from lisa_island.app.recorder import Recorder, row_of
from lisa_island.core.agent import AgentSession, Blocked, Origin, RequestKind, SessionKey, State, Task
from lisa_island.core.errors import StorageError
from lisa_island.core.events import LabelChanged, Seen, SessionOpened, SessionRemoved, StateChanged
from lisa_island.core.evidence import Fact
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from tests.fakes.clock import START, FakeClock

KEY = SessionKey("takoapi", "acme/0a1b2c3d")
SESSION = AgentSession(
    KEY, "acme", State.WORKING, "sending", START, START, task=Task("acme", "m1"), followed=True
)


class Tasks:
    def __init__(self):
        self.rows = []
        self.error = None
        self.gate = asyncio.Event()
        self.gate.set()

    async def update(self, row):
        await self.gate.wait()
        if self.error:
            raise self.error
        self.rows.append(row)


@pytest.fixture
async def built():
    store, tasks, failures, nursery = Store(FakeClock()), Tasks(), [], Nursery()
    recorder = Recorder(store, tasks, failures.append)
    nursery.start(recorder.run(), "recorder")
    yield store, tasks, recorder, failures
    await nursery.close()
    store.close()


def changed(state, reason, at=1, **more):
    return StateChanged(KEY, START + at, state, reason, Fact("r", "s"), **more)


async def test_what_changed_is_written_whole(built):
    store, tasks, recorder, _ = built
    store.dispatch(SessionOpened(SESSION, START))
    await recorder.settled()
    asked = Blocked(RequestKind.INPUT, "r1", START, "Which quarter?")
    task = Task("acme", "m1", "t1", "c1", "input-required")
    store.dispatch(changed(State.WAITING, "input-required", requests=(asked,), task=task))
    await recorder.settled()
    row = tasks.rows[-1]
    assert (row.session_id, row.task_id, row.context_id, row.state) == (KEY.session_id, "t1", "c1", "waiting")
    assert row.question == asked


async def test_the_question_leaves_the_row_with_the_answer(built):
    store, tasks, recorder, _ = built
    asked = Blocked(RequestKind.INPUT, "r1", START, "Which quarter?")
    store.dispatch(SessionOpened(replace(SESSION, state=State.WAITING, requests=(asked,)), START))
    store.dispatch(changed(State.WORKING, "sending"))
    store.close()
    await recorder.settled()
    assert tasks.rows[-1].question is None


async def test_a_row_that_changed_again_while_the_disk_was_slow_is_written_once(built):
    store, tasks, recorder, _ = built
    store.dispatch(SessionOpened(SESSION, START))
    await recorder.settled()
    tasks.rows.clear()
    tasks.gate.clear()
    for n in range(2, 9):
        store.dispatch(changed(State.WORKING, f"word{n}", n))
    store.close()
    await asyncio.sleep(0)
    tasks.gate.set()
    await recorder.settled()
    assert [r.reason for r in tasks.rows][-1] == "word8" and len(tasks.rows) <= 2


async def test_rows_of_others_are_never_written(built):
    store, tasks, recorder, _ = built
    for origin in (Origin.LISA, Origin.PINNED, Origin.LOCAL):
        key = SessionKey("takoapi", str(origin))
        store.dispatch(SessionOpened(replace(SESSION, key=key, origin=origin), START))
    store.close()
    await recorder.settled()
    assert tasks.rows == []


async def test_a_row_that_left_is_not_written(built):
    store, tasks, recorder, _ = built
    store.dispatch(SessionOpened(SESSION, START))
    await recorder.settled()
    tasks.rows.clear()
    store.dispatch(changed(State.DONE, "completed"))
    store.dispatch(SessionRemoved(KEY, START + 2))
    store.close()
    await recorder.settled()
    assert tasks.rows == []


async def test_a_full_disk_is_told_once_and_what_it_refused_is_written_later(built):
    store, tasks, recorder, failures = built
    other = SessionKey("takoapi", "other/0a1b2c3d")
    store.dispatch(SessionOpened(SESSION, START))
    store.dispatch(SessionOpened(replace(SESSION, key=other), START))
    tasks.error = StorageError("storage.full")
    store.dispatch(changed(State.DONE, "completed"))
    store.close()
    await recorder.settled()
    store.dispatch(LabelChanged(other, "One"))
    await recorder.settled()
    assert [f.word for f in failures] == ["storage.full"] and recorder.problem is tasks.error
    tasks.error = None
    store.dispatch(LabelChanged(other, "Two"))
    await recorder.settled()
    assert recorder.problem is None
    assert {(r.session_id, r.state, r.label) for r in tasks.rows} == {
        (KEY.session_id, "done", ""),
        (other.session_id, "working", "Two"),
    }


async def test_a_row_that_left_is_not_kept_for_later(built):
    store, tasks, recorder, _ = built
    store.dispatch(SessionOpened(SESSION, START))
    tasks.error = StorageError("storage.full")
    store.dispatch(LabelChanged(KEY, "Mine"))
    await recorder.settled()
    store.dispatch(SessionRemoved(KEY, START + 2))
    tasks.error = None
    await recorder.close()
    assert tasks.rows == []


async def test_what_the_disk_refused_is_tried_once_more_at_the_end(built):
    store, tasks, recorder, _ = built
    store.dispatch(SessionOpened(SESSION, START))
    tasks.error = StorageError("storage.read-only")
    store.dispatch(LabelChanged(KEY, "Mine"))
    await recorder.settled()
    tasks.error = None
    await recorder.close()
    assert [r.label for r in tasks.rows] == ["Mine"]


async def test_close_writes_what_is_pending():
    store, tasks = Store(FakeClock()), Tasks()
    recorder = Recorder(store, tasks, lambda _error: None)
    store.dispatch(SessionOpened(SESSION, START))
    store.dispatch(Seen(KEY))
    store.dispatch(LabelChanged(KEY, "Mine"))
    await recorder.close()
    assert [(r.session_id, r.label) for r in tasks.rows] == [(KEY.session_id, "Mine")]


async def test_what_is_new_here_is_not_written_over(built):
    """`begin` wrote it; what an earlier run left may belong to a command that still runs elsewhere."""
    store, tasks, recorder, _ = built
    store.dispatch(SessionOpened(replace(SESSION, state=State.UNKNOWN), START))
    store.close()
    await recorder.settled()
    assert tasks.rows == []


def test_a_session_without_a_task_has_no_row():
    assert row_of(replace(SESSION, task=None)) is None
