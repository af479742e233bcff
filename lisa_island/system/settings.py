"""The owner's choices from two files: LISA's `agents.json` (one entry of it) and our own `island.json`.

Nothing is written before the owner changes something. A broken file gives defaults at start; a file that
breaks while we run leaves the values of this run in force, so that a typo cuts no open call, but shuts the
gate for agents. Either way it is reported, and set aside before anything is written in its place.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lisa_island.core.errors import StorageError
from lisa_island.core.ports import Clock
from lisa_island.core.preferences import Preferences
from lisa_island.core.words import pick
from lisa_island.system._address import base_address
from lisa_island.system._watch import FileWatch
from lisa_island.system.worker import Worker

if TYPE_CHECKING:  # pydantic comes with these: imported in the worker, for the loop has no time for it
    from lisa_island.system._document import Document
    from lisa_island.system._settings_files import SettingsFiles, Stored

NAMES = ("island.json", "agents.json")
# What the file asks for is no choice of anybody.
SETTABLE = frozenset(f.name for f in fields(Preferences)) - {"agent_calls_wanted"}
LIMIT_SECONDS = 10.0
# An editor may empty a file before it fills it: what got worse is looked at again before it counts.
DOUBT_SECONDS = 0.25

Problem = tuple[str, dict[str, str]]

log = logging.getLogger(__name__)


class FileSettings:
    """`core.ports.Settings` on this machine. Defaults until `open` has returned."""

    def __init__(self, home: Path, environ: Mapping[str, str], worker: Worker, clock: Clock) -> None:
        self._home = home
        self._base_url = environ.get("TAKOAPI_BASE_URL", "").strip()
        self._language = environ.get("LISA_ISLAND_LANG", "").strip()
        self._worker = worker
        self._lane = worker.lane("settings")
        self._clock = clock
        self._files: SettingsFiles | None = None
        self._stored: Stored | None = None
        self._preferences, self._problems = self._made({}, ())
        self._calls: list[Callable[[Preferences], None]] = []
        self._watch: FileWatch | None = None
        self._doubt: Callable[[], None] | None = None

    async def open(self) -> None:
        """Read both files and watch them. Raises StorageError when the disk does not answer."""
        self._take(await self._run(self._load))
        paths = tuple(self._home / name for name in NAMES)
        self._watch = FileWatch(paths, self._worker, self._clock, self._changed)

    async def close(self) -> None:
        """Stop watching."""
        if self._watch is not None:
            self._watch.close()
            self._watch = None
        self._calls.clear()
        self._settle()

    def now(self) -> Preferences:
        """The choices at this moment. `base_url` is "" when the configured address must not be used."""
        return self._preferences

    def problems(self) -> tuple[Problem, ...]:
        """What in the files could not be used, as (catalogue key, values)."""
        return self._problems

    async def change(self, **changes: Any) -> Preferences:
        """Change some fields, on disk first. Raises StorageError, then nothing changed; ValueError for a bug.

        `agent_calls` is the owner's word: only their own click or terminal may lead here with it.
        """
        if wrong := changes.keys() - SETTABLE:
            raise TypeError(f"no setting: {', '.join(sorted(wrong))}")
        if "base_url" in changes:
            changes["base_url"] = base_address(changes["base_url"])
        seen = {name: getattr(self._preferences, name) for name in changes}
        self._take(await self._run(lambda: self._opened_files().change(changes, seen)))
        return self._preferences

    def subscribe(self, call: Callable[[Preferences], None]) -> Callable[[], None]:
        """Call back after every change, from here or from the files; the answer ends it."""
        self._calls.append(call)

        def end() -> None:
            if call in self._calls:
                self._calls.remove(call)

        return end

    async def _run(self, call: Callable[[], "Stored"]) -> "Stored":
        try:
            return await self._lane.run(call, limit=LIMIT_SECONDS)
        except TimeoutError as error:
            raise StorageError("storage.timeout", place=str(self._home)) from error

    def _opened_files(self) -> "SettingsFiles":
        if self._files is None:
            from lisa_island.system._settings_files import SettingsFiles

            self._files = SettingsFiles(self._home, self._clock.now)
        return self._files

    def _load(self) -> "Stored":
        return self._opened_files().load()

    def _changed(self) -> None:
        self._lane.submit(self._load, done=self._loaded)

    def _loaded(self, stored: "Stored | None", error: BaseException | None) -> None:
        if stored is None or not self._is_worse(stored):
            self._confirmed(stored, error)
        elif self._doubt is None and self._watch is not None:
            self._doubt = self._clock.call_later(DOUBT_SECONDS, self._look_again)

    def _look_again(self) -> None:
        self._lane.submit(self._load, done=self._confirmed)

    def _confirmed(self, stored: "Stored | None", error: BaseException | None) -> None:
        if self._watch is None:
            return
        if stored is None:
            log.warning("the settings were not read: %s", type(error).__name__)
        else:
            self._take(stored)

    def _is_worse(self, stored: "Stored") -> bool:
        before = self._stored
        if before is None or _is_overtaken(stored, before):
            return False
        return _got_worse(before.island, stored.island) or _got_worse(before.agents, stored.agents)

    def _settle(self) -> None:
        if self._doubt is not None:
            self._doubt()
            self._doubt = None

    def _take(self, stored: "Stored") -> None:
        if self._stored is not None and _is_overtaken(stored, self._stored):
            return
        self._settle()
        self._stored = stored
        gate = {"agent_calls": stored.gate.now, "agent_calls_wanted": stored.gate.wanted}
        before = self._preferences
        self._preferences, self._problems = self._made(stored.ours | stored.shared | gate, stored.problems)
        if self._preferences != before:
            for call in tuple(self._calls):
                call(self._preferences)

    def _made(
        self, values: dict[str, Any], problems: tuple[Problem, ...]
    ) -> tuple[Preferences, tuple[Problem, ...]]:
        """The preferences with what the environment overrides."""
        made = Preferences(**values)
        if self._language:
            made = made.with_(language=pick(self._language))
        try:
            return made.with_(base_url=base_address(self._base_url or made.base_url)), problems
        except StorageError as error:
            # Never the default instead: the owner named another address, and texts must not go elsewhere.
            refused = (error.word, {k: str(v) for k, v in error.values.items()})
            return made.with_(base_url=""), (*problems, refused)


def _is_overtaken(stored: "Stored", before: "Stored") -> bool:
    """Whether a later reading came to the loop first."""
    return stored.serial < before.serial


def _got_worse(before: "Document", now: "Document") -> bool:
    return (now.is_broken and not before.is_broken) or (now.text is None and before.text is not None)
