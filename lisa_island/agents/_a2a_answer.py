"""An HTTP answer of an agent, read: frames of a stream or a document; from the rest, a Fault or a refusal."""

import asyncio
import json
from base64 import b64decode
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from email.utils import parsedate_to_datetime
from typing import Final, NamedTuple

import httpx

from lisa_island.agents._a2a_fault import coded, made, read_error, said_in
from lisa_island.agents._a2a_wire import DONE_WORD, ERROR_LIMIT, Fault, Frame, Noise, read_frames
from lisa_island.agents._http import CutError, bytes_of
from lisa_island.agents._payload import BadPayloadError, decode
from lisa_island.agents._sse import Document, Dropped, TooLargeError, read_document, read_long_stream
from lisa_island.core.text import clean

EVENT_LIMIT: Final = 16 * 1024 * 1024
SKIP_LIMIT: Final = 64 * 1024 * 1024
ANSWER_LIMIT: Final = 32 * 1024 * 1024
REFUSAL_LIMIT: Final = 64 * 1024
RAW_LIMIT: Final = 64 * 1024
SAID_LIMIT: Final = 300
LONGEST_WAIT: Final = 3_600.0
# What is shorter stands in words that are no secret.
SECRET_LENGTH: Final = 6
# So many events, or one of so many characters, are one turn of the loop.
EVENTS_A_TURN: Final = 8
LARGE: Final = 4 * 1024

TOO_LARGE: Final = "too large"
EMPTY: Final = "empty"

# Whatever stands in the body: who may call, and when, is a matter of HTTP.
_REFUSALS = frozenset({401, 403, 407, 429, 503})


class RefusedError(Exception):
    """An HTTP answer that is no success and carries no error of the protocol.

    401, 403, 429 and 503 are always this. `retry_after`: seconds, None where the peer named none.
    `said`: what the body says, cleaned; of a redirect that was not followed, its target. `is_agents`: whoever
    refused speaks the protocol, so it is no gateway that lost the answer.
    """

    def __init__(
        self, status: int, retry_after: float | None = None, said: str = "", *, is_agents: bool = False
    ) -> None:
        super().__init__(status)
        self.status = status
        self.retry_after = retry_after
        self.said = said
        self.is_agents = is_agents

    @property
    def is_busy(self) -> bool:
        """Whether the peer says that it did not take the request on.

        A bare 503 may come from a gateway whose agent went away in the middle of the work.
        """
        is_said = self.retry_after is not None or self.is_agents
        return self.status == 429 or (self.status == 503 and is_said)


class Heard(NamedTuple):
    """A frame with the JSON that it was read from."""

    frame: Frame
    payload: object = None


async def read_answer(
    response: httpx.Response, keep_raw: Callable[[str], None], hidden: Callable[[str], str] = str
) -> AsyncGenerator[Heard, None]:
    """The frames of a success, in order of arrival. Raises CutError where a stream passes all limits.

    `hidden` takes out of every text what the peer must not bring back (`hider`).
    """
    async with aclosing(bytes_of(response)) as chunks:
        items = read_long_stream(chunks, EVENT_LIMIT, SKIP_LIMIT, ANSWER_LIMIT)
        events = 0
        try:
            async with aclosing(items):
                async for item in items:
                    match item:
                        case Dropped():
                            yield Heard(Noise(what=TOO_LARGE))
                        case Document(data=data):
                            for heard in await _read(data, "", keep_raw, hidden):
                                yield heard
                        case _:
                            # Many events may come in one read.
                            events += 1
                            if events % EVENTS_A_TURN == 0:
                                await asyncio.sleep(0)
                            for heard in await _read(item.data, item.name, keep_raw, hidden):
                                yield heard
        except TooLargeError:
            yield Heard(Noise(what=TOO_LARGE))
            raise CutError from None


async def _read(
    data: str | bytes, name: str, keep_raw: Callable[[str], None], hidden: Callable[[str], str]
) -> list[Heard]:
    # A question is kept on the disk and words are shown: an echoed credential is taken out before either.
    text = hidden(data.decode("utf-8", "replace") if isinstance(data, bytes) else data)
    if text.strip() in ("", DONE_WORD):
        return []
    keep_raw(text[:RAW_LIMIT])
    try:
        payload = await decode(text)
    except BadPayloadError as error:
        # An error event may hold words alone.
        is_error = name == "error" and len(text) <= ERROR_LIMIT
        return [Heard(made(0, text) if is_error else Noise(what=str(error)))]
    if len(text) > LARGE:
        await asyncio.sleep(0)
    frames = read_frames(payload)
    return [Heard(_settled(f, payload) if isinstance(f, Fault | Noise) else f, payload) for f in frames]


def _settled(frame: Frame, payload: object) -> Frame:
    """Bare error objects are errors too."""
    if isinstance(frame, Fault):
        return coded(frame)
    return (read_error(payload) or frame) if isinstance(frame, Noise) else frame


async def read_failure(response: httpx.Response, now: int, secrets: Mapping[str, str]) -> Fault:
    """The protocol's error in an answer that is no success. Raises RefusedError where there is none."""
    status = response.status_code
    text, payload = await _failure_body(response, hider(secrets))
    fault = read_error(payload, status)
    if fault and status not in _REFUSALS:
        return fault
    words = said_in(payload) or ("" if text.lstrip()[:1] in ("<", "{", "[") else text)
    if response.is_redirect:
        words = response.headers.get("location", "")
    said = clean(hide(words, secrets), SAID_LIMIT)
    wait = retry_after(response.headers.get("retry-after", ""), now)
    raise RefusedError(status, wait, said, is_agents=fault is not None and fault.code != 0)


async def _failure_body(response: httpx.Response, hidden: Callable[[str], str]) -> tuple[str, object]:
    try:
        async with aclosing(bytes_of(response)) as chunks:
            data = await read_document(chunks, REFUSAL_LIMIT)
    except (TooLargeError, CutError):
        return "", None
    text = hidden(data.decode("utf-8", "replace"))
    try:
        return text, await decode(text)
    except BadPayloadError:
        return text, None


def retry_after(value: str, now: int) -> float | None:
    """Seconds to wait, from a number of them or from an HTTP date; at most LONGEST_WAIT. `now`: epoch ms."""
    shown = value.strip()[:64]
    if shown.isascii() and shown.isdigit():
        return min(float(shown), LONGEST_WAIT)
    try:
        at = parsedate_to_datetime(shown).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return min(max(0.0, at - now / 1000), LONGEST_WAIT)


def hide(text: str, secrets: Mapping[str, str]) -> str:
    """The text without the credentials that were sent, should a peer echo them."""
    return hider(secrets)(text)


def hider(secrets: Mapping[str, str]) -> Callable[[str], str]:
    """`hide` for many texts of one call."""
    bare = {s for v in secrets.values() for s in (*_spoken(v), v) if len(s) >= SECRET_LENGTH}
    # As JSON writes them too; the longest first, as one may stand in another.
    known = sorted(bare | {json.dumps(s)[1:-1] for s in bare}, key=len, reverse=True)

    def hidden(text: str) -> str:
        for secret in known:
            if secret in text:
                text = text.replace(secret, "…")
        return text

    return hidden


def _spoken(value: str) -> tuple[str, ...]:
    """What is secret in a header's value: the token, and of `Basic` the pair and the password behind it."""
    scheme, _, token = value.rpartition(" ")
    if scheme.lower() != "basic":
        return (token,)
    try:
        pair = b64decode(token).decode()
    except ValueError:
        return (token,)
    return token, pair, pair.partition(":")[2]
