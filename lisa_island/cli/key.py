"""`lisa-island key`: the key comes from standard input or a hidden prompt, never from an argument."""

from collections.abc import Awaitable, Callable

from lisa_island.app.client import Place
from lisa_island.app.client import run as run_loop
from lisa_island.app.gate import demand_no_agent
from lisa_island.app.house import House
from lisa_island.app.key_words import key_words
from lisa_island.app.owner import caller_of_self
from lisa_island.cli import typed
from lisa_island.cli.housed import housed, tell_key_changed
from lisa_island.cli.parser import say
from lisa_island.cli.printing import EXIT, FAILED, err, out, sentence
from lisa_island.core.agent import KeyState
from lisa_island.core.errors import NotAllowedError
from lisa_island.core.origin import preview

KEY_LIMIT = 4096


def run(place: Place, action: str) -> int:
    """Carry out set, clear, status or import; tell a running island that the key changed."""
    try:
        if action != "status":
            demand_no_agent(caller_of_self())
    except NotAllowedError as error:
        err(sentence(error.word, error.values))
        return EXIT["allowed"]
    # Read before there is a loop: a person may take their time, and Ctrl-C must end it at once.
    value = typed.secret(say("cli.key.prompt"), KEY_LIMIT) if action == "set" else ""
    return run_loop(housed(place, lambda house: _run(place, house, action, value)))


async def _run(place: Place, house: House, action: str, value: str) -> int:
    if not house.origin:
        err(sentence("outcome.bad-address"))
        return FAILED
    code = await ACTIONS[action](house, value)
    if action != "status":
        await tell_key_changed(place)
    return code


async def _set(house: House, value: str) -> int:
    state = await house.secrets.put(house.origin, value)
    if state is not KeyState.READY:
        err(sentence(f"secrets.state.{state}"))
        return FAILED
    if house.preferences.key_source != "keyring":
        # What was saved last is what counts from now on.
        await house.settings.change(key_source="keyring")
    out(say("cli.key.saved", preview=preview(value), origin=house.origin))
    return 0


async def _clear(house: House, _value: str) -> int:
    state = await house.secrets.drop(house.origin)
    if state in (KeyState.LOCKED, KeyState.TIMED_OUT):
        err(sentence(f"secrets.state.{state}"))
        return FAILED
    out(say("cli.key.cleared", origin=house.origin))
    return 0


async def _status(house: House, _value: str) -> int:
    secret = await house.secrets.get(house.origin)
    out(say("cli.key.status", origin=house.origin, state=secret.state))
    if secret.value:
        out(f"{preview(secret.value)}…")
    out(sentence(*key_words(secret, house.preferences.key_source)))
    return 0 if secret.value else FAILED


async def _import(house: House, _value: str) -> int:
    state, word = await house.secrets.import_key(house.origin)
    if state is not KeyState.READY:
        err(sentence(word))
        return FAILED
    out(sentence(word))
    return 0


ACTIONS: dict[str, Callable[[House, str], Awaitable[int]]] = {
    "set": _set,
    "clear": _clear,
    "status": _status,
    "import": _import,
}
