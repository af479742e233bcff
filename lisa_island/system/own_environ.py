"""The environment as the kernel shows it of us, to `ps` and to every other program of this user.

Taking a variable out of `os.environ` keeps it from our children; this block stays as it was at the start.
"""

import contextlib
from pathlib import Path

# Of /proc/self/stat, counted behind the name in brackets: where the block begins and ends in our memory.
_START, _END = 47, 48


def wipe(name: str) -> None:
    """Overwrite the value of a variable there. Where the system has no such block, or guards it, nothing."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
        start, end = int(fields[_START]), int(fields[_END])
        with Path("/proc/self/mem").open("r+b", buffering=0) as memory:
            memory.seek(start)
            at = start
            for line in memory.read(end - start).split(b"\0"):
                if line.startswith(name.encode() + b"="):
                    memory.seek(at + len(name) + 1)
                    memory.write(bytes(len(line) - len(name) - 1))
                at += len(line) + 1
