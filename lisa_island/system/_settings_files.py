"""Both settings files and the gate's memory, read and changed together. Blocks: one lane runs it.

Among our own processes changes are made under a lock, on what the files hold at that moment, so that an edit
from elsewhere is merged and not undone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from lisa_island.core.errors import StorageError
from lisa_island.core.preferences import Pin
from lisa_island.core.text import clean
from lisa_island.system import _agents_file, _document, _files, _gate_memory, _island_file
from lisa_island.system._document import Document
from lisa_island.system._island_values import CachedPin
from lisa_island.system._problem import Problem
from lisa_island.system._settings_merge import merged
from lisa_island.system.home import make_home

NAME_LIMIT = 80


@dataclass(frozen=True, slots=True)
class Stored:
    """What both files say now, in fields of `Preferences`; the gate; and what could not be used.

    For a file that is broken the values are those that this process last read from it, else the defaults.
    `serial` grows with each reading.
    """

    island: Document
    agents: Document
    ours: dict[str, Any]
    shared: dict[str, Any]
    gate: _gate_memory.Gate
    problems: tuple[Problem, ...]
    serial: int


class SettingsFiles:
    """The files of one home."""

    def __init__(self, home: Path, now: Callable[[], int]) -> None:
        self.home = home
        self._now = now
        self._asides: list[Problem] = []
        self._copied = False
        self._serial = count(1)
        self._good_ours: dict[str, Any] | None = None
        self._good_shared: dict[str, Any] | None = None

    def load(self) -> Stored:
        """Read everything. Raises nothing for what is in the files."""
        island = _document.read(self.home / _island_file.NAME)
        agents = _document.read(self.home / _agents_file.NAME)
        problems = [*self._asides, *(d.problem for d in (island, agents) if d.is_broken)]
        values, bad = _island_file.read(island)
        entry, bad_shared = _agents_file.read(agents)
        ours = {name: values[name] for name in _island_file.FIELDS}
        gate, unkept = self._gate(None if island.is_broken else values["agent_calls"])
        pins = tuple(_pin(slug, values["pin_cache"].get(slug)) for slug in entry.pins)
        shared: dict[str, Any] = {"takoapi_enabled": entry.enabled, "pins": pins}
        if island.is_broken:
            ours = self._good_ours or ours
        if agents.is_broken:
            shared = self._good_shared or shared
        self._good_ours, self._good_shared = ours, shared
        told = (*problems, *bad, *bad_shared, *unkept)
        return Stored(island, agents, ours, shared, gate, told, next(self._serial))

    def change(self, changes: Mapping[str, Any], seen: Mapping[str, Any] | None = None) -> Stored:
        """Write some fields and read everything back. Raises StorageError; then nothing changed.

        `seen`: the values that `changes` were made from; what was added elsewhere meanwhile stays.
        """
        make_home(self.home)
        with _files.locked(self.home / "island-settings.lock"):
            before = self.load()
            changes = merged(changes, seen or {}, before.ours | before.shared)
            island, agents = self._island_text(before, changes), self._agents_text(before, changes)
            if island is not None:
                keep = _island_file.is_newer(before.island) and not self._copied
                self._write(before.island, island, keep)
            try:
                self._change_gate(changes)
                if agents is not None:
                    self._write(before.agents, agents, _agents_file.needs_copy(before.agents))
            except StorageError:
                self._undo(before.island)
                raise
            return self.load()

    def _island_text(self, before: Stored, changes: Mapping[str, Any]) -> str | None:
        wanted = {n: _island_file.check(n, v) for n, v in changes.items() if n in _island_file.FIELDS}
        if "direct_agents" in changes and ("settings-file.bad-value", _bad_agents()) in before.problems:
            # The list could not be read whole: writing it would lose what is in it.
            raise StorageError("settings-file.fix-agents", place=str(self.home / _island_file.NAME))
        if "pins" in changes:
            wanted["pin_cache"] = _cache(changes["pins"])
        if before.island.is_broken:  # the new file says what is in force, not only what is changed now
            kept = {n: _island_file.check(n, v) for n, v in before.ours.items()}
            wanted = kept | {"pin_cache": _cache(before.shared["pins"])} | wanted
        return _island_file.edited(before.island, wanted)

    def _agents_text(self, before: Stored, changes: Mapping[str, Any]) -> str | None:
        now, wanted = _integration(before.shared), _integration({**before.shared, **changes})
        return _agents_file.edited(before.agents, now, wanted, decided="takoapi_enabled" in changes)

    def _change_gate(self, changes: Mapping[str, Any]) -> None:
        if "agent_calls" not in changes:
            return
        try:
            _gate_memory.remember(self.home, changes["agent_calls"])
        except OSError as error:
            raise _files.storage_error(error, self.home) from error

    def _write(self, document: Document, text: str, keep: bool) -> None:
        problem = _document.write(document, text, self._now(), keep=keep)
        if problem is not None:
            self._asides.append(problem)
            self._copied |= keep

    def _undo(self, island: Document) -> None:
        """Put back what was written first; a file that was broken stays aside, where the owner was told."""
        try:
            if island.text is None:
                island.path.unlink(missing_ok=True)
            elif not island.is_broken:
                _files.replace_file(island.path, island.text.encode())
        except OSError:  # the same disk that refused the second file; the first holds valid settings
            pass

    def _gate(self, asked: str | None) -> tuple[_gate_memory.Gate, list[Problem]]:
        gate = _gate_memory.judge(asked, _gate_memory.accepted(self.home))
        if gate.remember is None:
            return gate, []
        try:
            make_home(self.home)
            _gate_memory.remember(self.home, gate.remember)
        except (OSError, StorageError):
            return _gate_memory.Gate(_gate_memory.DENY), [("settings-file.gate-unkept", {})]
        return gate, []


def _integration(shared: Mapping[str, Any]) -> _agents_file.Integration:
    return _agents_file.Integration(shared["takoapi_enabled"], tuple(pin.target for pin in shared["pins"]))


def _bad_agents() -> dict[str, str]:
    return {"file": _island_file.NAME, "key": _island_file.AGENTS}


def _cache(pins: tuple[Pin, ...]) -> dict[str, dict[str, str]]:
    return {pin.target: {"price": pin.price, "name": pin.name} for pin in pins}


def _pin(slug: str, cached: CachedPin | None) -> Pin:
    if cached is None:
        return Pin(slug)
    return Pin(slug, clean(cached.price, NAME_LIMIT), clean(cached.name, NAME_LIMIT))
