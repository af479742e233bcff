"""Reports of hosts through the door, and whose are taken.

The door lets in processes of the owner's own user alone; beyond that the owner allows each name. Allowing one
is a decision of the owner's, so no agent may take it.
"""

from collections.abc import AsyncGenerator

from lisa_island.app.door_answers import Json, failed, text_of
from lisa_island.app.gate import Caller, demand
from lisa_island.app.house import House
from lisa_island.core.errors import NotAllowedError
from lisa_island.core.preferences import AGENT_NAME

MOST_EVENTS = 100
MOST_REPORTERS = 64


async def event(house: House, request: Json, caller: Caller) -> AsyncGenerator[Json, None]:
    """Take events of one host, or `allow` (true, false) its name."""
    name, events = text_of(request, "agent", 80), request.get("events")
    if not AGENT_NAME.fullmatch(name):
        yield {"error": "usage", "word": "report.bad-name", "values": {}}
    elif isinstance(allow := request.get("allow"), bool):
        yield await _allow(house, caller, name, allow)
    elif not isinstance(events, list) or len(events) > MOST_EVENTS:
        yield {"error": "usage", "word": "report.bad-events", "values": {"limit": str(MOST_EVENTS)}}
    elif name not in house.preferences.reporters:
        raise NotAllowedError("report.not-allowed", name=name)
    else:
        taken, dropped = await house.report(name, events)
        yield {"taken": taken, "dropped": dropped}


async def _allow(house: House, caller: Caller, name: str, allow: bool) -> Json:
    demand(house.preferences, caller, owner_only=True)
    others = tuple(r for r in house.preferences.reporters if r != name)
    if allow and len(others) >= MOST_REPORTERS:
        return failed("report.full", limit=str(MOST_REPORTERS))
    await house.settings.change(reporters=(*others, name) if allow else others)
    return {"word": "report.allowed" if allow else "report.forbidden", "values": {"name": name}}
