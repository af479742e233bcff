"""Watches why the island is quiet, with at most one timer: none while time alone changes nothing."""

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

from lisa_island.core.preferences import Preferences
from lisa_island.core.quiet import Moment, Quiet, minute_of, quiet
from lisa_island.core.times import HOUR

if TYPE_CHECKING:
    from lisa_island.app.house import House

# A clock that was set, or another time zone, is noticed this late at most; notices ask anew each time anyway.
LONGEST_WAIT = HOUR


def minute_of_day(now: int) -> int:
    """The minute on the clock on the wall; `now` in epoch ms."""
    here = datetime.fromtimestamp(now / 1000)  # noqa: DTZ006 (the wall's own time is what is asked for)
    return here.hour * 60 + here.minute


def next_at(minute: int, now: int) -> int:
    """Epoch ms when the wall's clock shows that minute next."""
    here = datetime.fromtimestamp(now / 1000)  # noqa: DTZ006 (as above)
    today = datetime.combine(here.date(), time(*divmod(minute, 60)))
    # `fold`: an hour that comes twice has each of its minutes twice.
    found = ((today + timedelta(days)).replace(fold=fold).timestamp() for days in (0, 1) for fold in (0, 1))
    return min(at for at in (int(seconds * 1000) for seconds in found) if at > now)


def quiet_now(house: "House", desktop: bool | None) -> Quiet | None:
    """Why it is quiet at this moment."""
    at = house.clock.now()
    return quiet(house.preferences, Moment(at, minute_of_day(at), desktop))


class QuietWatch:
    """`now()` is computed anew each time; `subscribe` calls back when the answer has become another one."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self.desktop: bool | None = None
        self._calls: list[Callable[[], None]] = []
        self._due: Callable[[], None] | None = None
        self._known = self.now()
        self._end = house.settings.subscribe(lambda _: self.look())
        self.look()

    def now(self) -> Quiet | None:
        """Why it is quiet at this moment."""
        return quiet_now(self._house, self.desktop)

    def subscribe(self, call: Callable[[], None]) -> Callable[[], None]:
        """Call back after every change; the answer ends it."""
        self._calls.append(call)
        return lambda: self._calls.remove(call)

    def told(self, desktop: bool | None) -> None:
        """The desktop said how its do-not-disturb stands."""
        if desktop != self.desktop:
            self.desktop = desktop
            self.look(always=True)

    def look(self, *, always: bool = False) -> None:
        """Compare with what was last told: something may have changed, or the machine has slept."""
        self._cancel()
        found = self.now()
        if found != self._known or always:
            self._known = found
            for call in tuple(self._calls):
                call()
        wait = _wait(self._house.preferences, self._house.clock.now())
        if wait is not None:
            self._due = self._house.clock.call_later(min(wait, LONGEST_WAIT) / 1000, self.look)

    def close(self) -> None:
        """Stop."""
        self._end()
        self._cancel()

    def _cancel(self) -> None:
        if self._due is not None:
            self._due()
            self._due = None


def _wait(preferences: Preferences, now: int) -> int | None:
    """Ms until time alone may change the answer, or None."""
    ends = [preferences.muted_until - now] if preferences.muted_until > now else []
    if preferences.quiet_hours:
        ends += [next_at(minute_of(t), now) - now for t in (preferences.quiet_from, preferences.quiet_to)]
    return max(1, min(ends)) if ends else None
