"""A long text in portions that a text box lays out at once, whatever stands in it.

Laying out a line takes time with the square of its longest word, and every line takes memory. So a line that
is longer than any a person writes is broken, and the rest of a long text comes when it is wanted.
"""

import unicodedata
from collections.abc import Iterator

LONGEST_LINE = 4_000
PORTION_LINES = 400
PORTION_CHARS = 32_000

_LONGEST_CLUSTER = 32


def portions(text: str) -> Iterator[str]:
    """The text from its start, whole lines; joined by line ends they show every character of it."""
    lines: list[str] = []
    held = 0
    for line in _lines(text):
        if lines and (len(lines) >= PORTION_LINES or held + len(line) > PORTION_CHARS):
            yield "\n".join(lines)
            lines, held = [], 0
        lines.append(line)
        held += len(line)
    yield "\n".join(lines)


def _lines(text: str) -> Iterator[str]:
    """Lines as they are; one that is too long in pieces. Never splits all of a huge text at once."""
    at = 0
    while True:
        end = text.find("\n", at, at + LONGEST_LINE + 1)
        if end >= 0:
            yield text[at:end]
            at = end + 1
        elif len(text) - at <= LONGEST_LINE:
            yield text[at:]
            return
        else:
            end = _break(text, at)
            yield text[at:end]
            at = end


def _break(text: str, at: int) -> int:
    """Behind the last blank of the second half, else between two letters."""
    most = at + LONGEST_LINE
    blank = max(text.rfind(" ", at + LONGEST_LINE // 2, most), text.rfind("\t", at + LONGEST_LINE // 2, most))
    if blank >= 0:
        return blank + 1
    end = most
    while most - end < _LONGEST_CLUSTER and unicodedata.category(text[end])[0] == "M":
        end -= 1
    return end
