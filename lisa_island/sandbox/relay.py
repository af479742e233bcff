"""Relay to a real A2A server, as the gateway does: no credentials, no version header, redirects followed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from .steps import Json, Route
from .upstream import JSON, SSE, Answer, ConnectionCutError, NoAnswerError, dumps


@asynccontextmanager
async def relay(url: str, route: Route, request: Json) -> AsyncIterator[Answer]:
    """One call; the caller sets the time limit. Raises NoAnswerError."""
    headers = {"Content-Type": JSON, "Accept": JSON if route == "message" else SSE}
    # trust_env off: a proxy of the machine must not see loopback traffic.
    async with httpx.AsyncClient(follow_redirects=True, timeout=None, trust_env=False) as client:
        try:
            outgoing = client.build_request("POST", url, content=dumps(request), headers=headers)
            response = await client.send(outgoing, stream=True)
        except httpx.HTTPError as fault:
            raise NoAnswerError from fault
        try:
            yield Answer(response.status_code, response.headers.get("content-type", ""), _chunks(response))
        finally:
            await response.aclose()


async def _chunks(response: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for chunk in response.aiter_bytes():
            yield chunk
    except httpx.HTTPError as fault:
        raise ConnectionCutError from fault
