"""What is ours in LISA's `agents.json`: `integrations.takoapi {enabled, pin[]}` and nothing else. Pure.

LISA reads `integrations` instead of its defaults, not on top of them. So when we have to create that object
we write LISA's defaults beside our entry: else switching us on would switch LISA's own agents off.
"""

from dataclasses import dataclass
from typing import Any

from lisa_island.core.text import clean
from lisa_island.system import _json_edit
from lisa_island.system._document import Document
from lisa_island.system._problem import Problem

NAME = "agents.json"
OURS = "takoapi"
SLUG_LIMIT = 200
MOST_PINS = 200
LISA_DEFAULTS = {name: {"enabled": True} for name in ("claude-code", "managed", "pty")}


@dataclass(frozen=True, slots=True)
class Integration:
    """Our entry: off unless `enabled` is exactly true; pins in the owner's order."""

    enabled: bool = False
    pins: tuple[str, ...] = ()


def read(document: Document) -> tuple[Integration, list[Problem]]:
    """Our entry, and what in it could not be used.

    The form of LISA's plan, `{"takoapi": {…}}` at the top, counts where the nested entry is missing.
    """
    entry = _entry(document.data)
    problems: list[Problem] = []
    if entry is not None and not isinstance(entry, dict):
        return Integration(), [_bad_value(OURS)]
    entry = entry or {}
    enabled = entry.get("enabled", False)
    if not isinstance(enabled, bool):
        problems.append(_bad_value(f"{OURS}.enabled"))
    pins, all_good = _pins(entry.get("pin", []))
    if not all_good:
        problems.append(_bad_value(f"{OURS}.pin"))
    return Integration(enabled is True, pins), problems


def edited(document: Document, now: Integration, wanted: Integration, *, decided: bool) -> str | None:
    """The text that says `wanted` in place of `now`, or None when nothing would change.

    What does not change is left as it stands, even where we cannot use it; but when the owner `decided` on or
    off, an `enabled` that we read as off and LISA as on is put right. Raises ValueError for pins that would
    not come back.
    """
    if _pins(list(wanted.pins)) != (wanted.pins, True):
        raise ValueError("a pin is no slug, or stands twice")
    if not isinstance(wanted.enabled, bool):
        raise ValueError("on or off is all that an integration can be")
    changes: dict[str, Any] = {}
    if wanted.enabled != now.enabled or (decided and _lisa_reads(document.data, now) is not wanted.enabled):
        changes["enabled"] = wanted.enabled
    if wanted.pins != now.pins:
        changes["pin"] = list(wanted.pins)
    if not changes:
        return None
    whole = {"enabled": wanted.enabled, "pin": list(wanted.pins)}
    if document.text is None or document.is_broken:
        return _json_edit.dump({"integrations": LISA_DEFAULTS | {OURS: whole}})
    return _spliced(document.text, document.data.get("integrations"), whole, changes)


def _spliced(text: str, nested: Any, whole: dict[str, Any], changes: dict[str, Any]) -> str:
    if not isinstance(nested, dict):
        return _json_edit.put(text, ("integrations",), LISA_DEFAULTS | {OURS: whole})
    if not isinstance(nested.get(OURS), dict):
        return _json_edit.put(text, ("integrations", OURS), whole)
    # LISA takes an entry without `enabled` for switched on; ours must not become so by a pin.
    if "enabled" not in nested[OURS]:
        changes = {"enabled": whole["enabled"]} | changes
    for key, value in changes.items():
        text = _json_edit.put(text, ("integrations", OURS, key), value)
    return text


def needs_copy(document: Document) -> bool:
    """Whether a change has to write over something that is not what LISA would have written there."""
    nested = document.data.get("integrations", {})
    return not isinstance(nested, dict) or (OURS in nested and not isinstance(nested[OURS], dict))


def _entry(data: dict[str, Any]) -> Any:
    nested = data.get("integrations")
    if isinstance(nested, dict) and OURS in nested:
        return nested[OURS]
    return data.get(OURS)


def _lisa_reads(data: dict[str, Any], now: Integration) -> Any:
    """The nested `enabled` as it stands, None where it is missing; ours without an entry."""
    nested = data.get("integrations")
    if not isinstance(nested, dict) or OURS not in nested:
        return now.enabled
    return nested[OURS].get("enabled") if isinstance(nested[OURS], dict) else None


def _pins(found: Any) -> tuple[tuple[str, ...], bool]:
    if not isinstance(found, list):
        return (), False
    good = [slug for slug in found if isinstance(slug, str) and slug and clean(slug, SLUG_LIMIT) == slug]
    kept = tuple(dict.fromkeys(good))[:MOST_PINS]
    return kept, len(good) == len(found)


def _bad_value(key: str) -> Problem:
    return ("settings-file.bad-value", {"file": NAME, "key": key})
