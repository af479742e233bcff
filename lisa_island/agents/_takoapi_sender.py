"""Sends what the owner sends: a new task, an answer to a question, an unknown task once more.

The order is the promise: everything that can refuse is asked first, then the row is written, then a byte
goes out. What nothing reached leaves no row, and its text stays with whoever typed it.
"""

import asyncio
import logging
import random
from functools import partial

from lisa_island.agents._a2a_exchange import NOT_SENT, OUTCOME_UNKNOWN, Exchange
from lisa_island.agents._takoapi_beside import Beside
from lisa_island.agents._takoapi_call import LONGEST_BUSY_WAIT, Call, End, Ending, carry
from lisa_island.agents._takoapi_desk import Desk, outcome_of
from lisa_island.agents._takoapi_questions import Questions
from lisa_island.agents._takoapi_registry import FREE, SLUG
from lisa_island.core.agent import Blocked, SessionKey, State, TrailEntry
from lisa_island.core.errors import IslandError
from lisa_island.core.events import SessionRemoved, TrailAdded
from lisa_island.core.intents import AgentInfo, Answer, Outcome, Result, Send, SendAgain, done, refused
from lisa_island.core.text import name

log = logging.getLogger(__name__)

TEXT_LIMIT = 256 * 1024
LABEL_LIMIT = 60
# The gateway's own checks take less; an agent that takes longer is at work, and the asker is told so.
GRACE_SECONDS = 2.0


class Sender:
    """Begins calls and ends them."""

    def __init__(self, desk: Desk, questions: Questions, beside: Beside) -> None:
        self._desk = desk
        self._questions = questions
        self._beside = beside
        self._taken: set[str] = set()

    async def send(self, intent: Send) -> Outcome:
        """A new task."""
        if fault := _fault(intent.target, intent.text):
            return fault
        if intent.metadata:
            # The gateway hands none on, and a chain without its guards could go round for ever.
            return refused("outcome.not-through-gateway")
        info = await self._allowed(intent.target, intent.accepted_price)
        if isinstance(info, Outcome):
            return info
        exchange = self._exchange(intent, info)
        try:
            await self._desk.context.tasks.begin(exchange.row())
        except IslandError as error:
            return refused(error.word, **{k: str(v) for k, v in error.values.items()})
        self._desk.exchanges[exchange.key.session_id] = exchange
        self._desk.emit(exchange.opened(self._desk.now()))
        is_free = info.price == FREE
        stream = is_free and info.streaming and intent.target not in self._desk.streamless
        origin = exchange.origin
        return await self._start(Call(exchange, origin, intent.text, exchange.message_id, is_free, stream))

    async def answer(self, intent: Answer) -> Outcome:
        """An answer, bound to the request that is open now."""
        exchange = self._desk.exchanges.get(intent.key.session_id)
        request = exchange.request if exchange else None
        if exchange is None or request is None or request.request_id != intent.request_id:
            return refused("outcome.request-gone")
        info = await self._may_answer(exchange, intent)
        if isinstance(info, Outcome):
            return info
        # Meanwhile it may have been answered from elsewhere, or the agent went on by itself.
        if exchange.request is not request:
            return refused("outcome.request-gone")
        if (no := await self._began(exchange)) is not None:
            return no
        origin, message_id = self._desk.gateway.origin, self._desk.context.new_id()
        return await self._start(
            Call(exchange, origin, intent.text, message_id, info.price == FREE, stream=False, is_answer=True)
        )

    async def _began(self, exchange: Exchange) -> Outcome | None:
        """Close the question, on the disk first: killed in the next moment, nobody may ask for it again."""
        self._beside.leave(exchange.key.session_id)
        self._desk.emit(exchange.answer_began(self._desk.now()))
        is_kept = False
        try:
            await self._desk.context.tasks.update(exchange.row())
            is_kept = True
        except IslandError as error:
            return refused(error.word, **{k: str(v) for k, v in error.values.items()})
        finally:
            if not is_kept:
                self._desk.emit(exchange.answer_refused(self._desk.now()))
        return None

    async def send_again(self, intent: SendAgain) -> Outcome:
        """A text whose outcome is unknown: the owner knows that it may be done twice.

        A task is sent as a new task; an answer goes to its own task once more.
        """
        exchange = self._desk.exchanges.get(intent.key.session_id)
        if exchange is None or not exchange.text or exchange.reason not in (OUTCOME_UNKNOWN, NOT_SENT):
            return refused("outcome.text-gone")
        if intent.key.session_id in self._taken:
            return refused("outcome.already-sending")
        if exchange.lost_answer is not None:
            return await self._answer_again(exchange, exchange.lost_answer, intent)
        self._taken.add(intent.key.session_id)
        try:
            again = Send(
                intent.key.agent, exchange.target, exchange.text, exchange.label, intent.accepted_price
            )
            outcome = await self.send(again)
            if outcome.result is not Result.REFUSED:
                exchange.text = ""
                self._desk.emit(exchange.told(self._desk.now()))
            return outcome
        finally:
            self._taken.discard(intent.key.session_id)

    async def _answer_again(self, exchange: Exchange, lost: Blocked, intent: SendAgain) -> Outcome:
        exchange.answers_again()
        answer = Answer(intent.key, lost.request_id, exchange.text, intent.accepted_price)
        outcome = await self.answer(answer)
        if outcome.result is Result.REFUSED and exchange.request is lost and exchange.state is State.UNKNOWN:
            # It was never tried: the row still tells of the first attempt.
            exchange.request, exchange.lost_answer = None, lost
        return outcome

    # --- before a byte ---

    async def _allowed(self, slug: str, accepted: str) -> AgentInfo | Outcome:
        """Whether a call may go out: key, breaker, generation, price, in this order."""
        key = await self._desk.key()
        if isinstance(key, Outcome):
            return key
        resting = self._desk.limits.resting(slug)
        if resting is not None:
            return refused("outcome.agent-resting", slug=slug, seconds=str(round(resting)))
        if (wait := self._desk.limits.paused) > LONGEST_BUSY_WAIT:
            return refused("outcome.too-many", seconds=str(round(wait)))
        if (no := await self._questions.generation()) is not None:
            return no
        info = await self._questions.describe(slug)
        if isinstance(info, AgentInfo) and info.price != FREE and info.price != accepted:
            values = (("price", info.price), ("slug", slug))
            return Outcome(Result.REFUSED, "outcome.price", values, price=info.price)
        return info

    async def _may_answer(self, exchange: Exchange, intent: Answer) -> AgentInfo | Outcome:
        if fault := _fault(exchange.target, intent.text):
            return fault
        if not exchange.task_id:
            return refused("outcome.no-task")
        if exchange.origin not in ("", self._desk.gateway.origin):
            return refused("outcome.other-origin", origin=exchange.origin)
        key = await self._desk.key()
        if isinstance(key, Outcome):
            return key
        if (no := await self._questions.generation()) is not None:
            return no
        if self._desk.generation != "G1":
            is_old = self._desk.generation == "G0"
            return refused("outcome.g0-answer" if is_old else "outcome.generation-unknown")
        return await self._allowed(exchange.target, intent.accepted_price)

    def _exchange(self, intent: Send, info: AgentInfo) -> Exchange:
        now = self._desk.now()
        message_id = session_id = ""
        while not session_id or session_id in self._desk.exchanges:
            message_id = self._desk.context.new_id()
            session_id = f"{intent.target}/{message_id.replace('-', '')[:8]}"
        return Exchange(
            SessionKey(self._desk.agent, session_id), intent.target, message_id, now,
            origin=self._desk.gateway.origin, label=name(intent.label, LABEL_LIMIT), price=info.price,
            text=intent.text, can_answer=self._desk.generation != "G0", last_at=now,
        )  # fmt: skip

    # --- a call ---

    async def _start(self, call: Call) -> Outcome:
        self._desk.calls.append(call)
        self._desk.limits.tried(call.slug)
        context, key = self._desk.context, call.exchange.key
        call.stop_grace = context.clock.call_later(GRACE_SECONDS, partial(call.tell, done(key=key)))
        call.cancel = context.start(self._run(call), f"takoapi call {key.session_id}")
        return await call.told

    async def _run(self, call: Call) -> None:
        try:
            ending = await carry(call, self._desk)
        except asyncio.CancelledError:
            if not call.is_leaving:
                self._desk.stop(call)
                raise
            ending = Ending(End.CLEAN)
        except Exception as error:
            # The type alone: whatever it is, its text may hold the request.
            log.error("a call failed: %s", type(error).__name__)
            ending = Ending(End.CUT)
        self._desk.end(call)
        if ending.end is End.REFUSED and ending.outcome is not None:
            await self._refused(call, ending.outcome)
        else:
            self._ended(call, ending)

    async def _refused(self, call: Call, outcome: Outcome) -> None:
        """Nothing reached the agent: no row, or the question is open again."""
        desk, exchange, now = self._desk, call.exchange, self._desk.now()
        desk.limits.spared(call.slug)
        if call.is_answer:
            desk.emit(exchange.answer_refused(now))
            self._beside.follow(exchange)
        elif call.told.done():
            # Whoever sent it was told that it is on its way, and has let go of the text: keep both.
            desk.emit(TrailAdded(exchange.key, TrailEntry(now, "call.refused", outcome.word)))
            desk.emit(exchange.not_sent(now))
        else:
            await self.remove(exchange)
        call.tell(outcome)

    async def remove(self, exchange: Exchange) -> None:
        """Let a row go, here and on the disk. A disk that fails keeps it until it is pruned."""
        self._desk.exchanges.pop(exchange.key.session_id, None)
        self._desk.replies.forget((exchange.key.session_id,))
        self._desk.emit(SessionRemoved(exchange.key, self._desk.now()))
        try:
            await self._desk.context.tasks.remove(exchange.key.session_id)
        except IslandError as error:
            log.warning("a row could not be removed: %s", error.word)

    def _ended(self, call: Call, ending: Ending) -> None:
        desk, exchange, now = self._desk, call.exchange, self._desk.now()
        if call.is_answer:
            exchange.text = call.text
        if ending.end is End.AGENT_ERROR:
            desk.emit(*exchange.failed(now, ending.why))
        if not desk.open_calls(exchange):
            desk.emit(*exchange.ended(now, clean_end=ending.end is End.CLEAN))
        if exchange.reason == OUTCOME_UNKNOWN or ending.why == "HTTP 429":
            desk.limits.failed(call.slug, random.random())
        else:
            desk.limits.worked(call.slug)
        if exchange.reason not in (OUTCOME_UNKNOWN, NOT_SENT):
            exchange.text = ""
        desk.hold(exchange)
        call.tell(outcome_of(exchange))
        self._beside.follow(exchange)


def _fault(slug: str, text: str) -> Outcome | None:
    if not SLUG.fullmatch(slug):
        return refused("outcome.bad-slug")
    if not text.strip():
        return refused("outcome.empty")
    if len(text) > TEXT_LIMIT:
        return refused("outcome.too-long", limit=str(TEXT_LIMIT // 1024))
    return None
