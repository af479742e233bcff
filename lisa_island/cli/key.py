"""`lisa-island key`: the key comes from standard input or a hidden prompt, never from an argument."""

import asyncio
import contextlib
import getpass
import sys
from argparse import Namespace

from lisa_island.app.client import call
from lisa_island.app.gate import demand
from lisa_island.app.house import House, Plan
from lisa_island.app.owner import caller_of_self
from lisa_island.cli.parser import say
from lisa_island.cli.printing import err, out, sentence
from lisa_island.core.agent import KeyState
from lisa_island.core.errors import NotAllowedError, NotRunningError, SecretError
from lisa_island.system.secrets import preview

KEY_LIMIT = 4096


def run(plan: Plan, arguments: Namespace) -> int:
    """Carry out set, clear, status or import; tell a running island that the key changed."""
    if arguments.rest:
        err(say("cli.key.argv"))
        return 2
    with asyncio.Runner() as runner:
        return runner.run(_run(plan, arguments.action))


async def _run(plan: Plan, action: str) -> int:
    plan.records = False
    house = House(plan)
    await house.settings.open()
    try:
        if action != "status":
            demand(house.preferences, caller_of_self(), owner_only=True)
        code = await ACTIONS[action](house)
        if action != "status":
            await _tell(plan)
        return code
    except NotAllowedError as error:
        err(sentence(error.word, error.values))
        return 3
    except SecretError as error:
        err(sentence(error.word, error.values))
        return 1
    finally:
        await house.settings.close()
        house.worker.close()


async def _tell(plan: Plan) -> None:
    with contextlib.suppress(NotRunningError):
        async for _answer in call(plan, {"do": "key-changed"}, caller_of_self()):
            pass


async def _set(house: House) -> int:
    value = getpass.getpass(say("cli.key.prompt")) if sys.stdin.isatty() else sys.stdin.readline(KEY_LIMIT)
    value = value.strip()
    state = await house.secrets.put(house.origin, value)
    if state is not KeyState.READY:
        err(sentence(f"secrets.state.{state}"))
        return 1
    out(say("cli.key.saved", preview=preview(value), origin=house.origin))
    return 0


async def _clear(house: House) -> int:
    await house.secrets.drop(house.origin)
    out(say("cli.key.cleared", origin=house.origin))
    return 0


async def _status(house: House) -> int:
    secret = await house.secrets.get(house.origin)
    out(say("cli.key.status", origin=house.origin, state=secret.state))
    if secret.state is KeyState.READY:
        out(f"{preview(secret.value)}…")
    elif secret.detail:
        out(sentence(secret.detail))
    return 0 if secret.state in (KeyState.READY, KeyState.MEMORY) else 1


async def _import(house: House) -> int:
    state, word = await house.secrets.import_key(house.origin)
    out(sentence(word))
    return 0 if state is KeyState.READY else 1


ACTIONS = {"set": _set, "clear": _clear, "status": _status, "import": _import}
