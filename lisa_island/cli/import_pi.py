"""`agent import`: the agents of pi-a2a's list, each added like any other after its card was shown.

pi's file is read and never written. A key goes into the keyring, for the address it stands beside alone.
"""

from argparse import Namespace

from lisa_island.app.client import Place
from lisa_island.app.client import run as run_loop
from lisa_island.app.direct import DirectAgents
from lisa_island.app.gate import demand_no_agent
from lisa_island.app.house import House
from lisa_island.app.owner import caller_of_self
from lisa_island.cli.agents import Json, add
from lisa_island.cli.housed import housed, tell_key_changed
from lisa_island.cli.parser import say
from lisa_island.cli.printing import EXIT, FAILED, LINE_LIMIT, err, out, sentence
from lisa_island.core.adding import Importable, free_name
from lisa_island.core.agent import KeyState
from lisa_island.core.errors import NotAllowedError
from lisa_island.core.origin import origin_of
from lisa_island.core.text import clean


def run(place: Place, arguments: Namespace) -> int:
    """Look at every agent that pi lists; 0 when each was added or was there before."""
    try:
        demand_no_agent(caller_of_self())
    except NotAllowedError as error:
        err(sentence(error.word, error.values))
        return EXIT["allowed"]
    found, taken = _Listed(), dict[str, tuple[str, ...]]()
    if code := run_loop(housed(place, lambda house: _read(house, found, taken))):
        return code
    err(say("cli.agent.pi-reads", file=found.file))
    added = 0
    for one in found.agents:
        code = _one(place, arguments, one, taken)
        if code == EXIT["allowed"]:
            return code
        added += not code
    out(say("cli.agent.pi-done", added=added, n=len(found.agents)))
    return 0 if added == len(found.agents) else FAILED


class _Listed:
    """What pi's file says."""

    file = ""
    agents: tuple[Importable, ...] = ()


async def _read(house: House, found: _Listed, taken: dict[str, tuple[str, ...]]) -> int:
    direct = DirectAgents(house)
    found.file = direct.pi_file()
    found.agents = await direct.from_pi()
    taken.update({a.name: a.origins for a in house.preferences.direct_agents})
    return 0


def _one(place: Place, arguments: Namespace, one: Importable, taken: dict[str, tuple[str, ...]]) -> int:
    err(say("cli.agent.pi-found", name=one.name, url=clean(one.url, LINE_LIMIT), about=one.description))
    origin, same = origin_of(one.url), free_name(one.name, ())
    if origin in taken.get(same, ()):
        err(say("cli.agent.pi-has", name=same))
        return 0
    if one.has_key:
        err(say("cli.agent.pi-key", origin=origin))
    name = free_name(one.name, taken)
    request: Json = {"url": one.url, "endpoint": "", "auth": "bearer" if one.has_key else "", "header": ""}
    asked = Namespace(name=name, yes=arguments.yes, auth=request["auth"])
    if code := add(place, asked, request):
        return code
    taken[name] = (origin,)
    if not one.has_key:
        return 0
    return run_loop(housed(place, lambda house: _take_key(place, house, one, name)))


async def _take_key(place: Place, house: House, one: Importable, name: str) -> int:
    state, _word = await DirectAgents(house).take_pi_key(one.name, name)
    if state is not KeyState.READY:
        err(sentence(f"direct.credential.{state}"))
        return FAILED
    await tell_key_changed(place)
    out(say("cli.agent.key-saved", name=name, origin=origin_of(one.url)))
    return 0
