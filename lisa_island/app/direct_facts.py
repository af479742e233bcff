"""What `doctor` and the About page say of the agents that were added by address: how many, where, last heard.

Nobody is asked for it, and no credential is looked at.
"""

from typing import TYPE_CHECKING

from lisa_island.core.agent import Freshness
from lisa_island.core.errors import StorageError
from lisa_island.core.naming import DIRECT, places
from lisa_island.core.times import ago
from lisa_island.core.words import say

if TYPE_CHECKING:
    from lisa_island.app.house import House


async def direct_facts(house: "House", lang: str) -> list[tuple[str, str]]:
    """One line with their number, and one for each."""
    agents = house.preferences.direct_agents
    heard = await _heard(house)
    return [
        ("fact.direct", str(len(agents))),
        *(
            ("fact.direct-agent", say(lang, "fact.direct-agent.line", name=name, host=host, reach=reach))
            for name, host in places(agents).items()
            if (reach := _reach(house, name, heard.get(name), lang))
        ),
    ]


async def _heard(house: "House") -> dict[str, int]:
    """When each agent was last heard of, by the roster and by the task database (epoch ms)."""
    told: list[tuple[str, int]] = [
        (s.task.target, s.last_activity)
        for s in house.store.roster.sessions.values()
        if s.key.agent == DIRECT and s.task is not None and s.last_activity is not None
    ]
    try:
        told += [(row.target, row.updated_at) for row in await house.tasks.list() if row.agent == DIRECT]
    except StorageError:
        pass  # said by another line
    return {name: max(at for known, at in told if known == name) for name in {name for name, _ in told}}


def _reach(house: "House", name: str, at: int | None, lang: str) -> str:
    if at is None:
        return say(lang, "fact.direct.reach.none")
    rows = [
        s
        for s in house.store.roster.sessions.values()
        if s.key.agent == DIRECT and s.task is not None and s.task.target == name and not s.is_finished
    ]
    offline = bool(rows) and all(s.freshness is Freshness.OFFLINE for s in rows)
    word = "fact.direct.reach.offline" if offline else "fact.direct.reach.word"
    return say(lang, word, ago=ago(lang, at, house.clock.now()))
