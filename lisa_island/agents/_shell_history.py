"""The histories of shells, line by line: when a command was given and the name of its program, nothing else.

A multi-line command is one; where the file keeps no times and no marks, each line counts as one. Arguments,
settings before a command and everything that is no plain name are dropped as they are read.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from lisa_island.agents._command import program
from lisa_island.agents._jsonl import Line

_STAMP = re.compile(rb"#(\d{9,11})")
_EXTENDED = re.compile(rb": {1,9}(\d{9,11}):\d+;(.*)", re.DOTALL)
_FISH = re.compile(rb"- cmd: (.*)", re.DOTALL)
_WHEN = re.compile(rb"when: (\d{9,11})")
_META = 0x83


@dataclass(frozen=True, slots=True)
class Command:
    """One command: `at` is epoch ms, 0 where the history keeps none; `program` is "" for no plain name."""

    at: int
    program: str


class Bash:
    """`#epoch` lines where HISTTIMEFORMAT is set; without them every line is a command."""

    def __init__(self) -> None:
        self._is_stamped = False
        self._at: int | None = None

    def read(self, lines: Iterable[Line]) -> Iterator[Command]:
        """The commands of these lines, which follow those that were read before."""
        lines = tuple(lines)
        self._is_stamped = self._is_stamped or any(_STAMP.fullmatch(line.data) for line in lines)
        for line in lines:
            if stamp := _STAMP.fullmatch(line.data):
                self._at = int(stamp[1]) * 1000
            elif not self._is_stamped:
                yield _command(0, line)
            elif self._at is not None:  # what follows it up to the next time belongs to it
                yield _command(self._at, line)
                self._at = None


class Zsh:
    """`: epoch:seconds;command` where EXTENDED_HISTORY is set; a line that ends with a backslash goes on."""

    def __init__(self) -> None:
        self._is_extended = False
        self._goes_on = False

    def read(self, lines: Iterable[Line]) -> Iterator[Command]:
        """The commands of these lines, which follow those that were read before."""
        lines = tuple(lines)
        self._is_extended = self._is_extended or any(_EXTENDED.fullmatch(line.data) for line in lines)
        for line in lines:
            extended = _EXTENDED.fullmatch(line.data)
            if extended is not None:
                yield _command(int(extended[1]) * 1000, Line(_plain(extended[2]), line.tail))
            elif not self._is_extended and not self._goes_on:
                yield _command(0, Line(_plain(line.data), line.tail))
            self._goes_on = _ends_open(line.tail or line.data, b"\\")


class Fish:
    """`- cmd: …` with its time on a line of its own; a command of several lines is written in one."""

    def __init__(self) -> None:
        self._given: Line | None = None

    def read(self, lines: Iterable[Line]) -> Iterator[Command]:
        """The commands of these lines, which follow those that were read before."""
        for line in lines:
            if given := _FISH.fullmatch(line.data):
                self._given = Line(given[1].replace(rb"\n", b"\n").replace(rb"\\", b"\\"), line.tail)
            elif (when := _WHEN.fullmatch(line.data)) and self._given is not None:
                yield _command(int(when[1]) * 1000, self._given)
                self._given = None


class PowerShell:
    """Lines without times; one that ends with a backtick goes on."""

    def __init__(self) -> None:
        self._goes_on = False

    def read(self, lines: Iterable[Line]) -> Iterator[Command]:
        """The commands of these lines, which follow those that were read before."""
        for line in lines:
            if not self._goes_on:
                yield _command(0, line)
            self._goes_on = _ends_open(line.tail or line.data, b"`")


Shell = Bash | Zsh | Fish | PowerShell
SHELLS: dict[str, Callable[[], Shell]] = {
    "bash": Bash,
    "zsh": Zsh,
    "fish": Fish,
    "powershell": PowerShell,
}


def _command(at: int, line: Line) -> Command:
    # Of a line that was too long its beginning is there, and the program stands at the beginning.
    return Command(at, program(line.data.decode("utf-8", "replace")))


def _ends_open(data: bytes, mark: bytes) -> bool:
    return (len(data) - len(data.rstrip(mark))) % 2 == 1


def _plain(data: bytes) -> bytes:
    """Zsh writes some bytes as a mark and the byte with one bit turned."""
    if _META not in data:
        return data
    plain, at = bytearray(), 0
    while at < len(data):
        is_marked = data[at] == _META and at + 1 < len(data)
        plain.append(data[at + 1] ^ 32 if is_marked else data[at])
        at += 2 if is_marked else 1
    return bytes(plain)
