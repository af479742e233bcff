"""What the island stored, and its end. LISA's own files stay; its shared call list loses our rows alone."""

import contextlib
import re
from pathlib import Path

from lisa_island.core.errors import StorageError
from lisa_island.core.ports import Tasks
from lisa_island.system import crashlog, logfile
from lisa_island.system.clock import SystemClock
from lisa_island.system.worker import Worker

# Exactly what our own code writes: "island.png" beside it belongs to somebody else.
_OURS = re.compile(
    r"island\.(?:db|json)(?:-wal|-shm|-journal)?(?:\.broken-[0-9-]+(?:-wal|-shm)?)?"
    r"|island(?:-(?:database|mirror|settings))?\.lock"
    r"|island-gate\.json"
    r"|endpoint"
    r"|\.(?:island\.json|island-gate\.json|takoapi-calls\.json)\.[0-9]+-[0-9]+\.(?:tmp|old)"
    r"|\.endpoint\.[0-9]+"
)


def data_files(home: Path) -> list[Path]:
    """Our own files in LISA's folder (database, settings, locks, what was set aside), our logs."""
    try:
        found = sorted(p for p in home.iterdir() if _OURS.fullmatch(p.name) and not p.is_dir())
    except OSError:
        found = []
    return [*found, *logfile.files(), *crashlog.files()]


def erase(home: Path) -> list[str]:
    """Delete them; the names of what is gone. Raises OSError for what cannot be deleted."""
    gone = []
    for path in data_files(home):
        path.unlink(missing_ok=True)
        gone.append(path.name)
    return gone


async def take_back(tasks: Tasks) -> None:
    """Take every row of ours out of the task list and of the call list shared with LISA."""
    # A list that cannot be read any more holds nothing that could be taken back.
    with contextlib.suppress(StorageError):
        for row in await tasks.list():
            await tasks.remove(row.session_id)


async def empty(home: Path) -> None:
    """The same, where no house is open."""
    from lisa_island.system.tasks import TaskDatabase

    worker = Worker()
    tasks = TaskDatabase(home, SystemClock(), worker)
    try:
        await take_back(tasks)
    finally:
        await tasks.close()
        worker.close()
