"""The one place that starts tasks: whoever starts one hands it to an owner that awaits it (I5)."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

log = logging.getLogger(__name__)

CLEAN_UP_SECONDS = 5.0


class Nursery:
    """Owns tasks until they end. A failure is reported once and never touches a sibling."""

    def __init__(self, failed: Callable[[str, BaseException], None] | None = None) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._failed = failed or _log_failure

    def start(self, work: Coroutine[Any, Any, Any], name: str) -> Callable[[], None]:
        """Run `work`; the answer cancels it."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task.cancel  # type: ignore[return-value]

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failed(task.get_name(), error)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of what runs, for `doctor` and tests."""
        return tuple(sorted(t.get_name() for t in self._tasks))

    async def close(self) -> None:
        """Cancel all and wait until each has run its `finally`.

        Who was cancelled before is cleaning up: a second cancel would break that off and leave a socket open.
        Only who is not through after a while is told once more.
        """
        patience: float | None = CLEAN_UP_SECONDS
        while tasks := list(self._tasks):
            for task in tasks:
                if patience is None or not task.cancelling():
                    task.cancel()
            await asyncio.wait(tasks, timeout=patience)
            self._tasks.difference_update(t for t in tasks if t.done())
            patience = None


def _log_failure(name: str, error: BaseException) -> None:
    # The type alone: a message may carry foreign text.
    log.error("task %s failed: %s", name, type(error).__name__)
