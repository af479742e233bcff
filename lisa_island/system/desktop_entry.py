"""The launcher entry of this very installation, after the Desktop Entry Specification 1.5.

The packed file names a bare command; desktops start an absolute one, found without a PATH.
"""

import re
import sys
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

NAME = "lisa-island.desktop"

_GROUP = "[Desktop Entry]"
_BLANK = " \t\r"
_NEEDS_QUOTES = re.compile(r"[^A-Za-z0-9_@+=:,./-]")
_ESCAPED_IN_QUOTES = re.compile(r'["`$\\]')
_ARGUMENT = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)')


def command() -> tuple[str, ...]:
    """What starts this installation: the command beside this Python, else this Python itself."""
    beside = Path(sys.executable).with_name("lisa-island")
    return (str(beside),) if beside.is_file() else (sys.executable, "-m", "lisa_island")


def entry(argv: Sequence[str]) -> str:
    """The launcher entry that starts `argv`; a desktop hides it once the program is gone (TryExec)."""
    lines = []
    for line in _template().splitlines():
        if line.startswith("Exec="):
            # The value of any key is escaped first, so a backslash of the quoting is written twice.
            lines.append(f"TryExec={_string(argv[0])}")
            lines.append(f"Exec={_string(' '.join(map(quoted, argv)))}")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def quoted(argument: str) -> str:
    """One argument of an Exec line."""
    plain = argument.replace("%", "%%")
    if argument and not _NEEDS_QUOTES.search(argument.replace("%", "")):
        return plain
    return '"' + _ESCAPED_IN_QUOTES.sub(lambda found: "\\" + found[0], plain) + '"'


def arguments(line: str) -> tuple[str, ...]:
    """The arguments of an Exec line, field codes left out."""
    found = []
    for inside, bare in _ARGUMENT.findall(line):
        text = re.sub(r"\\(.)", r"\1", inside) if inside else bare
        if not re.fullmatch("%[a-zA-Z]", text):
            found.append(text.replace("%%", "%"))
    return tuple(found)


def read(text: str) -> dict[str, str]:
    """The keys of the main group; of a key that stands twice the first counts."""
    found: dict[str, str] = {}
    group = ""
    for line in text.split("\n"):
        line = line.strip(_BLANK)
        if line.startswith("["):
            group = line
        elif group == _GROUP and "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key.rstrip(_BLANK), _unescaped(value.lstrip(_BLANK)))
    return found


def _template() -> str:
    packed = resources.files("lisa_island").joinpath("resources")
    root = packed if packed.is_dir() else Path(__file__).parents[2] / "resources"
    return root.joinpath("desktop", NAME).read_text("utf-8")


_ESCAPES = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}


def _string(value: str) -> str:
    for mark, char in (("\\", "\\"), ("n", "\n"), ("t", "\t"), ("r", "\r")):
        value = value.replace(char, f"\\{mark}")
    # Blanks around a value are not part of it.
    return re.sub("^ | $", r"\\s", value)


def _unescaped(value: str) -> str:
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[0]), value)
