"""What the door's words do. The same words serve the socket and a command that runs alone.

A request is a dict with `do`; the answers are dicts, the last one is what counts.
Errors are answers with `error` (allowed, usage, failed) and a catalogue `word`.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from lisa_island.app import door_agents, door_calls, door_journal, door_reports
from lisa_island.app.door_answers import Json, failed, refusal_json, text_of
from lisa_island.app.door_calls import Verb
from lisa_island.app.gate import Caller, demand
from lisa_island.app.house import DIRECT, REMOTE, House
from lisa_island.core.errors import IslandError, NotAllowedError
from lisa_island.core.explain import explain, explained_json, find
from lisa_island.core.intents import AgentInfo, Discover, Result
from lisa_island.core.preferences import Pin
from lisa_island.core.status import status
from lisa_island.core.summary import find_request
from lisa_island.core.words import pick

MOST_PINS = 200
MOST_LISTED = 50
MOST_TAGGED = 2_000


async def serve(house: House, request: Json, caller: Caller) -> AsyncGenerator[Json, None]:
    """Answer one request; never raises but for cancellation."""
    verb = VERBS.get(str(request.get("do")))
    if verb is None:
        yield {"error": "usage", "word": "door.unknown-word", "values": {}}
        return
    try:
        async with aclosing(verb(house, request, caller)) as answers:
            async for told in answers:
                yield told
    except NotAllowedError as error:
        yield {"error": "allowed", "word": error.word, "values": error.values}
    except IslandError as error:
        yield {"error": "failed", "word": error.word, "values": error.values}


async def _status(house: House, _request: Json, _caller: Caller) -> AsyncGenerator[Json, None]:
    yield {"status": status(house.store.roster), "now": house.clock.now()}


async def _explain(house: House, request: Json, _caller: Caller) -> AsyncGenerator[Json, None]:
    wanted, roster = text_of(request, "session", 200), house.store.roster
    found = find(roster, wanted)
    if len(found) > 1:
        names = ", ".join(s.key.session_id for s in found[:10])
        yield failed("explain.several", wanted=wanted, sessions=names)
    elif not found:
        yield failed("explain.none", wanted=wanted)
    else:
        told, now = explain(found[0], roster.sources.get(found[0].key.agent)), house.clock.now()
        yield {"explained": explained_json(told, now), "now": now}


async def _question(house: House, request: Json, caller: Caller) -> AsyncGenerator[Json, None]:
    demand(house.preferences, caller, owner_only=True)
    need = find_request(house.store.roster, text_of(request, "request", 200))
    if need is None:
        yield failed("outcome.request-gone")
        return
    yield {
        "untrusted": True,
        "kind": str(need.request.kind),
        "agent": need.session.key.agent,
        "sessionId": need.session.key.session_id,
        "text": need.request.summary,
        "options": list(need.request.options),
    }


async def _discover(house: House, request: Json, _caller: Caller) -> AsyncGenerator[Json, None]:
    query, category, tag = (text_of(request, name, 200) for name in ("query", "category", "tag"))
    limit = MOST_TAGGED if tag else MOST_LISTED
    outcome = await house.perform(Discover(REMOTE, query, category, limit), even_if_off=True)
    has_own = bool(house.preferences.direct_agents) and not category
    asked = await house.perform(Discover(DIRECT, query, tag), even_if_off=True) if has_own else None
    is_answered = outcome.result is Result.DONE
    if not is_answered and asked is None:
        yield refusal_json(outcome)
        return
    own = asked.agents if asked else ()
    found = [a for a in outcome.agents if not tag or _has_tag(a, tag)]
    total = (len(found) if tag else outcome.total) + len(own)
    shown = [*(_agent_json(a, DIRECT) for a in own), *(_agent_json(a, REMOTE) for a in found[:MOST_LISTED])]
    told: Json = {"total": total, "agents": shown}
    yield told if is_answered else told | {"problem": refusal_json(outcome)}


def _has_tag(agent: AgentInfo, tag: str) -> bool:
    return tag.casefold() in (t.casefold() for t in (*agent.tags, *agent.skills))


def _agent_json(agent: AgentInfo, kind: str) -> Json:
    return {
        "kind": kind,
        "slug": agent.target,
        "name": agent.name,
        "description": agent.description,
        "price": agent.price,
        "streaming": agent.streaming,
        "category": agent.category,
    }


async def _pin(house: House, request: Json, _caller: Caller) -> AsyncGenerator[Json, None]:
    from lisa_island.agents._takoapi_registry import SLUG

    slug, pins = text_of(request, "target", 200), house.preferences.pins
    is_off = not house.preferences.takoapi_enabled
    if not SLUG.fullmatch(slug):
        yield failed("cli.pin.bad-slug")
    elif any(p.target == slug for p in pins):
        yield {"word": "cli.pin.already", "values": {"target": slug}, "off": is_off}
    elif len(pins) >= MOST_PINS:
        yield failed("cli.pin.full", limit=str(MOST_PINS))
    else:
        await house.settings.change(pins=(*pins, Pin(slug, house.price_of(slug))))
        yield {"word": "cli.pin.done", "values": {"target": slug}, "off": is_off}


async def _unpin(house: House, request: Json, _caller: Caller) -> AsyncGenerator[Json, None]:
    slug, pins = text_of(request, "target", 200), house.preferences.pins
    if not any(p.target == slug for p in pins):
        yield {"word": "cli.unpin.not-pinned", "values": {"target": slug}}
        return
    await house.settings.change(pins=tuple(p for p in pins if p.target != slug))
    yield {"word": "cli.unpin.done", "values": {"target": slug}}


async def _window(house: House, request: Json, _caller: Caller) -> AsyncGenerator[Json, None]:
    yield {"result": "done"} if house.window(str(request["do"])) else failed("door.no-window")


async def _quit(house: House, request: Json, _caller: Caller) -> AsyncGenerator[Json, None]:
    """Leave; what would be lost is told first, and needs `sure`."""
    replies, calls = house.losses()
    if (replies or calls) and request.get("sure") is not True:
        yield {"losses": [replies, calls]}
    elif house.window("quit"):
        yield {"result": "done"}
    else:
        yield failed("door.failed")


async def _key_changed(house: House, _request: Json, _caller: Caller) -> AsyncGenerator[Json, None]:
    house.key_changed()
    yield {"result": "done"}


async def _facts(house: House, request: Json, _caller: Caller) -> AsyncGenerator[Json, None]:
    from lisa_island.app.doctor import facts

    lang = pick(text_of(request, "lang", 20)) if "lang" in request else house.lang
    yield {"facts": [list(fact) for fact in await facts(house, lang)]}


async def _diagnostics(house: House, _request: Json, _caller: Caller) -> AsyncGenerator[Json, None]:
    from lisa_island.app.diagnostics import report

    yield {"text": await report(house)}


VERBS: dict[str, Verb] = {
    "status": _status,
    "send": door_calls.send,
    "answer": door_calls.answer,
    "explain": _explain,
    "journal": door_journal.journal,
    "event": door_reports.event,
    "question": _question,
    "discover": _discover,
    "cancel": door_agents.cancel,
    "agent-card": door_agents.card,
    "agent-add": door_agents.add,
    "agent-list": door_agents.listed,
    "agent-remove": door_agents.remove,
    "agent-test": door_agents.test,
    "pin": _pin,
    "unpin": _unpin,
    "show": _window,
    "hide": _window,
    "toggle": _window,
    "quit": _quit,
    "key-changed": _key_changed,
    "facts": _facts,
    "diagnostics": _diagnostics,
}
