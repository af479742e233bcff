"""Explicit routing: which agent the owner's own words name, and nothing is guessed.

    route      = ws* ( at | colon | zh )           only the start of the text is looked at
    at         = "@" NAME ( ws+ task | end )
    colon      = NAME blank* ( ":" | "：" ) ws* task
    zh         = ( "让" | "请" ) ws+ NAME ( ws+ task | end )
    task       = [ ( "!new" | "#" 4 hex ) ( ws+ | end ) ] text      to the end, newlines included

Names match exactly and by case. A closer look without a match yields a hint, never a route. Only text that
the owner typed may be given to `route`; replies, injected text and restored output never are.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from lisa_island.core.text import clean

Syntax = Literal["at_mention", "colon", "zh_explicit"]
Reason = Literal["blank", "no-names", "pasted", "plain"]

RESERVED: Final = frozenset(
    {"http", "https", "ftp", "file", "note", "todo", "url", "ps", "re", "fyi", "localhost"}
)
COMPLETIONS: Final = 6
_NAME_LIMIT = 40


@dataclass(frozen=True, slots=True)
class ExplicitRoute:
    """One agent and one task for it.

    `raw_prefix` is what was taken from the front, trimmed: raw_prefix + task is the text again, but for the
    whitespace between. `new_task`: the word `!new` stood after the target, so a new task is meant even where
    another waits. `reply_to`: `#a1b2` stood there, four lower-case hex digits that should name a waiting task
    of the target; whether one has that name is the caller's to check, and to refuse if none has. At most one
    of the two is set: only the first such word counts, all that follows is the task.
    """

    target: str
    task: str
    syntax: Syntax
    raw_prefix: str
    new_task: bool = False
    reply_to: str = ""


@dataclass(frozen=True, slots=True)
class NoRoute:
    """Names nobody. Nothing is sent and the text stays.

    `blank`: nothing but whitespace; `no-names`: no agent has a name that can be routed to; `pasted`: text
    that was not typed; `plain`: any other text.
    """

    reason: Reason


@dataclass(frozen=True, slots=True)
class EmptyTask:
    """Names an agent and asks nothing of it."""

    target: str
    syntax: Syntax


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two prefixes in a row name two agents; one must go."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Hint:
    """Nearly names one agent: other case, a full-width ＠, a hidden character, or the start of one name only.

    "Did you mean @name".
    """

    name: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """`prefix` (cleaned, as typed) is the start of several names, in the order they were given."""

    prefix: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnknownTarget:
    """An @mention of nobody we know; `name` is cleaned and at most 40 characters."""

    name: str


Routed = ExplicitRoute | NoRoute | EmptyTask | Conflict | Hint | Ambiguous | UnknownTarget

# Latin letters, digits, "_", ".", "-", and the letters of Chinese, Japanese and Korean.
_LETTER = (
    "A-Za-z0-9_.\\-\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\U00020000-\U000323af"
)
_NAME = re.compile(f"[{_LETTER}]{{1,{_NAME_LIMIT}}}")
# What paste and input methods leave in front: whitespace, zero-width characters, a byte order mark.
_LEADING = re.compile("[\\s\u200b-\u200d\ufeff]*")
_SPACE = re.compile(r"\s*")
_AT = re.compile(r"[@＠](?P<name>\S+)")
# No line end between name and colon; "qa:8080", "qa://", "qa:\\" and "qa::" are addresses, paths and code.
_COLON = re.compile(
    f"(?P<name>[{_LETTER}]{{1,{_NAME_LIMIT}}})[^\\S\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*"
    r"(?:：|:(?!\d|//|\\|[:：]))"
)
_ZH = re.compile(r"[让请]\s+(?P<name>\S+)")
_SHAPES: tuple[tuple[Syntax, re.Pattern[str]], ...] = (
    ("at_mention", _AT),
    ("colon", _COLON),
    ("zh_explicit", _ZH),
)
_MODIFIER = re.compile(r"\s*(?:!new|#(?P<id>[0-9A-Fa-f]{4}))(?!\S)")
_PARTIAL = re.compile(r"(?:[@＠]|[让请]\s+)(?P<name>\S*)")


@dataclass(frozen=True, slots=True)
class _Prefix:
    """text[start:end] has the shape of a prefix, whoever it names."""

    name: str
    syntax: Syntax
    start: int
    end: int


def is_routable_name(name: str) -> bool:
    """1 to 40 letters (Latin, CJK), digits, "_", "." or "-", and no word that begins ordinary text."""
    return _NAME.fullmatch(name) is not None and name.casefold() not in RESERVED


def route(text: str, names: Collection[str], *, pasted: bool = False) -> Routed:
    """What `text`, typed by the owner, asks for, where `names` are the agents that can be named now.

    `pasted`: the text begins inside a pasted block of more than 4 kB or a code fence. Never raises.
    """
    routable = _routable(names)
    start = _after(_LEADING, text)
    if start == len(text):
        return NoRoute("blank")
    if pasted:
        return NoRoute("pasted")
    if not routable:
        return NoRoute("no-names")
    prefix = _exact(text, start, routable)
    return _explicit(text, prefix, routable) if prefix else _near(text, start, routable)


def complete(text: str, names: Collection[str]) -> tuple[str, ...]:
    """At most six names that finish the one being typed after "@", "让 " or "请 "; () once a task begins.

    Names that start with what is there come first, then names that hold it; both in the order given.
    """
    found = _PARTIAL.fullmatch(text, _after(_LEADING, text))
    if found is None:
        return ()
    part = found["name"].casefold()
    starting = [name for name in _routable(names) if name.casefold().startswith(part)]
    holding = [name for name in _routable(names) if part in name.casefold() and name not in starting]
    return tuple((starting + holding)[:COMPLETIONS])


def _routable(names: Collection[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if is_routable_name(name)))


def _prefixes(text: str, start: int) -> Iterator[_Prefix]:
    for syntax, pattern in _SHAPES:
        found = pattern.match(text, start)
        if found:
            yield _Prefix(found["name"], syntax, start, found.end())


def _exact(text: str, start: int, names: tuple[str, ...]) -> _Prefix | None:
    for prefix in _prefixes(text, start):
        if prefix.name in names and text[start] != "＠":
            return prefix
    return None


def _explicit(text: str, prefix: _Prefix, names: tuple[str, ...]) -> Routed:
    modifier = _MODIFIER.match(text, prefix.end)
    end = modifier.end() if modifier else prefix.end
    other = _other(text, end, prefix.name, names)
    if other:
        return Conflict(prefix.name, other)
    task = text[end:].strip()
    if not task:
        return EmptyTask(prefix.name, prefix.syntax)
    reply_to = (modifier["id"] or "").lower() if modifier else ""
    is_new = modifier is not None and not reply_to
    return ExplicitRoute(prefix.name, task, prefix.syntax, text[prefix.start : end], is_new, reply_to)


def _other(text: str, start: int, target: str, names: tuple[str, ...]) -> str | None:
    """Another agent that the prefixes right after the first one name."""
    again = _exact(text, _after(_SPACE, text, start), names)
    while again and again.name == target:
        again = _exact(text, _after(_SPACE, text, again.end), names)
    return again.name if again else None


def _near(text: str, start: int, names: tuple[str, ...]) -> Routed:
    for prefix in _prefixes(text, start):
        typed = clean(prefix.name, _NAME_LIMIT)
        near = _alike(typed, prefix.syntax, names)
        if near:
            return Hint(near[0]) if len(near) == 1 else Ambiguous(typed, near)
        if prefix.syntax == "at_mention" and _NAME.match(typed):
            return UnknownTarget(typed)
    return NoRoute("plain")


def _alike(typed: str, syntax: Syntax, names: tuple[str, ...]) -> tuple[str, ...]:
    """Names that may be meant. Only after "@" does the start of a name count: "The: …" is prose."""
    if typed in names:
        return (typed,)
    folded = typed.casefold()
    equal = tuple(name for name in names if name.casefold() == folded)
    if equal or not folded or syntax != "at_mention":
        return equal
    return tuple(name for name in names if name.casefold().startswith(folded))


def _after(pattern: re.Pattern[str], text: str, start: int = 0) -> int:
    found = pattern.match(text, start)
    return found.end() if found else start
