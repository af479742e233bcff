"""The owner's choices in memory."""

from collections.abc import Callable
from typing import Any

from lisa_island.core.errors import StorageError
from lisa_island.core.preferences import Preferences


class FakeSettings:
    """`core.ports.Settings` for tests. `refuse` makes changes fail; `edit` plays an editor of the file."""

    def __init__(self, preferences: Preferences | None = None) -> None:
        self._preferences = preferences or Preferences()
        self._calls: list[Callable[[Preferences], None]] = []
        self.refuse: StorageError | None = None
        self.said: tuple[tuple[str, dict[str, str]], ...] = ()

    async def open(self) -> None:
        """Nothing to read."""

    async def close(self) -> None:
        """Nothing to stop."""
        self._calls.clear()

    def now(self) -> Preferences:
        """The choices at this moment."""
        return self._preferences

    def problems(self) -> tuple[tuple[str, dict[str, str]], ...]:
        """What a test has put into `said`."""
        return self.said

    async def change(self, **changes: Any) -> Preferences:
        """Change some fields. Raises what a test has put into `refuse`; then nothing changed."""
        if "agent_calls_wanted" in changes:
            raise TypeError("no setting: agent_calls_wanted")
        if self.refuse is not None:
            raise self.refuse
        if "agent_calls" in changes:
            changes["agent_calls_wanted"] = ""
        self.edit(**changes)
        return self._preferences

    def edit(self, **changes: Any) -> None:
        """As if the file had been edited elsewhere."""
        before, self._preferences = self._preferences, self._preferences.with_(**changes)
        if before != self._preferences:
            for call in tuple(self._calls):
                call(self._preferences)

    def subscribe(self, call: Callable[[Preferences], None]) -> Callable[[], None]:
        """Call back after every change; the answer ends it."""
        self._calls.append(call)

        def end() -> None:
            if call in self._calls:
                self._calls.remove(call)

        return end
