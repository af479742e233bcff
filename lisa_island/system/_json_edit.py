"""Change one value in a JSON text and leave every other byte of it as its owner wrote it. Pure."""

import json
import re
from dataclasses import dataclass
from typing import Any

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class BrokenError(ValueError):
    """The text is no JSON object."""


@dataclass(frozen=True, slots=True)
class _Member:
    key: str
    start: int
    value: int
    end: int


def load(text: str) -> dict[str, Any]:
    """The object that a text holds. Raises BrokenError for all that LISA would not read either."""
    try:
        found = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise BrokenError(str(error)[:200]) from error
    if not isinstance(found, dict):
        raise BrokenError("not an object")
    return found


def put(text: str, path: tuple[str, ...], value: Any) -> str:
    """The text with `value` at `path`; objects that are missing on the way are made.

    Raises BrokenError when something on the way is no object.
    """
    load(text)
    return _put(text, _skip(text, 0), path, value)


def dump(value: Any) -> str:
    """A text for a file that does not exist yet."""
    return _encode(value, indent=2) + "\n"


def _put(text: str, at: int, path: tuple[str, ...], value: Any) -> str:
    if text[at] != "{":
        raise BrokenError("not an object")
    members = _members(text, at)
    # Where a key stands twice, every reader takes the last.
    member = next((m for m in reversed(members) if m.key == path[0]), None)
    if member is None:
        for key in reversed(path[1:]):
            value = {key: value}
        return _insert(text, at, members, path[0], value)
    if len(path) > 1:
        return _put(text, member.value, path[1:], value)
    return text[: member.value] + _shaped(text, member.start, value) + text[member.end :]


def _members(text: str, at: int) -> list[_Member]:
    found: list[_Member] = []
    at = _skip(text, at + 1)
    while text[at] != "}":
        key, end = _DECODER.raw_decode(text, at)
        value = _skip(text, _skip(text, end) + 1)
        _, end = _DECODER.raw_decode(text, value)
        found.append(_Member(key, at, value, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def _insert(text: str, at: int, members: list[_Member], key: str, value: Any) -> str:
    name = _encode(key)
    if not members:
        close = _skip(text, at + 1)
        if at == _skip(text, 0):  # a whole file that was empty
            lines = _encode({key: value}, indent=2)
            return text[:at] + lines + text[close + 1 :]
        return f"{text[:at]}{{{name}: {_encode(value)}}}{text[close + 1 :]}"
    last = members[-1]
    gap = text[at + 1 : members[0].start] if len(members) == 1 else _gap(text, members)
    return f"{text[: last.end]},{gap}{name}: {_shaped(text, last.start, value)}{text[last.end :]}"


def _gap(text: str, members: list[_Member]) -> str:
    """The space between a comma and the next key, as this object has it."""
    between = text[members[-2].end : members[-1].start]
    return between[between.index(",") + 1 :]


def _shaped(text: str, start: int, value: Any) -> str:
    """A value on lines of its own where its neighbours have lines of their own, else on one line."""
    line = text[:start].rpartition("\n")
    if not line[1] or line[2].strip():
        return _encode(value)
    return _encode(value, indent=2).replace("\n", "\n" + line[2])


def _encode(value: Any, indent: int | None = None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate came in as an escape, and has to leave as one
        return json.dumps(value, indent=indent)
    return text


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
