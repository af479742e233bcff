"""The routes of the gateway, in the server order of the contract (A3 to A7, A10, A12)."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from .bodies import Refused, envelope, message_for
from .registry import detail, markdown, registry
from .state import State
from .steps import Agent, Route
from .upstream import SSE, Answer, ConnectionCutError, NoAnswerError, ask, dumps

PATIENCE: dict[Route, float] = {"message": 30.0, "stream": 120.0}
"""Seconds from the start of the request; a stream is broken off at its end."""

PROJECT = "This agent is an open-source project, not an invokable endpoint"


def reply(state: State, value: Any, status: int = 200, **headers: str) -> Response:
    """JSON as the gateway sends it."""
    extra = {name.replace("_", "-"): text for name, text in headers.items()}
    return Response(dumps(value), status, {**_security(state), **extra}, "application/json")


async def list_agents(request: Request) -> Response:
    state: State = request.app.state.sandbox
    listing = registry(state.agents.values(), state.generation, request.query_params)
    public = "public, max-age=0, s-maxage=60, stale-while-revalidate=300"
    cache = public if state.generation == "G1" else "private, no-store"
    if request.query_params.get("format") == "json":
        return reply(state, listing, cache_control=cache)
    text = markdown(listing).encode("utf-8", "replace")
    return Response(text, headers={**_security(state), "cache-control": cache}, media_type="text/markdown")


async def show_agent(request: Request) -> Response:
    state: State = request.app.state.sandbox
    agent = state.agents.get(request.path_params["slug"])
    if agent is None:
        return reply(state, {"error": "Agent not found", "code": "NOT_FOUND"}, 404)
    return reply(state, detail(agent, state.generation))


async def send_message(request: Request) -> Response:
    state: State = request.app.state.sandbox
    admitted = await _admit(state, request, "message")
    if isinstance(admitted, Response):
        return admitted
    agent, outgoing = admitted
    try:
        async with asyncio.timeout(PATIENCE["message"]), ask(state, agent, "message", outgoing) as answer:
            data = b"".join([chunk async for chunk in answer.chunks])
    except (NoAnswerError, ConnectionCutError, TimeoutError):
        return reply(state, {"error": "Agent unreachable"}, 502)
    return _settle(state, agent, answer.status, data)


async def stream_message(request: Request) -> Response:
    state: State = request.app.state.sandbox
    deadline = asyncio.get_running_loop().time() + PATIENCE["stream"]
    admitted = await _admit(state, request, "stream")
    if isinstance(admitted, Response):
        return admitted
    agent, outgoing = admitted
    stack = AsyncExitStack()
    try:
        async with asyncio.timeout_at(deadline):
            answer = await stack.enter_async_context(ask(state, agent, "stream", outgoing))
    except (NoAnswerError, TimeoutError):
        return reply(state, {"error": "Agent unreachable"}, 502)
    if answer.status == 204:
        await stack.aclose()
        return reply(state, {"error": "Agent did not return a stream"}, 502)
    headers = {**_security(state), "content-type": SSE, "cache-control": "no-cache, no-transform"}
    body = _relayed(state, agent, answer, deadline, stack)
    return StreamingResponse(body, answer.status, headers)


async def _admit(state: State, request: Request, route: Route) -> Response | tuple[Agent, dict[str, Any]]:
    """Key, rate, agent, endpoint, credit, body: the first that fails answers."""
    key = presented_key(request)
    if not state.key_valid or key != state.key:
        return reply(state, {"error": "Invalid or missing API key"}, 401)
    wait = state.limiter.retry_after(_bucket(state, request, key), time.monotonic())
    if wait is not None:
        return reply(state, {"error": "Too many requests"}, 429, retry_after=str(wait))
    agent = state.agents.get(request.path_params["slug"])
    if agent is None:
        return reply(state, {"error": "Agent not found"}, 404)
    refusal = _front(state, agent) or _unpayable(state, agent)
    if refusal is not None:
        return refusal
    message = message_for(route, state.generation, await request.body())
    if isinstance(message, Refused):
        return reply(state, {"error": message.error, "detail": message.detail}, 400)
    return agent, envelope(route, message)


def presented_key(request: Request) -> str | None:
    """The key of a request: `Authorization` with or without `Bearer `, else `x-api-key`."""
    given = request.headers.get("authorization")
    return request.headers.get("x-api-key") if given is None else given.removeprefix("Bearer ")


def _bucket(state: State, request: Request, key: str) -> str:
    if state.generation == "G1":
        return key
    return f"{key} {request.headers.get('x-forwarded-for', '').split(',')[0].strip()}"


def _front(state: State, agent: Agent) -> Response | None:
    """An answer that never reaches the agent: a project, or a fault of the platform that this agent plays."""
    if not agent.hosted:
        return reply(state, {"error": PROJECT}, 400)
    if agent.front is None:
        return None
    state.fronts[agent.slug] += 1
    body = agent.front(state.fronts[agent.slug])
    if body is None:
        return None
    return Response(body.data, body.status, {"content-type": body.content_type, **body.headers})


def _unpayable(state: State, agent: Agent) -> Response | None:
    if agent.price <= 0 or state.balance - agent.price >= 0:
        return None
    why = "Your balance does not cover this call."
    sums = {"balanceUsd": float(state.balance), "requiredUsd": float(agent.price)}
    return reply(state, {"error": "Insufficient credit", "detail": why, **sums}, 402)


def _settle(state: State, agent: Agent, status: int, data: bytes) -> Response:
    """Relay what the agent said, whatever it is, and charge for it."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        if state.generation == "G1":
            return reply(state, {"error": "Agent unreachable"}, 502)
        value = None
    failed = isinstance(value, dict) and "error" in value
    if status < 400 and (state.generation == "G0" or not failed):
        state.charge(agent)
    return reply(state, value, status)


async def _relayed(
    state: State, agent: Agent, answer: Answer, deadline: float, stack: AsyncExitStack
) -> AsyncIterator[bytes]:
    """The agent's bytes; a G1 charge falls due at a clean end without a failure frame, a G0 one at once."""
    if state.generation == "G0" and answer.status < 400:
        state.charge(agent)
    lines: Literal[b""] | bytes = b""
    async with stack:
        chunks = aiter(answer.chunks)
        while (chunk := await _within(deadline, chunks)) is not None:
            if agent.price > 0:
                lines += chunk
            yield chunk
    if state.generation == "G1" and answer.status < 400 and not _has_fault(lines):
        state.charge(agent)


async def _within(deadline: float, chunks: AsyncIterator[bytes]) -> bytes | None:
    try:
        async with asyncio.timeout_at(deadline):
            return await anext(chunks, None)
    except TimeoutError as fault:
        raise ConnectionCutError from fault


def _has_fault(lines: bytes) -> bool:
    """Whether a `data:` line holds a JSON-RPC error. A body without such lines passes for a good stream."""
    for line in lines.splitlines():
        if not line.startswith(b"data:"):
            continue
        try:
            frame = json.loads(line[5:])
        except ValueError:
            continue
        if isinstance(frame, dict) and "error" in frame:
            return True
    return False


def _security(state: State) -> dict[str, str]:
    if state.generation == "G0":
        return {}
    return {"access-control-allow-origin": "*", "x-content-type-options": "nosniff"}
