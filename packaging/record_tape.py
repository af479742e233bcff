"""Turn a live session of an agent on this machine into a tape for the tests, with all text replaced.

    python packaging/record_tape.py claude-code ~/.claude/projects/X/Y.jsonl --seconds 120 > tape.json

Follows one JSON-lines file as it grows (`--whole`: from its beginning) and writes what came, a step for each
pause. Nothing of it stands in the tape but what stands in this program's own source too: a member's name and
a word are kept when the kind's reader names them; times are shifted, numbers kept; every other string becomes
a counter, the same one for the same string. The file is only read. What a reader
takes from prose (the class of a failure) is lost with it. Fill in `expect` by hand.
"""

import argparse
import ast
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
AGENTS = ROOT / "lisa_island" / "agents"
SHARED = ("_fields.py",)
START_MS = 1_893_553_445_000  # 2030-01-02T03:04:05Z, where every tape begins
TIMES_MS = range(1_000_000_000_000, 10_000_000_000_000)
LINE_BYTES = 8 * 1024 * 1024
PAUSE_SECONDS = 1.0
LOOK_SECONDS = 0.2

_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?")
_VERSION = re.compile(r"\d{1,4}(?:\.\d{1,4}){1,3}")
_ID = re.compile(r"[\w.:@/-]+")


@cache
def words(kind: str) -> frozenset[str]:
    """Every string that the reader of a kind names: what may stand in a tape as it is."""
    stem = kind.split("-")[0]
    files = [*AGENTS.glob(f"_{stem}*.py"), *AGENTS.glob(f"{stem}*.py")]
    if not files:
        raise SystemExit(f"no kind {kind}")
    found: set[str] = set()
    for file in (*files, *(AGENTS / name for name in SHARED)):
        tree = ast.parse(file.read_text("utf-8"))
        found |= {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return frozenset(found)


class Scrub:
    """Replaces every string of a session that is no word of ours; the same string by the same one."""

    def __init__(self, kind: str) -> None:
        self._words = words(kind)
        # A text whose beginning decides keeps that beginning, and nothing after it.
        self._openings = tuple(w for w in self._words if w[:1] in "<[" and len(w) > 5) + tuple(
            w for w in self._words if w.endswith(" ") and len(w) > 7
        )
        # A word whose end decides (`function_call_output`) keeps that end.
        self._endings = tuple(w for w in self._words if w.startswith("_") and _ID.fullmatch(w))
        self._names: dict[str, str] = {}
        self._shift: int | None = None

    def line(self, raw: bytes) -> str:
        """One line of the file as a line of the tape; what is no JSON object becomes `?`."""
        try:
            found = json.loads(raw) if len(raw) <= LINE_BYTES else None
        except (ValueError, RecursionError):
            found = None
        return json.dumps(self.value(found)) + "\n" if isinstance(found, dict) else "?\n"

    def value(self, found: Any, name: str = "") -> Any:
        """A JSON value without anything foreign."""
        match found:
            case dict():
                return {k: self.value(v, k) for k, v in found.items() if k in self._words}
            case list():
                return [self.value(v, name) for v in found]
            case str():
                return self._text(found, name)
            case bool() | None:
                return found
            case int() if found in TIMES_MS:
                return self._moved(found)
            case _:
                return found

    def _text(self, text: str, name: str) -> str:
        if text in self._words or (name.endswith("version") and _VERSION.fullmatch(text)):
            return text
        if _ISO.fullmatch(text):
            return self._time(text)
        if opening := max((o for o in self._openings if text.startswith(o)), key=len, default=""):
            return opening + "x"
        return self._names.setdefault(text, self._name(text))

    def _name(self, text: str) -> str:
        number = len(self._names) + 1
        if _UUID.fullmatch(text):
            return f"00000000-0000-4000-8000-{number:012x}"
        if text.startswith("/") and "\n" not in text and " " not in text:
            return f"/w/demo{number}"
        # What begins like a tag is not a person's word, whatever the tag.
        begins = "<" if text.startswith("<") else ""
        ends = max((w for w in self._endings if text.endswith(w)), key=len, default="")
        return f"{begins}x-{number}{ends}" if _ID.fullmatch(text) else f"{begins}x {number}"

    def _time(self, text: str) -> str:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return "2030-01-02T03:04:05.000Z"
        at = round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)
        shown = datetime.fromtimestamp(self._moved(at) / 1000, UTC)
        return shown.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _moved(self, at: int) -> int:
        if self._shift is None:
            self._shift = START_MS - at
        return at + self._shift


def tape(kind: str, steps: Iterable[list[bytes]], origin: str = "") -> dict[str, Any]:
    """The tape of what came, a step for each heap of lines. `expect` is for a person to fill in."""
    scrub = Scrub(kind)
    made = [{"chunks": [scrub.line(raw) for raw in step]} for step in steps if step]
    return {
        "origin": origin or f"a session of {kind}, recorded by packaging/record_tape.py; all text replaced",
        "steps": made,
        "expect": [{"agent": kind, "state": "", "reason": ""}],
    }


def heaps(
    path: Path,
    seconds: float,
    whole: bool,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[list[bytes]]:
    """Whole lines that are appended to a file for a while, a heap for each pause between them."""
    until, heap, rest, heard = clock() + seconds, [], b"", clock()
    with path.open("rb") as file:
        if not whole:
            file.seek(0, 2)
        while True:
            if data := file.read():
                *lines, rest = (rest + data).split(b"\n")
                heap += [line for line in lines if line]
                heard = clock()
            elif heap and clock() - heard >= PAUSE_SECONDS:
                yield heap
                heap = []
            if clock() >= until:
                break
            sleep(LOOK_SECONDS)
    if heap:
        yield heap


def main() -> int:
    """Record until the time is over or Ctrl-C."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("kind")
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=0.0, help="how long to follow it")
    parser.add_argument("--whole", action="store_true", help="from its beginning")
    asked = parser.parse_args()
    steps: list[list[bytes]] = []
    try:
        for heap in heaps(asked.file, asked.seconds, asked.whole or asked.seconds <= 0):
            steps.append(heap)
    except KeyboardInterrupt:
        pass
    json.dump(tape(asked.kind, steps), sys.stdout, indent=1)
    print()
    print("Look through it before you keep it, and fill in `expect` by hand.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
