"""JSON from a peer, decoded without stalling the loop.

A parse holds the interpreter from its first byte to its last, in a thread as well. What takes long is the
number of values, then every escape and every byte of memory: a long text is weighed in slices first, and one
that is too heavy is refused.
"""

import asyncio
import json
import sys

SMALL = 64 * 1024
MOST_VALUES = 50_000
# So many bytes, or so many escapes, take as long as one value. Together: some 20 ms of an ordinary machine.
MOST_WEIGHT = 75_000
BYTES_A_VALUE = 160
ESCAPES_A_VALUE = 30
# Longer than any amount or numeric id; the time to read one grows with the square of its digits.
LONGEST_NUMBER = 40
_SLICE = 256 * 1024
_ROUNDS = 2_000


class BadPayloadError(Exception):
    """Not JSON, nested too deep, or made of too many values."""


async def decode(text: str | bytes) -> object:
    """The value of a JSON text; a number of absurd length is None in it. Raises BadPayloadError."""
    shown = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    if len(shown) > SMALL:
        await asyncio.sleep(0)
        if await _is_dense(shown):
            raise BadPayloadError("too many values")
        await asyncio.sleep(0)
    try:
        return _DECODER.decode(shown)
    except (ValueError, RecursionError):
        raise BadPayloadError("not JSON") from None


def _whole(digits: str) -> int | None:
    return int(digits) if len(digits) <= LONGEST_NUMBER else None


_DECODER = json.JSONDecoder(parse_int=_whole)


async def _is_dense(text: str) -> bool:
    """Whether it is heavier than what can be parsed in one go; what stands in strings are no values."""
    escapes = marks = 0
    for at in range(0, len(text), _SLICE):
        end = at + _SLICE
        escapes += text.count("\\", at, end)
        marks += _marks(text, at, end)
        await asyncio.sleep(0)
    left = MOST_WEIGHT - sys.getsizeof(text) // BYTES_A_VALUE - escapes // ESCAPES_A_VALUE
    most = min(MOST_VALUES, left)
    return marks > most and (most < 0 or await _has_more_values(text, most))


async def _has_more_values(text: str, most: int) -> bool:
    at = start = values = rounds = 0
    in_string = False
    while at < len(text):
        rounds += 1
        end = min(at + _SLICE, len(text))
        quote = text.find('"', at, end)
        end = end if quote < 0 else quote
        if not in_string:
            values += _marks(text, at, end)
        if values > most:
            return True
        if quote >= 0:
            before = text[start:quote]
            in_string = not in_string or (len(before) - len(before.rstrip("\\"))) % 2 == 1
            start = quote + 1
        if quote < 0 or rounds % _ROUNDS == 0:
            await asyncio.sleep(0)
        at = end if quote < 0 else quote + 1
    return False


def _marks(text: str, at: int, end: int) -> int:
    """How many values begin there, at most."""
    return sum(text.count(mark, at, end) for mark in ",[{")
