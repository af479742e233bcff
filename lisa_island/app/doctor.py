"""What works here, as (catalogue key, value) lines: for `doctor`, Privacy and About. Asks no gateway."""

import importlib
import importlib.metadata
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from lisa_island import __version__
from lisa_island.app.direct_facts import direct_facts
from lisa_island.app.key_words import key_words
from lisa_island.app.machine_facts import machine_facts
from lisa_island.app.quiet import quiet_now
from lisa_island.core.agent import Health, SourceStatus
from lisa_island.core.errors import StorageError
from lisa_island.core.preferences import LOCAL_KINDS
from lisa_island.core.quiet import sentence
from lisa_island.core.text import clean
from lisa_island.core.words import count, has, say
from lisa_island.system.home import others_can_write

if TYPE_CHECKING:
    from lisa_island.app.house import House

REMOTE = "takoapi"
LOOK_SECONDS = 10.0
LINE_LIMIT = 2_000

Fact = tuple[str, str]


async def facts(house: "House", lang: str = "") -> tuple[Fact, ...]:
    """Every line, its values in `lang`. They are plain; nothing in them is a key, a prompt or a reply."""
    lang = lang or house.lang
    qt, size, is_open = await house.worker.run(_looked, house.plan.home, limit=LOOK_SECONDS, name="facts")
    found: list[Fact] = [
        ("fact.version", f"{__version__}, Python {sys.version.split()[0]}, PySide6 {qt}"),
        ("fact.home", str(house.plan.home)),
        ("fact.rows", await _rows(house)),
        ("fact.size", f"{size / 1000:.0f} kB"),
    ]
    found += await _remote(house, lang)
    found += await direct_facts(house, lang)
    found += _local(house, lang)
    found += _told(house, lang)
    found.append(("fact.agent-calls", say(lang, f"fact.agent-calls.{_gate(house)}")))
    found += await _desktop(house, lang)
    found += _windows(house.window_mode(), lang)
    found += await machine_facts(house, lang)
    found += _problems(house, lang)
    if is_open:
        found.append(("fact.problem", say(lang, "storage.open-home", place=str(house.plan.home))))
    return tuple((key, clean(value, LINE_LIMIT)) for key, value in found)


def _looked(home: Path) -> tuple[str, int, bool]:
    """Qt's version, the size of our files, whether others can write there. Blocks, and imports much."""
    importlib.import_module("lisa_island.system.desktop_facts")
    try:
        size = sum(p.stat().st_size for p in home.glob("island.*") if p.is_file())
    except OSError:
        size = 0
    return _version("PySide6-Essentials"), size, others_can_write(home)


async def _rows(house: "House") -> str:
    if not house.stored.is_there:
        return "0"
    try:
        return str(len(await house.tasks.list()))
    except StorageError:
        return "-"


async def _remote(house: "House", lang: str) -> list[Fact]:
    preferences = house.preferences
    lines = [("fact.remote", say(lang, f"fact.remote.{'on' if preferences.takoapi_enabled else 'off'}"))]
    lines.append(("fact.address", house.origin))
    word, values = key_words(await house.secrets.get(house.origin), preferences.key_source)
    lines.append(("fact.key", say(lang, word, **values)))
    source = house.store.roster.sources.get(REMOTE)
    if source is not None and source.enabled:
        known = source.generation if source.generation != "unknown" else say(lang, "fact.gateway.unasked")
        lines.append(("fact.gateway", f"{known}; {say(lang, f'cli.health.{source.health}')}"))
    return lines


def _local(house: "House", lang: str) -> list[Fact]:
    """What is watched on this machine, and how."""
    found = []
    for kind in LOCAL_KINDS:
        status, word = house.store.roster.sources.get(kind), "off"
        if house.preferences.is_on(kind) and status is not None and status.enabled:
            word = status.detail or ("waiting" if status.health is Health.WAITING else status.mode)
        # What is peculiar to a kind has its own words, what is the same for all has one.
        keys = (f"fact.local.{kind}.{word}", f"fact.local.{word}", "fact.local.slow")
        told = say(lang, next(key for key in keys if has(key)))
        found.append(
            (f"settings.local.{kind}", told + (_doubts(status, lang) if status and word != "off" else ""))
        )
    return found


def _doubts(status: SourceStatus, lang: str) -> str:
    """Versions that nothing proves, and how many kinds of records of a version nobody here knows."""
    doubts = []
    if status.unverified:
        doubts.append(say(lang, "fact.local.unverified", versions=", ".join(status.unverified)))
    for version, kinds in status.unknown:
        doubts.append(count(lang, "fact.local.unknown", kinds, version=version or "?"))
    return "".join(f"; {doubt}" for doubt in doubts)


def _told(house: "House", lang: str) -> list[Fact]:
    """Who may report, and for how long what happened is kept."""
    names, days = house.preferences.reporters, house.preferences.journal_days
    kept = count(lang, "settings.journal.days", days) if days else say(lang, "settings.journal.none")
    if house.stored.journal is not None and (problem := house.stored.journal.problem) is not None:
        kept = say(lang, problem.word, **problem.values)
    found = [("settings.reporters", ", ".join(names))] if names else []
    return [*found, ("settings.journal", kept)]


async def _desktop(house: "House", lang: str) -> list[Fact]:
    from lisa_island.system.desktop_facts import desktop_facts

    told = await desktop_facts(house.plan.environ, house.worker)
    quiet = ("fact.quiet", _quiet(house, lang, ("fact.do-not-disturb", "fact.do-not-disturb.on") in told))
    return [*((key, say(lang, value) if has(value) else value) for key, value in told), quiet]


def _quiet(house: "House", lang: str, desktop: bool) -> str:
    """Why nothing would be announced now."""
    found = quiet_now(house, desktop)
    if found is None:
        return say(lang, "fact.quiet.no")
    until = datetime.fromtimestamp(found.until / 1000, UTC).astimezone()
    return sentence(found, lang, until.strftime("%Y-%m-%d %H:%M"))


def _windows(mode: str, lang: str) -> list[Fact]:
    """The kind of windows of the island that runs, in the words of the settings."""
    if not mode:
        return []
    limit = say(lang, f"{mode}.limit" if has(f"{mode}.limit") else "settings.mode.full")
    return [("fact.window", say(lang, "fact.window.limit", mode=say(lang, mode), limit=limit))]


def _problems(house: "House", lang: str) -> list[Fact]:
    told: list[tuple[str, Mapping[str, object]]] = [*house.settings.problems(), *house.stored.problems]
    if house.stored.recorder is None:
        told += [(error.word, error.values) for error in house.problems]
    elif (problem := house.stored.recorder.problem) is not None:
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
