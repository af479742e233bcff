"""TakoAPI: remote agents behind one gateway, called with the owner's key and followed to their end.

It asks nobody by itself: following starts with a restored row or the owner's own call, the registry is
read by the owner's act alone, and no byte of a call leaves before its row is written.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Collection
from typing import assert_never

from lisa_island.agents._a2a_exchange import Exchange
from lisa_island.agents._a2a_restore import restore, restored
from lisa_island.agents._http import warm
from lisa_island.agents._takoapi_beside import Beside
from lisa_island.agents._takoapi_config import Config, settings_of
from lisa_island.agents._takoapi_desk import Desk
from lisa_island.agents._takoapi_lisa import LisaRows
from lisa_island.agents._takoapi_questions import Questions
from lisa_island.agents._takoapi_sender import LABEL_LIMIT, Sender
from lisa_island.core.agent import SessionKey
from lisa_island.core.backoff import delay
from lisa_island.core.errors import IslandError
from lisa_island.core.events import Event, LabelChanged, SessionOpened
from lisa_island.core.intents import (
    Answer,
    Cancel,
    CheckKey,
    Continue,
    Describe,
    Discover,
    Intent,
    Outcome,
    ReadArtifact,
    ReadCard,
    ReadRaw,
    ReadReply,
    Rename,
    Result,
    Send,
    SendAgain,
    StopFollowing,
    TryAgent,
    TryNow,
    done,
    refused,
)
from lisa_island.core.ports import Context, LisaRow
from lisa_island.core.text import name
from lisa_island.core.window import age

log = logging.getLogger(__name__)

AGENT = "takoapi"
EVENTS_A_TURN = 32

__all__ = ["AGENT", "Config", "TakoApi", "open_source", "warm"]


def open_source(config: Config, context: Context) -> "TakoApi":
    """A source that has asked nobody yet."""
    return TakoApi(config, context)


class TakoApi:
    """The source. `forget` is for the app: the rows it names have left the roster."""

    key = AGENT

    def __init__(self, config: Config, context: Context) -> None:
        self._context = context
        self._config = config
        self._desk = Desk(AGENT, settings_of(config, context), context)
        self._questions = Questions(self._desk)
        self._beside = Beside(self._desk, self._questions)
        self._sender = Sender(self._desk, self._questions, self._beside)
        self._lisa = LisaRows(AGENT)
        self._lisa_rows: tuple[LisaRow, ...] = ()
        self._ends: list[Callable[[], None]] = []
        self._end_look: Callable[[], None] = lambda: None

    async def events(self) -> AsyncGenerator[Event, None]:
        """Restored rows, pins and LISA's rows, then whatever the owner's calls bring. Sends no request."""
        self._desk.begin()
        self._beside.begin()
        self._ends = [self._context.on_settings(self._settings_changed)]
        try:
            for event in await self._restored():
                yield event
            yield self._desk.pins()
            self._ends.append(self._context.start(self._follow_lisa(), "takoapi lisa"))
            self._look_for_key()
            self._beside.settings_changed()
            while True:
                # More in a turn than all streams together bring, so that nobody waits behind a flood.
                for _ in range(EVENTS_A_TURN):
                    yield await self._desk.queue.get()
                # A full queue never waits: let others run.
                await asyncio.sleep(0)
        finally:
            for end in (*self._ends, self._end_look):
                end()
            await self._beside.close()
            await self._desk.close()

    async def perform(self, intent: Intent) -> Outcome:
        """Carry out one intent."""
        match intent:
            case Send():
                return await self._sender.send(intent)
            case Answer():
                return await self._sender.answer(intent)
            case SendAgain():
                return await self._sender.send_again(intent)
            case StopFollowing():
                return await self._stop(intent.key)
            case Rename():
                return self._rename(intent)
            case ReadReply():
                return await self._read(intent.key)
            case Discover():
                return await self._questions.discover(intent)
            case Describe():
                return await self._describe(intent)
            case CheckKey():
                return await self._questions.check_key()
            case TryNow():
                return await self._try_now()
            case Cancel():
                return await self._beside.cancel(intent)
            case ReadRaw():
                return await self._beside.raw(intent.key.session_id)
            case Continue() | ReadArtifact() | ReadCard() | TryAgent():
                return refused("outcome.not-through-gateway")
            case _:
                assert_never(intent)

    async def close(self) -> None:
        """End every connection of a source that was asked and never followed."""
        await self._beside.close()
        await self._desk.close()

    def forget(self, session_ids: Collection[str]) -> None:
        """Drop what memory holds of rows that left the roster: replies, texts, ids."""
        for session_id in session_ids:
            self._beside.leave(session_id)
        self._desk.drop(session_ids)

    # --- intents ---

    async def _stop(self, key: SessionKey) -> Outcome:
        exchange = self._desk.exchanges.get(key.session_id)
        if exchange is None:
            return refused("outcome.not-ours")
        self._beside.leave(key.session_id)
        for call in self._desk.open_calls(exchange):
            self._desk.stop(call)
        await self._sender.remove(exchange)
        return done()

    def _rename(self, intent: Rename) -> Outcome:
        exchange = self._desk.exchanges.get(intent.key.session_id)
        if exchange is None:
            return refused("outcome.not-ours")
        exchange.label = name(intent.label, LABEL_LIMIT)
        self._desk.emit(LabelChanged(intent.key, exchange.label))
        return done(key=intent.key)

    async def _read(self, key: SessionKey) -> Outcome:
        text = await self._desk.replies.read(key.session_id)
        if text is None:
            return refused("outcome.no-reply")
        return Outcome(Result.DONE, key=key, text=text)

    async def _describe(self, intent: Describe) -> Outcome:
        info = await self._questions.describe(intent.target)
        return info if isinstance(info, Outcome) else Outcome(Result.DONE, agents=(info,), total=1)

    async def _try_now(self) -> Outcome:
        was_offline = self._desk.is_offline
        self._desk.hurry()
        self._beside.hurry()
        if was_offline and self._desk.config.enabled:
            return await self._questions.knock()
        return done()

    # --- following ---

    async def _restored(self) -> list[Event]:
        events: list[Event] = []
        for row in await self._context.tasks.list():
            if row.agent != AGENT or row.session_id in self._desk.exchanges:
                continue
            exchange = restore(row, AGENT, Exchange)
            session = age(restored(exchange, row), self._desk.now())
            if session is not None:
                self._desk.exchanges[row.session_id] = exchange
                events.append(SessionOpened(session, row.updated_at))
            if row.task_id:
                self._desk.learn_structure()
        return events

    async def _follow_lisa(self) -> None:
        failures = 0
        while True:
            try:
                async for rows in self._context.tasks.changes():
                    failures = 0
                    self._lisa_rows = rows
                    self._show_lisa()
                return
            except IslandError as error:
                log.warning("LISA's call list could not be followed: %s", error.word)
                failures += 1
                await self._context.clock.sleep(delay(failures))

    def _show_lisa(self) -> None:
        now = self._desk.now()
        is_on = self._desk.config.enabled
        self._desk.emit(*(self._lisa.show(self._lisa_rows, now) if is_on else self._lisa.hide(now)))

    def _look_for_key(self) -> None:
        async def look() -> None:
            await self._desk.find_key()

        self._end_look()
        self._end_look = self._context.start(look(), "takoapi key")

    def _settings_changed(self) -> None:
        self._desk.configure(settings_of(self._config, self._context))
        self._desk.emit(self._desk.pins())
        self._show_lisa()
        self._desk.report()
        self._look_for_key()
        self._beside.settings_changed()
