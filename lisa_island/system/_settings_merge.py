"""Changes of lists that several hands keep at once: what was done to one, done to what the file has now.

A window, a command and an editor may each add an agent at the same moment. Whoever writes has seen a list
that is older than the file; putting it in place of the file's would undo the others.
"""

from collections.abc import Callable, Mapping
from typing import Any

_KEYS: dict[str, Callable[[Any], str]] = {
    "direct_agents": lambda agent: str(agent.name),
    "pins": lambda pin: str(pin.target),
    "follow_at_agent": str,
}


def merged(changes: Mapping[str, Any], seen: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """`changes` were made to what was `seen`; the same changes made to what is `found`. By field."""
    return {
        name: _list(_KEYS[name], seen[name], value, found[name]) if name in _KEYS and name in seen else value
        for name, value in changes.items()
    }


def _list(
    key: Callable[[Any], str], seen: tuple[Any, ...], wanted: tuple[Any, ...], found: tuple[Any, ...]
) -> tuple[Any, ...]:
    if found == seen:
        return tuple(wanted)
    known = {key(one): one for one in seen}
    gone = known.keys() - {key(one) for one in wanted}
    touched = {key(one): one for one in wanted if known.get(key(one)) != one}
    kept = [touched.pop(key(one), one) for one in found if key(one) not in gone]
    return (*kept, *touched.values())
