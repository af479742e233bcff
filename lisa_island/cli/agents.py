"""`agent add|list|remove|test|key|import` and `cancel`: what is shown of a card is foreign and cleaned."""

from argparse import Namespace
from contextlib import aclosing
from pathlib import Path
from typing import Any

from lisa_island.app.client import Place, call
from lisa_island.app.client import run as run_loop
from lisa_island.app.gate import demand_no_agent
from lisa_island.app.house import House
from lisa_island.app.owner import caller_of_self
from lisa_island.cli import typed
from lisa_island.cli.housed import housed, tell_key_changed
from lisa_island.cli.parser import USAGE, say
from lisa_island.cli.printing import EXIT, FAILED, LINE_LIMIT, ask, err, failure, is_answered, out, sentence
from lisa_island.core.adding import Wish, wrong_in
from lisa_island.core.agent import KeyState
from lisa_island.core.errors import NotAllowedError
from lisa_island.core.preferences import DirectAgent
from lisa_island.core.text import clean

Json = dict[str, Any]

CARD_BYTES = 256 * 1024
CREDENTIAL_LIMIT = 8_192


def run(place: Place, arguments: Namespace) -> int:
    """Carry out one of the actions."""
    return ACTIONS[arguments.action](place, arguments)


def cancel(place: Place, arguments: Namespace) -> int:
    """Ask an agent to stop a task."""
    told = _one(place, {"do": "cancel", "session": arguments.session})
    if "error" in told:
        return failure(told)
    if told.get("unsure"):
        err(sentence("outcome.cancel-unknown"))
        return FAILED
    err(say("cli.cancel.asked", session=arguments.session, state=sentence(f"state.{told.get('state', '')}")))
    return 0


def _add(place: Place, arguments: Namespace) -> int:
    request = _asked(arguments)
    return request if isinstance(request, int) else add(place, arguments, request)


def add(place: Place, arguments: Namespace, request: Json) -> int:
    """Show the card behind a request, ask, and add the agent."""
    told = _one(place, request | {"do": "agent-card", "name": arguments.name or ""})
    if "error" in told:
        return failure(told)
    name = told["as"]
    _show(told)
    if not arguments.yes:
        if not is_answered():
            err(say("cli.agent.needs-yes"))
            return FAILED
        if not ask(say("cli.agent.ask", name=name, origins=", ".join(told["origins"]))):
            err(say("cli.agent.not-added"))
            return FAILED
    added = _one(place, request | {"do": "agent-add", "name": name, "origins": told["origins"]})
    if "error" in added:
        return failure(added)
    out(sentence(added["word"], added["values"]))
    if told["card"]["needs"] and not arguments.auth:
        err(say("cli.agent.needs", name=name, needs=clean(", ".join(told["card"]["needs"]), LINE_LIMIT)))
    return 0


def _asked(arguments: Namespace) -> Json | int:
    """What the door is asked for, or an exit code."""
    auth, _, header = (arguments.auth or "").partition(":")
    request: Json = {"endpoint": arguments.endpoint, "auth": auth, "header": header}
    if word := wrong_in(Wish(arguments.name or "", arguments.endpoint or "", auth, header)):
        err(sentence(word, {"name": clean(arguments.name or "", LINE_LIMIT)}))
        return USAGE
    if "://" in arguments.url or _is_address(arguments.url):
        return request | {"url": arguments.url}
    try:
        with Path(arguments.url).open("rb") as file:
            data = file.read(CARD_BYTES + 1)
    except OSError as error:
        err(say("cli.agent.no-file", file=arguments.url, why=error.strerror or ""))
        return USAGE
    if len(data) > CARD_BYTES:
        err(say("cli.agent.large-file", file=arguments.url))
        return FAILED
    return request | {"document": data.decode("utf-8", "replace")}


def _is_address(given: str) -> bool:
    """Whether what names no scheme is a host all the same: no file, nor named as one, and a port or a dot."""
    host = given.partition("/")[0]
    looks = given.startswith("[") or host == "localhost" or "." in host.strip(".") or ":" in host
    return looks and not given.lower().endswith((".json", ".txt", ".md")) and not Path(given).exists()


def _list(place: Place, _arguments: Namespace) -> int:
    told = _one(place, {"do": "agent-list"})
    if "error" in told:
        return failure(told)
    for agent in told["agents"]:
        where = agent["endpoint"] or agent["url"] or say("cli.agent.from-file")
        out("  ".join(part for part in (f"@{agent['name']}", where, agent["auth"]) if part))
    if not told["agents"]:
        out(say("cli.agent.none"))
    return 0


def _remove(place: Place, arguments: Namespace) -> int:
    told = _one(place, {"do": "agent-remove", "name": arguments.url.removeprefix("@")})
    if "error" in told:
        return failure(told)
    out(sentence(told["word"], told["values"]))
    return 0


def _test(place: Place, arguments: Namespace) -> int:
    code = FAILED
    for told in _all(place, {"do": "agent-test", "name": arguments.url.removeprefix("@")}):
        if "error" in told:
            code = failure(told)
        elif "card" in told:
            _show(told)
        else:
            out(sentence(told["word"], told["values"]))
            code = 0
    return code


def _show(told: Json) -> None:
    card = told["card"]
    for key in ("name", "description", "provider", "version", "url"):
        if card[key]:
            out(say(f"cli.card.{key}", text=clean(card[key], LINE_LIMIT)))
    for key in ("skills", "interfaces", "needs"):
        for line in card[key][:20]:
            out(say(f"cli.card.{key}", text=clean(line, LINE_LIMIT)))
    for warning in told["warnings"]:
        err(sentence(warning["word"], warning["values"]))


def _import(place: Place, arguments: Namespace) -> int:
    from lisa_island.cli.import_pi import run as run_import

    return run_import(place, arguments)


def _key(place: Place, arguments: Namespace) -> int:
    """Save the credential of an agent's origin; it comes from standard input or a hidden prompt."""
    try:
        demand_no_agent(caller_of_self())
    except NotAllowedError as error:
        err(sentence(error.word, error.values))
        return EXIT["allowed"]
    name = arguments.url.removeprefix("@")
    if code := run_loop(housed(place, lambda house: _needs_none(house, name))):
        return code
    # Nobody types a secret for what cannot be saved, and Ctrl-C must end it at once: there is no loop now.
    value = typed.secret(say("cli.agent.key-prompt"), CREDENTIAL_LIMIT + 1)
    return run_loop(housed(place, lambda house: _save(place, house, name, value)))


async def _needs_none(house: House, name: str) -> int:
    """An exit code, with its sentence, if there is no credential to save for `name`."""
    agent = _known(house, name)
    if agent is not None and agent.auth:
        return 0
    err(
        say("cli.agent.no-auth", name=name)
        if agent
        else sentence("outcome.no-such-agent.short", {"name": name})
    )
    return FAILED


async def _save(place: Place, house: House, name: str, value: str) -> int:
    agent = _known(house, name)
    for origin in agent.origins if agent else ():
        state = await house.agent_secrets.put(origin, value)
        if state is not KeyState.READY:
            is_absent = state is KeyState.ABSENT
            err(say("cli.agent.no-keyring") if is_absent else sentence(f"direct.credential.{state}"))
            return FAILED
        out(say("cli.agent.key-saved", name=name, origin=origin))
    await tell_key_changed(place)
    return 0


def _known(house: House, name: str) -> DirectAgent | None:
    return next((a for a in house.preferences.direct_agents if a.name == name), None)


def _one(place: Place, request: Json) -> Json:
    return _all(place, request)[-1]


def _all(place: Place, request: Json) -> list[Json]:
    told: list[Json] = []

    async def conversation() -> int:
        async with aclosing(call(place, request)) as answers:
            async for answer in answers:
                told.append(answer)
        return 0

    run_loop(conversation())
    return told or [{"error": "failed", "word": "door.failed"}]


ACTIONS = {"add": _add, "list": _list, "remove": _remove, "test": _test, "key": _key, "import": _import}
