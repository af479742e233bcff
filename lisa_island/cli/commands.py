"""One function a command. Most are one request of the door, printed."""

import asyncio
import os
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Callable
from typing import Any

from lisa_island.app.client import call
from lisa_island.app.house import Plan
from lisa_island.app.owner import caller_of_self
from lisa_island.cli import printing
from lisa_island.cli.parser import say
from lisa_island.cli.printing import as_json, err, failure, line, out, sentence
from lisa_island.core.errors import IslandError, NotRunningError
from lisa_island.system.home import lisa_home
from lisa_island.system.secrets import Taken, take_from_environment

Json = dict[str, Any]

TEXT_LIMIT = 2 * 1024 * 1024


def run(arguments: Namespace) -> int:
    """Run the command that was asked for."""
    # First of all: no child of ours inherits the key.
    plan = plan_here(take_from_environment(os.environ))
    if arguments.headless:
        return _headless(plan)
    command = COMMANDS[arguments.command or "start"]
    try:
        return command(plan, arguments)
    except NotRunningError:
        err(say("cli.not-running"))
        return 4
    except IslandError as error:
        return failure({"error": "failed", "word": error.word, "values": error.values})


def plan_here(taken: Taken | None) -> Plan:
    """The plan of this process's own environment."""
    return Plan(lisa_home(os.environ), os.environ, taken)


def _start(plan: Plan, _arguments: Namespace) -> int:
    from lisa_island.app.desktop import main

    return main(plan, err)


def _headless(plan: Plan) -> int:
    from lisa_island.app.headless import main
    from lisa_island.system.door_place import AlreadyRunningError

    try:
        return main(plan, line)
    except AlreadyRunningError:
        err(say("cli.running"))
        return 1
    except IslandError as error:
        return failure({"error": "failed", "word": error.word, "values": error.values})


def _demo(_plan: Plan, arguments: Namespace) -> int:
    from lisa_island.app.desktop.demo import main

    return main(arguments.relay, arguments.generation, arguments.seconds, arguments.picture, line)


def _ask(plan: Plan, request: Json, show: Callable[[Json], int]) -> int:
    """Send one request and show each answer; the last code counts."""

    async def conversation() -> int:
        code = 0
        answers: AsyncIterator[Json] = call(plan, request, caller_of_self())
        async for answer in answers:
            code = failure(answer) if "error" in answer else show(answer)
        return code

    with asyncio.Runner() as runner:
        return runner.run(conversation())


def _status(plan: Plan, arguments: Namespace) -> int:
    def show(answer: Json) -> int:
        if arguments.json:
            as_json(answer["status"])
            return 0
        if answer.get("alone"):
            err(say("cli.status.alone"))
        printing.status(answer["status"])
        return 0

    return _ask(plan, {"do": "status"}, show)


def _send(plan: Plan, arguments: Namespace) -> int:
    if not arguments.target.startswith("@") or len(arguments.target) < 2:
        err(say("cli.bad-target"))
        return 2
    target = arguments.target[1:]
    request = {"do": "send", "target": target, "label": arguments.label}
    return _priced(plan, arguments, request, target)


def _answer(plan: Plan, arguments: Namespace) -> int:
    request = {"do": "answer", "request": arguments.request}
    return _priced(plan, arguments, request, arguments.request)


def _priced(plan: Plan, arguments: Namespace, request: Json, target: str) -> int:
    """Send; when a price has to be accepted first, ask, and send once more with that price."""
    text = _text(arguments.text)
    if not text.strip():
        err(say("cli.no-text"))
        return 2
    request |= {"text": text, "wait": arguments.wait}
    asked: list[str] = []

    def conversation(accepted: str) -> int:
        async def talk() -> int:
            code = 0
            async for answer in call(plan, request | {"price": accepted}, caller_of_self()):
                if answer.get("price") and not accepted:
                    asked.append(str(answer["price"]))
                    return 1
                code = failure(answer) if "error" in answer else _show_call(answer)
            return code

        with asyncio.Runner() as runner:
            return runner.run(talk())

    code = conversation("")
    if not asked:
        return code
    if not _accepts(arguments, target, asked[0]):
        return 1
    return conversation(asked[0])


def _accepts(arguments: Namespace, target: str, price: str) -> bool:
    shown = say("cli.price-unknown") if price == "unknown" else price
    if arguments.yes:
        return True
    if arguments.text == "-" or not (sys.stdin.isatty() and sys.stderr.isatty()):
        err(say("cli.price-refused", target=target, price=shown))
        return False
    sys.stderr.write(say("cli.price-ask", target=target, price=shown))
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() in ("y", "yes", "是"):
        return True
    err(say("cli.not-sent"))
    return False


def _show_call(answer: Json) -> int:
    if answer.get("word"):
        err(sentence(answer["word"], answer.get("values")))
    if not answer.get("final"):
        as_json({k: answer[k] for k in ("sessionId", "taskId", "state") if k in answer})
        return 0 if answer.get("result") != "unknown" else 1
    err(
        say(
            "cli.state",
            session=answer.get("sessionId", ""),
            state=answer.get("state", ""),
            reason=answer.get("stateReason", ""),
        )
    )
    if answer.get("reply"):
        out(answer["reply"])
    return 1 if answer.get("state") in ("error", "unknown", None) else 0


def _text(given: str) -> str:
    return sys.stdin.read(TEXT_LIMIT) if given == "-" else given


def _question(plan: Plan, arguments: Namespace) -> int:
    def show(answer: Json) -> int:
        err(say("cli.untrusted"))
        out(answer["text"])
        return 0

    return _ask(plan, {"do": "question", "request": arguments.request}, show)


def _discover(plan: Plan, arguments: Namespace) -> int:
    def show(answer: Json) -> int:
        if arguments.json:
            as_json({"total": answer["total"], "agents": answer["agents"]})
        else:
            printing.agents(answer)
        return 0

    request = {"do": "discover", "query": arguments.query, "category": arguments.category}
    return _ask(plan, request, show)


def _pin(plan: Plan, arguments: Namespace) -> int:
    def show(answer: Json) -> int:
        out(sentence(answer["word"], answer.get("values")))
        if answer.get("off"):
            out(say("cli.pin.off"))
        return 0

    return _ask(plan, {"do": arguments.command, "target": arguments.target.removeprefix("@")}, show)


def _window(plan: Plan, arguments: Namespace) -> int:
    return _ask(plan, {"do": arguments.command}, lambda _answer: 0)


def _key(plan: Plan, arguments: Namespace) -> int:
    from lisa_island.cli.key import run as run_key

    return run_key(plan, arguments)


def _doctor(plan: Plan, _arguments: Namespace) -> int:
    def show(answer: Json) -> int:
        for key, value in answer["facts"]:
            out(f"{sentence(key)}: {value}" if value else sentence(key))
        return 0

    return _ask(plan, {"do": "facts"}, show)


def _erase(plan: Plan, _arguments: Namespace) -> int:
    from lisa_island.cli.erase import run as run_erase

    return run_erase(plan)


Command = Callable[[Plan, Namespace], int]

COMMANDS: dict[str, Command] = {
    "start": _start,
    "demo": _demo,
    "status": _status,
    "send": _send,
    "answer": _answer,
    "question": _question,
    "discover": _discover,
    "pin": _pin,
    "unpin": _pin,
    "show": _window,
    "hide": _window,
    "toggle": _window,
    "quit": _window,
    "key": _key,
    "doctor": _doctor,
    "erase": _erase,
}
