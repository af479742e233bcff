"""Reads the agents that pi-a2a keeps in pi's settings file. Never writes it, and only when the owner asks.

The list is `pi-a2a.staticAgents`: name, url, apiKey, description (contract pi-a2a.md D.1), keyed by the
name in lower case; a later entry of the same name wins. Blocks: call it in the worker.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from lisa_island.core.adding import MOST_AGENTS, Importable
from lisa_island.core.errors import StorageError
from lisa_island.core.origin import CREDENTIAL_LIMIT, check_credential, origin_of
from lisa_island.core.text import clean, name
from lisa_island.system import _files
from lisa_island.system.hidden import Hidden

SIZE_LIMIT = 1024 * 1024
URL_LIMIT = 2_000
ABOUT_LIMIT = 300
FILE = "settings.json"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _objects(value: object) -> list[Any]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


class _Entry(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    name: Annotated[str, Field(min_length=1)]
    url: Annotated[str, Field(max_length=URL_LIMIT)]
    key: Annotated[str, BeforeValidator(_text), Field(alias="apiKey", repr=False)] = ""
    description: Annotated[str, BeforeValidator(_text)] = ""


class _Ours(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    agents: Annotated[list[Any], BeforeValidator(_objects), Field(alias="staticAgents")] = []


class _File(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    ours: Annotated[_Ours, Field(alias="pi-a2a")] = _Ours()


@dataclass(frozen=True, slots=True)
class PiAgent:
    """One entry: what may be shown, and its key ("" revealed where there is none)."""

    shown: Importable
    key: Hidden

    @property
    def origin(self) -> str:
        """The only place its key may go to."""
        return origin_of(self.shown.url)


def path_of(environ: Mapping[str, str]) -> Path:
    """Pi's settings file: below PI_CODING_AGENT_DIR, else below `.pi/agent` in the home folder."""
    folder = environ.get("PI_CODING_AGENT_DIR", "").strip()
    home = Path(environ.get("HOME") or Path.home())
    if folder == "~" or folder.startswith("~/"):
        return home / folder[2:] / FILE
    return (Path(folder) if folder else home / ".pi" / "agent") / FILE


def read(path: Path) -> tuple[PiAgent, ...]:
    """The agents in the order of the file; an entry without a usable name or address is left out.

    Raises StorageError with the sentence for a file that is not there, not readable, or no such list.
    """
    entries = _parse(_bytes(path), path).ours.agents[:MOST_AGENTS]
    found: dict[str, PiAgent] = {}
    for entry in entries:
        if (agent := _agent(entry)) is not None:
            key = agent.shown.name.casefold()
            found.pop(key, None)
            found[key] = agent
    if not found:
        raise StorageError("pi.none", file=str(path))
    return tuple(found.values())


def _agent(entry: dict[str, Any]) -> PiAgent | None:
    try:
        made = _Entry.model_validate(entry)
    except ValidationError:
        return None
    shown = name(made.name)
    if not shown or not origin_of(made.url):
        return None
    key = made.key.strip()
    if len(key) > CREDENTIAL_LIMIT or check_credential(key):
        key = ""
    about = clean(made.description, ABOUT_LIMIT)
    return PiAgent(Importable(shown, made.url.strip(), about, bool(key)), Hidden(key))


def _bytes(path: Path) -> bytes:
    try:
        data = _files.read_bounded(path, SIZE_LIMIT)
    except _files.TooLargeError:
        raise StorageError("pi.too-large", file=str(path)) from None
    except OSError:
        raise StorageError("pi.unreadable", file=str(path)) from None
    if data is None:
        raise StorageError("pi.no-file", file=str(path))
    return data


def _parse(data: bytes, path: Path) -> _File:
    try:
        return _File.model_validate_json(data.removeprefix(b"\xef\xbb\xbf"))
    except ValidationError:
        raise StorageError("pi.broken", file=str(path)) from None
