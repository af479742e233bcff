"""Muting notices: until when, and how that is said. The same words in the menu and in the settings."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from lisa_island.core.preferences import Preferences
from lisa_island.core.quiet import Quiet, sentence
from lisa_island.core.times import HOUR

CHOICES = ("hour", "tomorrow", "off")
MORNING = time(8)
# At two in the morning "tomorrow" means after the sleep; at seven it does not mean in an hour.
SHORTEST_NIGHT = timedelta(hours=4)


def until(choice: str, now: int) -> int:
    """Epoch ms at which notices come back, 0 for "off". `now` in epoch ms. ValueError for another word."""
    match choice:
        case "off":
            return 0
        case "hour":
            return now + HOUR
        case "tomorrow":
            return _morning(now)
        case _:
            raise ValueError(f"no such choice: {choice!r}")


def _morning(now: int) -> int:
    """The next 08:00 of this machine's time zone that leaves a night before it."""
    here = _local(now)
    naive = datetime.combine(here.date(), MORNING)
    while naive.astimezone() - here < SHORTEST_NIGHT:
        naive += timedelta(days=1)
    return int(naive.astimezone().timestamp() * 1000)


def _local(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC).astimezone()


def clock_time(at: int, now: int) -> str:
    """14:21, with the date before it on another day."""
    here = _local(at)
    same = here.date() == _local(now).date()
    return here.strftime("%H:%M" if same else "%Y-%m-%d %H:%M")


def is_muted(preferences: Preferences, now: int) -> bool:
    return preferences.muted_until > now


def quiet_line(quiet: Quiet | None, lang: str, now: int) -> str:
    """Why nothing is announced and until when, "" when it is not quiet."""
    return sentence(quiet, lang, clock_time(quiet.until, now)) if quiet is not None else ""
