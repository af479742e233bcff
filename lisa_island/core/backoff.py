"""How long to wait before trying again: a function of failures alone, with named states for a breaker.

A breaker is CLOSED (calls pass), OPEN (calls are refused until `until`), then HALF_OPEN (one call may try).
Jitter comes from outside; this room has no random.
"""

from dataclasses import dataclass
from enum import StrEnum

FIRST = 1.0
LONGEST = 300.0
THRESHOLD = 3


def delay(failures: int, *, first: float = FIRST, longest: float = LONGEST, jitter: float = 0.5) -> float:
    """Seconds to wait after `failures` in a row; `jitter` in 0..1 spreads it over the upper half."""
    if failures <= 0:
        return 0.0
    full = min(longest, first * 2.0 ** min(failures - 1, 30))
    return float(full * (0.5 + 0.5 * jitter))


class Gate(StrEnum):
    """The states of a breaker."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half-open"


@dataclass(frozen=True, slots=True)
class Breaker:
    """One target's breaker. Times are epoch ms."""

    failures: int = 0
    until: int = 0
    trying: bool = False

    def gate(self, now: int) -> Gate:
        """Where it stands at `now`."""
        if self.failures < THRESHOLD:
            return Gate.CLOSED
        if now < self.until or self.trying:
            return Gate.OPEN
        return Gate.HALF_OPEN

    def tried(self) -> "Breaker":
        """A call went out; while half open it is the only one."""
        return Breaker(self.failures, self.until, trying=self.failures >= THRESHOLD)

    def failed(self, now: int, jitter: float = 0.5) -> "Breaker":
        """The call proved nothing good."""
        failures = self.failures + 1
        wait = delay(failures - THRESHOLD + 1, first=5.0, jitter=jitter) if failures >= THRESHOLD else 0.0
        return Breaker(failures, now + int(wait * 1000))

    def worked(self) -> "Breaker":
        """The target answered."""
        return Breaker()
