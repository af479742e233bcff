"""One A2A endpoint, called: frames out of whatever it answers.

Nothing that has an effect is sent twice by itself (I12). What proves that nothing was done, and allows one
more request:
- a connection that was refused before any byte (NotSentError: the caller decides);
- 307 or 308 to the same origin, once: the server names another place and did nothing here;
- on calls before the first that was understood, an error that says that this dialect is not spoken: JSON-RPC
  -32601 or -32009 (also as the body of an HTTP 400), -32600 that complains of the version, or a 404 or 405
  that carries no error of the protocol. Then the other dialect is tried once and, where it is understood,
  remembered in `endpoint`. A plain 400 or 500 on a send proves nothing.
Re-attaching has no effect, so a 404 or 405 to POST is followed by GET, which is remembered.

A card that changed makes a new client. Credentials go to the endpoint's own origin alone.
"""

import builtins
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, Final
from urllib.parse import urljoin

import httpx

from lisa_island.agents import _a2a_dialect as dialect
from lisa_island.agents._a2a_answer import EMPTY, Heard, hider, read_answer, read_failure
from lisa_island.agents._a2a_answer import RefusedError as RefusedError
from lisa_island.agents._a2a_card import REST, Endpoint
from lisa_island.agents._a2a_dialect import Outgoing as Outgoing
from lisa_island.agents._a2a_fault import BAD_VERSION, INVALID_REQUEST, NO_METHOD, TASK_NOT_FOUND
from lisa_island.agents._a2a_wire import Fault, Frame, Noise, Snapshot
from lisa_island.agents._http import CutError as CutError
from lisa_island.agents._http import Http, Patience
from lisa_island.agents._http import NotSentError as NotSentError
from lisa_island.core.origin import origin_of
from lisa_island.core.ports import Clock

GET_SECONDS: Final = 10.0
CALL_SECONDS: Final = 30.0
# A stateless agent answers a send with its reply, after all the work; one that has tasks answers at once.
SEND_SECONDS: Final = 125.0
# Some servers hold the head of a stream back until its first event.
STREAM_HEAD_SECONDS: Final = 300.0
MOST_PAGES: Final = 20
MOST_LISTED: Final = 1_000
# A task that was begun by a message that has no answer is among the newest, and its message among its last.
SEARCHED_PAGES: Final = 2
SEARCHED_MESSAGES: Final = 20

_QUICK = Patience(GET_SECONDS, GET_SECONDS, GET_SECONDS)
_CALL = Patience(CALL_SECONDS, CALL_SECONDS, CALL_SECONDS)
_SEND = Patience(SEND_SECONDS, SEND_SECONDS, SEND_SECONDS)
# Whether a silent stream is dead is for its follower to find out.
_STREAM = Patience(None, STREAM_HEAD_SECONDS, CALL_SECONDS)
_NO_ROUTE = frozenset({404, 405})


@dataclass(frozen=True, slots=True)
class _Call:
    """What is asked for, in whatever dialect; `build` answers None where a dialect lacks it."""

    build: Callable[[Endpoint, int], dialect.Request | None]
    patience: Patience
    stream: bool = False
    turns: bool = True
    is_question: bool = False


class _NotSpokenError(Exception):
    """The first answer says that this dialect is not spoken: the frame or the refusal that says so."""

    def __init__(self, said: Heard | RefusedError) -> None:
        super().__init__()
        self.said = said


class Client:
    """Calls one endpoint. `headers` are its credentials; `keep_raw` gets what comes back, without them.

    Every call raises NotSentError, CutError, RefusedError.
    """

    def __init__(
        self,
        http: Http,
        endpoint: Endpoint,
        headers: Callable[[], Awaitable[Mapping[str, str]]],
        *,
        keep_raw: Callable[[str], None] = lambda _: None,
        clock: Clock,
    ) -> None:
        self.endpoint = endpoint
        self._http = http
        self._headers = headers
        self._keep_raw = keep_raw
        self._clock = clock
        self._numbers = count(1)
        self._is_understood = False
        self._verb = dialect.POST

    async def send(self, message: Outgoing, *, stream: bool) -> AsyncGenerator[Frame, None]:
        """Send; one frame for each event, at least one for a unary answer."""
        call = _Call(
            lambda to, number: dialect.send(to, message, number, stream=stream),
            _STREAM if stream else _SEND,
            stream,
        )
        is_silent = True
        async with aclosing(self._heard(call)) as items:
            async for heard in items:
                is_silent = False
                yield heard.frame
        if is_silent and not stream:
            yield Noise(what=EMPTY)

    async def subscribe(self, task_id: str) -> AsyncGenerator[Frame, None]:
        """Attach to a running task's stream; over HTTP+JSON with POST, or with GET where that is no route."""
        has_choice = self.endpoint.binding == REST and self._verb == dialect.POST
        try:
            async with aclosing(self._attached(task_id, self._verb, turns=not has_choice)) as items:
                async for heard in items:
                    if has_choice and _names_route(heard.frame):
                        raise _NotSpokenError(heard)
                    has_choice = False
                    yield heard.frame
            return
        except RefusedError as error:
            if not has_choice or error.status not in _NO_ROUTE:
                raise
        except _NotSpokenError:
            pass
        async with aclosing(self._attached(task_id, dialect.GET, turns=True)) as items:
            async for heard in items:
                self._verb = dialect.GET
                yield heard.frame

    async def get(self, task_id: str, *, history: int = 0) -> Frame:
        """The task as it is, or the Fault that the agent answers. Takes 10 s at most."""
        return await self._one(
            _Call(lambda to, n: dialect.get(to, task_id, n, history=history), _QUICK, is_question=True)
        )

    async def list(self, context_id: str = "") -> tuple[Snapshot, ...]:
        """The tasks that the agent names, () where it cannot; a task that is missing here is not gone."""
        found: dict[str, Snapshot] = {}
        page, seen = "", {""}
        for _ in range(MOST_PAGES):
            raw, page = await self._page(context_id, page)
            tasks = [Snapshot.model_validate(task) for task in raw]
            found |= {task.task_id: task for task in tasks if task.task_id}
            # A server that repeats its token would be asked for ever.
            if not page or page in seen or len(found) >= MOST_LISTED:
                break
            seen.add(page)
        return tuple(found.values())[:MOST_LISTED]

    async def find(self, message_id: str) -> Snapshot | None:
        """The task whose history has this message of ours, None where none of the newest does."""
        page = ""
        for _ in range(SEARCHED_PAGES):
            tasks, page = await self._page("", page, SEARCHED_MESSAGES)
            found = next((t for t in tasks if _has_message(t, message_id)), None)
            if found is not None or not page:
                return Snapshot.model_validate(found) if found else None
        return None

    async def cancel(self, task_id: str) -> Frame:
        """Ask the agent to stop a task: what the task is then, or the Fault that says why not."""
        return await self._one(_Call(lambda to, n: dialect.cancel(to, task_id, n), _CALL))

    async def close(self) -> None:
        """Nothing is held between calls; the connections are the Http's."""

    # --- inside ---

    def _attached(self, task_id: str, verb: str, *, turns: bool) -> AsyncGenerator[Heard, None]:
        def build(to: Endpoint, number: int) -> dialect.Request:
            return dialect.subscribe(to, task_id, number, verb)

        return self._heard(_Call(build, _STREAM, True, turns))

    async def _one(self, call: _Call) -> Frame:
        last: Frame = Noise(what=EMPTY)
        async with aclosing(self._heard(call)) as items:
            async for heard in items:
                last = heard.frame
        return last

    async def _page(
        self, context_id: str, page: str, history: int = 0
    ) -> tuple[builtins.list[dict[str, Any]], str]:
        """The tasks on a page and the token of the next, "" where there is none."""
        call = _Call(
            lambda to, number: dialect.list_tasks(to, context_id, page, number, history=history), _CALL
        )
        payload: object = None
        if call.build(self.endpoint, 0) is None:
            return [], ""
        try:
            async with aclosing(self._heard(call)) as items:
                async for heard in items:
                    payload = heard.payload
        except RefusedError as error:
            if error.status not in _NO_ROUTE | {501}:
                raise
        body = payload.get("result", payload) if isinstance(payload, dict) else None
        if not isinstance(body, dict) or not isinstance(body.get("tasks"), builtins.list):
            return [], ""
        token = body.get("nextPageToken")
        tasks = [task for task in body["tasks"][:MOST_LISTED] if isinstance(task, dict)]
        return tasks, token if isinstance(token, str) else ""

    async def _heard(self, call: _Call) -> AsyncGenerator[Heard, None]:
        """What comes back in the endpoint's dialect, or once in the other."""
        may_turn = call.turns and not self._is_understood
        tried = self.endpoint
        try:
            async with aclosing(self._spoken(call, tried, may_turn)) as items:
                async for heard in items:
                    yield heard
            return
        except _NotSpokenError as error:
            said = error.said
        try:
            async with aclosing(self._spoken(call, dialect.other(tried), may_turn)) as items:
                async for heard in items:
                    yield heard
            return
        except _NotSpokenError:
            # Neither: what the card's own dialect was answered is what counts.
            pass
        if isinstance(said, RefusedError):
            raise said
        yield said

    async def _spoken(self, call: _Call, endpoint: Endpoint, may_turn: bool) -> AsyncGenerator[Heard, None]:
        is_first = True
        try:
            async with aclosing(self._once(call, endpoint)) as items:
                async for heard in items:
                    if is_first and may_turn and _denies(heard.frame):
                        raise _NotSpokenError(heard)
                    if is_first and _proves(heard.frame):
                        self.endpoint, self._is_understood = endpoint, True
                    is_first = False
                    yield heard
        except RefusedError as error:
            if is_first and may_turn and error.status in _NO_ROUTE:
                raise _NotSpokenError(error) from None
            raise

    async def _once(self, call: _Call, endpoint: Endpoint) -> AsyncGenerator[Heard, None]:
        request = call.build(endpoint, next(self._numbers))
        if request is None:
            raise _NotSpokenError(Heard(Noise(what=EMPTY)))
        secrets = await self._headers()
        async with self._opened(request, secrets, call) as response:
            if not response.is_success:
                yield Heard(await read_failure(response, self._clock.now(), secrets))
                return
            keep, hidden = self._keep_raw, hider(secrets)
            async with aclosing(read_answer(response, keep, hidden)) as items:
                async for heard in items:
                    yield heard

    @asynccontextmanager
    async def _opened(
        self, request: dialect.Request, secrets: Mapping[str, str], call: _Call
    ) -> AsyncIterator[httpx.Response]:
        url = request.url
        for is_last in (False, True):
            async with self._http.open(
                request.method,
                url,
                headers={**secrets, **request.headers},
                patience=call.patience,
                params=request.params or None,
                body=request.body,
                stream=call.stream,
                is_question=call.is_question,
            ) as response:
                moved = "" if is_last else _moved(url, response)
                if not moved:
                    yield response
                    return
                url = moved


def _moved(url: str, response: httpx.Response) -> str:
    """Where the same request has to go instead, on the same origin; "" for anything else."""
    if response.status_code not in (307, 308):
        return ""
    target = urljoin(url, response.headers.get("location", ""))
    is_new = target != url and len(target) <= 4096
    return target if is_new and origin_of(target) == origin_of(url) else ""


def _has_message(task: Mapping[str, Any], message_id: str) -> bool:
    history = task.get("history")
    said = history if isinstance(history, builtins.list) else ()
    return any(isinstance(m, dict) and m.get("messageId") == message_id for m in said)


def _denies(frame: Frame) -> bool:
    """Whether it says that the dialect of the request is not spoken: then nothing was done."""
    if not isinstance(frame, Fault):
        return False
    is_version = frame.code == INVALID_REQUEST and "version" in frame.message.lower()
    return frame.code in (NO_METHOD, BAD_VERSION) or is_version


def _proves(frame: Frame) -> bool:
    """Whether it can only be the answer of somebody who understood."""
    if isinstance(frame, Fault):
        return -32008 <= frame.code <= TASK_NOT_FOUND
    return not isinstance(frame, Noise)


def _names_route(frame: Frame) -> bool:
    """Whether a server took the verb in the path for a part of the task's id."""
    return isinstance(frame, Fault) and frame.code == TASK_NOT_FOUND and ":subscribe" in frame.message
