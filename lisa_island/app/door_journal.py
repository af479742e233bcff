"""The journal through the door: the lines of an export, in portions. Structure only, like `status`."""

from collections.abc import AsyncGenerator, Sequence
from itertools import islice

from lisa_island.app.door_answers import Json, failed, text_of
from lisa_island.app.gate import Caller
from lisa_island.app.house import House
from lisa_island.core.explain import find
from lisa_island.core.journal import Entry
from lisa_island.core.journal_lines import exported

PORTION = 2_000


async def journal(house: House, request: Json, _caller: Caller) -> AsyncGenerator[Json, None]:
    """What is kept of all sessions, or of the one that `session` names."""
    if house.stored.journal is not None:
        await house.stored.journal.flush()
    wanted = text_of(request, "session", 200)
    entries = await house.tasks.entries()
    kept = _of(house, entries, wanted) if wanted else entries
    if wanted and not kept:
        yield failed("journal.none", wanted=wanted)
        return
    lines = exported(kept)
    while portion := list(islice(lines, PORTION)):
        yield {"lines": portion}


def _of(house: House, entries: Sequence[Entry], wanted: str) -> list[Entry]:
    """By its id, as it is in the journal, else as the roster names it."""
    keys = {entry.key for entry in entries if wanted in (str(entry.key), entry.key.session_id)}
    keys = keys or {s.key for s in find(house.store.roster, wanted)}
    return [entry for entry in entries if entry.key in keys]
