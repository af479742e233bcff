"""One message of the door: a JSON object on a line, with version and, from the server, an end."""

import json
from typing import Any, NoReturn

VERSION = 1
REQUEST_LIMIT = 4 * 1024 * 1024
ANSWER_LIMIT = 16 * 1024 * 1024

Message = dict[str, Any]


class LineError(ValueError):
    """The bytes are no message of the door; `word` is a catalogue key."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


def encode(message: Message, *, end: bool = False) -> bytes:
    """The line of a message; `end` marks the last one of an answer."""
    framed = {"v": VERSION, **message, "end": True} if end else {"v": VERSION, **message}
    try:
        return json.dumps(framed, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:
        # Half a character; the other side will refuse it, and says so.
        return json.dumps(framed, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> Message:
    """The message of a line. Raises LineError; what is not text (a lone surrogate) is no message either."""
    try:
        found = json.loads(line.decode("utf-8"), parse_constant=_refuse)
        # Escapes can spell halves of characters that no file or terminal takes.
        if b"\\ud" in line.lower():
            json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise LineError("door.bad-line") from None
    if not isinstance(found, dict) or type(found.get("v")) is not int:
        raise LineError("door.bad-line")
    if found.pop("v") != VERSION:
        raise LineError("door.other-version")
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
