"""The one holder of the roster: `dispatch` reduces, `subscribe` tells.

State is reduced at once. Listeners hear the first change of a session and every new request
at once; further changes are told together after 100 ms. A flood counts as further changes: in
one window a session's first new request is told at once, and four changes of other kinds.
"""

from collections.abc import Callable

from lisa_island.core.agent import SessionKey
from lisa_island.core.events import ActivityChanged, Event, StateChanged
from lisa_island.core.ports import Clock
from lisa_island.core.roster import Roster, reduce

MERGE_SECONDS = 0.1
MOST_HURRIED = 4

Listener = Callable[[Roster, Roster], None]
# Hears of every event that changed something, with the roster before and after it.
Watcher = Callable[[Event, Roster, Roster], None]


class Store:
    """Roster, listeners and the merge window."""

    def __init__(self, clock: Clock, roster: Roster | None = None) -> None:
        self._clock = clock
        self._roster = roster or Roster()
        self._told = self._roster
        self._listeners: list[Listener] = []
        self._watchers: list[Watcher] = []
        self._pending: Callable[[], None] | None = None
        self._asked: set[SessionKey] = set()
        self._hurried = 0

    @property
    def roster(self) -> Roster:
        """The roster as it is now."""
        return self._roster

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener(old, new)` after changes; the answer ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Call `watcher(event, old, new)` for each event that changed something; the answer ends it."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def dispatch(self, event: Event) -> None:
        """Reduce one event; nothing else happens when nothing changed."""
        before = self._roster
        self._roster = reduce(before, event)
        if self._roster is before:
            return
        for watcher in tuple(self._watchers):
            watcher(event, before, self._roster)
        if self._pending is None:
            self._tell()
            self._pending = self._clock.call_later(MERGE_SECONDS, self._window_over)
        elif self._may_hurry(event, before):
            self._tell()

    def _may_hurry(self, event: Event, before: Roster) -> bool:
        if isinstance(event, StateChanged):
            if event.key in self._asked or not _asks(event, before):
                return False
            self._asked.add(event.key)
            return True
        self._hurried += not isinstance(event, ActivityChanged)
        return not isinstance(event, ActivityChanged) and self._hurried <= MOST_HURRIED

    def _window_over(self) -> None:
        self._pending = None
        self._asked.clear()
        self._hurried = 0
        if self._told is not self._roster:
            self._tell()
            self._pending = self._clock.call_later(MERGE_SECONDS, self._window_over)

    def _tell(self) -> None:
        old, self._told = self._told, self._roster
        for listener in tuple(self._listeners):
            listener(old, self._told)

    def close(self) -> None:
        """Tell what is pending and stop the window's timer."""
        if self._pending is not None:
            self._pending()
            self._pending = None
        if self._told is not self._roster:
            self._tell()


def _asks(event: StateChanged, before: Roster) -> bool:
    """Whether it brings a request that was not open before."""
    known = before.get(event.key)
    old = {r.request_id for r in known.requests} if known else set()
    return any(r.request_id not in old for r in event.requests)
