"""JSON from a peer, decoded without stalling the loop.

A parse holds the interpreter from its first byte to its last, in a thread as well. What takes long is not
length but the number of values, so a long text is counted in slices first, and a dense one is refused.
"""

import asyncio
import json

SMALL = 64 * 1024
MOST_VALUES = 50_000
_SLICE = 2_000


class BadPayloadError(Exception):
    """Not JSON, nested too deep, or made of too many values."""


async def decode(text: str | bytes) -> object:
    """The value of a JSON text. Raises BadPayloadError."""
    shown = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    if len(shown) > SMALL:
        await asyncio.sleep(0)
        if await _is_dense(shown):
            raise BadPayloadError("too many values")
        await asyncio.sleep(0)
    try:
        return json.loads(shown)
    except (ValueError, RecursionError):
        raise BadPayloadError("not JSON") from None


async def _is_dense(text: str) -> bool:
    """Whether it holds more values than can be parsed in one go; what stands in strings does not count."""
    at = values = rounds = 0
    in_string = False
    while True:
        rounds += 1
        if rounds % _SLICE == 0:
            await asyncio.sleep(0)
        quote = text.find('"', at)
        end = len(text) if quote < 0 else quote
        if not in_string:
            values += sum(text.count(mark, at, end) for mark in ",[{")
            in_string = True
        else:
            before = text[at:end]
            in_string = (len(before) - len(before.rstrip("\\"))) % 2 == 1
        if values > MOST_VALUES:
            return True
        if quote < 0:
            return False
        at = quote + 1
