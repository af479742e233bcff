"""What a person reads on a terminal. Foreign text is cleaned here again: no ESC, OSC or bidi byte passes."""

import json
import sys
from typing import Any

from lisa_island.cli.parser import say
from lisa_island.core import words
from lisa_island.core.text import terminal

Json = dict[str, Any]

EXIT = {"failed": 1, "usage": 2, "allowed": 3}


def out(text: str = "") -> None:
    """One line on standard output."""
    print(terminal(text) if text else "")


def line(text: str) -> None:
    """One line at once, for whoever reads along."""
    print(terminal(text), flush=True)


def err(text: str) -> None:
    """One line on standard error."""
    print(terminal(text), file=sys.stderr)


def sentence(key: str, values: dict[str, Any] | None = None) -> str:
    """A sentence by key; a key that a newer island knows and we do not is shown as it is."""
    return say(key, **(values or {})) if words.has(key) else key


def failure(answer: Json) -> int:
    """Print what went wrong; the exit code."""
    err(sentence(str(answer.get("word", "")), answer.get("values")))
    return EXIT.get(str(answer.get("error")), 1)


def as_json(value: Any) -> None:
    """JSON for programs. Escaped to ASCII: no byte of a peer can act on a terminal."""
    print(json.dumps(value, ensure_ascii=True, indent=2))


def status(told: Json) -> None:
    """The roster as lines."""
    sessions = told["sessions"]
    if not sessions:
        out(say("cli.status.quiet"))
    for row in sessions:
        out(_row(row))
    if hidden := told["summary"]["hidden"]:
        out(say("cli.status.hidden", n=hidden))
    for need in told["needsYou"]:
        out(say("cli.status.needs", request=need["requestId"], kind=need["kind"], session=need["sessionId"]))


def _row(row: Json) -> str:
    marks = [m for m in ("stale", "offline", "unread") if row.get(m)]
    name = f"{row['label']} ({row['sessionId']})" if row.get("label") else row["sessionId"]
    tail = f" [{', '.join(marks)}]" if marks else ""
    return f"{row['state']:<8} {name}  {row['agent']}  {row['stateReason']}{tail}"


def agents(told: Json) -> None:
    """A registry answer as lines."""
    if not told["agents"]:
        out(say("cli.discover.none"))
        return
    for agent in told["agents"]:
        out(f"@{agent['slug']}  {agent['price']}  {agent['name']}: {agent['description']}")
    out(say("cli.discover.total", n=len(told["agents"]), total=told["total"]))
