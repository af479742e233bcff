"""A2A: agents that the owner added by address or card, called and followed at their own endpoints.

It asks nobody by itself: a task of the owner's is followed to its end, an agent's card is read when the owner
uses the agent, and credentials go to the origin they were saved for.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection
from typing import assert_never

from lisa_island.agents._a2a_config import Config, settings_of
from lisa_island.agents._a2a_desk import Desk
from lisa_island.agents._a2a_find import is_lost_call
from lisa_island.agents._a2a_restore import restore, restored
from lisa_island.agents._a2a_sender import LABEL_LIMIT, Sender
from lisa_island.agents._a2a_task import DirectTask
from lisa_island.agents._a2a_trial import Trials
from lisa_island.agents._http import warm
from lisa_island.agents._replies import clean_long
from lisa_island.core.agent import SessionKey
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
from lisa_island.core.ports import Context
from lisa_island.core.text import name
from lisa_island.core.window import age

AGENT = "a2a"
EVENTS_A_TURN = 32

__all__ = ["A2A", "AGENT", "Config", "open_source", "warm"]


def open_source(config: Config, context: Context) -> "A2A":
    """A source that has asked nobody yet."""
    return A2A(config, context)


class A2A:
    """The source. `forget` is for the app: the rows it names have left the roster."""

    key = AGENT

    def __init__(self, config: Config, context: Context) -> None:
        self._context = context
        self._config = config
        self._desk = Desk(AGENT, settings_of(config, context), context)
        self._sender = Sender(self._desk)
        self._trials = Trials(self._desk)

    async def events(self) -> AsyncGenerator[Event, None]:
        """Restored rows and the owner's agents, then whatever their tasks bring."""
        end: Callable[[], None] = self._context.on_settings(self._settings_changed)
        self._desk.begin()
        try:
            for event in await self._restored():
                yield event
            yield self._desk.pins()
            self._desk.report()
            if self._desk.config.enabled:
                self._follow_restored()
            while True:
                for _ in range(EVENTS_A_TURN):
                    yield await self._desk.queue.get()
                # A full queue never waits: let others run.
                await asyncio.sleep(0)
        finally:
            end()
            await self._desk.close()

    async def perform(self, intent: Intent) -> Outcome:
        """Carry out one intent."""
        match intent:
            case Send():
                return await self._sender.send(intent)
            case Answer():
                return await self._sender.answer(intent)
            case Continue():
                return await self._sender.go_on(intent)
            case SendAgain():
                return await self._sender.send_again(intent)
            case Cancel():
                return await self._sender.cancel(intent)
            case StopFollowing():
                return await self._stop(intent.key)
            case Rename():
                return self._rename(intent)
            case ReadReply():
                return await self._read(intent.key, intent.key.session_id)
            case ReadArtifact():
                return await self._read_artifact(intent)
            case ReadRaw():
                return await self._raw(intent.key)
            case ReadCard():
                return await self._trials.read_card(intent)
            case Describe():
                return await self._trials.describe(intent)
            case Discover():
                return await self._trials.discover(intent)
            case TryAgent():
                return await self._trials.test(intent.target)
            case CheckKey():
                return done()
            case TryNow():
                return self._try_now()
            case _:
                assert_never(intent)

    async def close(self) -> None:
        """End every connection of a source that was asked and never followed."""
        await self._desk.close()

    def forget(self, session_ids: Collection[str]) -> None:
        """Drop what memory holds of rows that left the roster: replies, texts, ids, streams."""
        self._desk.drop(session_ids)

    # --- intents ---

    async def _stop(self, key: SessionKey) -> Outcome:
        task = self._desk.tasks.get(key.session_id)
        if task is None:
            return refused("outcome.not-ours")
        if (opened := self._desk.open.get(key.session_id)) is not None:
            opened.cancel()
        await self._sender.remove(task)
        return done()

    def _rename(self, intent: Rename) -> Outcome:
        task = self._desk.tasks.get(intent.key.session_id)
        if task is None:
            return refused("outcome.not-ours")
        task.label = name(intent.label, LABEL_LIMIT)
        self._desk.emit(LabelChanged(intent.key, task.label))
        return done(key=intent.key)

    async def _read(self, key: SessionKey, held: str) -> Outcome:
        text = await self._desk.replies.read(held)
        return refused("outcome.no-reply") if text is None else Outcome(Result.DONE, key=key, text=text)

    async def _read_artifact(self, intent: ReadArtifact) -> Outcome:
        session_id = intent.key.session_id
        held = f"{session_id}#{intent.number}"
        if held not in self._desk.replies and intent.number == 0:
            held = session_id
        return await self._read(intent.key, held)

    async def _raw(self, key: SessionKey) -> Outcome:
        opened = self._desk.open.get(key.session_id)
        if opened is None or not (text := opened.raw.text()):
            return refused("outcome.no-raw")
        return Outcome(Result.DONE, key=key, text=await clean_long(text))

    def _try_now(self) -> Outcome:
        for opened in self._desk.open.values():
            if opened.follower is not None:
                opened.follower.poke()
        return done()

    # --- following ---

    async def _restored(self) -> list[Event]:
        events: list[Event] = []
        for row in await self._context.tasks.list():
            if row.agent != AGENT or row.session_id in self._desk.tasks:
                continue
            task = restore(row, AGENT, DirectTask)
            task.endpoint = row.endpoint
            session = age(restored(task, row), self._desk.now())
            if session is not None:
                self._desk.tasks[row.session_id] = task
                events.append(SessionOpened(session, row.updated_at))
        return events

    def _follow_restored(self) -> None:
        for session_id, task in self._desk.tasks.items():
            is_open = bool(task.task_id) or is_lost_call(task)
            if is_open and not task.terminal and session_id not in self._desk.open:
                self._sender.follow_restored(task)

    def _settings_changed(self) -> None:
        self._desk.configure(settings_of(self._config, self._context))
        self._desk.emit(self._desk.pins())
        self._desk.report()
        self._try_now()
