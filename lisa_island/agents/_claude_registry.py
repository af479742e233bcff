"""Claude Code's own list of its processes, `sessions/<pid>.json`: who runs which session, what it waits for.

The file is rewritten in place, so it may be read half written. The title that stands in it is a prompt's, and
is not taken.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from lisa_island.agents._fields import path
from lisa_island.core.text import word

FILE = re.compile(r"(\d{1,10})\.json")
SIZE_LIMIT = 256 * 1024
SESSION = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
HIDDEN_KINDS = frozenset({"daemon", "daemon-worker"})


@dataclass(frozen=True, slots=True)
class Entered:
    """One record. `status` is "" where a build names none; `since` is when it was set, times are epoch ms."""

    pid: int
    session: str
    cwd: str = ""
    started_at: int | None = None
    ticks: str = ""
    domain: str = ""
    version: str = ""
    kind: str = ""
    entrypoint: str = ""
    status: str = ""
    waits_for: str = ""
    since: int = 0

    @property
    def is_shown(self) -> bool:
        """Whether it is a session of the owner's, not one that the tool keeps for itself."""
        return self.kind not in HIDDEN_KINDS


class _Wire(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, str_max_length=4_096)

    pid: int
    sessionId: str  # noqa: N815 - the wire's spelling
    cwd: Any = None
    startedAt: Any = None  # noqa: N815
    procStart: Any = None  # noqa: N815
    pidDomain: Any = None  # noqa: N815
    version: Any = None
    kind: Any = None
    entrypoint: Any = None
    status: Any = None
    waitingFor: Any = None  # noqa: N815
    statusUpdatedAt: Any = None  # noqa: N815
    updatedAt: Any = None  # noqa: N815
    spare: Any = None

    @field_validator("sessionId")
    @classmethod
    def _is_an_id(cls, value: str) -> str:
        if not SESSION.fullmatch(value):
            raise ValueError("no session id")
        return value


def read(data: bytes, pid: int) -> Entered | None:
    """The record of this process, or None for what is none (half written, another's, a spare one)."""
    try:
        wire = _Wire.model_validate(json.loads(data.decode("utf-8", "replace")))
    except (ValidationError, ValueError, RecursionError):
        return None
    if wire.pid != pid or wire.spare is True:
        return None
    since = _time(wire.statusUpdatedAt) or _time(wire.updatedAt) or _time(wire.startedAt) or 0
    return Entered(
        pid, wire.sessionId, path(wire.cwd), _time(wire.startedAt), _digits(wire.procStart),
        _text(wire.pidDomain), word(wire.version), word(wire.kind), word(wire.entrypoint), word(wire.status),
        word(wire.waitingFor), since,
    )  # fmt: skip


def _time(found: Any) -> int | None:
    is_time = isinstance(found, int) and not isinstance(found, bool) and 0 < found < 2**53
    return found if is_time else None


def _digits(found: Any) -> str:
    return found if isinstance(found, str) and re.fullmatch(r"[0-9]{1,20}", found) else ""


def _text(found: Any) -> str:
    return found if isinstance(found, str) and len(found) <= 200 else ""
