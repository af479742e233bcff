"""One function a command. Most are one request of the door, printed."""

import logging
import os
import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

from lisa_island.app.client import Place, call
from lisa_island.app.client import run as run_loop
from lisa_island.app.interrupt import end_at_once
from lisa_island.cli import calls, printing
from lisa_island.cli.parser import lang, say
from lisa_island.cli.printing import FAILED, LINE_LIMIT, as_json, err, failure, out, sentence
from lisa_island.core import words
from lisa_island.core.errors import IslandError, NotRunningError
from lisa_island.core.text import clean, terminal

Json = dict[str, Any]

NOT_RUNNING = 4


def run(arguments: Namespace) -> int:
    """Run the command that was asked for."""
    place = Place.here(os.environ)
    command = _headless if arguments.headless else COMMANDS[arguments.command or "start"]
    # What lives on keeps a log of its own; a command says what matters itself.
    logging.getLogger().addHandler(logging.NullHandler())
    # It warns when a watch ends while a hint is on its way, which is no news to anybody.
    logging.getLogger("watchdog").setLevel(logging.CRITICAL)
    try:
        return command(place, arguments)
    except NotRunningError:
        err(say("cli.not-running"))
        return NOT_RUNNING
    except IslandError as error:
        return failure({"error": "failed", "word": error.word, "values": error.values})


def _start(place: Place, _arguments: Namespace) -> int:
    _catch_crashes(place)
    from lisa_island.app.desktop import main

    return main(place.plan(), err)


def _catch_crashes(place: Place) -> None:
    """Before anything large is imported: that may crash too."""
    from lisa_island.system import crashlog

    crashlog.begin(place.home)


def _headless(place: Place, _arguments: Namespace) -> int:
    _catch_crashes(place)
    from lisa_island.app.headless import main

    return main(place.plan())


def _demo(_place: Place, arguments: Namespace) -> int:
    end_at_once()
    from lisa_island.app.desktop.demo import main

    return main(arguments.relay, arguments.generation, arguments.seconds, arguments.picture, _line)


def _line(text: str) -> None:
    out(text)
    if sys.stdout is not None:
        sys.stdout.flush()


def _ask(place: Place, request: Json, show: Callable[[Json], int]) -> int:
    """Send one request and show each answer; the last code counts."""

    async def conversation() -> int:
        code = FAILED
        async with aclosing(call(place, request)) as answers:
            async for answer in answers:
                code = failure(answer) if "error" in answer else show(answer)
        return code

    return run_loop(conversation())


def _status(place: Place, arguments: Namespace) -> int:
    def show(answer: Json) -> int:
        if arguments.json:
            as_json(answer["status"])
            return 0
        if answer.get("alone"):
            err(say("cli.status.alone"))
        printing.status(answer["status"], answer["now"])
        return 0

    return _ask(place, {"do": "status"}, show)


def _explain(place: Place, arguments: Namespace) -> int:
    def show(answer: Json) -> int:
        if arguments.json:
            as_json(answer["explained"])
        else:
            printing.explained(answer["explained"], answer["now"])
        return 0

    return _ask(place, {"do": "explain", "session": arguments.session}, show)


def _question(place: Place, arguments: Namespace) -> int:
    def show(answer: Json) -> int:
        # Each line is marked, so that no text can end the quotation by itself.
        out(say("cli.untrusted", session=answer["sessionId"], agent=answer["agent"]))
        lines = terminal(answer["text"]).split("\n")
        for line in (*lines, *(f"- {clean(option, LINE_LIMIT)}" for option in answer.get("options", ()))):
            out(f"> {line}")
        return 0

    return _ask(place, {"do": "question", "request": arguments.request}, show)


def _discover(place: Place, arguments: Namespace) -> int:
    def show(answer: Json) -> int:
        if problem := answer.get("problem"):
            err(sentence(problem["word"], problem["values"]))
        if arguments.json:
            as_json({"total": answer["total"], "agents": answer["agents"]})
        else:
            printing.agents(answer)
        return 0

    request = {
        "do": "discover",
        "query": arguments.query,
        "category": arguments.category,
        "tag": arguments.tag,
    }
    return _ask(place, request, show)


def _pin(place: Place, arguments: Namespace) -> int:
    def show(answer: Json) -> int:
        out(sentence(answer["word"], answer.get("values")))
        if answer.get("off"):
            out(say("cli.pin.off"))
        return 0

    return _ask(place, {"do": arguments.command, "target": arguments.target.removeprefix("@")}, show)


def _agent(place: Place, arguments: Namespace) -> int:
    from lisa_island.cli.agents import run as run_agent

    return run_agent(place, arguments)


def _cancel(place: Place, arguments: Namespace) -> int:
    from lisa_island.cli.agents import cancel

    return cancel(place, arguments)


def _window(place: Place, arguments: Namespace) -> int:
    return _ask(place, {"do": arguments.command}, lambda _answer: 0)


def _quit(place: Place, _arguments: Namespace) -> int:
    losses: list[int] = []

    def show(answer: Json) -> int:
        losses.extend(answer.get("losses", ()))
        return 0

    code = _ask(place, {"do": "quit"}, show)
    if losses:
        _tell_losses(*losses)
        if printing.is_answered() and not printing.ask(say("cli.quit.ask")):
            err(say("cli.quit.stays"))
            return FAILED
        code = _ask(place, {"do": "quit", "sure": True}, lambda _answer: 0)
    if code == 0:
        from lisa_island.app.running import wait_until_gone

        wait_until_gone(place.home)
    return code


def _tell_losses(replies: int, open_calls: int) -> None:
    if replies:
        err(words.count(lang(), "quit.replies", replies))
    if open_calls:
        err(words.count(lang(), "quit.calls", open_calls))


def _key(place: Place, arguments: Namespace) -> int:
    from lisa_island.cli.key import run as run_key

    return run_key(place, arguments.action)


def _doctor(place: Place, arguments: Namespace) -> int:
    if arguments.export:
        return _ask(place, {"do": "diagnostics"}, lambda told: _export(arguments.export, told["text"]))

    def show(answer: Json) -> int:
        out(say("cli.doctor.alone" if answer.get("alone") else "cli.doctor.running"))
        for key, value in answer["facts"]:
            out(say("cli.doctor.line", name=sentence(key), value=value) if value else sentence(key))
        return 0

    return _ask(place, {"do": "facts", "lang": lang()}, show)


def _export(name: str, text: str) -> int:
    from lisa_island.cli.export import write_new

    return write_new(name, text, "cli.export.done")


def _event(place: Place, arguments: Namespace) -> int:
    from lisa_island.cli.report import run as run_report

    return run_report(place, arguments)


def _journal(place: Place, arguments: Namespace) -> int:
    from lisa_island.cli import journal

    return (journal.replay if arguments.command == "replay" else journal.journal)(place, arguments)


def _erase(place: Place, _arguments: Namespace) -> int:
    from lisa_island.cli.erase import run as run_erase

    return run_erase(place)


Command = Callable[[Place, Namespace], int]

COMMANDS: dict[str, Command] = {
    "start": _start,
    "demo": _demo,
    "status": _status,
    "send": calls.send,
    "answer": calls.answer,
    "explain": _explain,
    "question": _question,
    "discover": _discover,
    "cancel": _cancel,
    "agent": _agent,
    "pin": _pin,
    "unpin": _pin,
    "show": _window,
    "hide": _window,
    "toggle": _window,
    "quit": _quit,
    "key": _key,
    "event": _event,
    "journal": _journal,
    "replay": _journal,
    "doctor": _doctor,
    "erase": _erase,
}
