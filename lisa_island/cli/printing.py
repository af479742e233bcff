"""What a person reads on a terminal. Foreign text is cleaned here again: no ESC, OSC or bidi byte passes."""

import json
import sys
from datetime import datetime
from typing import Any

from lisa_island.cli import typed
from lisa_island.cli.parser import lang, say
from lisa_island.core import words
from lisa_island.core.evidence import Fact, Rank
from lisa_island.core.explain import changes, standing
from lisa_island.core.explain import sentence as sentence_of
from lisa_island.core.text import clean, terminal
from lisa_island.core.times import ago

Json = dict[str, Any]

EXIT = {"failed": 1, "usage": 2, "allowed": 3}
FAILED = 1
LINE_LIMIT = 400


def out(text: str = "") -> None:
    """Lines on standard output."""
    print(terminal(text) if text else "")


def err(text: str) -> None:
    """Lines on standard error."""
    print(terminal(text), file=sys.stderr)


def is_answered() -> bool:
    """Whether a question can be asked: a person reads standard error and types on standard input."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def ask(text: str) -> bool:
    """A question on standard error, answered by a line of standard input; anything but yes is no."""
    return typed.line(terminal(text) + " ").strip().lower() in say("cli.yes").split()


def plainly(text: str) -> str:
    """Without the promise that windows make: a command keeps no text."""
    kept = say("cli.kept")
    return text.replace(f" {kept}", "").replace(f"，{kept}", "。").replace(f"。{kept}", "。")


def sentence(key: str, values: dict[str, Any] | None = None) -> str:
    """A sentence by key; a key that a newer island knows and we do not is shown as it is."""
    return plainly(say(key, **(values or {}))) if words.has(key) else key


def failure(answer: Json) -> int:
    """Print what went wrong; the exit code."""
    err(sentence(str(answer.get("word", "")), answer.get("values")))
    if answer.get("word") in ("outcome.takoapi-off", "outcome.source-off"):
        err(say("cli.switch-on"))
    return EXIT.get(str(answer.get("error")), FAILED)


def as_json(value: Any) -> None:
    """JSON for programs. Escaped to ASCII: no byte of a peer can act on a terminal."""
    print(json.dumps(value, ensure_ascii=True, indent=2))


def status(told: Json, now: int) -> None:
    """The roster as lines, at `now` (epoch ms)."""
    sessions = told["sessions"]
    if not sessions:
        out(say("cli.status.quiet"))
    for row in sessions:
        out(_row(row, now))
    if hidden := told["summary"]["hidden"]:
        out(words.count(lang(), "cli.status.hidden", hidden))
    for need in told["needsYou"]:
        out(need_line(need, need["sessionId"]))
    for name, source in told["sources"].items():
        _source(name, source)


def need_line(request: Json, session: str) -> str:
    """One request that waits, without its text."""
    kind = sentence(f"cli.kind.{request['kind']}")
    return say("cli.status.needs", request=request["requestId"], kind=kind, session=session)


def state(word: str) -> str:
    """One of the six words as a person reads it."""
    return say(f"state.{word}") if words.has(f"state.{word}") else word


def _row(row: Json, now: int) -> str:
    marks = [say(f"cli.mark.{m}") for m in ("unread", "stale", "offline") if row.get(m)]
    parts = [
        row["sessionId"],
        f"“{row['label']}”" if row.get("label") else "",
        row["agent"],
        row["stateReason"] if row["stateReason"] != row["state"] else "",
        ago(lang(), _ms(row["lastMtime"]), now) if "lastMtime" in row else "",
        f"[{', '.join(marks)}]" if marks else "",
    ]
    return "  ".join([f"{state(row['state']):<10}", *(clean(part, LINE_LIMIT) for part in parts if part)])


def _ms(iso: str) -> int:
    return round(datetime.fromisoformat(iso).timestamp() * 1000)


def explained(told: Json, now: int) -> None:
    """Why a state is believed: its facts with rule, rank and age, and what would change it."""
    reason = told["stateReason"] if told["stateReason"] != told["state"] else ""
    marks = [say(f"cli.mark.{m}") for m in ("stale", "offline") if told.get(m)]
    head = [state(told["state"]), reason, *marks, told["agent"], told["sessionId"]]
    out("  ".join(clean(part, LINE_LIMIT) for part in head if part))
    for part in told["facts"]:
        fact = Fact(part["rule"], part["signal"], Rank[part["rank"].upper()], _ms(part["at"]))
        out("- " + sentence_of(fact, lang(), _clock(fact.at)))
        out("  " + standing(fact, lang(), now))
    if not told["facts"]:
        out(say("detail.why.none"))
    for line in changes(tuple(told["would"]), lang()):
        out(line)
    if (source := told.get("source")) is not None and source["health"] != "ok":
        out(say("explain.source", health=sentence(f"cli.health.{source['health']}")))


def _clock(at: int) -> str:
    return datetime.fromtimestamp(at / 1000).astimezone().strftime("%H:%M:%S")


def _source(name: str, source: Json) -> None:
    if not source["enabled"]:
        out(say("cli.source.off", source=name))
    elif source["keyState"] not in ("ready", "memory"):
        out(say("cli.source.key", source=name, why=sentence(f"secrets.state.{source['keyState']}")))
    elif source["health"] != "ok":
        out(say("cli.source.health", source=name, health=sentence(f"cli.health.{source['health']}")))


def agents(told: Json) -> None:
    """A registry answer as lines."""
    if not told["agents"]:
        out(say("cli.discover.none"))
        return
    for agent in told["agents"]:
        # What an agent at its own address costs is between its owner and you.
        price = say("cli.discover.own") if agent.get("kind") == "a2a" else _price(agent["price"])
        out(f"@{agent['slug']}  {price}  {clean(_about(agent), LINE_LIMIT)}")
    own = sum(agent.get("kind") == "a2a" for agent in told["agents"])
    if len(told["agents"]) > own or told["total"] > own:
        out(say("cli.discover.total", n=len(told["agents"]) - own, total=told["total"] - own))


def _about(agent: Json) -> str:
    return f"{agent['name']}: {agent['description']}" if agent["description"] else str(agent["name"])


def _price(price: str) -> str:
    return sentence(f"cli.price.{price}") if price in ("free", "unknown") else price
