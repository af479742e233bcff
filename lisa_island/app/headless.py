"""The face without windows: the roster's changes as JSON lines, and the door."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Callable
from typing import Any

from lisa_island.app.door import VERBS, serve
from lisa_island.app.house import House, Plan
from lisa_island.app.owner import caller_of
from lisa_island.core.roster import Roster
from lisa_island.core.status import API_VERSION, session_json
from lisa_island.core.summary import rows
from lisa_island.system.ancestry import SystemAncestry
from lisa_island.system.endpoint import Endpoint
from lisa_island.system.peer import Peer

Write = Callable[[dict[str, Any]], None]


def changes(old: Roster, new: Roster) -> list[dict[str, Any]]:
    """One line for each row that is new, differs, or is gone."""
    before = {s.key: session_json(s) for s in rows(old)}
    after = {s.key: session_json(s) for s in rows(new)}
    lines: list[dict[str, Any]] = [
        {"type": "agent_session_update", **row} for key, row in after.items() if before.get(key) != row
    ]
    lines += [
        {"type": "agent_session_removed", "agent": key.agent, "sessionId": key.session_id}
        for key in before
        if key not in after
    ]
    return lines


async def open_door(house: House) -> Endpoint:
    """Listen for commands; each caller goes through the owner's gate. Raises AlreadyRunningError."""
    ancestry = SystemAncestry()

    async def answer(request: dict[str, Any], peer: Peer) -> AsyncIterator[dict[str, Any]]:
        caller = await house.worker.run(caller_of, ancestry, peer.pid, limit=5.0, name="ancestry")
        async for message in serve(house, request, caller):
            yield message

    door = Endpoint(house.plan.home, house.plan.environ, frozenset(VERBS))
    await door.open(answer)
    return door


def _write_changes(old: Roster, new: Roster, write: Write) -> None:
    for line in changes(old, new):
        write(line)


async def run(plan: Plan, write: Write) -> None:
    """Run until SIGINT, SIGTERM, SIGHUP or `quit`. Raises AlreadyRunningError, StorageError."""
    house = House(plan)
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, over.set)
    house.window = lambda word: word == "quit" and (over.set() or True)
    door = await open_door(house)
    try:
        write({"type": "hello", "apiVersion": API_VERSION})
        house.store.subscribe(lambda old, new: _write_changes(old, new, write))
        await house.open()
        await over.wait()
    finally:
        await door.close()
        await house.close()


def main(plan: Plan, tell: Callable[[str], None]) -> int:
    """Run on a plain asyncio loop; tells one JSON object a line."""
    with asyncio.Runner() as runner:
        runner.run(run(plan, lambda line: tell(json.dumps(line, ensure_ascii=True))))
    return 0
