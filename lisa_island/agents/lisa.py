"""The sessions of a running LISA: read from her server, never answered here, and off until switched on.

Her list is asked for every half minute, for her events carry no sign of life and tell of no end; between that
they come as they happen, the first at once and a flood of them together.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from typing import Any

from pydantic import BaseModel, ConfigDict

from lisa_island.agents._http import warm
from lisa_island.agents._lisa_client import LisaClient, NoAnswerError
from lisa_island.agents._lisa_rows import Hers, by_kind
from lisa_island.agents._lisa_wire import UPDATE, read
from lisa_island.agents._local import LocalSource, Look
from lisa_island.core.agent import Health
from lisa_island.core.backoff import delay
from lisa_island.core.events import Event
from lisa_island.core.ports import Context

AGENT = "lisa"
NAME = "LISA"
EVERY_SECONDS = 30.0
FINAL_SECONDS = 900.0
FIRST_RETRY, LONGEST_RETRY = 2.0, 60.0
MERGE_SECONDS = 0.15
# What is not heard of for so long is no longer shown as lost, but not at all.
LOST_MS = 30 * 60_000

LIVE, ASKED = "live", "asked"

__all__ = ["AGENT", "Config", "Lisa", "open_source", "warm"]


class Config(BaseModel):
    """`on` are the kinds that are on here: their sessions are theirs to show."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    on: tuple[str, ...] = ()


def open_source(config: Config, context: Context) -> "Lisa":
    """A source that asks for the first time when it is followed."""
    return Lisa(config, context)


class _Nothing:
    """A reader that nobody asks: her sessions are not files."""

    def look(self, now: int) -> Look:
        return Look()

    def forget(self, session: str) -> None:
        return


class Lisa(LocalSource):
    """The source."""

    def __init__(self, config: Config, context: Context) -> None:
        super().__init__(AGENT, NAME, context, _Nothing)
        self._on = config.on
        self._client = LisaClient(context)
        self._reader = _Nothing()
        self._begin(asyncio.Event())

    def _begin(self, wake: asyncio.Event) -> None:
        self._hers = Hers()
        self._wake = wake
        self._due = self._heard = 0
        self._failures = 0
        self._deaf, self._hearing_since = 0, 0
        self._trouble = ""
        self._mode = ASKED
        self._hearing: Callable[[], None] | None = None
        self._merging: Callable[[], None] | None = None
        self._others: dict[str, set[str]] = {}
        self._rows.clear()
        self._status = None

    async def events(self) -> AsyncGenerator[Event, None]:
        """Her sessions now, then every change, until cancelled."""
        self._begin(asyncio.Event())
        self._client.begin()
        ends = [
            self._context.on_settings(self._settings_changed),
            self._context.on_others(self._others_changed),
        ]
        self._settings_changed()
        self._others_changed()
        try:
            while True:
                self._wake.clear()
                if self._clock.now() >= self._due:
                    await self._ask()
                for event in self._told():
                    yield event
                await self._pause(self._wake, self._next())
        finally:
            for end in ends:
                end()
            self._quiet()
            if self._merging is not None:
                self._merging()
            await self._client.close()

    # --- asking and hearing ---

    async def _ask(self) -> None:
        try:
            found = await self._client.sessions()
        except NoAnswerError as error:
            self._lost(error)
            return
        now = self._clock.now()
        self._hers.replace(told for one in found if (told := read(one, now)) is not None)
        self._heard, self._failures, self._trouble = now, 0, ""
        self._due = now + int(EVERY_SECONDS * 1000)
        if self._hearing is None:
            self._hearing = self._context.start(self._hear(), "lisa events")

    def _lost(self, error: NoAnswerError) -> None:
        now = self._clock.now()
        self._failures += 1
        pause = delay(self._failures, first=FIRST_RETRY, longest=LONGEST_RETRY, jitter=1.0)
        self._due = now + int((FINAL_SECONDS if error.is_final else pause) * 1000)
        self._trouble = error.word
        self._quiet()
        if error.is_final or now - self._heard >= LOST_MS:
            self._hers = Hers()

    async def _hear(self) -> None:
        """Her events until they end; then her list is asked for, and that begins them anew."""
        try:
            async with aclosing(self._client.listen(self._hears)) as events:
                async for found in events:
                    self._take(found)
        except NoAnswerError:
            pass  # whether she is there at all is for the next question to say
        now = self._clock.now()
        lasted = self._mode == LIVE and now - self._hearing_since >= EVERY_SECONDS * 1000
        self._hearing, self._mode = None, ASKED
        self._deaf = 1 if lasted else self._deaf + 1
        pause = delay(self._deaf, first=FIRST_RETRY, longest=LONGEST_RETRY, jitter=1.0)
        self._due = min(self._due, now + int(pause * 1000))
        self._wake.set()

    def _hears(self) -> None:
        self._mode, self._hearing_since = LIVE, self._clock.now()
        self._wake.set()

    def _quiet(self) -> None:
        if self._hearing is not None:
            self._hearing()
        self._hearing, self._mode = None, ASKED

    def _take(self, found: object) -> None:
        told = read(found, self._clock.now()) if _is_update(found) else None
        if told is not None:
            self._hers.merge(told)
            self._touch()

    def _touch(self) -> None:
        """Tell the first change at once; what follows is told together after a moment."""
        if self._merging is None:
            self._merging = self._clock.call_later(MERGE_SECONDS, self._merged)
            self._wake.set()

    def _merged(self) -> None:
        self._merging = None
        self._wake.set()

    # --- what others of this island show ---

    def _settings_changed(self) -> None:
        settings: dict[str, Any] = self._context.settings()
        self._on = Config.model_validate(settings).on
        self._wake.set()

    def _others_changed(self) -> None:
        others = by_kind(key for key in self._context.others() if key.agent != AGENT)
        if others != self._others:
            self._others = others
            self._wake.set()

    # --- telling ---

    def _told(self) -> Iterator[Event]:
        seen = self._hers.seen(self._on, self._others, self._clock.now())
        yield from self._tell(Look(seen), self._reader)
        before = self._status
        report = self._report(self._health(), self._mode, self._trouble)
        if before != self._status:
            yield report

    def _health(self) -> Health:
        if not self._trouble:
            return Health.OK
        # One who was never here, or who left long ago, is not missed.
        return Health.OFFLINE if self._hers.told else Health.WAITING

    def _next(self) -> float:
        now = self._clock.now()
        due = [row.held_since + row.held.hold_ms for row in self._rows.values() if row.held is not None]
        return max(0.0, (min([*due, self._due]) - now) / 1000)


def _is_update(found: object) -> bool:
    return isinstance(found, dict) and found.get("type") == UPDATE
