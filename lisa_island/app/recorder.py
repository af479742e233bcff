"""Writes later states of our own tasks behind the store, so that the dot never waits for the disk.

One owned task takes the newest row of each session; a row that changed again meanwhile is written once. A
row that a full or broken disk refused is kept and written as soon as the disk takes one again.
"""

import asyncio
import logging
from collections.abc import Callable

from lisa_island.core.agent import AgentSession, Origin, Reply
from lisa_island.core.errors import StorageError
from lisa_island.core.ports import TaskRow, Tasks
from lisa_island.core.roster import Roster
from lisa_island.runtime.store import Store

log = logging.getLogger(__name__)


def row_of(session: AgentSession) -> TaskRow | None:
    """What is stored of a session: structure, and the question while it waits."""
    task = session.task
    if task is None or session.origin is not Origin.CALLED:
        return None
    return TaskRow(
        session_id=session.key.session_id,
        target=task.target,
        message_id=task.message_id,
        started_at=session.started_at or 0,
        updated_at=session.last_activity or 0,
        state=str(session.state),
        reason=session.state_reason,
        task_state=task.task_state,
        terminal=task.terminal,
        task_id=task.task_id,
        context_id=task.context_id,
        label=session.label,
        unread=session.unread,
        notified=session.notified,
        calls=task.calls,
        price=session.price,
        had_reply=session.reply is not Reply.NONE,
        agent=session.key.agent,
        endpoint=task.endpoint,
        question=session.requests[0] if session.requests else None,
    )


class Recorder:
    """Subscribes to the store and writes what changed. `failed` hears of each outage once."""

    def __init__(self, store: Store, tasks: Tasks, failed: Callable[[StorageError], None]) -> None:
        self.problem: StorageError | None = None
        """Why the disk takes nothing now, or None."""
        self._tasks = tasks
        self._failed = failed
        self._pending: dict[str, TaskRow] = {}
        self._refused: dict[str, TaskRow] = {}
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._unsubscribe = store.subscribe(self._changed)

    def _changed(self, old: Roster, new: Roster) -> None:
        for key, session in new.sessions.items():
            before = old.sessions.get(key)
            # What is new here was written by `begin`, or just read back: another process may own it.
            if before is None or session is before or (row := row_of(session)) is None:
                continue
            if row != row_of(before):
                self._refused.pop(row.session_id, None)
                self._pending[row.session_id] = row
        for key in old.sessions.keys() - new.sessions.keys():
            self._pending.pop(key.session_id, None)
            self._refused.pop(key.session_id, None)
        if self._pending:
            self._idle.clear()
            self._wake.set()

    async def run(self) -> None:
        """Write until cancelled; what is pending then is written by `close`."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._drain()
            self._idle.set()

    async def settled(self) -> None:
        """Wait until everything told so far is on the disk, or was refused by it."""
        await self._idle.wait()

    async def close(self) -> None:
        """Stop listening and write what is pending, and once more what was refused."""
        self._unsubscribe()
        self._pending = {**self._refused, **self._pending}
        self._refused.clear()
        await self._drain()

    async def _drain(self) -> None:
        while self._pending:
            session_id, row = next(iter(self._pending.items()))
            del self._pending[session_id]
            try:
                await self._tasks.update(row)
            except StorageError as error:
                self._keep(row, error)
                continue
            self.problem = None
            self._pending = {**self._refused, **self._pending}
            self._refused.clear()

    def _keep(self, row: TaskRow, error: StorageError) -> None:
        log.warning("a task could not be recorded: %s", error.word)
        if row.session_id not in self._pending:
            self._refused[row.session_id] = row
        if self.problem is None or self.problem.word != error.word:
            self._failed(error)
        self.problem = error
