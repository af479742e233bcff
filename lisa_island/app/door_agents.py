"""Direct agents through the door: look at a card, add, list, remove, test; and cancel a task.

Adding is the consent to talk to the addresses that were shown, so it passes the owner's gate.
"""

import re
from collections.abc import AsyncGenerator
from dataclasses import replace

from lisa_island.app.door_answers import Json, call_json, failed, refusal_json, text_of
from lisa_island.app.gate import Caller, demand
from lisa_island.app.house import DIRECT, House
from lisa_island.core.agent import SessionKey
from lisa_island.core.intents import AgentInfo, Cancel, Describe, Outcome, ReadCard, Result, TryAgent
from lisa_island.core.origin import origin_of
from lisa_island.core.preferences import AGENT_NAME, AUTHS, DirectAgent

NAME_LIMIT = 36
_NO_NAME = re.compile(r"[^\w.-]+")
CARD_LIMIT = 256 * 1024
MOST_AGENTS = 200


async def card(house: House, request: Json, caller: Caller) -> AsyncGenerator[Json, None]:
    """What an address or a document says, as a choice."""
    demand(house.preferences, caller)
    outcome = await _read(house, request)
    yield refusal_json(outcome) if outcome.result is not Result.DONE else _card_json(house, outcome.agents[0])


async def add(house: House, request: Json, caller: Caller) -> AsyncGenerator[Json, None]:
    """Add the agent whose card was looked at; `origins` are those that the owner saw and agreed to."""
    demand(house.preferences, caller)
    outcome = await _read(house, request)
    if outcome.result is not Result.DONE:
        yield refusal_json(outcome)
        return
    made = agent_of(house, outcome, request)
    if isinstance(made, str):
        yield failed(made, name=text_of(request, "name", 80), limit=str(MOST_AGENTS))
        return
    agreed = request.get("origins")
    if not set(made.origins) <= set(agreed if isinstance(agreed, list) else ()):
        # The card has changed since it was shown.
        yield failed("agent.card-changed", name=made.name)
        return
    await house.settings.change(direct_agents=(*house.preferences.direct_agents, made))
    yield {"word": "agent.added", "values": {"name": made.name}, "name": made.name}


async def listed(house: House, _request: Json, _caller: Caller) -> AsyncGenerator[Json, None]:
    """The agents as they stand in the file; asks nobody."""
    yield {"agents": [_agent_json(agent) for agent in house.preferences.direct_agents]}


async def remove(house: House, request: Json, caller: Caller) -> AsyncGenerator[Json, None]:
    """Take an agent out. Its tasks go on without us; its credential stays in the keyring."""
    demand(house.preferences, caller)
    name, agents = text_of(request, "name", 80), house.preferences.direct_agents
    if not any(agent.name == name for agent in agents):
        yield failed("outcome.no-such-agent.short", name=name)
        return
    await house.settings.change(direct_agents=tuple(a for a in agents if a.name != name))
    yield {"word": "agent.removed", "values": {"name": name}}


async def test(house: House, request: Json, _caller: Caller) -> AsyncGenerator[Json, None]:
    """Whether it answers. Nothing is sent to the agent but a question after a task that cannot exist."""
    name = text_of(request, "name", 80)
    outcome = await house.perform(Describe(DIRECT, name), even_if_off=True)
    if outcome.result is not Result.DONE:
        yield refusal_json(outcome)
        return
    told = _card_json(house, outcome.agents[0])
    tested = await house.perform(TryAgent(DIRECT, name), even_if_off=True)
    yield told
    if tested.result is Result.DONE:
        yield {"word": tested.word, "values": dict(tested.values)}
    else:
        yield refusal_json(tested)


async def cancel(house: House, request: Json, caller: Caller) -> AsyncGenerator[Json, None]:
    """Ask the agent to stop a task."""
    demand(house.preferences, caller)
    session_id = text_of(request, "session", 200)
    key = next((k for k in house.store.roster.sessions if k.session_id == session_id), None)
    outcome = await house.perform(Cancel(key or SessionKey(DIRECT, session_id)))
    if outcome.result is Result.REFUSED:
        yield refusal_json(outcome)
        return
    session = house.store.roster.get(key) if key else None
    told = call_json(session, outcome) if session else {"sessionId": session_id, "needs": []}
    yield told | {"unsure": outcome.result is Result.UNKNOWN}


async def _read(house: House, request: Json) -> Outcome:
    intent = ReadCard(DIRECT, text_of(request, "url", 2_000), text_of(request, "document", CARD_LIMIT))
    return await house.perform(intent, even_if_off=True)


def agent_of(house: House, outcome: Outcome, request: Json) -> DirectAgent | str:
    """The agent as it would be stored, or the word that says why not."""
    info = outcome.agents[0]
    agents = house.preferences.direct_agents
    wanted = text_of(request, "name", 80) or free_name(info.name, {a.name for a in agents})
    auth = text_of(request, "auth", 20)
    header = text_of(request, "header", 80)
    if not AGENT_NAME.fullmatch(wanted):
        return "agent.bad-name"
    if any(a.name.casefold() == wanted.casefold() for a in agents):
        return "agent.name-taken"
    if len(agents) >= MOST_AGENTS:
        return "agent.too-many"
    if auth not in AUTHS or (auth == "header" and not header):
        return "agent.bad-auth"
    endpoint = text_of(request, "endpoint", 2_000)
    if endpoint and not origin_of(endpoint):
        return "outcome.bad-address"
    origins = tuple(dict.fromkeys([origin_of(endpoint)] if endpoint else origins_of(info)))
    found = DirectAgent(wanted, info.card_url, "", endpoint, origins, auth, header)
    return replace(found, url="", card=outcome.text) if outcome.text else found


def origins_of(info: AgentInfo) -> list[str]:
    """The origins that its interfaces stand at."""
    return [origin for line in info.interfaces if (origin := origin_of(line.rpartition(" ")[2]))]


def free_name(shown: str, taken: set[str]) -> str:
    """A name that can be called, made of the agent's own."""
    base = _NO_NAME.sub("-", shown.lower())[:NAME_LIMIT].strip("-.") or "agent"
    names = [base, *(f"{base}-{n}" for n in range(2, MOST_AGENTS + 2))]
    folded = {name.casefold() for name in taken}
    return next(name for name in names if name not in folded)


def _card_json(house: House, info: AgentInfo) -> Json:
    taken = {agent.name for agent in house.preferences.direct_agents}
    return {
        "card": {
            "name": info.name, "description": info.description, "provider": info.provider,
            "version": info.version, "url": info.card_url, "skills": list(info.skills),
            "tags": list(info.tags), "interfaces": list(info.interfaces), "needs": list(info.needs),
            "streaming": info.streaming,
        },
        "as": info.target or free_name(info.name, taken),
        "origins": list(dict.fromkeys(origins_of(info))),
        "warnings": [{"word": word, "values": dict(values)} for word, values in info.warnings],
    }  # fmt: skip


def _agent_json(agent: DirectAgent) -> Json:
    return {
        "name": agent.name, "url": agent.url, "endpoint": agent.endpoint, "origins": list(agent.origins),
        "auth": f"header {agent.header}" if agent.auth == "header" else agent.auth,
    }  # fmt: skip
