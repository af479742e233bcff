"""Asks an agent to stop a task. It may refuse, and says why; that it took the wish is no end of it yet."""

from collections.abc import Callable

from lisa_island.agents._a2a_client import Client, RefusedError
from lisa_island.agents._a2a_task import DirectTask
from lisa_island.agents._a2a_wire import Fault
from lisa_island.agents._http import CutError, NotSentError
from lisa_island.core.intents import Outcome, done, refused, unknown
from lisa_island.core.origin import origin_of
from lisa_island.core.text import clean

WHY_LIMIT = 200


async def cancel(
    task: DirectTask, client: Client, emit: Callable[..., None], now: Callable[[], int]
) -> Outcome:
    """Once, and never again by itself; what the agent answers goes to the roster."""
    try:
        frame = await client.cancel(task.task_id)
    except NotSentError as error:
        return refused(error.word, origin=origin_of(client.endpoint.url))
    except CutError:
        return unknown("outcome.cancel-unknown", task.key)
    except RefusedError as error:
        return _refused(task, emit, now, error.said or f"HTTP {error.status}")
    if isinstance(frame, Fault):
        return _refused(task, emit, now, frame.message or str(frame.code))
    emit(*task.take(frame, now(), "cancel"))
    return done(key=task.key)


def _refused(task: DirectTask, emit: Callable[..., None], now: Callable[[], int], said: str) -> Outcome:
    why = clean(said, WHY_LIMIT)
    emit(*task.cancel_refused(now(), why))
    return refused("outcome.not-canceled", why=why, name=task.target)
