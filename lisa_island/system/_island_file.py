"""What is ours in `island.json`: `{"schema": 1, "language": …, "pinCache": {slug: {"price", "name"}}, …}`.

Keys are the fields of `core.preferences` in camel case. A key that is missing has its default; one bad value
costs only itself; keys that we do not know stay.
"""

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from lisa_island.core.preferences import AGENT_NAME, AUTHS, DirectAgent
from lisa_island.core.text import clean
from lisa_island.system import _json_edit
from lisa_island.system._document import Document
from lisa_island.system._task_file import Problem

NAME = "island.json"
SCHEMA = 1
CACHE = "pinCache"
WORD_LIMIT = 80

Name = Annotated[StrictStr, Field(max_length=200)]
Time = Annotated[StrictStr, Field(pattern=r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]$")]
Coordinate = Annotated[StrictInt, Field(ge=-(2**24), le=2**24)]


AGENTS = "directAgents"
MOST_AGENTS = 200
TEXT_LIMIT = 2_000
CARD_LIMIT = 256 * 1024


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
    quiet_hours: StrictBool = False
    quiet_from: Time = "22:00"
    quiet_to: Time = "08:00"
    agent_calls: Literal["allow", "deny"] = "deny"
    key_source: Literal["keyring", "run", "environment", "file"] = "keyring"
    welcomed: StrictBool = False
    base_url: Annotated[StrictStr, Field(max_length=2_000)] = "https://takoapi.com"
    agents_on: Annotated[tuple[Name, ...], Field(max_length=64)] = ()
    direct_agents: Annotated[tuple[DirectAgent, ...], AfterValidator(_agents)] = ()
    follow_at_agent: Annotated[tuple[Name, ...], Field(max_length=200)] = ()
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
    if "direct_agents" in changes:
        changes = changes | {"direct_agents": _with_strangers(data.get(AGENTS), changes["direct_agents"])}
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
