"""Follows one task at its agent until it is over: streams where it can, asks where a stream proves nothing.

The policy is the end of contract a2a.md. A stream's end is never a task's end: after each, GetTask once, then
decide. Silence only makes us ask. What was unreachable keeps its last state; nothing here ever sends a
message, so nothing is done twice.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, Protocol

from lisa_island.agents._a2a_client import RefusedError
from lisa_island.agents._a2a_wire import Fault, Frame, Noise, Snapshot
from lisa_island.agents._guard import NOT_HTTPS, PRIVATE
from lisa_island.agents._http import CutError, NotSentError
from lisa_island.core.backoff import delay
from lisa_island.core.ports import Clock

STREAMS = 32
IDLE_SECONDS = 45.0
INTERRUPTED_SECONDS = 30.0
POLL_SECONDS = (5.0, 30.0, 60.0)
SPREAD = 0.1
LONGEST = 60.0
LONGEST_BUSY = 3600.0
CLOSES = 2
MISSES = 2
# A stream is read by one task and its frames are taken by another; a peer that floods waits for us.
AHEAD = 64
NOT_FOUND = -32001
_GONE = (404, 410)
_ASKS_WHO = (401, 403)
_BUSY = (429, 503)


class Client(Protocol):
    """What is asked of an agent's endpoint; `_a2a_client.Client` has it."""

    def subscribe(self, task_id: str) -> AsyncGenerator[Frame, None]:
        """Attach to a running task."""
        ...

    async def get(self, task_id: str) -> Frame:
        """The task as it is."""
        ...


class Followed(Protocol):
    """The task that is followed, with the way to its roster."""

    @property
    def task_id(self) -> str:
        """Its id, "" until the agent gave one."""
        ...

    @property
    def news(self) -> int:
        """Grows with whatever was new."""
        ...

    @property
    def is_terminal(self) -> bool:
        """Whether its last word was said."""
        ...

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for somebody."""
        ...

    @property
    def may_resume(self) -> bool:
        """Whether what waits can go on by itself: a stream of it is worth keeping."""
        ...

    def take(self, frame: Frame, signal: str) -> None:
        """A frame arrived."""
        ...

    def stalled(self) -> None:
        """The server keeps closing the stream of a task that it calls active."""
        ...

    def lost(self) -> None:
        """The server does not know it any more."""
        ...

    def denied(self, status: int) -> None:
        """The server asks who we are."""
        ...

    def reach(self, reachable: bool) -> None:
        """The server answers, or does not."""
        ...


class Slots:
    """How many streams may be open at once; who gets none is polled."""

    def __init__(self, limit: int = STREAMS) -> None:
        self._free = limit

    @property
    def is_full(self) -> bool:
        """Whether none is free."""
        return self._free <= 0

    def take(self) -> bool:
        """One more, if there is one."""
        if self._free <= 0:
            return False
        self._free -= 1
        return True

    def give(self) -> None:
        """One less."""
        self._free += 1


@dataclass(frozen=True, slots=True)
class End:
    """How a stream ended: how many frames it brought, the code of an error of the protocol, what broke it."""

    frames: int = 0
    fault: int | None = None
    error: Exception | None = None


class _Mark(Enum):
    SILENCE = "silence"


_Item = Frame | End | _Mark

Start = Callable[[Coroutine[Any, Any, None], str], Callable[[], None]]


class Follower:
    """The one owner of a task's stream and polls. `open` reads a call of ours, `follow` what comes after."""

    def __init__(
        self,
        client: Client,
        followed: Followed,
        slots: Slots,
        clock: Clock,
        start: Start,
        jitter: Callable[[], float],
        *,
        streams: bool = True,
    ) -> None:
        self._client = client
        self._followed = followed
        self._slots = slots
        self._clock = clock
        self._start = start
        self._jitter = jitter
        self._can_attach = streams
        self._sleeper: asyncio.Future[None] | None = None
        self._box: asyncio.Queue[_Item] | None = None
        self._news = -1
        self._is_known = self._has_attached = False
        self._polls = self._failures = self._closes = self._misses = 0

    async def open(self, frames: AsyncGenerator[Frame, None], *, held: bool) -> End:
        """Read what a call of ours brings; `held`: a slot was taken for it. Raises nothing."""
        return await self._read(frames, held=held)

    async def follow(self) -> None:
        """Until it is over or lost. Raises nothing but cancellation."""
        while not self._followed.is_terminal and self._followed.task_id:
            wait = await self._ask()
            if wait is None:
                return
            await self._rest(wait)
            if self._is_known and self._wants_stream() and self._slots.take():
                await self._attach()
        if self._followed.task_id and self._followed.is_terminal:
            await self._last_look()

    def poke(self) -> None:
        """The owner wants to know now."""
        if self._sleeper is not None and not self._sleeper.done():
            self._sleeper.set_result(None)
        if self._box is not None:
            # Some servers leave the stream of a cancelled task open and mute.
            _stir(self._box)

    # --- streams ---

    def _wants_stream(self) -> bool:
        is_quiet = self._followed.is_terminal or (self._followed.is_waiting and not self._followed.may_resume)
        return self._can_attach and not is_quiet and self._closes < CLOSES

    async def _attach(self) -> None:
        before, self._has_attached = self._followed.news, True
        end = await self._read(self._client.subscribe(self._followed.task_id), held=True)
        if isinstance(end.error, RefusedError) and end.error.status not in (*_ASKS_WHO, *_BUSY):
            self._can_attach = False
        elif end.fault is not None and not end.frames:
            # It cannot be attached to; that says nothing of the task.
            self._can_attach = False
        elif self._followed.news > before:
            self._closes = 0
        elif end.error is None:
            self._closes += 1
            if self._closes >= CLOSES and not self._followed.is_waiting:
                self._followed.stalled()

    async def _read(self, frames: AsyncGenerator[Frame, None], *, held: bool) -> End:
        """Read a stream to its end, to the task's, or to where somebody is waited for."""
        box: asyncio.Queue[_Item] = asyncio.Queue(AHEAD)
        self._box = box
        stop = self._start(_pump(frames, box), "a2a stream")
        count = 0
        fault: int | None = None
        try:
            while True:
                item = await self._next(box)
                if isinstance(item, End):
                    return End(count, fault, item.error)
                if item is _Mark.SILENCE:
                    if self._followed.task_id and not self._is_quiet():
                        await self._ask()
                elif isinstance(item, Fault):
                    fault = item.code
                    self._followed.take(item, "stream")
                elif not isinstance(item, _Mark):
                    count += not isinstance(item, Noise)
                    self._followed.take(item, "stream")
                if self._is_quiet():
                    return End(count, fault)
        finally:
            self._box = None
            stop()
            if held:
                self._slots.give()

    def _is_quiet(self) -> bool:
        return self._followed.is_terminal or (self._followed.is_waiting and not self._followed.may_resume)

    async def _next(self, box: "asyncio.Queue[_Item]") -> _Item:
        if not box.empty():
            return box.get_nowait()
        cancel = self._clock.call_later(IDLE_SECONDS, partial(_stir, box))
        try:
            return await box.get()
        finally:
            cancel()

    # --- asking ---

    async def _ask(self) -> float | None:
        """GetTask once; answers with the seconds until the next look, None when there is none."""
        self._is_known = False
        try:
            frame = await self._client.get(self._followed.task_id)
        except (NotSentError, CutError) as error:
            if isinstance(error, NotSentError) and error.word in (NOT_HTTPS, PRIVATE):
                # Nothing was asked, and never will be; what is known stands.
                return None
            self._failures += 1
            self._followed.reach(False)
            return self._backoff()
        except RefusedError as error:
            self._followed.reach(True)
            return self._refused(error)
        self._followed.reach(True)
        if isinstance(frame, Fault):
            return self._faulted(frame)
        if isinstance(frame, Snapshot):
            self._misses = self._failures = 0
            self._is_known = True
            self._followed.take(frame, "get")
        return self._pause()

    def _refused(self, error: RefusedError) -> float | None:
        if error.status in _ASKS_WHO:
            self._followed.denied(error.status)
            return float("inf")
        if error.status in _GONE:
            return self._missed()
        self._failures += 1
        return max(self._backoff(), min(error.retry_after or 0.0, LONGEST_BUSY))

    def _faulted(self, fault: Fault) -> float | None:
        if fault.code == NOT_FOUND:
            return self._missed()
        self._failures += 1
        return self._backoff()

    def _missed(self) -> float | None:
        self._misses += 1
        if self._misses >= MISSES:
            self._followed.lost()
            return None
        return self._backoff(1)

    def _backoff(self, failures: int = 0) -> float:
        return delay(failures or self._failures, longest=LONGEST, jitter=self._jitter())

    def _pause(self) -> float:
        """How long until the next look at a server that answers."""
        if self._followed.is_terminal:
            return 0.0
        if self._followed.news > self._news:
            self._news, self._polls = self._followed.news, 0
        else:
            self._polls += 1
        if self._followed.is_waiting:
            return self._spread(INTERRUPTED_SECONDS)
        if self._wants_stream() and not self._slots.is_full:
            # The first one at once; one that broke again, not even after something new.
            return delay(max(self._polls, self._has_attached), longest=LONGEST, jitter=self._jitter())
        return self._spread(POLL_SECONDS[min(self._polls, len(POLL_SECONDS) - 1)])

    def _spread(self, seconds: float) -> float:
        """A little less, so that a thousand tasks of one moment do not ask in one moment for ever."""
        return seconds * (1 - SPREAD * (1 - self._jitter()))

    async def _last_look(self) -> None:
        """What the task put out in the end: some streams double their pieces, some leave them out."""
        try:
            frame = await self._client.get(self._followed.task_id)
        except (NotSentError, CutError, RefusedError):
            return
        if isinstance(frame, Snapshot):
            self._followed.take(frame, "get")

    async def _rest(self, seconds: float) -> None:
        if seconds <= 0:
            return
        self._sleeper = asyncio.get_running_loop().create_future()
        cancel: Callable[[], None] | None = None
        if seconds != float("inf"):
            cancel = self._clock.call_later(seconds, self.poke)
        try:
            await self._sleeper
        finally:
            if cancel is not None:
                cancel()
            self._sleeper = None


def _stir(box: "asyncio.Queue[_Item]") -> None:
    """Let whoever reads look up, unless there is something to read."""
    if box.empty():
        box.put_nowait(_Mark.SILENCE)


async def _pump(frames: AsyncGenerator[Frame, None], box: "asyncio.Queue[_Item]") -> None:
    """Read on while somebody takes; what breaks becomes the last item, be it a fault of ours."""
    error: Exception | None = None
    try:
        async with aclosing(frames) as stream:
            async for frame in stream:
                await box.put(frame)
    except (NotSentError, CutError, RefusedError) as broke:
        error = broke
    except Exception:
        await box.put(End(error=CutError()))
        raise
    await box.put(End(error=error))
