"""The grammar of the command line, in the owner's language."""

import argparse
import os
import re
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

from lisa_island import __version__
from lisa_island.core import words
from lisa_island.core.text import redact, terminal
from lisa_island.core.words import pick

USAGE = 2
# Bytes of an argument that were no UTF-8.
_BROKEN = re.compile("[\ud800-\udfff]")


def lang() -> str:
    """The language of this run."""
    for name in ("LISA_ISLAND_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return pick(os.environ[name])
    return "en"


def say(key: str, /, **values: object) -> str:
    """A sentence of the catalogue in the language of this run."""
    return words.say(lang(), key, **values)


def parse(argv: list[str]) -> argparse.Namespace | int:
    """The arguments, or the exit code when there is nothing more to do."""
    parser = _parser()
    if any(_BROKEN.search(word) for word in argv):
        return _refused("cli.not-text")
    try:
        arguments, strangers = parser.parse_known_args(argv)
        if arguments.command == "key" and (strangers or arguments.rest):
            # A key on the command line deserves its own sentence, and no echo.
            return _refused("cli.key.argv")
        if strangers:
            parser.error(say("cli.bad-words", words=" ".join(strangers)))
        if arguments.headless and arguments.command:
            parser.error(say("cli.bad-words", words=arguments.command))
        if arguments.command == "agent" and arguments.action not in ("list", "import") and not arguments.url:
            parser.error(say("cli.agent.what"))
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else USAGE
    return arguments


def _refused(word: str) -> int:
    if sys.stderr is not None:
        sys.stderr.write(say(word) + "\n")
    return USAGE


class _Formatter(argparse.HelpFormatter):
    def add_usage(
        self, usage: str | None, actions: Iterable[argparse.Action], groups: Any, prefix: str | None = None
    ) -> None:
        super().add_usage(usage, actions, groups, say("cli.usage") if prefix is None else prefix)


class _Parser(argparse.ArgumentParser):
    """Speaks the owner's language; what was typed is shown cleaned and without a key, if at all."""

    echoes = True

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, add_help=False, allow_abbrev=False, formatter_class=_Formatter)
        self._positionals.title = say("cli.help.positionals")
        self._optionals.title = say("cli.help.options")
        self.add_argument("-h", "--help", action="help", help=say("cli.help.help"))

    def error(self, message: str) -> NoReturn:
        shown = terminal(redact(message)) if self.echoes else say("cli.key.usage")
        self.print_usage(sys.stderr)
        self.exit(USAGE, say("cli.bad-usage", problem=shown, command=f"{self.prog} --help") + "\n")


_Commands = Any  # argparse keeps the class of its sub-parsers to itself


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="lisa-island", description=say("cli.about"))
    parser.add_argument(
        "--version", action="version", version=f"lisa-island {__version__}", help=say("cli.help.version")
    )
    parser.add_argument("--headless", action="store_true", help=say("cli.help.headless"))
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title=say("cli.help.commands"))
    _island(commands)
    _calls(commands)
    _agents(commands)
    _care(commands)
    return parser


def _command(commands: _Commands, name: str) -> _Parser:
    text = say(f"cli.help.{name}")
    made: _Parser = commands.add_parser(name, help=text, description=text)
    return made


def _island(commands: _Commands) -> None:
    demo = _command(commands, "demo")
    demo.add_argument("--relay", action="append", default=[], metavar="SLUG=URL", help=say("cli.help.relay"))
    demo.add_argument("--generation", choices=("G0", "G1"), default="G1", help=say("cli.help.generation"))
    demo.add_argument("--seconds", type=float, default=0.0, help=say("cli.help.seconds"))
    demo.add_argument("--picture", default="", metavar="FILE", help=say("cli.help.picture"))
    for name in ("show", "hide", "toggle", "quit"):
        _command(commands, name)


def _calls(commands: _Commands) -> None:
    _command(commands, "status").add_argument("--json", action="store_true", help=say("cli.help.json"))
    explain = _command(commands, "explain")
    explain.add_argument("session", metavar="SESSION", help=say("cli.help.explain.session"))
    explain.add_argument("--json", action="store_true", help=say("cli.help.json"))
    send = _command(commands, "send")
    send.add_argument("target", metavar="@slug", help=say("cli.help.slug"))
    send.add_argument("text", metavar="TEXT", help=say("cli.help.text"))
    send.add_argument("--label", default="", metavar="LABEL", help=say("cli.help.label"))
    answer = _command(commands, "answer")
    answer.add_argument("request", metavar="REQUEST", help=say("cli.help.request"))
    answer.add_argument("text", metavar="TEXT", help=say("cli.help.text"))
    for command in (send, answer):
        command.add_argument("--wait", action="store_true", help=say("cli.help.wait"))
        command.add_argument("--yes", action="store_true", help=say("cli.help.yes"))
    send.add_argument("--metadata", default="", metavar="JSON", help=say("cli.help.metadata"))
    _command(commands, "cancel").add_argument("session", metavar="SESSION", help=say("cli.help.session"))
    question = _command(commands, "question")
    question.add_argument("request", metavar="REQUEST", help=say("cli.help.request"))


def _agents(commands: _Commands) -> None:
    discover = _command(commands, "discover")
    discover.add_argument("query", nargs="?", default="", metavar="QUERY", help=say("cli.help.query"))
    discover.add_argument("--category", default="", metavar="CATEGORY", help=say("cli.help.category"))
    discover.add_argument("--tag", default="", metavar="TAG", help=say("cli.help.tag"))
    discover.add_argument("--json", action="store_true", help=say("cli.help.json"))
    agent = _command(commands, "agent")
    agent.add_argument(
        "action",
        choices=("add", "list", "remove", "test", "key", "import"),
        help=say("cli.help.agent.action"),
    )
    agent.add_argument("url", nargs="?", default="", metavar="URL|FILE|NAME", help=say("cli.help.agent.url"))
    agent.add_argument("--name", default="", metavar="NAME", help=say("cli.help.agent.name"))
    agent.add_argument("--endpoint", default="", metavar="URL", help=say("cli.help.agent.endpoint"))
    agent.add_argument("--auth", default="", metavar="KIND", help=say("cli.help.agent.auth"))
    agent.add_argument("--yes", action="store_true", help=say("cli.help.agent.yes"))
    for name in ("pin", "unpin"):
        _command(commands, name).add_argument("target", metavar="SLUG", help=say("cli.help.slug"))


def _care(commands: _Commands) -> None:
    key = _command(commands, "key")
    key.echoes = False
    key.add_argument("action", choices=("set", "clear", "status", "import"), help=say("cli.help.action"))
    key.add_argument("rest", nargs="*", help=argparse.SUPPRESS)
    doctor = _command(commands, "doctor")
    doctor.add_argument("--export", default="", metavar="FILE", help=say("cli.help.export"))
    event = _command(commands, "event")
    event.add_argument("--agent", required=True, metavar="NAME", help=say("cli.help.event.agent"))
    event.add_argument("--session", default="", metavar="ID", help=say("cli.help.event.session"))
    choice = event.add_mutually_exclusive_group()
    choice.add_argument("--allow", action="store_true", help=say("cli.help.event.allow"))
    choice.add_argument("--forbid", action="store_true", help=say("cli.help.event.forbid"))
    journal = _command(commands, "journal")
    journal.add_argument(
        "session", nargs="?", default="", metavar="SESSION", help=say("cli.help.journal.session")
    )
    journal.add_argument("--export", default="", metavar="FILE", help=say("cli.help.journal.export"))
    replay = _command(commands, "replay")
    replay.add_argument("file", metavar="FILE", help=say("cli.help.replay.file"))
    for command in (journal, replay):
        command.add_argument("--json", action="store_true", help=say("cli.help.json"))
    _command(commands, "erase")
