"""Whom `send` means: what is known first, then one question to the registry and to the added agents."""

from lisa_island.app.house import DIRECT, REMOTE, House
from lisa_island.core.intents import Discover, Outcome, refused
from lisa_island.core.naming import Named, Several, among, find
from lisa_island.core.origin import origin_of


async def meant(house: House, typed: str) -> Named | Outcome:
    """The agent of this name or address, or the refusal that names the choices."""
    own = {a.name: (a.url, a.endpoint, *a.origins) for a in house.preferences.direct_agents}
    slugs = {target for target, _, _ in house.targets() if target not in own}
    found = find(typed, own, slugs)
    if found is None and origin_of(typed):
        return refused("outcome.address-unknown", url=typed[:200])
    if found is None:
        found = among(typed, await _discovered(house, typed))
    if isinstance(found, Several):
        return refused(
            "outcome.ambiguous", name=typed[:80], choices=", ".join(f"@{n}" for n in found.names[:10])
        )
    if found is None and own and not house.preferences.takoapi_enabled:
        # Who has agents and no gateway has misspelt one.
        return refused("outcome.no-such-agent", name=typed[:80])
    # A slug that nobody knows is the gateway's to refuse, in its own words.
    return found or Named(REMOTE, typed)


async def _discovered(house: House, typed: str) -> list[tuple[str, str, str]]:
    """One look, by the owner's act of sending: the registry needs no key and is sent none."""
    kinds = [DIRECT] if house.preferences.direct_agents else []
    kinds += [REMOTE] if house.preferences.takoapi_enabled else []
    rows = []
    for kind in kinds:
        outcome = await house.perform(Discover(kind, typed if kind == REMOTE else ""))
        rows += [(kind, agent.target, agent.name) for agent in outcome.agents]
    return rows
