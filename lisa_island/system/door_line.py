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


def encode(message: Message, *, end: bool = False, is_answer: bool = False) -> bytes:
    """The line of a message; `end` marks the last one of an answer.

    Half a character (a path of no text has some) is a question mark in an answer; in a request it is left as
    it is: the other side refuses it, and says so.
    """
    framed = {"v": VERSION, **message, "end": True} if end else {"v": VERSION, **message}
    shown = json.dumps(framed, ensure_ascii=False, separators=(",", ":"))
    try:
        return shown.encode() + b"\n"
    except UnicodeEncodeError:
        if is_answer:
            return shown.encode("utf-8", "replace") + b"\n"
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
