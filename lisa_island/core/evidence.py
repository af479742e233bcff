"""Why a state is believed: each fact keeps its rule, its signal and its rank.

A lower rank never overwrites a newer higher one. Ranks follow the order in which
a signal can be trusted, not the order in which it arrives.
"""

from dataclasses import dataclass
from enum import IntEnum


class Rank(IntEnum):
    """How much a signal is worth, weakest first."""

    PROCESS = 1
    TRANSCRIPT = 2
    LIVE = 3
    REQUEST = 4


@dataclass(frozen=True, slots=True)
class Fact:
    """One reason for a state: `rule` is a stable id, `signal` says where it was read, `at` is epoch ms."""

    rule: str
    signal: str
    rank: Rank = Rank.LIVE
    at: int = 0
