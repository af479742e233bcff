"""Looks for the task of a call whose answer never came: the island ended, or the line broke, in between.

Agents that list their tasks name the message that began each (contract a2a.md F.33, A2A #928). Where ours is
found its task is followed; where it is not, nobody can tell what became of it. Nothing is sent again.
"""

from lisa_island.agents._a2a_client import RefusedError
from lisa_island.agents._a2a_desk import Desk, Open
from lisa_island.agents._a2a_exchange import OUTCOME_UNKNOWN
from lisa_island.agents._a2a_restore import NOT_HEARD
from lisa_island.agents._a2a_task import DirectTask
from lisa_island.agents._http import CutError, NotSentError
from lisa_island.core.agent import State
from lisa_island.core.backoff import delay

TRIES = 8


def is_lost_call(task: DirectTask) -> bool:
    """Whether a call went out, or may have, and no word of its task came back."""
    return not task.task_id and task.state is State.UNKNOWN and task.reason in (NOT_HEARD, OUTCOME_UNKNOWN)


async def find(desk: Desk, opened: Open) -> bool:
    """Whether the task was found; it is taken as it is then."""
    task, clock = opened.task, desk.context.clock
    for failures in range(1, TRIES + 1):
        try:
            found = await opened.client.find(task.message_id)
        except RefusedError:
            return False
        except (NotSentError, CutError):
            desk.emit(*task.reach(desk.now(), False))
            await clock.sleep(delay(failures, longest=60.0))
            continue
        desk.emit(*task.reach(desk.now(), True))
        if found is None or not found.task_id or task.key.session_id not in desk.tasks:
            return False
        desk.emit(*task.take(found, desk.now(), "list"))
        return True
    return False
