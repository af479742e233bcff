"""The gateway's status matrix (contract takoapi.md A10): who said no, and what that proves.

The gateway relays an agent's own status, so only the exact body tells its refusal from the agent's.
Its own refusals prove that nothing reached the agent; headers of an agent never get through.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from email.utils import parsedate_to_datetime
from enum import StrEnum

from lisa_island.core.text import clean

LONGEST_RETRY_AFTER = 3600.0
_AMOUNT = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")


class Verdict(StrEnum):
    """What an HTTP status that is no success means."""

    REFUSED = "refused"
    BAD_KEY = "bad-key"
    BUSY = "busy"
    AGENT_ERROR = "agent-error"
    UNKNOWN = "unknown"
    NO_STREAM = "no-stream"


@dataclass(frozen=True, slots=True)
class Judgement:
    """`word` and `values` make the sentence; `seconds` is how long a busy gateway asks to wait."""

    verdict: Verdict
    word: str = ""
    values: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0


def judge(status: int, retry_after: str, body: bytes, now: int) -> Judgement:
    """Read a status other than 2xx; `now` is epoch ms."""
    if status < 300 or status >= 600:
        return Judgement(Verdict.UNKNOWN)
    if status < 400:
        return Judgement(Verdict.REFUSED, "outcome.redirect")
    said = _object(body)
    if status >= 500:
        no_stream = status == 502 and said == {"error": "Agent did not return a stream"}
        return Judgement(Verdict.NO_STREAM if no_stream else Verdict.UNKNOWN)
    return _refusal(status, retry_after, said, now) or Judgement(Verdict.AGENT_ERROR)


def _refusal(status: int, retry_after: str, said: dict[str, object], now: int) -> Judgement | None:
    """The gateway's own refusal, or None when the agent itself answered."""
    error = said.get("error")
    match status:
        case 400 if error in ("Invalid request body", "Empty message") and set(said) <= {"error", "detail"}:
            return Judgement(Verdict.REFUSED, "outcome.bad-request")
        case 400 if _is_project(error) and len(said) == 1:
            return Judgement(Verdict.REFUSED, "outcome.not-callable")
        case 401 if said == {"error": "Invalid or missing API key"}:
            return Judgement(Verdict.BAD_KEY, "outcome.key-refused")
        case 402 if error == "Insufficient credit" and "requiredUsd" in said:
            return _balance(said)
        case 404 if said == {"error": "Agent not found"}:
            return Judgement(Verdict.REFUSED, "outcome.no-agent")
        # An agent's headers are dropped on the way, so Retry-After can only be the gateway's.
        case 429 if said == {"error": "Too many requests"} and retry_after:
            return Judgement(Verdict.BUSY, "outcome.too-many", seconds=_seconds(retry_after, now))
    return None


def _is_project(error: object) -> bool:
    return isinstance(error, str) and error.startswith("This agent is an open-source project")


def _balance(said: Mapping[str, object]) -> Judgement:
    balance, required = _money(said.get("balanceUsd")), _money(said.get("requiredUsd"))
    if balance and required:
        return Judgement(Verdict.REFUSED, "outcome.balance", (("balance", balance), ("required", required)))
    return Judgement(Verdict.REFUSED, "outcome.balance-unknown")


def _money(value: object) -> str:
    shown = clean(str(value), 32) if isinstance(value, str | int | float) else ""
    if not _AMOUNT.fullmatch(shown):
        return ""
    try:
        return f"{Decimal(shown).normalize():f} USD"
    except InvalidOperation:
        return ""


def _seconds(retry_after: str, now: int) -> float:
    """Seconds or an HTTP date; what is neither counts as ten seconds."""
    try:
        wait = float(int(retry_after)) if retry_after.strip().isdigit() else _until(retry_after, now)
    except (ValueError, TypeError, OverflowError):
        wait = 10.0
    return min(max(wait, 1.0), LONGEST_RETRY_AFTER)


def _until(date: str, now: int) -> float:
    at = parsedate_to_datetime(date)
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return (at - datetime.fromtimestamp(now / 1000, UTC)).total_seconds()


def _object(body: bytes) -> dict[str, object]:
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
