"""`send` and `answer` through the door: tell the row at once, and with `wait` how it ended.

A call is told as soon as the source has heard of it, or has waited its own two seconds; its row stands then.
What the gateway refuses later stands in the row: `error`, reason `not-sent`, its text kept by the island.
Whoever hangs up before a byte went out has sent nothing; after that the call goes on without its asker.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable

from lisa_island.app.door_answers import Json, call_json, failed, refusal_json, text_of
from lisa_island.app.gate import Caller, demand
from lisa_island.app.house import House
from lisa_island.app.names import instead, meant
from lisa_island.core.agent import AgentSession, Can, Origin, SessionKey, State
from lisa_island.core.events import Seen
from lisa_island.core.intents import Answer, Intent, Outcome, ReadReply, Result, Send
from lisa_island.core.naming import Named
from lisa_island.core.roster import Roster
from lisa_island.core.summary import find_request


async def send(house: House, request: Json, caller: Caller) -> AsyncGenerator[Json, None]:
    """A new task."""
    demand(house.preferences, caller)
    typed = text_of(request, "target", 2_000)
    named = await meant(house, typed)
    if isinstance(named, Outcome):
        yield refusal_json(named)
        return
    async for told in _call(house, _send(request, named), bool(request.get("wait")), caller):
        if told.get("word") != "outcome.no-agent":
            yield told
            continue
        # The gateway knows no such slug and did nothing: it may be the name of one that is found by asking.
        other = await instead(house, typed)
        if not isinstance(other, Named):
            yield refusal_json(other) if other else told
            return
        async for again in _call(house, _send(request, other), bool(request.get("wait")), caller):
            yield again


def _send(request: Json, named: Named) -> Send:
    return Send(
        named.agent,
        named.target,
        _whole(request),
        text_of(request, "label", 200),
        text_of(request, "price", 40),
        text_of(request, "metadata", 20_000),
    )


async def answer(house: House, request: Json, caller: Caller) -> AsyncGenerator[Json, None]:
    """The answer to one request."""
    demand(house.preferences, caller)
    need = find_request(house.store.roster, text_of(request, "request", 200))
    if need is None:
        yield failed("outcome.request-gone")
        return
    if need.session.origin is Origin.LOCAL and Can.ANSWER not in need.session.capabilities:
        yield failed("door.own-terminal")
        return
    intent = Answer(need.session.key, need.request.request_id, _whole(request), text_of(request, "price", 40))
    async for told in _call(house, intent, bool(request.get("wait")), caller):
        yield told


def _whole(request: Json) -> str:
    text = request.get("text", "")
    return text if isinstance(text, str) else ""


async def _call(house: House, intent: Intent, wait: bool, caller: Caller) -> AsyncGenerator[Json, None]:
    outcome = await _performed(house, intent)
    session = house.store.roster.get(outcome.key) if outcome.key else None
    if outcome.result is Result.REFUSED or outcome.key is None:
        yield refusal_json(outcome)
        return
    yield _begun(outcome.key, session, outcome)
    if wait:
        answered = intent.request_id if isinstance(intent, Answer) else ""
        yield await _ended(house, outcome.key, caller, answered)


async def _performed(house: House, intent: Intent) -> Outcome:
    """Carry it out; a caller who leaves before it has begun stops it, a task that runs goes on."""
    ended: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

    async def work() -> None:
        outcome = await house.perform(intent)
        if not ended.done():
            ended.set_result(outcome)

    cancel = house.nursery.start(work(), type(intent).__name__)
    try:
        return await ended
    finally:
        cancel()


def _begun(key: SessionKey, session: AgentSession | None, outcome: Outcome) -> Json:
    return _gone(key) if session is None else call_json(session, outcome)


def _gone(key: SessionKey) -> Json:
    return {"sessionId": key.session_id, "gone": True, "needs": []}


async def _ended(house: House, key: SessionKey, caller: Caller, answered: str) -> Json:
    """How it stands when there is nothing more to wait for, with the reply if one is held.

    A request that was `answered` and is open again got no answer: the gateway refused it late.
    """
    settled = asyncio.Event()

    def look(_old: Roster, new: Roster) -> None:
        if _is_settled(new.get(key)):
            settled.set()

    stop = house.store.subscribe(look)
    try:
        look(house.store.roster, house.store.roster)
        await settled.wait()
    finally:
        stop()
    session = house.store.roster.get(key)
    if session is None:
        return _gone(key) | {"final": True}
    if answered and any(r.request_id == answered for r in session.requests):
        return call_json(session) | {"final": True, "unsent": True}
    reply = await house.perform(ReadReply(key))
    if reply.text and caller.owner:
        house.store.dispatch(Seen(key))
    return call_json(session) | {"final": True, "reply": reply.text}


def _is_settled(session: AgentSession | None) -> bool:
    # A word that is in no table proves no end: while the line is open, more may come.
    return session is None or not session.followed or session.state not in (State.WORKING, State.UNKNOWN)


Verb = Callable[[House, Json, Caller], AsyncGenerator[Json, None]]
