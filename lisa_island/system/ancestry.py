"""Whether a process is the owner at a terminal, or stands below an agent.

It guards against accident and habit and is no wall: one program of a user can always imitate another.
Where the line of parents cannot be followed (another pid namespace, a process that just ended) it is careful.
"""

import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lisa_island.system.known_agents import agent_in, mark_in

UNSURE = "unknown"
_MOST_PARENTS = 64
_ENVIRON_LIMIT = 4 * 1024 * 1024
# /dev/tty stands for whatever terminal a process has.
_OWN_TERMINAL = os.makedev(5, 0) if hasattr(os, "makedev") else -1


@dataclass(frozen=True, slots=True)
class Process:
    """One process as the kernel tells it; `terminal` is the device of its terminal, 0 for none."""

    pid: int
    parent: int
    started: int
    comm: str
    group: int = 0
    terminal: int = 0
    foreground: int = -1


class SystemAncestry:
    """`core.ports.Ancestry`, and more, for any process of this machine."""

    def __init__(self, proc: Path = Path("/proc")) -> None:
        self._proc = proc

    def agent_above(self, pid: int) -> str:
        """Name of the agent that `pid` is, stands below or was marked by; `UNSURE` when it cannot be told."""
        if pid <= 0:
            return UNSURE
        if sys.platform != "linux":
            return _agent_elsewhere(pid)
        try:
            for process in self._line(pid):
                if found := self._agent(process):
                    return found
            return self._mark(pid)
        except (OSError, ValueError, LookupError):
            return UNSURE

    def is_owner(self, pid: int) -> bool:
        """Whether `pid` is a command that a person runs in the foreground of a terminal, below no agent.

        Terminals must be on its stdin and stderr. Elsewhere than on Linux nobody but the command itself can
        tell (UNTESTED there), so the answer is False.
        """
        if sys.platform != "linux" or pid <= 0:
            return False
        try:
            process = self._read(pid)
            at_terminal = all(self._is_terminal(process, fd) for fd in (0, 2))
        except (OSError, ValueError, LookupError):
            return False
        in_front = process.terminal != 0 and process.group == process.foreground
        return at_terminal and in_front and not self.agent_above(pid)

    def is_owner_terminal(self, stdin_fd: int, stderr_fd: int, pid: int) -> bool:
        """The same, asked by the command about itself; works wherever there are terminals."""
        if not (os.isatty(stdin_fd) and os.isatty(stderr_fd)):
            return False
        if hasattr(os, "tcgetpgrp"):
            try:
                if os.tcgetpgrp(stdin_fd) != os.getpgid(pid):
                    return False
            except OSError:
                return False
        return not (mark_in(os.environ) or self.agent_above(pid))

    def _line(self, pid: int) -> Iterator[Process]:
        """The process, its parent and so on. Raises LookupError where the line is broken."""
        child = self._read(pid)
        yield child
        for _ in range(_MOST_PARENTS):
            if child.pid == 1:
                return
            # A parent in another namespace is 0; one that is younger has inherited a number.
            if child.parent == 0:
                raise LookupError(child.pid)
            try:
                parent = self._read(child.parent)
            except OSError:
                if child.parent == 1:  # Hidden from other users; in a container it may be the agent itself.
                    return
                raise
            if parent.started > child.started:
                raise LookupError(child.pid)
            yield parent
            child = parent
        raise LookupError(pid)

    def _read(self, pid: int) -> Process:
        text = (self._proc / str(pid) / "stat").read_text("utf-8", "replace")
        # The name is in brackets and may hold brackets and blanks itself.
        head, _, tail = text.rpartition(")")
        fields = tail.split()
        return Process(
            pid=pid,
            parent=int(fields[1]),
            started=int(fields[19]),
            comm=head.partition("(")[2],
            group=int(fields[2]),
            terminal=int(fields[4]) & 0xFFFFFFFF,
            foreground=int(fields[5]),
        )

    def _agent(self, process: Process) -> str:
        folder = self._proc / str(process.pid)
        argv = (folder / "cmdline").read_bytes()[:65536].decode("utf-8", "replace").split("\0")
        try:
            exe = (folder / "exe").readlink().as_posix().removesuffix(" (deleted)")
        except OSError:
            exe = ""  # Another user's: sudo, sshd, init.
        return agent_in(process.comm, exe, argv)

    def _mark(self, pid: int) -> str:
        """Only the names of known marks are looked at, and only in the process that asks us."""
        with (self._proc / str(pid) / "environ").open("rb") as file:
            block = file.read(_ENVIRON_LIMIT)
        pairs = (line.partition("=") for line in block.decode("utf-8", "replace").split("\0"))
        return mark_in({name: value for name, _, value in pairs})

    def _is_terminal(self, process: Process, fd: int) -> bool:
        found = (self._proc / str(process.pid) / "fd" / str(fd)).stat()
        if not stat.S_ISCHR(found.st_mode):
            return False
        return found.st_rdev in (process.terminal, _OWN_TERMINAL)


def _agent_elsewhere(pid: int) -> str:
    """UNTESTED: macOS and Windows, through psutil."""
    import psutil  # type: ignore[import-untyped]

    try:
        process = psutil.Process(pid)
        line = [process, *process.parents()]
        found = next((name for parent in line if (name := _agent_of(parent))), "")
        return found or mark_in(process.environ())
    except psutil.Error:
        return UNSURE


def _agent_of(process: Any) -> str:
    import psutil

    try:
        return agent_in(process.name(), process.exe(), process.cmdline())
    except psutil.AccessDenied:
        return agent_in(process.name(), "", [])
