"""What is ours in `island.json`: `{"schema": 1, "language": …, "pinCache": {slug: {"price", "name"}}, …}`.

Keys are the fields of `core.preferences` in camel case. A key that is missing has its default; one bad value
costs only itself; keys that we do not know stay.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError
from pydantic.alias_generators import to_camel

from lisa_island.core.text import clean
from lisa_island.system import _json_edit
from lisa_island.system._document import Document
from lisa_island.system._task_file import Problem

NAME = "island.json"
SCHEMA = 1
CACHE = "pinCache"
WORD_LIMIT = 80

Name = Annotated[StrictStr, Field(max_length=200)]
Coordinate = Annotated[StrictInt, Field(ge=-(2**24), le=2**24)]


class CachedPin(BaseModel):
    """What the registry said of a slug when it was pinned."""

    price: StrictStr = ""
    name: StrictStr = ""


class IslandFile(BaseModel):
    """Every key with its type and default; what fails here falls back to its default alone."""

    model_config = ConfigDict(alias_generator=to_camel, extra="ignore")

    language: Literal["system", "en", "zh-CN"] = "system"
    theme: Literal["system", "dark", "light", "contrast"] = "system"
    screen: Literal["pointer", "primary"] = "pointer"
    open_on_hover: StrictBool = True
    shrink_when_quiet: StrictBool = False
    compact_rows: StrictBool = False
    reduced_motion: StrictBool = False
    positions: Annotated[tuple[tuple[Name, Coordinate, Coordinate], ...], Field(max_length=32)] = ()
    presenting: StrictBool = False
    notify_input: StrictBool = True
    notify_auth: StrictBool = True
    notify_failed: StrictBool = True
    notify_finished: StrictBool = False
    muted_until: Annotated[StrictInt, Field(ge=0, le=2**53)] = 0
    agent_calls: Literal["allow", "deny"] = "deny"
    key_source: Literal["keyring", "run", "environment", "file"] = "keyring"
    welcomed: StrictBool = False
    base_url: Annotated[StrictStr, Field(max_length=2_000)] = "https://takoapi.com"
    agents_on: Annotated[tuple[Name, ...], Field(max_length=64)] = ()
    pin_cache: Annotated[dict[Name, CachedPin], Field(max_length=200)] = Field(default_factory=dict)


FIELDS = frozenset(IslandFile.model_fields) - {"pin_cache"}


def read(document: Document) -> tuple[IslandFile, list[Problem]]:
    """The values of a document, and what had to be left out."""
    data, problems = _migrated(document)
    while True:
        try:
            return IslandFile.model_validate(data), problems
        except ValidationError as error:
            bad = {str(found["loc"][0]) for found in error.errors()}
            problems += [_bad_value(key) for key in sorted(bad)]
            data = {key: value for key, value in data.items() if key not in bad}


def check(name: str, value: Any) -> Any:
    """A field's value as JSON. Raises ValueError for what the file would not give back."""
    try:
        made = IslandFile.model_validate({to_camel(name): value})
    except ValidationError:
        raise ValueError(f"{name} cannot have this value") from None
    return made.model_dump(mode="json")[name]


def edited(document: Document, changes: dict[str, Any]) -> str | None:
    """The text after changing fields (by their names, JSON values), or None when nothing would change."""
    data = {} if document.is_broken else document.data
    defaults = IslandFile().model_dump(mode="json")
    missing = object()
    wanted = {
        to_camel(name): value
        for name, value in changes.items()
        if data.get(to_camel(name), missing) != value
        and not (to_camel(name) not in data and value == defaults[name])
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
