"""Why it is quiet: one answer from the owner's choices and the moment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core import words
from lisa_island.core.preferences import Preferences
from lisa_island.core.quiet import (
    DAY_MINUTES,
    Moment,
    Quiet,
    Why,
    aside,
    is_within,
    minute_of,
    quiet,
    sentence,
    time_typed,
)

NOW = 1_750_000_000_000
NIGHT = Preferences(quiet_hours=True)
minutes = st.integers(0, DAY_MINUTES - 1)
times = minutes.map(lambda m: f"{m // 60:02}:{m % 60:02}")


def at(time: str, desktop: bool | None = None) -> Moment:
    return Moment(NOW, minute_of(time), desktop)


@pytest.mark.parametrize(
    ("preferences", "moment", "why"),
    [
        (Preferences(), at("23:00"), None),
        (NIGHT, at("21:59"), None),
        (NIGHT, at("22:00"), Why.HOURS),
        (NIGHT, at("00:00"), Why.HOURS),
        (NIGHT, at("07:59"), Why.HOURS),
        (NIGHT, at("08:00"), None),
        (NIGHT.with_(quiet_from="12:00", quiet_to="13:30"), at("13:29"), Why.HOURS),
        (NIGHT.with_(quiet_from="12:00", quiet_to="13:30"), at("13:30"), None),
        (NIGHT.with_(quiet_from="09:00", quiet_to="09:00"), at("09:00"), None),
        (Preferences(muted_until=NOW + 1), at("12:00"), Why.MUTED),
        (Preferences(muted_until=NOW), at("12:00"), None),
        (Preferences(presenting=True), at("12:00"), Why.PRESENTING),
        (Preferences(), at("12:00", True), Why.DESKTOP),
        (Preferences(), at("12:00", False), None),
        (Preferences(), at("12:00", None), None),
    ],
)
def test_each_reason(preferences: Preferences, moment: Moment, why: Why | None) -> None:
    found = quiet(preferences, moment)
    assert (found.why if found else None) is why


def test_the_owners_reasons_come_before_the_desktops() -> None:
    every = NIGHT.with_(presenting=True, muted_until=NOW + 5)
    night = at("23:00", True)
    assert quiet(every, night) == Quiet(Why.PRESENTING)
    assert quiet(every.with_(presenting=False), night) == Quiet(Why.MUTED, until=NOW + 5)
    assert quiet(NIGHT, night) == Quiet(Why.HOURS, ends="08:00")
    assert quiet(Preferences(), night) == Quiet(Why.DESKTOP)


def test_only_the_desktops_own_leaves_the_holding_to_its_server() -> None:
    assert [Quiet(why).holds_notices for why in Why] == [True, True, True, False]


@given(minutes, times, times)
def test_outside_is_what_the_same_times_turned_round_say(minute: int, begins: str, ends: str) -> None:
    if begins != ends:
        assert is_within(minute, begins, ends) is not is_within(minute, ends, begins)
    else:
        assert not is_within(minute, begins, ends)


@given(times)
def test_a_time_is_what_it_was_typed_as(time: str) -> None:
    assert time_typed(time) == time and minute_of(time) in range(DAY_MINUTES)


@pytest.mark.parametrize(
    ("typed", "time"),
    [
        ("8", "08:00"), ("8:05", "08:05"), ("830", "08:30"), ("2230", "22:30"), ("22：00", "22:00"),
        (" 7.15 ", "07:15"), ("0", "00:00"), ("24:00", ""), ("9:60", ""), ("9:5", ""), ("", ""), ("noon", ""),
        ("-1:00", ""), ("٢٢:٠٠", "22:00"), ("22:00:00", ""), ("12345", ""),
    ],
)  # fmt: skip
def test_what_a_person_types(typed: str, time: str) -> None:
    assert time_typed(typed) == time


@given(st.text(max_size=8))
def test_whatever_is_typed_is_a_time_or_nothing(text: str) -> None:
    assert time_typed(text) == "" or minute_of(time_typed(text)) in range(DAY_MINUTES)


@pytest.mark.parametrize("lang", words.LANGUAGES)
@pytest.mark.parametrize("why", Why)
def test_every_reason_has_its_words(why: Why, lang: str) -> None:
    found = Quiet(why, ends="08:00" if why is Why.HOURS else "")
    assert ("08:00" in sentence(found, lang, "09:30")) == (why is Why.HOURS)
    assert ("09:30" in sentence(found, lang, "09:30")) == (why is Why.MUTED)
    assert "{" not in aside(found, lang)
