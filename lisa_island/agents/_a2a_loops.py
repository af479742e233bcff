"""Loop guards of pi-a2a: a call that is part of a chain carries how far the chain is. Pure.

Contract pi-a2a.md G.5 item 14: the hop count grows by one, budgets only fall, the visited addresses go on as
they are (the island answers no calls and has no address to add).
"""

import json
from collections.abc import Mapping
from typing import Any

MOST_HOPS = 10
MOST_VISITED = 64
LIMIT = 16 * 1024

_HOPS, _VISITED, _BUDGETS, _SENDER = "pi:hopCount", "pi:visitedAgents", "pi:budgets", "pi:sender"
_BUDGET_NAMES = ("maxHops", "maxCalls", "maxTokens")


class LoopError(Exception):
    """The chain may not go on; `word` is the sentence that says why."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


def propagate(text: str, target: str) -> dict[str, Any]:
    """The metadata for the next call of the chain that `text` (JSON, "" for none) describes.

    `target` is the address that is to be called. Raises LoopError.
    """
    if not text:
        return {}
    given = _read(text)
    hops = _whole(given.get(_HOPS), 0) + 1
    visited = [v for v in _list(given.get(_VISITED)) if isinstance(v, str)][-MOST_VISITED:]
    budgets = _budgets(given.get(_BUDGETS))
    if hops > min(MOST_HOPS, budgets.get("maxHops", MOST_HOPS)):
        raise LoopError("outcome.too-many-hops")
    if any(v.rstrip("/") == target.rstrip("/") for v in visited):
        raise LoopError("outcome.loop")
    sent: dict[str, Any] = {_HOPS: hops, _VISITED: visited, _BUDGETS: {"maxHops": MOST_HOPS, **budgets}}
    if isinstance(given.get(_SENDER), str):
        sent[_SENDER] = given[_SENDER][:200]
    return sent


def _read(text: str) -> Mapping[str, Any]:
    try:
        given = json.loads(text) if len(text) <= LIMIT else None
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise LoopError("outcome.bad-metadata")
    return given


def _budgets(value: object) -> dict[str, int]:
    found = value if isinstance(value, dict) else {}
    budgets = {name: _whole(found[name], 0) for name in _BUDGET_NAMES if name in found}
    if "maxHops" in budgets:
        budgets["maxHops"] = min(MOST_HOPS, budgets["maxHops"])
    return budgets


def _whole(value: object, default: int) -> int:
    return value if type(value) is int and 0 <= value < 1 << 31 else default


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
