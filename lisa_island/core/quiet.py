"""Why the island is quiet now, as one value that notices, pill, tray, menus, settings and doctor all read.

The owner is presenting, has muted notices, or it is one of their quiet hours: then nothing is announced. The
desktop's do-not-disturb is the desktop's own: notices still go to its server, which holds them; what would
come from us alone (our own notice, the pill's pulse) keeps still.
"""

from dataclasses import dataclass
from enum import StrEnum

from lisa_island.core.preferences import Preferences
from lisa_island.core.words import say

DAY_MINUTES = 24 * 60


class Why(StrEnum):
    """The reasons, the owner's own before the desktop's."""

    PRESENTING = "presenting"
    MUTED = "muted"
    HOURS = "hours"
    DESKTOP = "desktop"


@dataclass(frozen=True, slots=True)
class Moment:
    """What is true outside: epoch ms, the minute of the day on the clock on the wall (0 to 1439), and whether
    the desktop's do-not-disturb is on; None where it cannot be read."""

    now: int
    minute: int
    desktop: bool | None = None


@dataclass(frozen=True, slots=True)
class Quiet:
    """The reason. `until` is epoch ms and known for MUTED alone, `ends` a time of day and for HOURS alone."""

    why: Why
    until: int = 0
    ends: str = ""

    @property
    def holds_notices(self) -> bool:
        """Whether nothing goes to the desktop's server either."""
        return self.why is not Why.DESKTOP


def quiet(preferences: Preferences, moment: Moment) -> Quiet | None:
    """The first reason that holds, or None."""
    if preferences.presenting:
        return Quiet(Why.PRESENTING)
    if preferences.muted_until > moment.now:
        return Quiet(Why.MUTED, until=preferences.muted_until)
    if preferences.quiet_hours and is_within(moment.minute, preferences.quiet_from, preferences.quiet_to):
        return Quiet(Why.HOURS, ends=preferences.quiet_to)
    return Quiet(Why.DESKTOP) if moment.desktop else None


def is_within(minute: int, begins: str, ends: str) -> bool:
    """Whether a minute of the day lies in "22:00" to "08:00"; the same time twice is no time at all.

    By the clock on the wall: an hour that summer time skips is skipped, one that comes twice counts twice.
    """
    first, last = minute_of(begins), minute_of(ends)
    if first <= last:
        return first <= minute < last
    return minute >= first or minute < last


def minute_of(time: str) -> int:
    """ "22:30" as minutes since midnight. ValueError for anything else."""
    hour, colon, minute = time.partition(":")
    if not (colon and hour.isdecimal() and minute.isdecimal() and len(minute) == 2):
        raise ValueError(f"no time of day: {time!r}")
    if int(hour) > 23 or int(minute) > 59:
        raise ValueError(f"no time of day: {time!r}")
    return int(hour) * 60 + int(minute)


def time_typed(text: str) -> str:
    """What a person types for a time of day ("8", "8:30", "22：00", "0830") as "08:30", or "" ."""
    plain = "".join(text.split()).replace("：", ":").replace(".", ":")
    if plain.isdecimal() and plain.isascii():
        plain = f"{plain}:00" if len(plain) <= 2 else f"{plain[:-2]}:{plain[-2:]}"
    try:
        hour, minute = divmod(minute_of(plain), 60)
    except ValueError:
        return ""
    return f"{hour:02}:{minute:02}"


def sentence(found: Quiet, lang: str, until: str = "") -> str:
    """The reason as a line of its own. `until`: the end of MUTED as a time of this place."""
    return say(lang, f"quiet.{found.why}", time=found.ends or until)


def aside(found: Quiet, lang: str) -> str:
    """The reason as the last part of a line: "4 working, quiet hours"."""
    return say(lang, f"quiet.{found.why}.aside")
