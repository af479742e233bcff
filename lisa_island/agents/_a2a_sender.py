"""Sends what the owner sends to a direct agent, and sees each call to its end.

The order is the promise: what can refuse is asked first, then the row is written, then a byte goes out.
Nothing is sent twice: a call that broke before a word came back is unknown, and its task, where it has one,
is asked after.
"""

import asyncio
import logging
from functools import partial

from lisa_island.agents._a2a_cancel import cancel
from lisa_island.agents._a2a_card import Endpoint
from lisa_island.agents._a2a_client import Outgoing, RefusedError
from lisa_island.agents._a2a_desk import Desk, Open, outcome_of
from lisa_island.agents._a2a_exchange import OUTCOME_UNKNOWN
from lisa_island.agents._a2a_find import find
from lisa_island.agents._a2a_follow import End
from lisa_island.agents._a2a_loops import LoopError, propagate
from lisa_island.agents._a2a_raw import Ring
from lisa_island.agents._a2a_task import NOT_SPOKEN, READY, DirectTask
from lisa_island.agents._http import UNREACHABLE, NotSentError
from lisa_island.core.agent import SessionKey
from lisa_island.core.backoff import delay
from lisa_island.core.errors import IslandError
from lisa_island.core.events import SessionRemoved
from lisa_island.core.intents import (
    Answer,
    Cancel,
    Continue,
    Outcome,
    Result,
    Send,
    SendAgain,
    done,
    refused,
    unknown,
)
from lisa_island.core.origin import origin_of
from lisa_island.core.text import name

log = logging.getLogger(__name__)

TEXT_LIMIT = 256 * 1024
LABEL_LIMIT = 60
# A text that may be sent once more after the task's end is held in memory; longer ones are not.
KEPT_TEXT = 32 * 1024
# An agent that takes longer is at work, and the asker is told so.
GRACE_SECONDS = 2.0
_ASKS_WHO = (401, 403)
# What may be otherwise in a minute.
_PASSING = ("outcome.card.unreachable", "outcome.card.untrusted", "outcome.card.refused")


class Sender:
    """Begins calls, follows their tasks, and ends them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def send(self, intent: Send) -> Outcome:
        """A new task."""
        if fault := _fault(intent.text):
            return fault
        endpoint = await self._desk.endpoint(intent.target)
        if isinstance(endpoint, Outcome):
            return endpoint
        try:
            metadata = propagate(intent.metadata, endpoint.url)
        except LoopError as error:
            return refused(error.word)
        opened = self._opened(self._task(intent, endpoint), endpoint)
        task = opened.task
        try:
            await self._desk.context.tasks.begin(task.row())
        except IslandError as error:
            return _storage(error)
        self._desk.tasks[task.key.session_id] = task
        self._desk.emit(task.opened(self._desk.now()))
        return await self._start(opened, Outgoing(intent.text, task.message_id, metadata=metadata))

    async def answer(self, intent: Answer) -> Outcome:
        """An answer, bound to the request that is open now."""
        task = self._desk.tasks.get(intent.key.session_id)
        if task is None or task.request is None or task.request.request_id != intent.request_id:
            return refused("outcome.request-gone")
        if task.is_denied:
            return refused("outcome.sign-in", name=task.target)
        return await self._say(task, intent.text)

    async def go_on(self, intent: Continue) -> Outcome:
        """More for a task that is ready for it."""
        task = self._desk.tasks.get(intent.key.session_id)
        if task is None or task.reason != READY:
            return refused("outcome.request-gone")
        return await self._say(task, intent.text)

    async def send_again(self, intent: SendAgain) -> Outcome:
        """The text of a task that is over or unknown, as a new task, after the owner's click."""
        task = self._desk.tasks.get(intent.key.session_id)
        if task is None or not task.text:
            return refused("outcome.text-gone")
        outcome = await self.send(Send(self._desk.agent, task.target, task.text, task.label))
        if outcome.result is not Result.REFUSED and task.reason == OUTCOME_UNKNOWN:
            task.text = ""
            self._desk.emit(task.told(self._desk.now()))
        if task.is_denied and not task.task_id and _has_row(outcome):
            await self.remove(task)  # it never became a task, and its text stands in the new row
        return outcome

    async def cancel(self, intent: Cancel) -> Outcome:
        """Ask the agent to stop. It may refuse, and says why; that it took the wish is not yet its end."""
        opened = await self.reopen(intent.key.session_id)
        if isinstance(opened, Outcome):
            return opened
        task, desk = opened.task, self._desk
        if not task.task_id or task.terminal:
            return refused("outcome.nothing-to-cancel")
        try:
            return await cancel(task, opened.client, desk.emit, desk.now)
        finally:
            if opened.follower is not None:
                opened.follower.poke()

    # --- tasks ---

    async def reopen(self, session_id: str) -> Open | Outcome:
        """A task with its client; one of an earlier run finds its agent first."""
        task = self._desk.tasks.get(session_id)
        if task is None:
            return refused("outcome.not-ours")
        if (opened := self._desk.open.get(session_id)) is not None:
            return opened
        endpoint = await self._desk.endpoint_of(task)
        if isinstance(endpoint, Outcome):
            return endpoint
        if origin_of(endpoint.url) != origin_of(task.endpoint):
            return refused("outcome.other-origin", origin=origin_of(task.endpoint))
        return self._desk.open.setdefault(session_id, self._opened(task, endpoint))

    def follow_restored(self, task: DirectTask) -> None:
        """Ask after a task of an earlier run."""
        self._desk.context.start(self._resume(task), "a2a resume")

    async def _resume(self, task: DirectTask) -> None:
        failures = 0
        while True:
            opened = await self.reopen(task.key.session_id)
            if isinstance(opened, Open):
                break
            if opened.word not in _PASSING:
                return
            self._desk.emit(*task.reach(self._desk.now(), False))
            failures += 1
            await self._desk.context.clock.sleep(delay(failures, longest=60.0))
        is_known = bool(task.task_id) or await find(self._desk, opened)
        if is_known and opened.follower is None:
            self._follow(opened)

    def _task(self, intent: Send, endpoint: Endpoint) -> DirectTask:
        message_id = session_id = ""
        while not session_id or session_id in self._desk.tasks:
            message_id = self._desk.context.new_id()
            session_id = f"{intent.target}/{message_id.replace('-', '')[:8]}"
        now = self._desk.now()
        return DirectTask(
            SessionKey(self._desk.agent, session_id), intent.target, message_id, now, origin=endpoint.url,
            endpoint=endpoint.url, label=name(intent.label, LABEL_LIMIT), text=_kept(intent.text),
            last_at=now,
        )  # fmt: skip

    def _opened(self, task: DirectTask, endpoint: Endpoint) -> Open:
        raw = Ring()
        opened = Open(task, self._desk.client(task.target, endpoint, raw), raw)
        task.can_sign_in = self._desk.config.agent(task.target) is not None
        return opened

    async def _say(self, task: DirectTask, text: str) -> Outcome:
        """Send more to a task of ours. Its question closes on the disk first."""
        if fault := _fault(text):
            return fault
        if not task.task_id:
            return refused("outcome.no-task")
        request = task.request
        opened = await self.reopen(task.key.session_id)
        if isinstance(opened, Outcome):
            return opened
        if task.request is not request or task.terminal:
            return refused("outcome.request-gone")
        opened.cancel()
        self._desk.emit(task.answer_began(self._desk.now()))
        try:
            await self._desk.context.tasks.update(task.row())
        except IslandError as error:
            self._desk.emit(task.answer_refused(self._desk.now()))
            self._follow(opened)
            return _storage(error)
        task.text = _kept(text)
        message_id = self._desk.context.new_id()
        return await self._start(opened, Outgoing(text, message_id, task.task_id, task.context_id))

    # --- calls ---

    async def _start(self, opened: Open, outgoing: Outgoing) -> Outcome:
        context, key = self._desk.context, opened.task.key
        opened.waits = asyncio.get_running_loop().create_future()
        self._desk.open[key.session_id] = opened
        grace = context.clock.call_later(GRACE_SECONDS, partial(opened.tell, done(key=key)))
        opened.cancel = context.start(self._call(opened, outgoing), f"a2a call {key.session_id}")
        try:
            return await opened.waits
        finally:
            grace()

    def _follow(self, opened: Open) -> None:
        opened.cancel = self._desk.context.start(
            self._rest_of(opened), f"a2a follow {opened.task.key.session_id}"
        )

    async def _call(self, opened: Open, outgoing: Outgoing) -> None:
        try:
            end = await self._sent(opened, outgoing)
            while await self._turns(opened, end):
                end = await self._sent(opened, outgoing)
            goes_on = await self._settle(opened, end)
        except asyncio.CancelledError:
            opened.tell(done(key=opened.task.key))
            raise
        except Exception:
            # A fault of ours, for the crash log: who asked is not left waiting, and the row claims nothing.
            self._desk.emit(*opened.task.cut(self._desk.now()))
            opened.tell(unknown("outcome.unknown", opened.task.key))
            raise
        if goes_on:
            await self._rest_of(opened)

    async def _sent(self, opened: Open, outgoing: Outgoing) -> End:
        streams = opened.client.endpoint.streaming and self._desk.slots.take()
        opened.follower = self._desk.follower(opened)
        return await opened.follower.open(opened.client.send(outgoing, stream=streams), held=streams)

    async def _turns(self, opened: Open, end: End) -> bool:
        """Whether a new task goes to another interface of its agent: nobody was there, nothing was sent."""
        task = opened.task
        is_nobody = isinstance(end.error, NotSentError) and end.error.word == UNREACHABLE
        if not is_nobody or task.is_heard or task.task_id:
            return False
        endpoint = self._desk.next_endpoint(task.target, opened.client.endpoint)
        if endpoint is None:
            return False
        before, task.endpoint = task.endpoint, endpoint.url
        try:
            await self._desk.context.tasks.update(task.row())
        except IslandError:
            # Only what is written down may be sent.
            task.endpoint = before
            return False
        opened.client = self._desk.client(task.target, endpoint, opened.raw)
        return True

    async def _rest_of(self, opened: Open) -> None:
        desk, task = self._desk, opened.task
        if opened.follower is None:
            opened.follower = desk.follower(opened)
        desk.emit(*task.followed_by(desk.now(), True))
        try:
            await opened.follower.follow()
        except Exception:
            desk.emit(*task.followed_by(desk.now(), False))
            raise
        desk.emit(*task.closed(desk.now()), *task.followed_by(desk.now(), False))
        desk.hold(opened)

    async def _settle(self, opened: Open, end: End) -> bool:
        """What a call of ours came to; whether its task is to be followed on."""
        desk, task = self._desk, opened.task
        desk.learn(task.target, opened.client.endpoint)
        if task.is_heard:
            desk.emit(*task.closed(desk.now()))
            desk.hold(opened)
            opened.tell(outcome_of(task))
            return True
        outcome = self._unheard(task, end)
        is_answer = task.answering is not None or task.calls > 1
        if isinstance(end.error, RefusedError) and end.error.status in _ASKS_WHO:
            if is_answer:
                desk.emit(task.answer_refused(desk.now()))
            desk.emit(*task.denied(desk.now(), end.error.status))
        elif outcome.result is Result.UNKNOWN:
            desk.emit(*task.cut(desk.now()))
        elif is_answer:
            desk.emit(task.answer_refused(desk.now()))
        elif opened.waits is not None and opened.waits.done():
            # Whoever sent it was told that it is on its way, and has let go of the text: keep both.
            desk.emit(task.not_sent(desk.now()))
        elif outcome.word == "outcome.agent-http":
            desk.emit(*task.failed(desk.now(), f"HTTP {dict(outcome.values).get('status', '')}"))
        else:
            await self.remove(task)
        opened.tell(outcome)
        return bool(task.task_id)

    def _unheard(self, task: DirectTask, end: End) -> Outcome:
        match end.error:
            case NotSentError():
                return refused(end.error.word, origin=origin_of(task.endpoint))
            case RefusedError() if end.error.status in _ASKS_WHO:
                return refused("outcome.sign-in", name=task.target)
            case RefusedError() if end.error.is_busy:
                return refused("outcome.agent-busy", seconds=str(round(end.error.retry_after or 0)))
            case RefusedError() if end.error.status < 500:
                return refused("outcome.agent-http", status=str(end.error.status), name=task.target)
            case None if end.fault in NOT_SPOKEN:
                return refused("outcome.draft-agent")
            case None if end.fault is not None:
                return refused("outcome.answer-refused", name=task.target)
            case _:
                return unknown("outcome.unknown", task.key)

    async def remove(self, task: DirectTask) -> None:
        """Let a row go, here and on the disk. A disk that fails keeps it until it is pruned."""
        session_id = task.key.session_id
        opened = self._desk.open.get(session_id)
        self._desk.emit(SessionRemoved(task.key, self._desk.now()))
        if opened is not None:
            # Its own call may be what removes it: that ends by itself.
            self._desk.open.pop(session_id)
        self._desk.drop((session_id,))
        try:
            await self._desk.context.tasks.remove(session_id)
        except IslandError as error:
            log.warning("a row could not be removed: %s", error.word)


def _kept(text: str) -> str:
    return text if len(text) <= KEPT_TEXT else ""


def _storage(error: IslandError) -> Outcome:
    return refused(error.word, **{k: str(v) for k, v in error.values.items()})


def _fault(text: str) -> Outcome | None:
    if not text.strip():
        return refused("outcome.empty")
    if len(text) > TEXT_LIMIT:
        return refused("outcome.too-long", limit=str(TEXT_LIMIT // 1024))
    return None


def _has_row(outcome: Outcome) -> bool:
    """Whether a call left a row of its own, be it one that has to sign in once more."""
    return outcome.result is not Result.REFUSED or outcome.word == "outcome.sign-in"
