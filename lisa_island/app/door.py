"""What the door's words do. The same words serve the socket and a command that runs alone.

A request is a dict with `do`; the answers are dicts, the last one is what counts.
Errors are answers with `error` (allowed, usage, failed) and a catalogue `word`.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from lisa_island.app.gate import Caller, demand
from lisa_island.app.house import House
from lisa_island.core.agent import AgentSession, Reply, SessionKey, State
from lisa_island.core.errors import IslandError, NotAllowedError
from lisa_island.core.intents import Answer, Discover, Outcome, ReadReply, Result, Send
from lisa_island.core.preferences import Pin
from lisa_island.core.roster import Roster
from lisa_island.core.status import session_json, status
from lisa_island.core.summary import find_request
from lisa_island.core.text import clean

Json = dict[str, Any]

# How long `send` without --wait may take to learn that nothing reached the agent.
SETTLE_SECONDS = 3.0

AGENT = "takoapi"


async def serve(house: House, request: Json, caller: Caller) -> AsyncIterator[Json]:
    """Answer one request; never raises but for cancellation."""
    verb = VERBS.get(str(request.get("do")))
    if verb is None:
        yield {"error": "usage", "word": "door.unknown-word", "values": {}}
        return
    try:
        async for answer in verb(house, request, caller):
            yield answer
    except NotAllowedError as error:
        yield {"error": "allowed", "word": error.word, "values": error.values}
    except IslandError as error:
        yield {"error": "failed", "word": error.word, "values": error.values}


async def _status(house: House, _request: Json, _caller: Caller) -> AsyncIterator[Json]:
    yield {"status": status(house.store.roster)}


async def _send(house: House, request: Json, caller: Caller) -> AsyncIterator[Json]:
    demand(house.preferences, caller)
    intent = Send(
        AGENT,
        _text(request, "target", 200),
        str(request.get("text", "")),
        clean(_text(request, "label", 200), 60),
        _text(request, "price", 40),
    )
    async for answer in _call(house, house.perform(intent), bool(request.get("wait"))):
        yield answer


async def _answer(house: House, request: Json, caller: Caller) -> AsyncIterator[Json]:
    demand(house.preferences, caller)
    need = find_request(house.store.roster, _text(request, "request", 200))
    if need is None:
        yield _failed("outcome.request-gone")
        return
    intent = Answer(
        need.session.key, need.request.request_id, str(request.get("text", "")), _text(request, "price", 40)
    )
    async for answer in _call(house, house.perform(intent), bool(request.get("wait")), need.session.key):
        yield answer


async def _call(
    house: House, performing: Awaitable[Outcome], wait: bool, key: SessionKey | None = None
) -> AsyncIterator[Json]:
    """Tell the outcome as soon as it is known, or the row once the call is on its way; then wait if asked."""
    opened = _next_session(house) if key is None else None
    pending: asyncio.Future[Outcome] = house.background(performing)
    try:
        outcome = await asyncio.wait_for(asyncio.shield(pending), None if wait else SETTLE_SECONDS)
    except TimeoutError:
        outcome = None
    found = key or (outcome.key if outcome else None) or (opened() if opened else None)
    if outcome is not None and (outcome.result is Result.REFUSED or found is None):
        yield _outcome(outcome)
        return
    session = house.store.roster.get(found) if found else None
    yield _told(outcome, session)
    if wait and found is not None:
        yield await _final(house, found)


def _next_session(house: House) -> Callable[[], SessionKey | None]:
    before = set(house.store.roster.sessions)
    return lambda: next((k for k in house.store.roster.sessions if k not in before), None)


def _told(outcome: Outcome | None, session: AgentSession | None) -> Json:
    told: Json = {"result": str(outcome.result) if outcome else "done"}
    if outcome and outcome.word:
        told |= {"word": outcome.word, "values": dict(outcome.values)}
    if session is not None:
        row = session_json(session)
        told |= {k: row[k] for k in ("sessionId", "taskId", "state", "stateReason") if k in row}
    return told


def _is_settled(session: AgentSession | None) -> bool:
    return session is None or session.state is not State.WORKING or not session.followed


async def _final(house: House, key: SessionKey) -> Json:
    settled = asyncio.Event()

    def look(_old: Roster, new: Roster) -> None:
        if _is_settled(new.get(key)):
            settled.set()

    stop = house.store.subscribe(look)
    try:
        if not _is_settled(house.store.roster.get(key)):
            await settled.wait()
    finally:
        stop()
    session = house.store.roster.get(key)
    told = _told(None, session) | {"final": True}
    if session is not None and session.reply is Reply.HELD:
        told["reply"] = (await house.perform(ReadReply(key))).text
    return told


async def _question(house: House, request: Json, caller: Caller) -> AsyncIterator[Json]:
    demand(house.preferences, caller, owner_only=True)
    need = find_request(house.store.roster, _text(request, "request", 200))
    if need is None:
        yield _failed("outcome.request-gone")
        return
    yield {
        "untrusted": True,
        "kind": str(need.request.kind),
        "sessionId": need.session.key.session_id,
        "text": need.request.summary,
    }


async def _discover(house: House, request: Json, _caller: Caller) -> AsyncIterator[Json]:
    intent = Discover(AGENT, _text(request, "query", 200), _text(request, "category", 80))
    outcome = await house.perform(intent, even_if_off=True)
    if outcome.result is not Result.DONE:
        yield _outcome(outcome)
        return
    yield {
        "total": outcome.total,
        "agents": [
            {
                "slug": a.target,
                "name": a.name,
                "description": a.description,
                "price": a.price,
                "streaming": a.streaming,
                "callable": a.callable,
                "category": a.category,
            }
            for a in outcome.agents
        ],
    }


async def _pin(house: House, request: Json, _caller: Caller) -> AsyncIterator[Json]:
    slug = _text(request, "target", 200)
    pins = house.preferences.pins
    if request["do"] == "pin":
        if any(p.target == slug for p in pins):
            yield {"word": "cli.pin.already", "values": {"target": slug}}
            return
        pins = (*pins, Pin(slug, house.price_of(slug)))
    else:
        pins = tuple(p for p in pins if p.target != slug)
    await house.settings.change(pins=pins)
    yield {"word": f"cli.{request['do']}.done", "values": {"target": slug}}


async def _window(house: House, request: Json, _caller: Caller) -> AsyncIterator[Json]:
    if not house.window(str(request["do"])):
        yield _failed("door.no-window")
        return
    yield {"result": "done"}


async def _key_changed(house: House, _request: Json, _caller: Caller) -> AsyncIterator[Json]:
    house.key_changed()
    yield {"result": "done"}


async def _facts(house: House, _request: Json, _caller: Caller) -> AsyncIterator[Json]:
    yield {"facts": [list(f) for f in await house.facts()], "status": status(house.store.roster)}


Verb = Callable[[House, Json, Caller], AsyncIterator[Json]]

VERBS: dict[str, Verb] = {
    "status": _status,
    "send": _send,
    "answer": _answer,
    "question": _question,
    "discover": _discover,
    "pin": _pin,
    "unpin": _pin,
    "show": _window,
    "hide": _window,
    "toggle": _window,
    "quit": _window,
    "key-changed": _key_changed,
    "facts": _facts,
}


def _text(request: Json, name: str, limit: int) -> str:
    value = request.get(name, "")
    return value[:limit] if isinstance(value, str) else ""


def _failed(word: str) -> Json:
    return {"error": "failed", "word": word, "values": {}}


def _outcome(outcome: Outcome) -> Json:
    told: Json = {
        "error": "failed",
        "word": outcome.word or "outcome.unknown",
        "values": dict(outcome.values),
    }
    if outcome.price:
        told["price"] = outcome.price
    return told
