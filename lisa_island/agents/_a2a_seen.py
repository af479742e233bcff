"""A task as its follower sees it; what changes goes to the roster."""

from collections.abc import Callable

from lisa_island.agents._a2a_task import DirectTask
from lisa_island.agents._a2a_wire import Frame
from lisa_island.core.events import Event


def _nobody() -> None:
    pass


class Seen:
    """`_a2a_follow.Followed`. `heard` is called after each frame.

    Without `signs_in` a server that asks who we are changes nothing.
    """

    def __init__(
        self,
        task: DirectTask,
        emit: Callable[..., None],
        now: Callable[[], int],
        *,
        heard: Callable[[], None] = _nobody,
        signs_in: bool = True,
    ) -> None:
        self._task = task
        self._emit = emit
        self._now = now
        self._heard = heard
        self._signs_in = signs_in

    @property
    def task_id(self) -> str:
        return self._task.task_id

    @property
    def news(self) -> int:
        return self._task.news

    @property
    def is_terminal(self) -> bool:
        return self._task.terminal

    @property
    def is_waiting(self) -> bool:
        return self._task.is_waiting

    @property
    def may_resume(self) -> bool:
        return self._task.may_resume

    def take(self, frame: Frame, signal: str) -> None:
        self._tell(self._task.take(frame, self._now(), signal))
        self._heard()

    def stalled(self) -> None:
        self._tell(self._task.stalled(self._now()))

    def lost(self) -> None:
        self._tell(self._task.lost(self._now()))

    def denied(self, status: int) -> None:
        if self._signs_in:
            self._tell(self._task.denied(self._now(), status))

    def reach(self, reachable: bool) -> None:
        self._tell(self._task.reach(self._now(), reachable))

    def _tell(self, events: list[Event]) -> None:
        self._emit(*events)
