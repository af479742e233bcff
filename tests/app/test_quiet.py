"""Quiet over time: by the clock on the wall, through summer time, with one timer or none."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from lisa_island.app.quiet import QuietWatch, minute_of_day, next_at
from lisa_island.core.quiet import Why, minute_of
from lisa_island.core.times import HOUR, MINUTE
from tests.fakes.house import FakeHouse


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Move this machine to another place."""

    def move(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield move
    monkeypatch.undo()
    time.tzset()


def at(*moment: int) -> int:
    """Epoch ms of a moment in UTC."""
    return int(datetime(*moment, tzinfo=UTC).timestamp() * 1000)  # type: ignore[arg-type]


class Rig:
    """A watch with a clock and settings of the test."""

    def __init__(self, now: int, **preferences: Any) -> None:
        house: Any = FakeHouse(now, **preferences)
        self.clock, self.settings = house.clock, house.settings
        self.watch = QuietWatch(house)
        self.told: list[Why | None] = []
        self.watch.subscribe(lambda: self.told.append(self.why))

    @property
    def why(self) -> Why | None:
        found = self.watch.now()
        return found.why if found else None


BERLIN = "Europe/Berlin"


def test_a_night_begins_and_ends_on_the_minute(zone) -> None:
    zone(BERLIN)
    rig = Rig(at(2026, 1, 10, 20, 0), quiet_hours=True)  # 21:00 there
    assert rig.why is None and rig.clock.pending == 1
    rig.clock.advance(HOUR / 1000 - 1)
    assert rig.why is None and rig.told == []
    rig.clock.advance(1)
    assert rig.told == [Why.HOURS]
    rig.clock.advance(10 * HOUR / 1000 - 1)
    assert rig.told == [Why.HOURS]
    rig.clock.advance(1)
    assert rig.told == [Why.HOURS, None] and rig.clock.pending == 1
    rig.watch.close()
    assert rig.clock.pending == 0


def test_without_quiet_hours_and_mute_no_timer_runs(zone) -> None:
    zone(BERLIN)
    rig = Rig(at(2026, 1, 10, 20, 0))
    assert rig.clock.pending == 0
    rig.settings.edit(muted_until=rig.clock.now() + 5 * MINUTE)
    assert rig.told == [Why.MUTED] and rig.clock.pending == 1
    rig.clock.advance(300)
    assert rig.told == [Why.MUTED, None] and rig.clock.pending == 0


@pytest.mark.parametrize(
    ("begins", "quiet_from", "quiet_to", "hours"),
    [
        # Clocks go forward on 29 March 2026 at 02:00, back on 25 October at 03:00.
        (at(2026, 3, 28, 21, 0), "22:00", "08:00", 9),
        (at(2026, 10, 24, 20, 0), "22:00", "08:00", 11),
        (at(2026, 3, 28, 21, 0), "22:00", "02:30", 4),  # 02:30 does not come: quiet ends at 03:00
    ],
)
def test_summer_time_moves_the_end_with_the_wall(zone, begins, quiet_from, quiet_to, hours) -> None:
    zone(BERLIN)
    rig = Rig(begins, quiet_hours=True, quiet_from=quiet_from, quiet_to=quiet_to)
    assert rig.why is Why.HOURS
    rig.clock.advance(hours * HOUR / 1000 - 1)
    assert rig.told == []
    rig.clock.advance(1)
    assert rig.why is None
    rig.clock.advance(HOUR / 1000)
    assert rig.told == [None], "seen within the hour at the latest"


def test_an_hour_that_comes_twice_counts_twice(zone) -> None:
    zone(BERLIN)
    rig = Rig(at(2026, 10, 25, 0, 20), quiet_hours=True, quiet_to="02:30")  # 02:20, summer time
    found = []
    for _ in range(8):
        found.append(rig.why)
        rig.clock.advance(600)
    assert found == [Why.HOURS, None, None, None, Why.HOURS, Why.HOURS, Why.HOURS, None]
    first, second = at(2026, 10, 25, 0, 30), at(2026, 10, 25, 1, 30)
    assert [next_at(150, now) for now in (first - 1, first, second - 1)] == [first, second, second]


def test_a_clock_that_was_set_counts_at_once_and_is_seen_within_the_hour(zone) -> None:
    zone(BERLIN)
    rig = Rig(at(2026, 1, 10, 11, 0), quiet_hours=True)
    rig.clock.jump(11 * HOUR)
    assert rig.why is Why.HOURS and rig.told == [], "a notice of this moment is held already"
    rig.clock.advance(HOUR / 1000)
    assert rig.told == [Why.HOURS]
    rig.clock.jump(-11 * HOUR)
    rig.watch.look()  # as after sleep
    assert rig.told == [Why.HOURS, None]


def test_another_place_has_another_night(zone) -> None:
    zone(BERLIN)
    rig = Rig(at(2026, 1, 10, 22, 0), quiet_hours=True)
    assert rig.why is Why.HOURS
    zone("America/New_York")
    assert rig.why is None


def test_what_the_desktop_says_is_told_on_even_if_nothing_else_changes(zone) -> None:
    zone(BERLIN)
    rig = Rig(at(2026, 1, 10, 11, 0))
    for state in (False, False, True, None):
        rig.watch.told(state)
    assert rig.told == [None, Why.DESKTOP, None]


@pytest.mark.parametrize("name", ["UTC", BERLIN, "Asia/Kathmandu", "Pacific/Apia", "Australia/Lord_Howe"])
def test_the_next_time_on_the_wall_is_what_the_wall_shows_then(zone, name: str) -> None:
    zone(name)
    for day in range(0, 365, 5):
        now = at(2026, 1, 1) + day * 24 * HOUR + 1234
        for time_ in ("00:00", "08:00", "22:30"):
            then = next_at(minute_of(time_), now)
            assert now < then <= now + 25 * HOUR and minute_of_day(then) == minute_of(time_)
