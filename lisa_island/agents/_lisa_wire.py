"""A session as LISA's server tells it, by REST or as an event: checked, bounded, times in one unit.

What is not named here is never taken: the path of a transcript that comes with events is dropped where the
bytes are read, and so are questions, answers and the text of errors.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from lisa_island.agents._command import NAME
from lisa_island.agents._fields import basename, count, ident, mapping, moment, name, path
from lisa_island.core.agent import Activity, State, Work
from lisa_island.core.digest import hex_digest
from lisa_island.core.text import word

UPDATE = "agent_session_update"
ID_LIMIT = 256
MOST_NAMES = 6
MOST_FILES = 10

_TOOL = re.compile(r"[A-Za-z0-9_.:/-]{1,64}")


@dataclass(frozen=True, slots=True)
class Told:
    """One session of LISA's. `raw_id` is her id, to be compared and never shown; `at` is epoch ms.

    `control` is "managed" or "pty" for one that she runs herself, "" for one that she only watches.
    """

    agent: str
    raw_id: str
    project: str
    state: State
    reason: str
    at: int
    cwd: str = ""
    control: str = ""
    adopted: str = ""
    pending: str = ""
    activity: Activity = field(default_factory=Activity)

    @property
    def id(self) -> str:
        """Its name here: hers where that is a plain id, else a digest (a path may stand in it)."""
        plain = ident(self.raw_id)
        return f"{self.agent}/{plain or hex_digest(self.raw_id.encode('utf-8', 'replace'))[:16]}"


class _Wire(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    agent: Any
    sessionId: Any  # noqa: N815 - the wire's spelling
    state: Any
    project: Any = None
    stateReason: Any = None  # noqa: N815
    lastMtime: Any = None  # noqa: N815
    cwd: Any = None
    activity: Any = None
    controllable: Any = None
    adoptedSessionId: Any = None  # noqa: N815


def read(found: object, now: int) -> Told | None:
    """The session in an object, or None for what is none. A time of the future is skew and counts as now."""
    try:
        wire = _Wire.model_validate(found)
    except ValidationError:
        return None
    agent, raw = ident(wire.agent)[:40], wire.sessionId
    if not agent or not isinstance(raw, str) or not 0 < len(raw) <= ID_LIMIT:
        return None
    done = mapping(wire.activity)
    control = wire.controllable if wire.controllable in ("managed", "pty") else ""
    state, reason = _state(wire)
    return Told(
        agent, raw, name(wire.project), state, reason, min(_time(wire.lastMtime, now), now), path(wire.cwd),
        control, ident(wire.adoptedSessionId), _tool(done.get("pendingPermission")),
        _activity(done, is_counted=bool(control)),
    )  # fmt: skip


def _state(wire: _Wire) -> tuple[State, str]:
    """Her six words are ours; a word that is none is kept as the reason why nothing is known."""
    try:
        return State(wire.state), word(wire.stateReason)
    except ValueError:
        return State.UNKNOWN, word(wire.state)


def _time(found: Any, now: int) -> int:
    """REST tells ISO text, events tell milliseconds."""
    if isinstance(found, int | float) and not isinstance(found, bool):
        return int(found) if 0 < found < 2**53 else now
    at = moment(found)
    return now if at is None else at


def _activity(done: dict[str, Any], *, is_counted: bool) -> Activity:
    """Counts of what she only watches are not taken: she adds up what stands twice in a file."""
    tools = _each(done.get("lastTools"), _tool)[-MOST_NAMES:]
    files = _each(done.get("filesTouched"), basename)[-MOST_FILES:]
    found = done.get("lastCommandName")
    program = found if isinstance(found, str) and NAME.fullmatch(found) else ""
    doing = (tools[-1] if tools else "", program or (files[-1] if files else ""))
    tokens = count(mapping(done.get("tokens")).get("output"))
    return Activity(
        status_text=" · ".join(part for part in doing if part),
        work=Work(
            turns=(count(done.get("turnCount")) or 0) if is_counted else 0,
            tokens=(tokens or 0) if is_counted else 0,
            tools=tools, files=files, program=program, branch=name(done.get("gitBranch")),
        ),
    )  # fmt: skip


def _each(found: Any, read_one: Any) -> tuple[str, ...]:
    listed = found[-50:] if isinstance(found, list) else []
    return tuple(one for item in listed if (one := read_one(item)))


def _tool(found: Any) -> str:
    return found if isinstance(found, str) and _TOOL.fullmatch(found) else ""
