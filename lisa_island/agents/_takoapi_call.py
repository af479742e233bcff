"""One call through the gateway, from its place in the queue to its last byte.

Nothing is sent twice by itself, with three exceptions that prove nothing was done (I12): a connection that
was refused before any byte, the gateway's own 429, and, once per slug of a free agent, `/stream` to
`/message` when the whole answer was JSON-RPC -32602, or -32600 for want of a message id: servers of the
official SDK say that in the one way (0.3) or the other (1.x), and neither has read more of the request.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

import httpx

from lisa_island.agents import _takoapi_status as status
from lisa_island.agents._a2a_exchange import Exchange
from lisa_island.agents._a2a_wire import Fault, Frame, Noise, read_frame
from lisa_island.agents._http import UNTRUSTED, CutError, NotSentError, bytes_of
from lisa_island.agents._payload import BadPayloadError, decode
from lisa_island.agents._sse import Document, TooLargeError, read_document, read_events
from lisa_island.agents._takoapi_http import REFUSAL_LIMIT, Gateway
from lisa_island.agents._takoapi_limits import Limits
from lisa_island.agents._takoapi_status import Judgement, Verdict
from lisa_island.core.intents import Outcome, refused

REFUSED_TRIES = 3
REFUSED_WAITS = (0.25, 0.75)
BUSY_TRIES = 2
LONGEST_BUSY_WAIT = 60.0
# After a final state the agent has time to end the stream; who leaves early may leave a bill in doubt.
LINGER_SECONDS = 10.0
# JSON-RPC errors with which servers say that they cannot stream what the gateway sends them.
NO_STREAM_CODES = frozenset({-32601, -32602, -32004, -32009})


class End(StrEnum):
    """How a call ended."""

    REFUSED = "refused"
    AGENT_ERROR = "agent-error"
    CLEAN = "clean"
    CUT = "cut"


class Desk(Protocol):
    """What a call asks of its source."""

    gateway: Gateway
    limits: Limits

    async def key(self) -> str | Outcome:
        """The key for this gateway, or the refusal that says why there is none."""
        ...

    def now(self) -> int:
        """Epoch ms."""
        ...

    def heard(self, call: "Call", frame: Frame, signal: str) -> None:
        """A frame arrived."""
        ...

    def reached(self) -> None:
        """The gateway answered."""
        ...

    def unreachable(self, retry_in: float | None) -> None:
        """The gateway refused the connection; the next try is so many seconds away."""
        ...

    def busy(self, seconds: float) -> None:
        """The gateway asked everybody to wait."""
        ...

    def key_refused(self) -> None:
        """The gateway refused the key."""
        ...

    def no_stream(self, slug: str) -> None:
        """This agent does not stream."""
        ...


def _future() -> "asyncio.Future[Outcome]":
    return asyncio.get_running_loop().create_future()


@dataclass(slots=True, eq=False)
class Call:
    """What is sent, and who waits to hear of it. `told` is resolved once, with what the asker may know."""

    exchange: Exchange
    origin: str
    text: str = field(repr=False)
    message_id: str
    is_free: bool
    stream: bool
    is_answer: bool = False
    told: "asyncio.Future[Outcome]" = field(default_factory=_future)
    cancel: Callable[[], None] = lambda: None
    stop_grace: Callable[[], None] = lambda: None
    stop_linger: Callable[[], None] | None = None
    is_leaving: bool = False

    @property
    def slug(self) -> str:
        """Whom it goes to."""
        return self.exchange.target

    def tell(self, outcome: Outcome) -> None:
        """Tell the asker, unless that was done before."""
        if not self.told.done():
            self.told.set_result(outcome)

    def body(self) -> dict[str, Any]:
        """A body that is safe on both generations: the text stands at the top, and nothing is null."""
        if self.stream:
            return {"text": self.text}
        ids = {"taskId": self.exchange.task_id, "contextId": self.exchange.context_id}
        kept = {name: value for name, value in ids.items() if value} if self.is_answer else {}
        return {"text": self.text, **kept, "message": {"messageId": self.message_id}}


@dataclass(frozen=True, slots=True)
class Ending:
    """How it ended, and with a refusal the outcome that says why."""

    end: End
    outcome: Outcome | None = None
    why: str = ""


async def carry(call: Call, desk: Desk) -> Ending:
    """Wait for a place, send, and read to the end. Raises nothing but cancellation."""
    async with desk.limits.place(call.slug):
        refusals = busy = 0
        while True:
            await desk.limits.token()
            key = await desk.key()
            if isinstance(key, Outcome):
                return Ending(End.REFUSED, key)
            if call.origin != desk.gateway.origin:
                # The owner changed the address while this waited; a text goes where it was meant to go.
                return Ending(End.REFUSED, refused("outcome.other-origin", origin=call.origin))
            try:
                ending = await _once(call, desk, key)
            except NotSentError as error:
                refusals += 1
                if refusals >= REFUSED_TRIES or error.word == UNTRUSTED:
                    desk.unreachable(None)
                    return Ending(End.REFUSED, refused(error.word, origin=desk.gateway.origin))
                desk.unreachable(REFUSED_WAITS[refusals - 1])
                await desk.limits.rest(REFUSED_WAITS[refusals - 1])
                continue
            except CutError:
                return Ending(End.CUT)
            if isinstance(ending, Ending):
                return ending
            if ending is None:
                call.stream = False
                continue
            busy += 1
            desk.busy(ending)
            if busy >= BUSY_TRIES or ending > LONGEST_BUSY_WAIT:
                return Ending(End.REFUSED, refused("outcome.too-many", seconds=str(round(ending))))


async def _once(call: Call, desk: Desk, key: str) -> Ending | float | None:
    """One request: how it ended, or the seconds a busy gateway asks for, or None to take `/message`."""
    route = "stream" if call.stream else "message"
    path = f"/v1/agents/{call.slug}/{route}"
    async with desk.gateway.post(path, call.body(), key, stream=call.stream) as response:
        desk.reached()
        if not 200 <= response.status_code < 300:
            return await _refusal(call, desk, response)
        try:
            return await _read(call, desk, response, f"/{route}")
        except TooLargeError:
            return Ending(End.CUT)


async def _refusal(call: Call, desk: Desk, response: httpx.Response) -> Ending | float:
    try:
        async with aclosing(bytes_of(response)) as chunks:
            body = await read_document(chunks, REFUSAL_LIMIT)
    except TooLargeError:
        body = b""
    said = status.judge(response.status_code, response.headers.get("retry-after", ""), body, desk.now())
    match said.verdict:
        case Verdict.BUSY:
            return said.seconds
        case Verdict.BAD_KEY:
            desk.key_refused()
            return Ending(End.REFUSED, _outcome(said))
        case Verdict.REFUSED:
            return Ending(End.REFUSED, _outcome(said))
        case Verdict.AGENT_ERROR:
            return Ending(End.AGENT_ERROR, why=f"HTTP {response.status_code}")
        case Verdict.NO_STREAM:
            desk.no_stream(call.slug)
            return Ending(End.CUT)
        case Verdict.UNKNOWN:
            return Ending(End.CUT)


def _outcome(said: Judgement) -> Outcome:
    return refused(said.word, **dict(said.values))


async def _read(call: Call, desk: Desk, response: httpx.Response, signal: str) -> Ending | None:
    count = 0
    async with aclosing(_frames(response, call.stream)) as frames:
        async for frame, is_whole in frames:
            count += 1
            if call.stream and count == 1 and isinstance(frame, Fault) and _refuses_streams(frame):
                desk.no_stream(call.slug)
                if is_whole and call.is_free and _read_nothing(frame):
                    return None
            desk.heard(call, frame, signal)
            if isinstance(frame, Fault):
                break
    return Ending(End.CLEAN)


def _read_nothing(fault: Fault) -> bool:
    """Whether the server refused the shape of the request: then nothing was done."""
    return fault.code == -32602 or (fault.code == -32600 and fault.lacks_message_id)


def _refuses_streams(fault: Fault) -> bool:
    return fault.code in NO_STREAM_CODES or _read_nothing(fault)


async def _frames(response: httpx.Response, stream: bool) -> AsyncGenerator[tuple[Frame, bool], None]:
    """Frames in order, each with whether it was the whole answer."""
    async with aclosing(bytes_of(response)) as chunks:
        if not stream:
            yield await _document(await read_document(chunks)), True
            return
        async with aclosing(read_events(chunks)) as items:
            async for item in items:
                if isinstance(item, Document):
                    yield await _document(item.data), True
                elif item.data.strip():
                    yield await _document(item.data), False


async def _document(data: str | bytes) -> Frame:
    try:
        payload = await decode(data)
    except BadPayloadError as error:
        return Noise(what=str(error))
    # Many frames may come in one read, and each may be large: one turn of the loop for each.
    await asyncio.sleep(0)
    return read_frame(payload)
