"""The journal in memory."""

from collections.abc import Sequence

from lisa_island.core.agent import SessionKey
from lisa_island.core.errors import StorageError
from lisa_island.core.journal import Entry


class FakeRecords:
    """`core.ports.Records`. `heaps` are the calls of `keep` as (entries, days); `broken` makes them fail."""

    def __init__(self) -> None:
        self.heaps: list[tuple[list[Entry], int]] = []
        self.broken = False

    async def keep(self, entries: Sequence[Entry], days: int) -> None:
        """Add entries."""
        if self.broken:
            raise StorageError("storage.full", place="the test")
        self.heaps.append((list(entries), days))

    async def entries(self, key: SessionKey | None = None) -> Sequence[Entry]:
        """All, or one session's."""
        return [e for heap, _ in self.heaps for e in heap if key in (None, e.key)]
