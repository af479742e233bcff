"""The agents behind the gateway: scripted ones are played here, relayed ones are real servers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from .shapes import ENDED, add_up
from .state import Memory, State
from .steps import NOW, Agent, Body, Call, Cut, Event, Fault, Gate, Json, Pause, Raw, Route, Step, Unreachable

SSE = "text/event-stream"
JSON = "application/json"


class NoAnswerError(Exception):
    """The agent could not be reached, or broke off before its answer was whole."""


class ConnectionCutError(Exception):
    """Raised while a body is sent: the server then drops the connection without an end."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an agent sent back; `chunks` yields its body."""

    status: int
    content_type: str
    chunks: AsyncIterator[bytes]


def ask(state: State, agent: Agent, route: Route, request: Json) -> AbstractAsyncContextManager[Answer]:
    """Send one JSON-RPC request to the agent. Raises NoAnswerError."""
    message = request["params"]["message"]
    state.counts[agent.slug] += 1
    call = _call(state, agent, route, message)
    ids = {"taskId": call.task_id, "contextId": call.context_id}
    state.calls.append({"slug": agent.slug, "route": route, "text": call.text, "message": message, **ids})
    if agent.slug not in state.relays:
        return _play(state, agent, call, request["id"])
    from .relay import relay  # httpx is loaded only by those who relay

    return relay(state.relays[agent.slug], route, request)


def dumps(value: Any) -> bytes:
    """Compact JSON in UTF-8; a lone surrogate leaves as its escape, as JavaScript writes it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


def _text(message: Json) -> str:
    return "\n".join(part["text"] for part in message["parts"] if isinstance(part.get("text"), str))


def _call(state: State, agent: Agent, route: Route, message: Json) -> Call:
    known = state.tasks.get((agent.slug, message.get("taskId", "")))
    return Call(
        slug=agent.slug,
        route=route,
        text=_text(message),
        message=message,
        task_id=message.get("taskId") or str(uuid4()),
        context_id=message.get("contextId") or (known.context_id if known else str(uuid4())),
        resumed=known is not None,
        count=state.counts[agent.slug],
    )


def _steps(state: State, agent: Agent, call: Call) -> Iterator[Step]:
    """The scenario, behind the checks that every A2A server makes."""
    known = state.tasks.get((agent.slug, call.task_id))
    if agent.strict and "messageId" not in call.message:
        yield _refusal(agent.strict)
    elif call.message.get("taskId") and known is None:
        yield Fault(-32001, "Task not found")
    elif known is not None and known.state in ENDED:
        yield Fault(-32602, f"Task {call.task_id} is in terminal state: {known.state}")
    else:
        yield from agent.scenario(call)


def _refusal(code: int) -> Fault:
    """As the official Python SDK words it: 0.3 with -32602 and a list, 1.x with -32600 and a text."""
    if code == -32600:
        return Fault(
            code, "Invalid Request", "1 validation error\nparams.message.messageId\n  Field required"
        )
    missing = {"type": "missing", "loc": ["params", "message", "messageId"], "msg": "Field required"}
    return Fault(code, "Invalid parameters", [missing])


@asynccontextmanager
async def _play(state: State, agent: Agent, call: Call, request_id: str) -> AsyncIterator[Answer]:
    steps = _steps(state, agent, call)
    first = await _next(state, call, steps)
    match first:
        case Unreachable() | Cut():
            raise NoAnswerError
        case Body():
            yield Answer(first.status, first.content_type, _once(first.data))
        case Fault():
            yield Answer(200, JSON, _once(_frame(request_id, first)))
        case _ if call.route == "message":
            yield Answer(200, JSON, _once(await _blocking(state, call, request_id, first, steps)))
        case _:
            yield Answer(200, SSE, _streaming(state, call, request_id, first, steps))


async def _next(state: State, call: Call, steps: Iterator[Step]) -> Step | None:
    """The next step that is not a wait, after the waits before it."""
    for step in steps:
        match step:
            case Pause() if call.slug in state.gates.held:
                await state.gates.wait(call.slug)
            case Pause(seconds):
                await asyncio.sleep(seconds * state.speed)
            case Gate(name):
                await state.gates.wait(name or call.slug)
            case _:
                return step
    return None


async def _blocking(
    state: State, call: Call, request_id: str, step: Step | None, rest: Iterator[Step]
) -> bytes:
    results = []
    while step is not None:
        match step:
            case Event(result):
                _remember(state, call, result)
                results.append(result)
            case Fault():
                return _frame(request_id, step)
            case Cut() | Unreachable():
                raise NoAnswerError
            case _:
                pass  # raw bytes have no place in one JSON answer
        step = await _next(state, call, rest)
    return _frame(request_id, Event(add_up(results)))


async def _streaming(
    state: State, call: Call, request_id: str, step: Step | None, rest: Iterator[Step]
) -> AsyncIterator[bytes]:
    while step is not None:
        await asyncio.sleep(0)  # without delays the loop would not turn, and never learn of a hang-up
        match step:
            case Raw(data):
                yield data
            case Cut() | Unreachable():
                raise ConnectionCutError
            case Event() | Fault():
                if isinstance(step, Event):
                    _remember(state, call, step.result)
                yield b"data: " + _frame(request_id, step) + b"\n\n"
            case _:
                pass  # a whole answer in mid-stream cannot be
        step = await _next(state, call, rest)


def _frame(request_id: str, step: Event | Fault) -> bytes:
    frame: Json = {"jsonrpc": "2.0", "id": request_id}
    if isinstance(step, Event):
        frame["result"] = step.result
    else:
        frame["error"] = {"code": step.code, "message": step.message}
        if step.data is not None:
            frame["error"]["data"] = step.data
    stamp = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return dumps(frame).replace(dumps(NOW), dumps(stamp))


def _remember(state: State, call: Call, result: Any) -> None:
    word = result.get("status") if isinstance(result, dict) else None
    if isinstance(word, dict) and isinstance(word.get("state"), str):
        state.tasks[(call.slug, call.task_id)] = Memory(word["state"], call.context_id)


async def _once(data: bytes) -> AsyncIterator[bytes]:
    yield data
