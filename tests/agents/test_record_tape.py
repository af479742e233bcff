"""The recorder of tapes: no text of a session comes through, and the reader makes the same of it."""

import json
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents import (
    _claude_record,
    _claude_turn,
    _codex_record,
    _codex_turn,
    _gemini_record,
    _gemini_turn,
)
from lisa_island.agents._jsonl import Line
from tests.agents.claude_rig import DATA, LAB_FILE, lines
from tests.law.source import ROOT

SECRET = "sk-ant-PLANTED"
FILES = [
    *(("claude-code", path) for path in (*sorted(DATA.glob("*.jsonl")), LAB_FILE)),
    *(("codex", path) for path in sorted((DATA.parent / "codex").rglob("*.jsonl"))),
    *(("gemini", path) for path in sorted((DATA.parent / "gemini").rglob("*.jsonl"))),
]


def load() -> ModuleType:
    """A script beside the package; its folder bears the name of a library."""
    spec = spec_from_file_location("record_tape", ROOT / "packaging" / "record_tape.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


recorder = load()
LOOK_SECONDS, Scrub, heaps = recorder.LOOK_SECONDS, recorder.Scrub, recorder.heaps
tape, words = recorder.tape, recorder.words


# What a kind's reader makes of a file, but for what a tape must not have: names, and the class of a failure
# where only prose tells it.
TOLD: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "claude-code": lambda t: (
        t.now, t.turns, t.tokens, t.background, len(t.calls), t.error, t.subagents, len(t.ended)
    ),
    "codex": lambda t: (t.now, t.prompts, t.output, len(t.calls), bool(t.error), len(t.over), len(t.ended)),
    "gemini": lambda t: (t.now, len(t.messages), len(t.calls), bool(t.error), t.subagents),
}  # fmt: skip
READERS = {
    "claude-code": (_claude_record, _claude_turn),
    "codex": (_codex_record, _codex_turn),
    "gemini": (_gemini_record, _gemini_turn),
}


def turns(kind: str, raw: list[bytes]) -> list[tuple[Any, ...]]:
    """What each line makes of the session."""
    (records, folds), told = READERS[kind], []
    turn = folds.Turn()
    for line in raw:
        entry = records.read(Line(line)) if line else None
        if entry is not None:
            turn = folds.fold(turn, entry)
        told.append(TOLD[kind](turn))
    return told


@pytest.mark.parametrize(("kind", "path"), FILES, ids=lambda p: getattr(p, "stem", p))
def test_a_tape_tells_the_same_of_each_line_as_its_session(kind: str, path: Path) -> None:
    raw = [line for line in lines(path) if line]
    [step] = tape(kind, [raw])["steps"]
    assert len(step["chunks"]) == len(raw)
    assert turns(kind, [chunk.encode() for chunk in step["chunks"]]) == turns(kind, raw)


def strings(value: Any) -> set[str]:
    match value:
        case dict():
            return set(value) | {s for v in value.values() for s in strings(v)}
        case list():
            return {s for v in value for s in strings(v)}
        case str():
            return {value}
        case _:
            return set()


@pytest.mark.parametrize(("kind", "path"), FILES, ids=lambda p: getattr(p, "stem", p))
def test_no_string_of_the_session_is_left_but_the_reader_s_own_words(kind: str, path: Path) -> None:
    raw = [line for line in lines(path) if line]
    [step] = tape(kind, [raw])["steps"]
    told = {s for line in step["chunks"] if line != "?\n" for s in strings(json.loads(line))}
    foreign: set[str] = set()
    for line in raw:
        try:
            foreign |= strings(json.loads(line))
        except ValueError:
            continue
    own = words(kind)
    left = {s for s in told & foreign if s not in own and not s.replace(".", "").isdigit()}
    openings = tuple(s for s in own if s[:1] in "<[" and len(s) > 5)
    assert not [s for s in left if not s.startswith(openings)]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.just(SECRET)
    | st.sampled_from([f"<command-{SECRET}", f"[Request interrupted by user {SECRET}", f"/home/{SECRET}/x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["type", "message", "content", "text", "input", "command", "cwd", SECRET]), inner,
        max_size=5,
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(["message", "type", SECRET]), JSON, max_size=4))
def test_a_planted_secret_is_nowhere(found: dict[str, Any]) -> None:
    assert "PLANTED" not in Scrub("claude-code").line(json.dumps(found).encode())


@given(st.binary(max_size=60))
def test_any_bytes_make_a_line(raw: bytes) -> None:
    made = Scrub("claude-code").line(raw)
    assert made.endswith("\n") and "\n" not in made[:-1]


def test_equal_strings_stay_equal_and_times_keep_their_distance() -> None:
    scrub = Scrub("claude-code")
    made = [
        json.loads(scrub.line(json.dumps({"uuid": u, "timestamp": t, "cwd": c}).encode()))
        for u, t, c in (
            ("0c8e8a3e-1111-4222-8333-444455556666", "2026-11-30T17:19:07.963Z", "/home/me/secret"),
            ("0c8e8a3e-1111-4222-8333-444455556666", "2026-11-30T17:19:09.000Z", "/home/me/secret"),
            ("1c8e8a3e-1111-4222-8333-444455556666", "2026-11-30T17:19:09.000Z", "/home/me/other"),
        )
    ]
    assert made[0]["uuid"] == made[1]["uuid"] != made[2]["uuid"] and made[0]["uuid"].startswith("00000000-")
    assert made[0]["timestamp"] == "2030-01-02T03:04:05.000Z"
    assert made[1]["timestamp"] == "2030-01-02T03:04:06.037Z"
    assert made[0]["cwd"] == made[1]["cwd"] != made[2]["cwd"]


def test_a_live_file_is_cut_into_steps_at_its_pauses(tmp_path: Path) -> None:
    path, now = tmp_path / "s.jsonl", [0.0]
    path.write_bytes(b"old\n")
    grows = {1.0: b"a\nb", 1.2: b"c\n", 5.0: b"d\n", 5.2: b"e"}

    def sleep(seconds: float) -> None:
        now[0] = round(now[0] + seconds, 3)
        with path.open("ab") as file:
            file.write(grows.pop(now[0], b""))

    assert list(heaps(path, 8.0, False, lambda: now[0], sleep)) == [[b"a", b"bc"], [b"d"]]
    assert not grows and LOOK_SECONDS == 0.2
    assert list(heaps(path, 0.0, True, lambda: now[0], sleep)) == [[b"old", b"a", b"bc", b"d"]]


def test_a_kind_that_is_none_is_refused() -> None:
    with pytest.raises(SystemExit, match="no kind"):
        tape("nobody", [])
