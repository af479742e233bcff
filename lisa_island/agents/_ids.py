"""The last ids that were met, as a value: what is in it is told without looking through all of them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

RECENT = 16
LEAST = 512


@dataclass(frozen=True, slots=True)
class Ids:
    """Remembers the last 512 ids at least, and never more than twice that."""

    recent: tuple[str, ...] = field(default=(), repr=False)
    young: frozenset[str] = field(default=frozenset(), repr=False)
    old: frozenset[str] = field(default=frozenset(), repr=False)

    def __contains__(self, found: str) -> bool:
        return found in self.recent or found in self.young or found in self.old

    def plus(self, more: Iterable[str]) -> "Ids":
        """These and more."""
        recent = (*self.recent, *more)
        if len(recent) <= RECENT:
            return Ids(recent, self.young, self.old)
        young = self.young.union(recent)
        return Ids((), young, self.old) if len(young) < LEAST else Ids((), frozenset(), young)
