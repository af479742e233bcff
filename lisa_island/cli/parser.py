"""The grammar of the command line, in the owner's language."""

import argparse
import os

from lisa_island import __version__
from lisa_island.core import words
from lisa_island.core.words import pick


def lang() -> str:
    """The language of this run."""
    for name in ("LISA_ISLAND_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return pick(os.environ[name])
    return "en"


def say(key: str, **values: object) -> str:
    """A sentence of the catalogue in the language of this run."""
    return words.say(lang(), key, **values)


def parse(argv: list[str]) -> argparse.Namespace | int:
    """The arguments, or the exit code when there is nothing more to do."""
    try:
        return _parser().parse_args(argv)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lisa-island", description=say("cli.about"), allow_abbrev=False)
    parser.add_argument(
        "--version", action="version", version=f"lisa-island {__version__}", help=say("cli.help.version")
    )
    parser.add_argument("--headless", action="store_true", help=say("cli.help.headless"))
    commands = parser.add_subparsers(dest="command", metavar="")
    _island(commands)
    _calls(commands)
    _agents(commands)
    _care(commands)
    return parser


def _command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str
) -> argparse.ArgumentParser:
    text = say(f"cli.help.{name}")
    return commands.add_parser(name, help=text, description=text, allow_abbrev=False)


def _island(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    demo = _command(commands, "demo")
    demo.add_argument("--relay", action="append", default=[], metavar="SLUG=URL", help=say("cli.help.relay"))
    demo.add_argument("--generation", choices=("G0", "G1"), default="G1", help=say("cli.help.generation"))
    demo.add_argument("--seconds", type=float, default=0.0, help=say("cli.help.seconds"))
    demo.add_argument("--picture", default="", metavar="FILE", help=say("cli.help.picture"))
    for name in ("show", "hide", "toggle", "quit"):
        _command(commands, name)


def _calls(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    _command(commands, "status").add_argument("--json", action="store_true", help=say("cli.help.json"))
    send = _command(commands, "send")
    send.add_argument("target", metavar="@slug")
    send.add_argument("text", metavar="TEXT", help=say("cli.help.text"))
    send.add_argument("--label", default="", help=say("cli.help.label"))
    answer = _command(commands, "answer")
    answer.add_argument("request", metavar="REQUEST")
    answer.add_argument("text", metavar="TEXT", help=say("cli.help.text"))
    for command in (send, answer):
        command.add_argument("--wait", action="store_true", help=say("cli.help.wait"))
        command.add_argument("--yes", action="store_true", help=say("cli.help.yes"))
    _command(commands, "question").add_argument("request", metavar="REQUEST")


def _agents(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    discover = _command(commands, "discover")
    discover.add_argument("query", nargs="?", default="", metavar="QUERY")
    discover.add_argument("--category", default="", help=say("cli.help.category"))
    discover.add_argument("--json", action="store_true", help=say("cli.help.json"))
    for name in ("pin", "unpin"):
        _command(commands, name).add_argument("target", metavar="SLUG")


def _care(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    key = _command(commands, "key")
    key.add_argument("action", choices=("set", "clear", "status", "import"))
    # Caught by hand: a key on the command line deserves its own sentence.
    key.add_argument("rest", nargs="*", help=argparse.SUPPRESS)
    _command(commands, "doctor")
    _command(commands, "erase")
