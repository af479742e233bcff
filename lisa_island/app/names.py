"""Whom `send` means: what is known first, then one question to the registry and to the added agents."""

from lisa_island.app.house import DIRECT, REMOTE, House
from lisa_island.core.intents import Discover, Outcome, refused
from lisa_island.core.naming import SLUG, Named, Several, among, find
from lisa_island.core.origin import origin_of


async def meant(house: House, typed: str) -> Named | Outcome:
    """The agent of this name or address, or the refusal that names the choices."""
    own = {a.name: (a.url, a.endpoint, *a.origins) for a in house.preferences.direct_agents}
    slugs = {target for target, _, _ in house.targets() if target not in own}
    found = find(typed, own, slugs)
    if found is None and origin_of(typed):
        return refused("outcome.address-unknown", url=typed[:200])
    is_on = house.preferences.takoapi_enabled
    if found is None and SLUG.fullmatch(typed) and is_on:
        # The gateway is asked about it anyway, once everything that needs no question allows the call.
        return Named(REMOTE, typed)
    if found is None and (own or is_on):
        found = among(typed, await _discovered(house, typed))
    if isinstance(found, Several):
        return _several(typed, found)
    if found is None and own and not is_on:
        # Who has agents and no gateway has misspelt one.
        return refused("outcome.no-such-agent", name=typed[:80])
    # What is no slug is the source's to refuse, in its own words.
    return found or Named(REMOTE, typed)


async def instead(house: House, typed: str) -> Named | Outcome | None:
    """What a slug that the gateway does not know may mean: one look before failing."""
    found = among(typed, await _discovered(house, typed))
    if isinstance(found, Several):
        return _several(typed, found)
    return None if found == Named(REMOTE, typed) else found


def _several(typed: str, found: Several) -> Outcome:
    choices = ", ".join(f"@{name}" for name in found.names[:10])
    return refused("outcome.ambiguous", name=typed[:80], choices=choices)


async def _discovered(house: House, typed: str) -> list[tuple[str, str, str]]:
    """One look, by the owner's act of sending: the registry needs no key and is sent none."""
    kinds = [DIRECT] if house.preferences.direct_agents else []
    kinds += [REMOTE] if house.preferences.takoapi_enabled else []
    rows = []
    for kind in kinds:
        outcome = await house.perform(Discover(kind, typed if kind == REMOTE else ""))
        rows += [(kind, agent.target, agent.name) for agent in outcome.agents]
    return rows
