"""Direct agents through the door: look at a card, add, list, remove, test; and cancel a task.

Adding is the consent to talk to the addresses that were shown, so it passes the owner's gate.
"""

from collections.abc import AsyncGenerator

from lisa_island.app.door_answers import Json, call_json, failed, refusal_json, text_of
from lisa_island.app.gate import Caller, demand
from lisa_island.app.house import DIRECT, House
from lisa_island.app.waits import holds
from lisa_island.core.adding import CARD_LIMIT, MOST_AGENTS, Wish, agent_of, free_name, origins
from lisa_island.core.agent import SessionKey
from lisa_island.core.intents import AgentInfo, Cancel, Describe, Outcome, ReadCard, Result, TryAgent
from lisa_island.core.preferences import DirectAgent
from lisa_island.core.roster import Roster

CANCEL_SECONDS = 2.0


async def card(house: House, request: Json, caller: Caller) -> AsyncGenerator[Json, None]:
    """What an address or a document says, as a choice."""
    demand(house.preferences, caller)
    outcome = await _read(house, request)
    if outcome.result is not Result.DONE:
        yield refusal_json(outcome)
        return
    # What cannot be added is refused before anybody is asked whether to.
    made = _made(house, request, outcome)
    if isinstance(made, str):
        yield _not_made(request, made)
        return
    yield _card_json(house, outcome.agents[0]) | {"as": made.name, "origins": list(made.origins)}


async def add(house: House, request: Json, caller: Caller) -> AsyncGenerator[Json, None]:
    """Add the agent whose card was looked at; `origins` are those that the owner saw and agreed to."""
    demand(house.preferences, caller)
    outcome = await _read(house, request)
    if outcome.result is not Result.DONE:
        yield refusal_json(outcome)
        return
    made = _made(house, request, outcome)
    if isinstance(made, str):
        yield _not_made(request, made)
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
    if any(values.get("key") == "directAgents" for _, values in house.settings.problems()):
        # One that cannot be read hides all: that none was added would be wrong.
        yield failed("settings-file.fix-agents", place=str(house.plan.home / "island.json"))
        return
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
    if key is None:
        yield {"sessionId": session_id, "needs": [], "unsure": outcome.result is Result.UNKNOWN}
        return
    # Most agents end it at once; whoever asked is told how it stands then.
    await holds(house, lambda roster: _is_over(roster, key), CANCEL_SECONDS)
    session = house.store.roster.get(key)
    told = call_json(session, outcome) if session else {"sessionId": session_id, "needs": []}
    yield told | {"unsure": outcome.result is Result.UNKNOWN}


def _is_over(roster: Roster, key: SessionKey) -> bool:
    session = roster.get(key)
    return session is None or session.task is None or session.task.terminal


async def _read(house: House, request: Json) -> Outcome:
    intent = ReadCard(DIRECT, text_of(request, "url", 2_000), text_of(request, "document", CARD_LIMIT))
    return await house.perform(intent, even_if_off=True)


def _made(house: House, request: Json, outcome: Outcome) -> DirectAgent | str:
    return agent_of(house.preferences.direct_agents, outcome.agents[0], outcome.text, _wish(request))


def _not_made(request: Json, word: str) -> Json:
    return failed(word, name=text_of(request, "name", 80), limit=str(MOST_AGENTS))


def _wish(request: Json) -> Wish:
    return Wish(
        name=text_of(request, "name", 80),
        endpoint=text_of(request, "endpoint", 2_000),
        auth=text_of(request, "auth", 20),
        header=text_of(request, "header", 80),
    )


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
        "origins": list(origins(info)),
        "warnings": [{"word": word, "values": dict(values)} for word, values in info.warnings],
    }  # fmt: skip


def _agent_json(agent: DirectAgent) -> Json:
    return {
        "name": agent.name, "url": agent.url, "endpoint": agent.endpoint, "origins": list(agent.origins),
        "auth": f"header {agent.header}" if agent.auth == "header" else agent.auth,
    }  # fmt: skip
