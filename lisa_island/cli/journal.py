"""`journal` and `replay`: what happened, as states over time, from the island or from an exported file."""

import json
from argparse import Namespace
from collections.abc import Iterable
from contextlib import aclosing
from datetime import datetime
from pathlib import Path

from lisa_island.app.client import Place, call
from lisa_island.app.client import run as run_loop
from lisa_island.cli import printing
from lisa_island.cli.export import write_new
from lisa_island.cli.parser import say
from lisa_island.cli.printing import FAILED, err, failure, out
from lisa_island.core.agent import SessionKey
from lisa_island.core.journal import Known, replayed
from lisa_island.core.journal_lines import imported
from lisa_island.core.status import iso

MOST_BYTES = 64 * 1024 * 1024
SHORT = 8


def journal(place: Place, arguments: Namespace) -> int:
    """Print what is kept, or write it to a file that can be replayed."""
    lines: list[str] = []

    async def conversation() -> int:
        async with aclosing(call(place, {"do": "journal", "session": arguments.session})) as answers:
            async for answer in answers:
                if "error" in answer:
                    return failure(answer)
                lines.extend(answer["lines"])
        return 0

    if code := run_loop(conversation()):
        return code
    if arguments.export:
        return write_new(arguments.export, "\n".join(lines) + "\n", "journal.exported")
    return _show(lines, arguments.json)


def replay(_place: Place, arguments: Namespace) -> int:
    """The states of an exported journal; needs no island."""
    path = Path(arguments.file)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError("1")
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        return _no_journal(arguments.file, "1")
    except ValueError as error:
        return _no_journal(arguments.file, str(error))
    except OSError as error:
        err(say("replay.unreadable", file=arguments.file, why=error.strerror))
        return FAILED
    try:
        return _show(lines, arguments.json)
    except ValueError as error:
        return _no_journal(arguments.file, str(error))


def _no_journal(file: str, line: str) -> int:
    err(say("replay.no-journal", file=file, line=line))
    return FAILED


def _show(lines: Iterable[str], as_json: bool) -> int:
    entries = list(imported(lines))  # whole before anything is printed: a broken file shows nothing
    for at, key, known in replayed(entries):
        out(json.dumps(_line(at, key, known)) if as_json else _sentence(at, key, known))
    if not entries and not as_json:
        out(say("journal.empty"))
    return 0


def _line(at: int, key: SessionKey, known: Known) -> dict[str, object]:
    found: dict[str, object] = {
        "at": iso(at),
        "agent": key.agent,
        "session": key.session_id,
        "state": str(known.state),
        "stateReason": known.reason,
        "requests": [str(r.kind) for r in known.requests],
    }
    return found | ({"gone": True} if known.gone else {})


def _sentence(at: int, key: SessionKey, known: Known) -> str:
    time = datetime.fromtimestamp(at / 1000).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    reason = known.reason if known.reason != str(known.state) else ""
    state = say("journal.gone") if known.gone else printing.state(str(known.state))
    asked = ", ".join(printing.sentence(f"cli.kind.{r.kind}") for r in known.requests)
    return "  ".join(p for p in (time, key.agent, key.session_id[:SHORT], state, reason, asked) if p)
