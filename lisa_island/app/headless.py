"""The face without windows: the roster's changes as JSON lines, and the door."""

import asyncio
import json
import logging
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any

from lisa_island.app import look_up
from lisa_island.app.alone import ANCESTRY_SECONDS, SHOWS, ready
from lisa_island.app.client import NEEDS_ISLAND
from lisa_island.app.door import VERBS, serve
from lisa_island.app.gate import UNSURE, Caller
from lisa_island.app.house import House, Plan
from lisa_island.app.owner import caller_of
from lisa_island.core.roster import Roster
from lisa_island.core.status import API_VERSION, session_json
from lisa_island.core.summary import rows
from lisa_island.system import crashlog, logfile
from lisa_island.system.ancestry import SystemAncestry
from lisa_island.system.endpoint import Endpoint
from lisa_island.system.peer import Peer
from lisa_island.system.worker import Worker

log = logging.getLogger(__name__)

# A reader that stops reading must not stop the island; one that is so far behind reads no more.
MOST_WAITING = 10_000
DRAIN_SECONDS = 2.0


def changes(old: Roster, new: Roster) -> list[dict[str, Any]]:
    """One line for each row that is new, differs, or is gone."""
    before = {s.key: s for s in rows(old)}
    after = {s.key: s for s in rows(new)}
    lines: list[dict[str, Any]] = []
    for key, session in after.items():
        known = before.get(key)
        if known is session:  # the same value: nothing of it is written out to be compared
            continue
        row = session_json(session)
        if known is None or session_json(known) != row:
            lines.append({"type": "agent_session_update", **row})
    lines += [
        {"type": "agent_session_removed", "agent": key.agent, "sessionId": key.session_id}
        for key in before
        if key not in after
    ]
    return lines


async def open_door(house: House) -> Endpoint:
    """Listen for commands; each caller goes through the owner's gate. Raises AlreadyRunningError.

    What is asked while the house still opens is answered when it stands; windows need no house.
    """
    ancestry = SystemAncestry()
    stands = asyncio.Event()

    async def answer(request: dict[str, Any], peer: Peer) -> AsyncIterator[dict[str, Any]]:
        if request["do"] not in NEEDS_ISLAND and not stands.is_set():
            await ready(house, local=request["do"] in SHOWS)
            stands.set()
        try:
            caller = await house.worker.run(
                caller_of, ancestry, peer.pid, limit=ANCESTRY_SECONDS, name="ancestry"
            )
        except TimeoutError:
            caller = Caller(owner=False, agent=UNSURE)
        async with aclosing(serve(house, request, caller)) as messages:
            async for message in messages:
                yield message

    door = Endpoint(house.plan.home, house.plan.environ, frozenset(VERBS))
    await door.open(answer)
    return door


class Lines:
    """Writes JSON lines in order, in a thread of their own; `lost()` is called once nobody reads them."""

    def __init__(self, tell: Callable[[str], None], lost: Callable[[], None]) -> None:
        self._worker = Worker()
        self._lane = self._worker.lane("lines")
        self._tell = tell
        self._lost = lost
        self._waiting = 0
        self._is_over = False

    def write(self, line: dict[str, Any]) -> None:
        """Queue one line."""
        if self._is_over:
            return
        self._waiting += 1
        if self._waiting > MOST_WAITING:
            log.error("the reader of the lines is %d lines behind; leaving", MOST_WAITING)
            self._end()
            return
        self._lane.submit(self._tell, json.dumps(line, ensure_ascii=True), done=self._written)

    def changed(self, old: Roster, new: Roster) -> None:
        """Queue what differs."""
        for line in changes(old, new):
            self.write(line)

    async def close(self) -> None:
        """Let the reader have what is queued, if it reads."""
        if not self._is_over:
            try:
                await self._lane.run(lambda: None, limit=DRAIN_SECONDS)
            except TimeoutError:
                pass  # It does not; the lines end with the process.
        self._worker.close()

    def _written(self, _result: object, error: BaseException | None) -> None:
        self._waiting -= 1
        if error is not None:
            self._end()

    def _end(self) -> None:
        if not self._is_over:
            self._is_over = True
            self._lost()


def write_line(text: str) -> None:
    """One line on standard output, past Python's buffer: a thread that is stuck must not hold its lock."""
    data = text.encode() + b"\n"
    while data:
        data = data[os.write(1, data) :]


async def run(plan: Plan, tell: Callable[[str], None]) -> None:
    """Run until SIGINT, SIGTERM, SIGHUP, `quit` or the end of the reader.

    Raises AlreadyRunningError, StorageError.
    """
    house = House(plan)
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(crashlog.in_loop)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, over.set)

    def window(word: str) -> bool:
        if word == "quit":
            over.set()
        return word == "quit"

    house.window = window
    try:
        door = await open_door(house)
    except BaseException:
        house.worker.close()
        raise
    lines = Lines(tell, over.set)
    try:
        lines.write({"type": "hello", "apiVersion": API_VERSION})
        house.store.subscribe(lines.changed)
        await house.open()
        await over.wait()
    finally:
        await door.close()
        await house.close()
        await lines.close()
        crashlog.end()


def main(plan: Plan) -> int:
    """Run on a plain asyncio loop; prints one JSON object a line."""
    logfile.begin(to_file=False)
    with asyncio.Runner(loop_factory=look_up.make) as runner:
        runner.run(run(plan, write_line))
    return 0
