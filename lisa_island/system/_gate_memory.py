"""What the owner last allowed agents to do, remembered apart from the file that asks for it.

`island-gate.json` (0600) holds the last accepted value. It guards against accident and habit: a program of
the same user could write it too.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from lisa_island.system import _files

NAME = "island-gate.json"
ALLOW, DENY = "allow", "deny"


@dataclass(frozen=True, slots=True)
class Gate:
    """The value in force, what the file asks for beyond it, and what has to be remembered (None: nothing)."""

    now: str
    wanted: str = ""
    remember: str | None = None


def judge(asked: str | None, accepted: str | None) -> Gate:
    """From what the file asks (None: it cannot be read) and what was accepted last (None: the first run).

    Tightening counts at once and is remembered; loosening waits for the owner; the first run takes the file
    as it is.
    """
    if accepted is None:
        return Gate(asked or DENY, remember=asked or DENY)
    if asked is None:
        return Gate(DENY)
    if asked == DENY:
        return Gate(DENY, remember=DENY if accepted != DENY else None)
    return Gate(ALLOW) if accepted == ALLOW else Gate(DENY, wanted=ALLOW)


def accepted(home: Path) -> str | None:
    """The remembered value; None before the first run, deny when it cannot be read."""
    try:
        data = _files.read_bounded(home / NAME, 4096)
        if data is None:
            return None
        return ALLOW if json.loads(data)["agentCalls"] == ALLOW else DENY
    except (OSError, ValueError, KeyError, TypeError, RecursionError, _files.TooLargeError):
        return DENY


def remember(home: Path, value: str) -> None:
    """Keep the value. Raises OSError."""
    _files.replace_file(home / NAME, json.dumps({"schema": 1, "agentCalls": value}).encode() + b"\n")
