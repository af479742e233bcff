"""What the agents of all peers do, whatever they are built on: the first word of a message decides.

ask (or any other word)  asks for a colour; the answer completes the task
options                  asks too, and offers answers in a data part
slow, cancelme           works until a control line says "go"; "step TEXT" and "chunk TEXT" show progress
auth                     needs a sign-in, then goes on by itself at "go"
artifacts                one in chunks, one of data, one file, one link
big                      one artifact of 6 MB
stall                    returns without having finished
crash                    raises in mid-task
fail, reject             ends so, with a reason
message                  answers without a task
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

BIG = 6_000_000
SIGN_IN = "https://sign-in.example/device?code=AB12"


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Data:
    data: dict[str, Any]


@dataclass(frozen=True)
class File:
    name: str
    media_type: str
    raw: bytes


@dataclass(frozen=True)
class Link:
    url: str
    media_type: str


Piece = Text | Data | File | Link


class Stage(Protocol):
    """One task in the words of one SDK."""

    async def open(self) -> None:
        """Make the task known."""

    async def status(self, word: str, *pieces: Piece) -> None:
        """Move to a state, by its word of A2A 0.3."""

    async def artifact(
        self, id: str, name: str, *pieces: Piece, append: bool = False, last: bool = True
    ) -> None: ...

    async def say(self, text: str) -> None:
        """Answer with a message that belongs to no task."""


class Gates:
    """Where tasks wait for control lines."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Queue[str]] = set()

    @contextmanager
    def lines(self) -> Iterator[Callable[[], Awaitable[str]]]:
        """The lines told from now on; entered before the task says that it works, so that none is missed."""
        queue: asyncio.Queue[str] = asyncio.Queue()
        self._waiting.add(queue)
        try:
            yield queue.get
        finally:
            self._waiting.discard(queue)

    def tell(self, line: str) -> None:
        for queue in self._waiting:
            queue.put_nowait(line)


async def play(stage: Stage, gates: Gates, text: str, *, told: bool) -> None:
    """One call of the agent. `told` when the message belongs to a task that is there already."""
    word = text.split(maxsplit=1)[0].lower() if text.strip() else ""
    if told:
        await stage.status("working", Text("Mixing paint"))
        await paint(stage, text)
    elif word == "message":
        await stage.say("Grey goes with everything")
    else:
        await stage.open()
        await SCENES.get(word, ask)(stage, gates)


async def paint(stage: Stage, colour: str) -> None:
    await stage.artifact("wall", "wall.txt", Text(f"A wall in {colour}"))
    await stage.status("completed", Text("Painted"))


async def ask(stage: Stage, _gates: Gates) -> None:
    await stage.status("working", Text("Mixing paint"))
    await stage.status("input-required", Text("Which colour?"))


async def options(stage: Stage, _gates: Gates) -> None:
    await stage.status("working", Text("Mixing paint"))
    await stage.status("input-required", Text("Which colour?"), Data({"options": ["green", "blue"]}))


async def slow(stage: Stage, gates: Gates) -> None:
    with gates.lines() as line:
        has_notes = False
        await stage.status("working", Text("Mixing paint"))
        while (told := await line()) != "go":
            kind, _, text = told.partition(" ")
            if kind == "chunk":
                await stage.artifact("notes", "notes.txt", Text(text), append=has_notes, last=False)
                has_notes = True
            else:
                await stage.status("working", Text(text))
    await paint(stage, "grey")


async def auth(stage: Stage, gates: Gates) -> None:
    with gates.lines() as line:
        await stage.status("auth-required", Text(f"Sign in at {SIGN_IN}"))
        while await line() != "go":
            pass
    await stage.status("working", Text("Mixing paint"))
    await paint(stage, "grey")


async def artifacts(stage: Stage, _gates: Gates) -> None:
    await stage.status("working", Text("Mixing paint"))
    await stage.artifact("letter", "letter.txt", Text("Hel"), last=False)
    await stage.artifact("letter", "letter.txt", Text("lo"), append=True)
    await stage.artifact("numbers", "numbers.json", Data({"walls": 3, "colours": ["green", None]}))
    await stage.artifact(
        "sample", "sample.png", File("sample.png", "image/png", b"\x89PNG\r\n\x1a\n" + bytes(64))
    )
    await stage.artifact("plan", "plan.pdf", Link("https://files.example/plan.pdf", "application/pdf"))
    await stage.status("completed", Text("Painted"))


async def big(stage: Stage, _gates: Gates) -> None:
    await stage.status("working", Text("Mixing paint"))
    await stage.artifact("big", "big.txt", Text("x" * BIG))
    await stage.status("completed", Text("Painted"))


async def stall(stage: Stage, _gates: Gates) -> None:
    await stage.status("working", Text("Mixing paint"))


async def crash(stage: Stage, _gates: Gates) -> None:
    await stage.status("working", Text("Mixing paint"))
    raise RuntimeError("the bucket fell over")


async def fail(stage: Stage, _gates: Gates) -> None:
    await stage.status("working", Text("Mixing paint"))
    await stage.status("failed", Text("No paint left"))


async def reject(stage: Stage, _gates: Gates) -> None:
    await stage.status("rejected", Text("This wall is not ours"))


SCENES: dict[str, Callable[[Stage, Gates], Awaitable[None]]] = {
    "ask": ask,
    "options": options,
    "slow": slow,
    "cancelme": slow,
    "auth": auth,
    "artifacts": artifacts,
    "big": big,
    "stall": stall,
    "crash": crash,
    "fail": fail,
    "reject": reject,
}
