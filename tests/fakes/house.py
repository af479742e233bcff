"""As much of a house as notices need: a still clock, settings in memory, a store."""

from typing import Any

from lisa_island.core.preferences import Preferences
from lisa_island.runtime.nursery import Nursery
from lisa_island.runtime.store import Store
from tests.fakes.clock import START, FakeClock
from tests.fakes.settings import FakeSettings


class FakeHouse:
    """Stands for `app.house.House`."""

    lang = "en"

    def __init__(self, now: int = START, **preferences: Any) -> None:
        self.clock = FakeClock(now)
        self.settings = FakeSettings(Preferences(**preferences))
        self.store = Store(self.clock)
        self.nursery = Nursery()

    @property
    def preferences(self) -> Preferences:
        """The owner's choices now."""
        return self.settings.now()
