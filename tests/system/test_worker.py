"""Blocking calls run elsewhere, in order where order counts, and never hold up the loop or the end."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from lisa_island.system.worker import Worker

LONG = 60


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


async def test_a_call_runs_in_a_daemon_thread(worker: Worker) -> None:
    def where() -> tuple[str, bool]:
        thread = threading.current_thread()
        return thread.name, thread.daemon

    assert await worker.run(where, limit=LONG, name="probe") == ("lisa-island probe", True)
    assert await worker.lane("db").run(where, limit=LONG) == ("lisa-island db", True)


async def test_what_a_call_raises_is_raised(worker: Worker) -> None:
    with pytest.raises(ZeroDivisionError):
        await worker.run(lambda: 1 / 0, limit=LONG)
    with pytest.raises(RuntimeError, match="StopIteration"):
        await worker.run(lambda: next(iter(())), limit=LONG)
    with pytest.raises(SystemExit):
        await worker.lane("db").run(sys.exit, limit=LONG)
    assert await worker.lane("db").run(int, "7", limit=LONG) == 7


async def test_a_call_that_hangs_is_abandoned(worker: Worker) -> None:
    free = threading.Event()
    with pytest.raises(TimeoutError):
        await worker.run(free.wait, limit=0.01)
    free.set()


async def test_a_cancelled_caller_leaves_at_once(worker: Worker) -> None:
    free, started = threading.Event(), threading.Event()

    def hang() -> None:
        started.set()
        free.wait()

    task = asyncio.get_running_loop().create_task(worker.run(hang, limit=LONG))
    await worker.run(started.wait, limit=LONG)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    free.set()


async def test_a_lane_keeps_order_and_one_thread(worker: Worker) -> None:
    lane = worker.lane("db")
    seen: list[tuple[int, int]] = []

    def note(number: int) -> None:
        seen.append((number, threading.get_ident()))

    await asyncio.gather(*(lane.run(note, n, limit=LONG) for n in range(50)))
    assert [n for n, _ in seen] == list(range(50))
    assert len({ident for _, ident in seen}) == 1
    assert worker.lane("db") is lane


async def test_what_ran_out_of_time_in_the_queue_never_starts(worker: Worker) -> None:
    lane = worker.lane("db")
    free, done = threading.Event(), []
    loop = asyncio.get_running_loop()
    first = loop.create_task(lane.run(free.wait, limit=LONG))
    await asyncio.sleep(0)
    with pytest.raises(TimeoutError):
        await lane.run(done.append, "late", limit=0.01)
    free.set()
    await first
    await lane.run(done.append, "next", limit=LONG)
    assert done == ["next"]


async def test_submit_calls_back_on_the_loop(worker: Worker) -> None:
    told: asyncio.Queue[tuple[object, BaseException | None, int]] = asyncio.Queue()

    def done(result: object, error: BaseException | None) -> None:
        told.put_nowait((result, error, threading.get_ident()))

    worker.lane("db").submit(int, "5", done=done)
    assert await told.get() == (5, None, threading.get_ident())
    worker.lane("db").submit(int, "five", done=done)
    assert isinstance((await told.get())[1], ValueError)


async def test_one_lane_asks_another(worker: Worker) -> None:
    one, two = worker.lane("one"), worker.lane("two")
    assert await one.run(lambda: two.ask(int, "3") + 1, limit=LONG) == 4
    with pytest.raises(ValueError, match="three"):
        await one.run(lambda: two.ask(int, "three"), limit=LONG)


HANGS = """
import asyncio, threading
from lisa_island.system.worker import Worker

async def main():
    worker = Worker()
    for run in (worker.run, worker.lane("db").run):
        try:
            await run(threading.Event().wait, limit=0.01)
        except TimeoutError:
            print("abandoned", flush=True)
    worker.close()

asyncio.run(main())
"""


def test_a_hanging_call_does_not_hold_up_the_end_of_the_process() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", HANGS], capture_output=True, text=True, check=True, timeout=LONG
    )
    assert ended.stdout == "abandoned\nabandoned\n"
    assert ended.stderr == ""


def test_a_result_after_the_loop_has_closed_is_nobodys(worker: Worker) -> None:
    free, ended = threading.Event(), threading.Event()

    def late() -> None:
        free.wait()
        threading.current_thread().name = "late"
        ended.set()

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await worker.lane("db").run(late, limit=0.01)

    with asyncio.Runner() as runner:
        runner.run(main())
    free.set()
    assert ended.wait(LONG)


async def test_settled_waits_for_what_runs(worker: Worker) -> None:
    free, ended = threading.Event(), []

    def work(name: str) -> None:
        free.wait(LONG)
        ended.append(name)

    worker.lane("db").submit(work, "lane")
    call = asyncio.ensure_future(worker.run(work, "call", limit=LONG))
    await asyncio.sleep(0)
    settled = asyncio.ensure_future(worker.settled(LONG))
    await asyncio.sleep(0)
    assert not settled.done()
    free.set()
    await settled
    assert sorted(ended) == ["call", "lane"]
    await call


async def test_settled_does_not_wait_for_what_hangs(worker: Worker) -> None:
    free = threading.Event()
    worker.lane("db").submit(free.wait, LONG)
    await worker.settled(0.01)
    free.set()
    await worker.settled(LONG)


async def test_nothing_running_is_settled(worker: Worker) -> None:
    await worker.settled(LONG)
    with pytest.raises(TimeoutError):
        await worker.run(threading.Event().wait, 0.05, limit=0.0)
    await worker.settled(LONG)
