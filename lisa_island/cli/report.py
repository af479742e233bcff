"""`event`: a host reports its own sessions, a JSON object a line of standard input."""

import json
import sys
from argparse import Namespace
from contextlib import aclosing
from typing import Any

from lisa_island.app.client import Place, call
from lisa_island.app.client import run as run_loop
from lisa_island.cli.parser import say
from lisa_island.cli.printing import FAILED, err, failure, out, sentence

Json = dict[str, Any]

LINE_BYTES = 16 * 1024


def run(place: Place, arguments: Namespace) -> int:
    """Allow or forbid a name, or hand on each line as it comes; a line that is not taken makes the code 1."""
    request: Json = {"do": "event", "agent": arguments.agent}
    if arguments.allow or arguments.forbid:
        told = _asked(place, request | {"allow": bool(arguments.allow)})
        if "error" in told:
            return failure(told)
        out(sentence(told["word"], told["values"]))
        return 0
    return _hand_on(place, request, arguments.session)


def _hand_on(place: Place, request: Json, session: str) -> int:
    dropped = 0
    while line := sys.stdin.buffer.readline(LINE_BYTES + 1):
        event = _event(line, session)
        while not line.endswith(b"\n") and line:  # the rest of one that is too long
            line = sys.stdin.buffer.readline(LINE_BYTES + 1)
        if event is None:
            dropped += 1
            continue
        told = _asked(place, request | {"events": [event]})
        if "error" in told:
            return failure(told)
        dropped += told["dropped"]
    if dropped:
        err(say("report.dropped", n=dropped))
    return FAILED if dropped else 0


def _event(line: bytes, session: str) -> Json | None:
    try:
        found = json.loads(line) if len(line) <= LINE_BYTES else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    return {"session": session} | found if session else found


def _asked(place: Place, request: Json) -> Json:
    told: list[Json] = [{"error": "failed", "word": "door.failed"}]

    async def conversation() -> int:
        async with aclosing(call(place, request)) as answers:
            async for answer in answers:
                told.append(answer)
        return 0

    run_loop(conversation())
    return told[-1]
