"""What an owner can hand to somebody who helps: a text that is written here on request and sent nowhere.

It is put together from closed sets (versions, facts, settings, counts) and, of the log, from lines that our
own code wrote. No prompt, reply, question, key, agent's name, label or address goes in; the owner's home
folder is `~`. It is in English, whatever the owner speaks: it is for those who look into the code.
"""

import importlib.metadata
import platform
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from lisa_island import __version__
from lisa_island.app.doctor import facts
from lisa_island.core.agent import AgentSession
from lisa_island.core.origin import HOME_ORIGIN
from lisa_island.core.preferences import Preferences
from lisa_island.core.words import has, say
from lisa_island.system import crashlog, logfile
from lisa_island.system._files import TooLargeError, read_bounded
from lisa_island.system.scrub import scrub

if TYPE_CHECKING:
    from lisa_island.app.house import House

READ_SECONDS = 10.0
LOG_LINES = 200
TEXT_LIMIT = 128 * 1024
PARTS = (
    "PySide6-Essentials", "qasync", "httpx", "httpx-sse", "truststore", "pydantic", "keyring", "dbus-fast",
    "filelock", "watchdog", "platformdirs", "psutil",
)  # fmt: skip

# Facts that name places of the owner's network, or quote a file: told by what kind of thing they are.
_NAMES = frozenset({"fact.address", "fact.proxy", "fact.problem", "fact.direct-agent"})
_WORD = re.compile(r"[A-Za-z-]{0,16}")
_LINE = re.compile(r"(\d{4}-\d\d-\d\d [\d:,]+ [A-Z]+) ([\w.]+): (.*)")
_FRAME = re.compile(r'  File "[^"]*", line \d+, in .*')
# Whose words are ours or Qt's; what others log may quote what they were given.
_OURS = ("lisa_island", "qt")


async def report(house: "House") -> str:
    """The whole text. Asks no gateway."""
    read = house.worker.run(_read, house.plan.home, limit=READ_SECONDS, name="diagnostics")
    versions, log, crash = await read
    sections = [
        ("versions", versions),
        ("facts", [_fact(house, key, value) for key, value in await facts(house, "en")]),
        ("settings", list(_settings(house.preferences, [kind.id for kind in house.plan.kinds]))),
        ("counts", list(_counts(house))),
        ("log", _without_names(log, house)),
        ("last crash", _without_names(crash, house)),
    ]
    head = f"LISA Island diagnostics, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC\n"
    head += "Written on request and sent nowhere. It holds no prompt, reply, question, key, agent or label.\n"
    body = "".join(f"\n[{name}]\n" + "".join(f"{line}\n" for line in lines) for name, lines in sections)
    return scrub(head + body, TEXT_LIMIT) + "\n"


def _read(home: Path) -> tuple[list[str], list[str], list[str]]:
    """Versions, the last log lines, the last crash. Blocks."""
    versions = [f"lisa-island {__version__}", f"Python {platform.python_version()}", platform.platform()]
    versions += [f"{name} {_version(name)}" for name in PARTS]
    log = [line for path in reversed(logfile.files()) for line in _lines(path)]
    found = crashlog.last(home)
    return versions, list(_plain(log))[-LOG_LINES:], _lines(found[0]) if found else []


def _lines(path: Path) -> list[str]:
    try:
        data = read_bounded(path, crashlog.READ_LIMIT)
    except (OSError, TooLargeError):
        return []
    return scrub((data or b"").decode("utf-8", "replace"), crashlog.READ_LIMIT).split("\n")


def _plain(lines: Iterable[str]) -> Iterator[str]:
    """Lines of our own code as they are, of others by time and origin; a traceback by its frames alone."""
    for line in lines:
        if found := _LINE.fullmatch(line):
            when, logger, said = found.groups()
            yield f"{when} {logger}: {said if logger.split('.')[0] in _OURS else '(not ours, left out)'}"
        elif _FRAME.fullmatch(line):
            yield line


def _fact(house: "House", key: str, value: str) -> str:
    if key == "fact.address":
        value = value if value == HOME_ORIGIN else "another one"
    elif key == "fact.proxy":
        value = value if value == say("en", "fact.proxy.none") else "named by the environment"
    elif key == "fact.direct-agent":
        value = value.rpartition(": ")[2]  # how it fares, without its name and place
    elif key == "settings.reporters":
        value = str(len(house.preferences.reporters))
    elif key == "fact.problem":
        value = _kind_of_problem(house, value)
    return f"{say('en', key) if has(key) else key}: {value}"


def _kind_of_problem(house: "House", sentence: str) -> str:
    """The catalogue key of a sentence that quotes a name from a file."""
    told: list[tuple[str, Mapping[str, object]]] = [*house.settings.problems(), *house.stored.problems]
    told += [(error.word, error.values) for error in house.problems]
    return next((word for word, values in told if say("en", word, **values) == sentence), "one more")


def _settings(preferences: Preferences, kinds: list[str]) -> Iterator[str]:
    """Switches, choices and numbers as they are; of everything that names something, how many there are."""
    for field in fields(preferences):
        value = getattr(preferences, field.name)
        if field.name == "base_url":
            shown = "default" if value == HOME_ORIGIN else "another one"
        elif field.name == "agents_on":
            shown = " ".join(sorted(set(value) & set(kinds))) or "none"
        elif isinstance(value, tuple):
            shown = str(len(value))
        elif isinstance(value, bool | int):
            shown = str(value).lower()
        else:
            shown = value if isinstance(value, str) and _WORD.fullmatch(value) else "(left out)"
        yield f"{field.name}: {shown}"


def _counts(house: "House") -> Iterator[str]:
    sessions = house.store.roster.sessions.values()
    yield f"sessions: {len(sessions)}"
    yield from _counted("state", (str(s.state) for s in sessions))
    yield from _counted("origin", (str(s.origin) for s in sessions))
    yield from _counted("freshness", (str(s.freshness) for s in sessions))
    yield from _counted("request", (str(r.kind) for s in sessions for r in s.requests))
    for agent, status in sorted(house.store.roster.sources.items()):
        yield f"source {agent}: {status.health}, {status.key_state}, {status.generation}, {status.mode}"
    yield from _counted("task", (" ".join(name.split()[:2]) for name in house.nursery.names))


def _counted(what: str, values: Iterable[str]) -> Iterator[str]:
    yield from (f"{what} {value}: {n}" for value, n in sorted(Counter(values).items()))


def _without_names(lines: list[str], house: "House") -> list[str]:
    """Nothing foreign is meant to be in there; what the roster knows by name is taken out all the same."""
    known = {name for session in house.store.roster.sessions.values() for name in _names(session)}
    known |= {name for pin in house.preferences.pins for name in (pin.target, pin.name)}
    if house.origin != HOME_ORIGIN:
        known.add(house.origin.partition("//")[2])
    words = sorted((re.escape(name) for name in known if name), key=len, reverse=True)
    if not words:
        return lines
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)")
    return [pattern.sub("…", line) for line in lines]


def _names(session: AgentSession) -> Iterator[str]:
    yield from (session.key.session_id, session.project, session.label, session.cwd)
    if session.task is not None:
        yield session.task.target
    yield from session.links


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "-"
