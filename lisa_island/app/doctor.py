"""What works here, as (catalogue key, value) lines: for `doctor`, Privacy and About. Asks no gateway."""

import importlib
import importlib.metadata
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lisa_island import __version__
from lisa_island.app.machine_facts import machine_facts
from lisa_island.core.agent import KeyState
from lisa_island.core.errors import StorageError
from lisa_island.core.ports import Secret
from lisa_island.core.words import has, say

if TYPE_CHECKING:
    from lisa_island.app.house import House

REMOTE = "takoapi"
LOOK_SECONDS = 10.0

Fact = tuple[str, str]


async def facts(house: "House", lang: str = "") -> tuple[Fact, ...]:
    """Every line, its values in `lang`. They are plain; nothing in them is a key, a prompt or a reply."""
    lang = lang or house.lang
    qt, size = await house.worker.run(_looked, house.plan.home, limit=LOOK_SECONDS, name="facts")
    found: list[Fact] = [
        ("fact.version", f"{__version__}, Python {sys.version.split()[0]}, PySide6 {qt}"),
        ("fact.home", str(house.plan.home)),
        ("fact.rows", await _rows(house)),
        ("fact.size", f"{size / 1000:.0f} kB"),
    ]
    found += await _remote(house, lang)
    found.append(("fact.agent-calls", say(lang, f"fact.agent-calls.{_gate(house)}")))
    found += await _desktop(house, lang)
    found += await machine_facts(house, lang)
    found += _problems(house, lang)
    return tuple(found)


def _looked(home: Path) -> tuple[str, int]:
    """Qt's version and the size of our files. Blocks, and imports what the rest needs, so off the loop."""
    importlib.import_module("lisa_island.system.desktop_facts")
    try:
        size = sum(p.stat().st_size for p in home.glob("island.*") if p.is_file())
    except OSError:
        size = 0
    return _version("PySide6-Essentials"), size


async def _rows(house: "House") -> str:
    try:
        return str(len(await house.tasks.list()))
    except StorageError:
        return "-"


async def _remote(house: "House", lang: str) -> list[Fact]:
    preferences = house.preferences
    lines = [("fact.remote", say(lang, f"fact.remote.{'on' if preferences.takoapi_enabled else 'off'}"))]
    lines.append(("fact.address", house.origin))
    lines.append(("fact.key", _key(await house.secrets.get(house.origin), lang)))
    source = house.store.roster.sources.get(REMOTE)
    if source is not None and source.enabled:
        known = source.generation if source.generation != "unknown" else say(lang, "fact.gateway.unasked")
        lines.append(("fact.gateway", f"{known}; {say(lang, f'cli.health.{source.health}')}"))
    return lines


def _key(secret: Secret, lang: str) -> str:
    """Where the key is, or why there is none; never any of it."""
    if secret.state is KeyState.ABSENT and secret.detail:
        return say(lang, "secrets.state.absent-named", name=secret.detail)
    if has(secret.detail):
        return say(lang, secret.detail, file="config.env")
    return say(lang, f"secrets.state.{secret.state}")


async def _desktop(house: "House", lang: str) -> list[Fact]:
    from lisa_island.system.desktop_facts import desktop_facts

    told = await desktop_facts(house.plan.environ, house.worker)
    return [(key, say(lang, value) if has(value) else value) for key, value in told]


def _problems(house: "House", lang: str) -> list[Fact]:
    told: list[tuple[str, Mapping[str, object]]] = [*house.settings.problems(), *house.tasks.problems()]
    if house.recorder is None:
        told += [(error.word, error.values) for error in house.problems]
    elif (problem := house.recorder.problem) is not None:
        told.append((problem.word, problem.values))
    return [("fact.problem", say(lang, word, **values)) for word, values in told]


def _gate(house: "House") -> str:
    preferences = house.preferences
    return "wanted" if preferences.agent_calls_wanted else preferences.agent_calls


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "-"
