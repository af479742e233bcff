"""What is ours in `island.json`: `{"schema": 1, "language": …, "pinCache": {slug: {"price", "name"}}, …}`.

Keys are the fields of `core.preferences` in camel case. A key that is missing has its default; one bad value
costs only itself; keys that we do not know stay.
"""

from typing import Any

from lisa_island.core.text import clean
from lisa_island.system import _json_edit
from lisa_island.system._document import Document
from lisa_island.system._island_values import DEFAULTS, KEYS, READERS, as_json, key_of
from lisa_island.system._problem import Problem

NAME = "island.json"
SCHEMA = 1
CACHE = "pinCache"
WORD_LIMIT = 80
AGENTS = "directAgents"
FIELDS = frozenset(READERS) - {"pin_cache"}


def read(document: Document) -> tuple[dict[str, Any], list[Problem]]:
    """The values of a document by field, and what had to be left out."""
    data, problems = _migrated(document)
    found, bad = dict(DEFAULTS), []
    for key, field in KEYS.items():
        if key in data:
            try:
                found[field] = READERS[field](data[key])
            except ValueError:
                bad.append(key)
    return found, problems + [_bad_value(key) for key in sorted(bad)]


def check(name: str, value: Any) -> Any:
    """A field's value as JSON. Raises ValueError for what the file would not give back."""
    try:
        return as_json(READERS[name](value))
    except ValueError:
        raise ValueError(f"{name} cannot have this value") from None


def edited(document: Document, changes: dict[str, Any]) -> str | None:
    """The text after changing fields (by their names, JSON values), or None when nothing would change."""
    data = {} if document.is_broken else document.data
    missing = object()
    if "direct_agents" in changes:
        changes = changes | {"direct_agents": _with_strangers(data.get(AGENTS), changes["direct_agents"])}
    wanted = {
        key_of(name): value
        for name, value in changes.items()
        if data.get(key_of(name), missing) != value
        and not (key_of(name) not in data and value == as_json(DEFAULTS[name]))
    }
    if not wanted:
        return None
    if document.text is None or document.is_broken:
        return _json_edit.dump({"schema": SCHEMA} | wanted)
    text = document.text
    schema = {} if "schema" in data else {"schema": SCHEMA}
    for key, value in (schema | wanted).items():
        text = _json_edit.put(text, (key,), value)
    return text


def _with_strangers(found: Any, agents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The agents, each with what else the file says of it."""
    rows = [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []
    known = {row["name"]: row for row in rows if isinstance(row.get("name"), str)}
    return [known.get(agent["name"], {}) | agent for agent in agents]


def is_newer(document: Document) -> bool:
    """Whether a later version of ours wrote it."""
    schema = document.data.get("schema", 0)
    return isinstance(schema, int) and not isinstance(schema, bool) and schema > SCHEMA


def _migrated(document: Document) -> tuple[dict[str, Any], list[Problem]]:
    """The data in today's shape. A file without `schema` was written by hand and has it already."""
    schema = document.data.get("schema", 0)
    problems: list[Problem] = []
    if is_newer(document):
        problems.append(("settings-file.newer", {"file": NAME}))
    elif isinstance(schema, bool) or not isinstance(schema, int) or schema < 0:
        problems.append(_bad_value("schema"))
    return document.data, problems


def _bad_value(key: str) -> Problem:
    return ("settings-file.bad-value", {"file": NAME, "key": clean(key, WORD_LIMIT)})
