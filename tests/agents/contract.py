"""What every source promises. A kind subclasses `SourceContract` with its id and its player.

A player opens the source before a tape's peer and plays the tape to its end. A tape without `steps` has no
peer on a wire; what is promised about bytes then holds of itself.
"""

import copy
import json
import logging
import re
import typing
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

import pytest

from lisa_island import agents
from lisa_island.core import events
from lisa_island.core.agent import AgentSession, State
from lisa_island.core.ports import Source
from lisa_island.runtime.nursery import Nursery
from tests.fakes.secrets import KEY

TAPES = Path(__file__).parent / "tapes"
MEBIBYTE = 1024 * 1024
EVENTS = typing.get_args(events.Event)

Tape = dict[str, Any]


class Player(Protocol):
    """The source before a tape's peer."""

    source: Source
    nursery: Nursery
    told: list[events.Event]

    async def __aenter__(self) -> "Player": ...

    async def __aexit__(self, *_: object) -> None: ...

    async def play(self) -> None:
        """Play the tape to its end."""

    @property
    def rows(self) -> list[AgentSession]: ...

    @property
    def open_bodies(self) -> int:
        """Bodies of the peer that the source has not let go of."""


class SourceContract:
    """Subclass with `kind` and `player`."""

    kind: ClassVar[str]
    player: ClassVar[Callable[[Tape], Player]]

    def test_it_is_one_line_of_the_kinds(self) -> None:
        assert agents.kind(self.kind).id == self.kind

    async def test_only_core_events_and_the_right_rows(self, tape: Tape) -> None:
        async with self.player(tape) as played:
            await played.play()
            assert played.told and all(type(event) in EVENTS for event in played.told)
            assert played.source.key == self.kind
            assert seen(played.rows, tape) == tape["expect"]

    async def test_unknown_fields_are_ignored(self, tape: Tape) -> None:
        async with self.player(with_unknown_fields(tape)) as played:
            await played.play()
            assert seen(played.rows, tape) == tape["expect"]

    async def test_unknown_words_are_mapped(self, tape: Tape) -> None:
        odd = with_words(tape, "\x1b[31mPONDERING\u202e " + "z" * 500)
        async with self.player(odd) as played:
            await played.play()
            for row in played.rows:
                assert row.state in State and len(row.state_reason) <= 64
                assert bounded_and_clean(row)

    async def test_what_is_too_large_is_refused(self, tape: Tape) -> None:
        huge = copy.deepcopy(tape)
        for step in huge.get("steps", ()):
            step["chunks"] = [*step["chunks"][:1], "data: ", *("y" * MEBIBYTE for _ in range(20)), "\n\n"]
        async with self.player(huge) as played:
            await played.play()
            assert all(bounded_and_clean(row) for row in played.rows)
            assert played.open_bodies == 0

    @pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
    async def test_it_survives_a_cut_in_mid_frame(self, tape: Tape, share: float) -> None:
        cut = copy.deepcopy(tape)
        for step in cut.get("steps", ()):
            last = step["chunks"][-1]
            step["chunks"][-1] = last[: int(len(last) * share)]
            step["cut"] = True
        async with self.player(cut) as played:
            await played.play()
            assert played.rows and all(row.state in State for row in played.rows)
            assert played.open_bodies == 0

    async def test_cancelling_closes_everything(self, tape: Tape) -> None:
        endless = copy.deepcopy(tape)
        for step in endless.get("steps", ()):
            step["mute"] = True
        async with self.player(endless) as played:
            await played.play()
        assert not played.nursery.names
        assert played.open_bodies == 0

    async def test_no_secret_is_in_what_it_says(self, tape: Tape, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.DEBUG)
        async with self.player(tape) as played:
            await played.play()
            said = [repr(played.source), repr(vars(played.source)), *map(repr, played.told), caplog.text]
            said += [repr(record.args) + repr(record.exc_info) for record in caplog.records]
            assert not [text for text in said if KEY in text or KEY[:20] in text]

    def __init_subclass__(cls) -> None:
        paths = sorted((TAPES / cls.kind).glob("*.json"))

        @pytest.fixture(params=paths, ids=lambda path: path.stem)
        def tape(self: object, request: pytest.FixtureRequest) -> Tape:
            loaded: Tape = json.loads(request.param.read_text("utf-8"))
            return loaded

        cls.tape = tape  # type: ignore[attr-defined]


def seen(rows: list[AgentSession], tape: Tape) -> list[dict[str, Any]]:
    """The rows in the words of a tape, with the members that the tape asks for."""
    asked = [set(row) for row in tape["expect"]]
    found = []
    for row, names in zip(sorted(rows, key=lambda r: r.key), asked, strict=True):
        told = {
            "agent": row.key.agent,
            "state": str(row.state),
            "reason": row.state_reason,
            "artifacts": [a.name for a in row.activity.artifacts],
            "question": row.requests[0].summary if row.requests else "",
        }
        found.append({name: told[name] for name in told if name in names})
    return found


def on_frames(tape: Tape, change: Callable[[str], str]) -> Tape:
    """The tape with every JSON text in its chunks changed."""
    changed = copy.deepcopy(tape)
    for step in changed.get("steps", ()):
        step["chunks"] = [re.sub(r"\{.*\}", lambda m: change(m[0]), chunk) for chunk in step["chunks"]]
    return changed


def with_unknown_fields(tape: Tape) -> Tape:
    def grow(value: Any) -> Any:
        if isinstance(value, list):
            return [grow(v) for v in value]
        if isinstance(value, dict):
            return {"x-new": {"deep": [1, None]}, "zz": "word", **{k: grow(v) for k, v in value.items()}}
        return value

    return on_frames(tape, lambda text: json.dumps(grow(json.loads(text)), ensure_ascii=False))


def with_words(tape: Tape, word: str) -> Tape:
    def swap(value: Any) -> Any:
        if isinstance(value, list):
            return [swap(v) for v in value]
        if isinstance(value, dict):
            return {k: word if k == "state" else swap(v) for k, v in value.items()}
        return value

    return on_frames(tape, lambda text: json.dumps(swap(json.loads(text)), ensure_ascii=False))


def bounded_and_clean(value: Any) -> bool:
    """Whether no text in a value is long, controlling or reordering."""
    if isinstance(value, str):
        return len(value) <= 4096 and not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", value)
    if is_dataclass(value):
        return all(bounded_and_clean(getattr(value, f.name)) for f in fields(value))
    if isinstance(value, tuple | frozenset):
        return len(value) <= 64 and all(bounded_and_clean(v) for v in value)
    return True
