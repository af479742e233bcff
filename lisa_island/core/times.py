"""Times as a person says them. All in epoch ms; nothing here reads a clock."""

from datetime import UTC, datetime

from lisa_island.core.words import say

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def relative(lang: str, then: int, now: int) -> str:
    """For a time column: now, n min, n h, n d up to a week, then the date. A clock set back says now."""
    passed = now - then
    if passed < MINUTE:
        return say(lang, "time.now")
    if passed < 8 * DAY:
        return span(lang, passed)
    return date(then)


def ago(lang: str, then: int, now: int) -> str:
    """Inside a sentence: just now, 4 min ago, on 2025-10-09."""
    passed = now - then
    if passed < MINUTE:
        return say(lang, "time.ago.now")
    if passed < 8 * DAY:
        return say(lang, "time.ago", span=span(lang, passed))
    return say(lang, "time.on", date=date(then))


def span(lang: str, ms: int) -> str:
    """A length of time in its largest unit."""
    if ms < MINUTE:
        return say(lang, "time.short")
    unit, word = next((u, w) for u, w in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min")) if ms >= u)
    return say(lang, f"time.{word}", n=ms // unit)


def date(then: int) -> str:
    """ISO date, the one spelling that no locale misreads."""
    return datetime.fromtimestamp(then / 1000, UTC).date().isoformat()


def next_minute(now: int) -> int:
    """Ms until the next full minute, when relative times change."""
    return MINUTE - now % MINUTE
