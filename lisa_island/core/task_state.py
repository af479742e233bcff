"""One total table from every spelling of an A2A task state to a state of ours.

A word that is not in the table is `unknown`, with the cleaned word as its reason
(at most 64 characters): a new word is shown, never guessed.
"""

import re
from dataclasses import dataclass

from lisa_island.core.agent import RequestKind, State
from lisa_island.core.text import word


@dataclass(frozen=True, slots=True)
class TaskStatus:
    """What a task state means here. `word` is the canonical A2A 0.3 spelling, or the cleaned foreign word."""

    word: str
    state: State
    reason: str
    request: RequestKind | None = None
    terminal: bool = False


def _status(
    word_: str, state: State, request: RequestKind | None = None, terminal: bool = False
) -> TaskStatus:
    return TaskStatus(word_, state, word_, request, terminal)


UNKNOWN = _status("unknown", State.UNKNOWN)

TABLE: dict[str, TaskStatus] = {
    "SUBMITTED": _status("submitted", State.WORKING),
    "WORKING": _status("working", State.WORKING),
    "WAITING": _status("working", State.WORKING),
    "INPUT_REQUIRED": _status("input-required", State.WAITING, RequestKind.INPUT),
    "AUTH_REQUIRED": _status("auth-required", State.WAITING, RequestKind.AUTH),
    "COMPLETED": _status("completed", State.DONE, terminal=True),
    "FAILED": _status("failed", State.ERROR, terminal=True),
    "REJECTED": _status("rejected", State.ERROR, terminal=True),
    "CANCELED": _status("canceled", State.DONE, terminal=True),
    "UNKNOWN": UNKNOWN,
    "UNSPECIFIED": UNKNOWN,
    "": UNKNOWN,
}

# ProtoJSON allows the enum's numbers.
NUMBERS: dict[int, str] = {
    0: "UNSPECIFIED", 1: "SUBMITTED", 2: "WORKING", 3: "COMPLETED", 4: "FAILED",
    5: "CANCELED", 6: "INPUT_REQUIRED", 7: "REJECTED", 8: "AUTH_REQUIRED",
}  # fmt: skip

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def read_task_state(raw: object) -> TaskStatus:
    """Map a state of any dialect; never raises."""
    if isinstance(raw, bool):
        return UNKNOWN
    if isinstance(raw, int):
        return TABLE[NUMBERS[raw]] if raw in NUMBERS else _foreign(str(raw))
    if not isinstance(raw, str):
        return UNKNOWN
    return TABLE.get(_normal(raw)) or _foreign(raw)


def _normal(raw: str) -> str:
    text = _CAMEL.sub("_", raw[:80].strip()).upper().replace("-", "_").replace(" ", "_")
    text = text.removeprefix("TASK_STATE_")
    return "CANCELED" if text == "CANCELLED" else text


def _foreign(raw: str) -> TaskStatus:
    shown = word(raw) or "unknown"
    return TaskStatus(shown, State.UNKNOWN, shown)
