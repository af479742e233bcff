"""One A2A endpoint, called: frames out of whatever it answers."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping

from lisa_island.agents._a2a_card import Endpoint
from lisa_island.agents._a2a_dialect import Outgoing as Outgoing
from lisa_island.agents._a2a_wire import Frame, Snapshot
from lisa_island.agents._http import CutError as CutError
from lisa_island.agents._http import Http
from lisa_island.agents._http import NotSentError as NotSentError
from lisa_island.core.ports import Clock


class RefusedError(Exception):
    """An HTTP answer that is no success and carries no error of the protocol.

    401, 403, 429 and 503 are always this. `retry_after`: seconds, None where the peer named none.
    `said`: what the body says, cleaned.
    """

    def __init__(self, status: int, retry_after: float | None = None, said: str = "") -> None:
        super().__init__(status)
        self.status = status
        self.retry_after = retry_after
        self.said = said


class Client:
    """Calls one endpoint. `headers` are its credentials; they go to the endpoint's own origin alone.

    Every call raises NotSentError, CutError, RefusedError.
    """

    def __init__(
        self,
        http: Http,
        endpoint: Endpoint,
        headers: Callable[[], Awaitable[Mapping[str, str]]],
        *,
        keep_raw: Callable[[str], None] = lambda _: None,
        clock: Clock,
    ) -> None:
        self.endpoint = endpoint
        raise NotImplementedError

    def send(self, message: Outgoing, *, stream: bool) -> AsyncGenerator[Frame, None]:
        """Send; one frame for each event, one for a unary answer."""
        raise NotImplementedError

    def subscribe(self, task_id: str) -> AsyncGenerator[Frame, None]:
        """Attach to a running task's stream."""
        raise NotImplementedError

    async def get(self, task_id: str, *, history: int = 0) -> Frame:
        """The task as it is, or the Fault that the agent answers."""
        raise NotImplementedError

    async def list(self, context_id: str = "") -> tuple[Snapshot, ...]:
        """The tasks that the agent names; a task that is missing here is not gone."""
        raise NotImplementedError

    async def cancel(self, task_id: str) -> Frame:
        """Ask the agent to stop a task."""
        raise NotImplementedError

    async def close(self) -> None:
        """Nothing is held between calls; the connections are the Http's."""
