"""Keys in memory, each for one origin."""

from lisa_island.core.agent import KeyState
from lisa_island.core.errors import SecretError
from lisa_island.core.ports import Secret

KEY = "tako_live_" + "Planted0Secret-" + "x" * 17
"""A key of the right form that no test may find anywhere but in a request to its origin."""


class FakeSecrets:
    """`core.ports.Secrets`. `state` is what is told of an origin without a key; `asked` lists the origins."""

    def __init__(self, keys: dict[str, str] | None = None, state: KeyState = KeyState.NONE) -> None:
        self.keys = dict(keys or {})
        self.state = state
        self.asked: list[str] = []
        self.broken = False

    async def get(self, origin: str) -> Secret:
        """The key of exactly this origin."""
        self.asked.append(origin)
        if self.broken:
            raise SecretError("secrets.timed-out")
        value = self.keys.get(origin, "")
        return Secret(KeyState.READY if value else self.state, value)

    async def put(self, origin: str, value: str) -> KeyState:
        """Save."""
        if self.broken:
            raise SecretError("secrets.not-saved")
        self.keys[origin] = value
        return KeyState.READY

    async def drop(self, origin: str) -> KeyState:
        """Delete."""
        self.keys.pop(origin, None)
        return KeyState.NONE

    async def unlock(self, origin: str) -> KeyState:
        """The desktop opened the collection."""
        self.state = KeyState.NONE
        return KeyState.READY if origin in self.keys else KeyState.NONE

    def remember(self, origin: str, value: str) -> None:
        """Keep for this run only."""
        self.keys[origin] = value
