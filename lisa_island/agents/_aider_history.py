"""Aider's chat history: a file of Markdown that all runs in a folder append to. One line in, structure out.

What aider itself writes ends with two spaces: prompts begin with `#### `, its own lines with `> `; an answer
has neither and is passed over, so that a heading or a quotation in it is no prompt. The line after a run's
header is its whole command line, with prompts and keys: nothing is ever taken from it.
"""

import re
from dataclasses import dataclass, replace
from enum import Enum

from lisa_island.agents import _fields
from lisa_island.agents._jsonl import Line

LAST_FILES = 10
READ_LIMIT = 2_048

_HEADER = re.compile(r"# aider chat started at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
_VERSION = re.compile(r"Aider v([\w.+-]{1,40})")
_MODEL = re.compile(r"(?:Main model|Model): (\S{1,80})")
_TOKENS = re.compile(r"Tokens: [\d.,]+[kM]? sent, .*?([\d.,]+[kM]?) received\.")
_EDITED = re.compile(r"Applied edit to (.+)")
_RETRY = re.compile(r"Retrying in [\d.]+ seconds")
_STOPPED = re.compile(r"\^C\b|\^C |.*\bKeyboardInterrupt\b")
_FAILED = re.compile(r"litellm\.(\w{1,60})|(Traceback) \(|(Unable) to ")
# Questions whose yes makes it go on by itself after an answer.
_YES = re.compile(r"(?:Attempt to fix .*|Add .* to the chat)\? .*\(Y\)es.*: ?(?:y|yes|a|all)", re.IGNORECASE)
_LEAVES = frozenset({"/exit", "/quit"})
_ASKS = frozenset({"/ask", "/code", "/architect", "/context", "/help"})
_CLASSES = (
    ("ratelimit", "rate-limit"), ("authentication", "auth"), ("permissiondenied", "auth"),
    ("contextwindow", "context-full"), ("badrequest", "bad-request"), ("notfound", "bad-request"),
    ("unprocessable", "bad-request"), ("overloaded", "overloaded"), ("internalserver", "server-error"),
    ("serviceunavailable", "server-error"), ("badgateway", "server-error"), ("traceback", "tool-crashed"),
)  # fmt: skip


class Now(Enum):
    """What decided last."""

    NOTHING = "nothing"
    PROMPT = "prompt"
    GOES_ON = "goes-on"
    RETRYING = "retrying"
    ANSWERED = "answered"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    LEFT = "left"


RUNNING = frozenset({Now.PROMPT, Now.GOES_ON, Now.RETRYING})


@dataclass(frozen=True, slots=True)
class Run:
    """One run of aider so far. `at` is when the line that decided was found (epoch ms), lines have no time.

    `is_headed`: its header was read. `turns` and `tokens` (received) are lower bounds where `is_partial`.
    """

    now: Now = Now.NOTHING
    at: int = 0
    is_headed: bool = False
    is_prompting: bool = False
    turns: int = 0
    tokens: int = 0
    is_partial: bool = False
    model: str = ""
    version: str = ""
    files: tuple[str, ...] = ()
    error: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the model still has something to do."""
        return self.now in RUNNING


def fold(run: Run, line: Line, at: int) -> Run:
    """The run after one more line that was found at a time."""
    text = line.data[:READ_LIMIT].decode("utf-8", "replace")
    if _HEADER.fullmatch(text.rstrip()):
        return Run(at=at, is_headed=True)
    if not line.tail and not text.endswith("  "):
        return run if text[:4] == "####" or not run.is_prompting else replace(run, is_prompting=False)
    if text.startswith("####"):
        return _asked(run, text[4:].strip(), at)
    run = replace(run, is_prompting=False)
    return _noted(run, text[2:].strip(), at) if text.startswith("> ") else run


def is_header(line: Line) -> bool:
    """Whether a run begins with this line."""
    return _HEADER.fullmatch(line.data[:READ_LIMIT].decode("utf-8", "replace").rstrip()) is not None


def _asked(run: Run, text: str, at: int) -> Run:
    if run.is_prompting:  # one more line of the same
        return run
    command, _, rest = text.partition(" ")
    if command in _LEAVES:
        return replace(run, now=Now.LEFT, at=at)
    if command in _ASKS and rest.strip():  # its question is written again, as a prompt of its own
        return replace(run, now=Now.PROMPT, at=at, error="")
    if text in ("", "<blank>") or text.startswith(("/", "!")):
        return run
    return replace(run, now=Now.PROMPT, at=at, is_prompting=True, turns=run.turns + 1, error="")


def _noted(run: Run, text: str, at: int) -> Run:
    if match := _TOKENS.match(text):
        return replace(run, now=Now.ANSWERED, at=at, tokens=run.tokens + _count(match[1]), error="")
    if match := _EDITED.fullmatch(text):
        name = _fields.basename(match[1])
        kept = tuple(file for file in run.files if file != name)
        return replace(run, files=(*kept, name)[-LAST_FILES:] if name else run.files)
    if match := _VERSION.fullmatch(text):
        return replace(run, version=_fields.word(match[1]))
    if match := _MODEL.match(text):
        return replace(run, model=_fields.word(match[1]))
    return _turned(run, text, at)


def _turned(run: Run, text: str, at: int) -> Run:
    if _RETRY.match(text):
        return replace(run, now=Now.RETRYING, at=at) if run.is_open or run.now is Now.FAILED else run
    if _STOPPED.match(text):
        return run if run.now in (Now.NOTHING, Now.LEFT) else replace(run, now=Now.INTERRUPTED, at=at)
    if match := _FAILED.match(text):
        return replace(run, now=Now.FAILED, at=at, error=_class(match[match.lastindex or 0]))
    if run.now is Now.ANSWERED and _YES.fullmatch(text):
        return replace(run, now=Now.GOES_ON, at=at)
    return run


def _class(name: str) -> str:
    """A class of ours: what a provider says is prose."""
    low = name.lower()
    return next((found for part, found in _CLASSES if part in low), "api-error")


def _count(text: str) -> int:
    """`31,588`, `2.5k`, `1.2M`."""
    times = {"k": 1_000, "M": 1_000_000}.get(text[-1], 1)
    digits = text.rstrip("kM").replace(",", "")
    try:
        return min(int(float(digits) * times), 2**53)
    except (ValueError, OverflowError):
        return 0
