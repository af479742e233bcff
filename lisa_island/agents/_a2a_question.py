"""What an agent lets the owner choose from, found in the data parts of its question. Pure.

No specification names such a form. These are read, since agents send them: a list under a name below, of
words or of objects that name themselves, and a JSON Schema with one choice. Anything else is no choice.
"""

from collections.abc import Iterable
from typing import Any

from lisa_island.agents._a2a_wire import Part
from lisa_island.core.text import clean

MOST_OPTIONS = 20
OPTION_LIMIT = 200

_LISTS = ("options", "choices", "suggestions", "enum", "oneOf")
_NAMES = ("label", "title", "text", "name", "value", "const", "id")
# "data": 0.3 over HTTP+JSON wraps every object once more.
_NESTED = ("data", "question", "form", "input", "value", "schema", "requestedSchema")
_DEPTH = 3


def options_of(parts: Iterable[Part]) -> tuple[str, ...]:
    """The choices of the first data part that has two or more, cleaned; empty where there are none."""
    for part in parts:
        found = _in_object(part.data, _DEPTH) if isinstance(part.data, dict) else ()
        if len(found) >= 2:
            return found
    return ()


def _in_object(data: dict[str, Any], depth: int) -> tuple[str, ...]:
    for name in _LISTS:
        if isinstance(data.get(name), list):
            return _words(data[name])
    if depth == 0:
        return ()
    properties = data.get("properties")
    if isinstance(properties, dict) and len(properties) == 1:
        only = next(iter(properties.values()))
        return _in_object(only, depth - 1) if isinstance(only, dict) else ()
    inner = (data[name] for name in _NESTED if isinstance(data.get(name), dict))
    return next((found for one in inner if (found := _in_object(one, depth - 1))), ())


def _words(items: list[Any]) -> tuple[str, ...]:
    shown = (clean(_word(item), OPTION_LIMIT) for item in items[:MOST_OPTIONS])
    return tuple(dict.fromkeys(word for word in shown if word))


def _word(item: object) -> str:
    if isinstance(item, str):
        return item
    if isinstance(item, dict):
        return next((item[name] for name in _NAMES if isinstance(item.get(name), str)), "")
    return ""
