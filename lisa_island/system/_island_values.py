"""The values that `island.json` may hold: one reader a field, each with its default in `core.preferences`.

Without pydantic: an island at rest reads this file and no other, and is 12 MB lighter for it.
"""

import dataclasses
import re
from collections.abc import Callable
from typing import Any

from lisa_island.core.preferences import AGENT_NAME, AUTHS, DirectAgent, Preferences

MOST_AGENTS = 200
TEXT_LIMIT = 2_000
CARD_LIMIT = 256 * 1024

_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
# Takes a value as JSON has it, or as `Preferences` does, to the latter. Raises ValueError.
Reader = Callable[[Any], Any]


def _one_of(*words: str) -> Reader:
    def read_word(value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError("no such word")
        return value

    return read_word


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("neither true nor false")
    return value


def _whole(least: int, most: int) -> Reader:
    def read_number(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError("no such number")
        return value

    return read_number


def _text(most: int) -> Reader:
    def read_text(value: Any) -> str:
        if not isinstance(value, str) or len(value) > most:
            raise ValueError("no text, or too long")
        value.encode()  # Half a character is no text either.
        return value

    return read_text


def _many(one: Reader, most: int) -> Reader:
    def read_all(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or len(value) > most:
            raise ValueError("no list, or too long")
        return tuple(map(one, value))

    return read_all


_name, _coordinate = _text(200), _whole(-(2**24), 2**24)


def _time(value: Any) -> str:
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise ValueError("no time of the day")
    return value


def _position(value: Any) -> tuple[str, int, int]:
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise ValueError("no place on a display")
    return _name(value[0]), _coordinate(value[1]), _coordinate(value[2])


def _agent(value: Any) -> DirectAgent:
    row = dataclasses.asdict(value) if isinstance(value, DirectAgent) else value
    if not isinstance(row, dict) or "name" not in row:
        raise ValueError("no agent")
    text, found = _text(CARD_LIMIT), {}
    for field in dataclasses.fields(DirectAgent):
        if field.name in row:
            reader = _many(text, 10) if field.name == "origins" else text
            found[field.name] = reader(row[field.name])
    return DirectAgent(**found)


def _direct_agents(value: Any) -> tuple[DirectAgent, ...]:
    return _agents(_many(_agent, MOST_AGENTS)(value))


def _agents(agents: tuple[DirectAgent, ...]) -> tuple[DirectAgent, ...]:
    """Names that can be called, each once; bounded texts; a way to reach each of them."""
    names = [agent.name for agent in agents]
    if len(agents) > MOST_AGENTS or len(set(names)) != len(names):
        raise ValueError("too many, or twins")
    for a in agents:
        texts = (a.url, a.endpoint, a.header, *a.origins)
        if not AGENT_NAME.fullmatch(a.name) or not (a.url or a.card) or a.auth not in AUTHS:
            raise ValueError("no agent")
        if any(len(t) > TEXT_LIMIT for t in texts) or len(a.card) > CARD_LIMIT or len(a.origins) > 10:
            raise ValueError("too long")
    return agents


def _reporters(value: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = _many(_name, 64)(value)
    if not all(AGENT_NAME.fullmatch(name) for name in names):
        raise ValueError("no name")
    return names


def _pin_cache(value: Any) -> dict[str, "CachedPin"]:
    if not isinstance(value, dict) or len(value) > 200:
        raise ValueError("no list of pins, or too long")
    return {_name(slug): _cached(row) for slug, row in value.items()}


def _cached(value: Any) -> "CachedPin":
    if not isinstance(value, dict):
        raise ValueError("nothing about a pin")
    text = _text(CARD_LIMIT)
    return CachedPin(text(value.get("price", "")), text(value.get("name", "")))


@dataclasses.dataclass(frozen=True, slots=True)
class CachedPin:
    """What the registry said of a slug when it was pinned."""

    price: str = ""
    name: str = ""


# Every field with what may stand there; what fails falls back to its default alone.
READERS: dict[str, Reader] = {
    "language": _one_of("system", "en", "zh-CN"),
    "theme": _one_of("system", "dark", "light", "contrast"),
    "screen": _name,  # pointer, primary, or that of a display
    "open_on_hover": _flag,
    "shrink_when_quiet": _flag,
    "compact_rows": _flag,
    "reduced_motion": _flag,
    "positions": _many(_position, 32),
    "presenting": _flag,
    "notify_input": _flag,
    "notify_auth": _flag,
    "notify_failed": _flag,
    "notify_finished": _flag,
    "muted_until": _whole(0, 2**53),
    "quiet_hours": _flag,
    "quiet_from": _time,
    "quiet_to": _time,
    "agent_calls": _one_of("allow", "deny"),
    "key_source": _one_of("keyring", "run", "environment", "file"),
    "welcomed": _flag,
    "base_url": _text(TEXT_LIMIT),
    "agents_on": _many(_name, 64),
    "direct_agents": _direct_agents,
    "follow_at_agent": _many(_name, 200),
    "journal_days": _whole(0, 365),
    "reporters": _reporters,
    "pin_cache": _pin_cache,
}


def key_of(field: str) -> str:
    """The key of a field: `openOnHover` for `open_on_hover`."""
    first, *others = field.split("_")
    return first + "".join(map(str.capitalize, others))


KEYS = {key_of(field): field for field in READERS}
DEFAULTS: dict[str, Any] = {field: getattr(Preferences(), field, {}) for field in READERS}


def as_json(value: Any) -> Any:
    """A value of a field as the file has it."""
    match value:
        case tuple():
            return [as_json(part) for part in value]
        case DirectAgent():
            return {name: as_json(part) for name, part in dataclasses.asdict(value).items()}
        case _:
            return value
