"""From a process to a caller: in any doubt it is not the owner."""

import pytest

from lisa_island.app.gate import UNSURE, Caller
from lisa_island.app.owner import caller_of, caller_of_self
from lisa_island.system.ancestry import UNSURE as TOLD_UNSURE


class Told:
    def __init__(self, owner=False, agent=""):
        self.owner, self.agent, self.asked = owner, agent, []

    def is_owner(self, pid):
        self.asked.append(pid)
        return self.owner

    def is_owner_terminal(self, stdin_fd, stderr_fd, pid):
        self.asked.append((stdin_fd, stderr_fd))
        return self.owner

    def agent_above(self, pid):
        return self.agent


@pytest.mark.parametrize("pid", [0, -1])
def test_a_process_that_the_system_does_not_name_is_nobody(pid):
    told = Told(owner=True)
    assert caller_of(told, pid) == Caller(owner=False) and told.asked == []


@pytest.mark.parametrize(
    ("told", "caller"),
    [
        (Told(owner=True), Caller(owner=True)),
        (Told(agent="claude"), Caller(owner=False, agent="claude")),
        (Told(), Caller(owner=False)),
        (Told(agent=TOLD_UNSURE), Caller(owner=False, agent=UNSURE)),
    ],
)
def test_who_it_is(told, caller):
    assert caller_of(told, 42) == caller_of_self(told) == caller
    assert told.asked == [42, (0, 2)]


def test_the_word_for_doubt_is_one():
    assert UNSURE == TOLD_UNSURE
