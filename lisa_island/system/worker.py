"""Blocking calls in daemon threads with a time limit: the only file that starts threads.

No default executor: its threads are joined at exit, so one stuck call would hold up quitting. A call that
outlives its limit is abandoned with its thread, and what it still returns goes nowhere.
"""

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")
Done = Callable[[Any, BaseException | None], None]


class _Busy:
    """How many calls are on their way, and who waits until there are none."""

    def __init__(self) -> None:
        self._count = 0
        self._lock = threading.Lock()
        self._calls: list[Callable[[], None]] = []

    def begin(self) -> None:
        with self._lock:
            self._count += 1

    def end(self) -> None:
        with self._lock:
            self._count -= 1
            calls = [] if self._count else self._calls
            if calls:
                self._calls = []
        for call in calls:
            call()

    def when_idle(self, call: Callable[[], None]) -> None:
        """Call from whichever thread ends the last of them; at once if there are none."""
        with self._lock:
            if self._count:
                self._calls.append(call)
                return
        call()


@dataclass(slots=True, eq=False)
class _Job:
    """One call on its way. `loop` is None when another thread waits for it instead of a loop."""

    call: Callable[[], Any]
    done: Done
    loop: asyncio.AbstractEventLoop | None = None
    dropped: bool = False

    def do(self) -> None:
        """In the thread: call, and carry the result to whoever waits."""
        if self.dropped:
            return
        result, error = None, None
        try:
            result = self.call()
        except BaseException as raised:
            error = raised
        if self.loop is None:
            self.done(result, error)
            return
        try:
            self.loop.call_soon_threadsafe(self._deliver, result, error)
        except RuntimeError:  # the loop has closed meanwhile: nobody waits any more
            pass

    def _deliver(self, result: Any, error: BaseException | None) -> None:
        if not self.dropped:
            self.done(result, error)


@dataclass(slots=True, eq=False)
class Lane:
    """One thread for calls that must not overlap: they run in the order in which they were asked for.

    A call that hangs holds up the lane, so that order is never broken; those behind it run out of time
    without having been started.
    """

    name: str
    _busy: _Busy = field(default_factory=_Busy)
    _jobs: "queue.SimpleQueue[_Job | None]" = field(default_factory=queue.SimpleQueue)
    _thread: threading.Thread | None = None
    _starting: threading.Lock = field(default_factory=threading.Lock)

    async def run(self, call: Callable[..., T], *args: Any, limit: float) -> T:
        """`call(*args)` in the lane. Raises what it raises, and TimeoutError after `limit` seconds.

        A call that had not started when the time ran out, or when the caller was cancelled, never starts.
        """
        return await _awaited(call, args, limit, self._put)

    def submit(self, call: Callable[..., Any], *args: Any, done: Done | None = None) -> None:
        """Run `call(*args)` in the lane without waiting; `done(result, error)` is called on the loop."""
        self._put(_Job(lambda: call(*args), done or _ignore, asyncio.get_running_loop()))

    def ask(self, call: Callable[..., T], *args: Any) -> T:
        """Run `call(*args)` in the lane and wait: for other lanes' threads only, never for the loop's."""
        answer: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        self._put(_Job(lambda: call(*args), lambda result, error: answer.put((result, error))))
        result, error = answer.get()
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return]

    def close(self) -> None:
        """Let the thread end after what is already in the lane."""
        with self._starting:
            if self._thread is not None:
                self._jobs.put(None)
                self._thread = None

    def _put(self, job: _Job) -> None:
        self._busy.begin()
        self._jobs.put(job)
        with self._starting:  # the loop and other lanes may ask at the same moment
            if self._thread is None:
                self._thread = _start(self._work, self.name)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job.do()
            finally:
                self._busy.end()
            del job  # an idle lane keeps nobody's data alive


class Worker:
    """Where this process blocks. One per process; `close` waits for nothing."""

    def __init__(self) -> None:
        self._busy = _Busy()
        self._lanes: dict[str, Lane] = {}

    async def run(self, call: Callable[..., T], *args: Any, limit: float, name: str = "") -> T:
        """`call(*args)` in its own thread. Raises what it raises, and TimeoutError after `limit` seconds.

        After a TimeoutError or a cancellation the call may still be running: it is abandoned, not stopped.
        """

        def put(job: _Job) -> None:
            def work() -> None:
                try:
                    job.do()
                finally:
                    self._busy.end()

            self._busy.begin()
            _start(work, name or "call")

        return await _awaited(call, args, limit, put)

    def lane(self, name: str) -> Lane:
        """The lane of that name; the same one each time."""
        return self._lanes.setdefault(name, Lane(name, self._busy))

    async def settled(self, seconds: float) -> None:
        """Wait until nothing runs here, `seconds` at most: then what hangs is left.

        A call may start threads of its own. One that has not begun when Python ends takes the process down
        (until Python 3.12 a segmentation fault).
        """
        loop = asyncio.get_running_loop()
        idle = asyncio.Event()

        def tell() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has closed: nobody waits any more
                loop.call_soon_threadsafe(idle.set)

        self._busy.when_idle(tell)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await idle.wait()

    def close(self) -> None:
        """Let idle lanes end; a call that hangs ends with the process."""
        for lane in self._lanes.values():
            lane.close()


async def _awaited(
    call: Callable[..., T], args: tuple[Any, ...], limit: float, put: Callable[[_Job], Any]
) -> T:
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()
    job = _Job(lambda: call(*args), lambda result, error: _settle(answer, result, error), loop)
    put(job)
    try:
        async with asyncio.timeout(limit):
            return await answer
    finally:
        job.dropped = True


def _settle(answer: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if answer.done():
        return
    if isinstance(error, StopIteration):  # a future refuses it, for good reason
        error = RuntimeError("the call raised StopIteration")
    if error is None:
        answer.set_result(result)
    else:
        answer.set_exception(error)


def _ignore(_result: Any, error: BaseException | None) -> None:
    if error is not None:
        raise error


def _start(work: Callable[[], None], name: str) -> threading.Thread:
    thread = threading.Thread(target=work, name=f"lisa-island {name}", daemon=True)
    thread.start()
    return thread
