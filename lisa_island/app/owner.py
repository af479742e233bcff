"""Who asks: the peer of the socket, or this very command. In doubt it is not the owner."""

import os
from typing import Protocol

from lisa_island.app.gate import Caller
from lisa_island.system.ancestry import SystemAncestry


class Ancestry(Protocol):
    """What the gate needs to know of a process; `system.ancestry` tells it on this machine."""

    def agent_above(self, pid: int) -> str:
        """Name of the agent that `pid` is or stands below, or "" ."""
        ...

    def is_owner(self, pid: int) -> bool:
        """Whether a person runs `pid` in the foreground of a terminal, below no agent."""
        ...

    def is_owner_terminal(self, stdin_fd: int, stderr_fd: int, pid: int) -> bool:
        """The same, asked by the process about itself."""
        ...


def caller_of(ancestry: Ancestry, pid: int) -> Caller:
    """The process at the other end of the socket; a process that the system does not name is nobody."""
    if pid <= 0:
        return Caller(owner=False)
    if ancestry.is_owner(pid):
        return Caller(owner=True)
    return Caller(owner=False, agent=ancestry.agent_above(pid))


def caller_of_self(ancestry: Ancestry | None = None) -> Caller:
    """This command itself, by its own terminals and ancestors."""
    ancestry, pid = ancestry or SystemAncestry(), os.getpid()
    if ancestry.is_owner_terminal(0, 2, pid):
        return Caller(owner=True)
    return Caller(owner=False, agent=ancestry.agent_above(pid))
