"""`/_sandbox/…`: what a test or the demo may see and turn. Not part of the gateway's contract."""

from __future__ import annotations

import math
import time
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .state import State


def _sandbox(request: Request) -> State:
    state: State = request.app.state.sandbox
    return state


async def _fields(request: Request) -> dict[str, Any]:
    body = await request.body()
    return dict(await request.json()) if body else {}


async def _show_state(request: Request) -> Response:
    return JSONResponse(_sandbox(request).summary())


async def _show_requests(request: Request) -> Response:
    return JSONResponse(_sandbox(request).requests)


async def _show_calls(request: Request) -> Response:
    return JSONResponse(_sandbox(request).calls)


async def _forget(request: Request) -> Response:
    """Empty the request and call lists; nothing else changes."""
    state = _sandbox(request)
    state.requests.clear()
    state.calls.clear()
    return JSONResponse(state.summary())


async def _set_generation(request: Request) -> Response:
    wanted = (await _fields(request)).get("generation")
    if wanted not in ("G0", "G1"):
        return JSONResponse({"error": "generation is G0 or G1"}, 400)
    _sandbox(request).generation = wanted
    return JSONResponse(_sandbox(request).summary())


async def _set_down(request: Request) -> Response:
    """503 to every public route for `seconds`; no `seconds` is until further notice, 0 is up again."""
    seconds = (await _fields(request)).get("seconds", math.inf)
    _sandbox(request).down_until = time.monotonic() + seconds
    return JSONResponse(_sandbox(request).summary())


async def _set_speed(request: Request) -> Response:
    _sandbox(request).speed = float((await _fields(request))["speed"])
    return JSONResponse(_sandbox(request).summary())


async def _set_key(request: Request) -> Response:
    """`{"valid": false}` revokes the key at once; true takes it back."""
    _sandbox(request).key_valid = bool((await _fields(request))["valid"])
    return JSONResponse(_sandbox(request).summary())


async def _hold(request: Request) -> Response:
    """From now on each pause of this agent waits for one opening of the gate of its name."""
    state = _sandbox(request)
    state.gates.held.add((await _fields(request))["gate"])
    return JSONResponse(state.summary())


async def _open(request: Request) -> Response:
    """Open a gate `times` times (1); `{"release": true}` also ends a hold."""
    state, fields = _sandbox(request), await _fields(request)
    if fields.get("release"):
        state.gates.release(fields["gate"])
    else:
        state.gates.open(fields["gate"], int(fields.get("times", 1)))
    return JSONResponse(state.summary())


ROUTES = [
    Route("/_sandbox/state", _show_state, methods=["GET"]),
    Route("/_sandbox/requests", _show_requests, methods=["GET"]),
    Route("/_sandbox/calls", _show_calls, methods=["GET"]),
    Route("/_sandbox/forget", _forget, methods=["POST"]),
    Route("/_sandbox/generation", _set_generation, methods=["POST"]),
    Route("/_sandbox/down", _set_down, methods=["POST"]),
    Route("/_sandbox/speed", _set_speed, methods=["POST"]),
    Route("/_sandbox/key", _set_key, methods=["POST"]),
    Route("/_sandbox/hold", _hold, methods=["POST"]),
    Route("/_sandbox/open", _open, methods=["POST"]),
]
