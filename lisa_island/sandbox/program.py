"""The ASGI application: the gateway's routes, the admin routes, and a log of every request in between."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from . import admin, gateway
from .scenarios import AGENTS, filler, relayed
from .state import Limiter, State
from .steps import Agent, Json

MISSING = "<!DOCTYPE html><title>404</title><h1>This page could not be found.</h1>"
DOWN = "<!DOCTYPE html><title>503</title><h1>Service Unavailable</h1>"


def make_state(
    key: str,
    *,
    generation: str = "G1",
    speed: float = 1.0,
    relays: dict[str, str] | None = None,
    fillers: int = 0,
    limit: int = 120,
    balance: Decimal = Decimal("10.00"),
) -> State:
    """A fresh sandbox. `relays` maps slugs to A2A endpoint addresses; `fillers` adds plain hosted agents."""
    links = relays or {}
    rows: list[Agent] = [*AGENTS, *filler(fillers), *(relayed(slug) for slug in links)]
    return State(
        key=key,
        agents={agent.slug: replace(agent) for agent in rows},
        generation=generation,
        speed=speed,
        relays=links,
        limiter=Limiter(limit),
        balance=balance,
    )


def make_app(state: State) -> ASGIApp:
    app = Starlette(
        routes=[
            Route("/api/registry", gateway.list_agents, methods=["GET"]),
            Route("/api/agents/{slug}", gateway.show_agent, methods=["GET"]),
            Route("/v1/agents/{slug}/message", gateway.send_message, methods=["POST"]),
            Route("/v1/agents/{slug}/stream", gateway.stream_message, methods=["POST"]),
            *admin.ROUTES,
        ],
        exception_handlers={404: _missing},
    )
    app.state.sandbox = state
    return Witness(app, state)


async def _missing(_request: Request, _fault: Exception) -> Response:
    return HTMLResponse(MISSING, 404)


class Witness:
    """Writes down every public request: names of headers, never their values."""

    def __init__(self, app: ASGIApp, state: State) -> None:
        self._app = app
        self._state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/_sandbox/"):
            await self._app(scope, receive, send)
            return
        entry = _entry(Request(scope))
        self._state.requests.append(entry)
        seen: list[int] = []

        async def counted() -> Message:
            message = await receive()
            seen.append(len(message.get("body", b"")))
            entry["size"] = max(entry["size"], sum(seen))
            return message

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                entry["status"] = message["status"]
            await send(message)

        self._state.open_requests += 1
        try:
            answer = HTMLResponse(DOWN, 503) if self._state.is_down() else self._app
            await answer(scope, counted, noted)
        finally:
            self._state.open_requests -= 1


def _entry(request: Request) -> Json:
    return {
        "method": request.method,
        "path": request.url.path,
        "query": request.url.query,
        "headers": sorted(set(request.headers)),
        "key": gateway.presented_key(request) is not None,
        "size": int(request.headers.get("content-length", 0)),
        "status": None,
    }
