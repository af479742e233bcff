"""pi's records to states: each step of a life that the real program wrote, and what it never may become."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents import _pi_record as records
from lisa_island.agents._jsonl import Line
from lisa_island.agents._pi_files import role
from lisa_island.agents._pi_turn import IDLE_MS, QUIET_MS, RUNNING, Turn, activity, fold, judge
from lisa_island.agents._proc import Life
from lisa_island.core.agent import State
from lisa_island.core.words import has

TAPE = json.loads((Path(__file__).parent / "tapes" / "pi" / "1.6.0-life.json").read_text())
LINES = [chunk.encode() for step in TAPE["steps"] for chunk in step["chunks"]]


def told(lines: list[bytes]) -> Turn:
    turn = Turn()
    for line in lines:
        if (entry := records.read(Line(line.rstrip(b"\n")))) is not None:
            turn = fold(turn, entry)
    return turn


def words(turn: Turn, after: int = 0, life: Life = Life.ALIVE, began: int = 0) -> tuple[str, str]:
    verdict = judge(turn, life, turn.at + after, turn.at, began)
    assert has(f"why.{verdict.fact.rule}")
    return str(verdict.state), verdict.reason


def test_its_life_step_by_step() -> None:
    # By hand from the records: what the newest message says of its turn.
    seen = [words(told(LINES[: n + 1])) for n in range(len(LINES))]
    changes = [word for n, word in enumerate(seen) if n == 0 or word != seen[n - 1]]
    assert changes == [
        ("idle", "not-started"),  # header, model, level, the system's message
        ("working", "working"), ("waiting", "your-turn"),  # a prompt, an answer with stopReason stop
        ("working", "working"), ("waiting", "interrupted"),  # a prompt, stopReason aborted
        ("working", "working"), ("working", "tool"), ("working", "working"), ("waiting", "your-turn"),
        ("working", "working"), ("error", "rate-limit"),  # stopReason error, retries switched off
        ("working", "working"), ("waiting", "your-turn"),  # a prompt, killed; resumed, prompted, answered
    ]  # fmt: skip


def line(kind: str, **more: object) -> bytes:
    found = {"type": kind, "id": "a1", "parentId": None, "timestamp": "2030-01-02T03:04:05.000Z", **more}
    return json.dumps(found).encode()


def failed() -> bytes:
    return line("message", message={"role": "assistant", "content": [], "stopReason": "error"})


def test_a_failure_that_is_taken_out_is_tried_again_and_the_last_one_is_told() -> None:
    out = line("context_edit", id="a2", targetId="a1", replacement=None)
    assert words(told([failed()])) == ("error", "api-error")
    assert words(told([failed(), out])) == ("working", "retrying")
    assert words(told([failed(), out, failed()])) == ("error", "api-error")


def test_silence_makes_an_open_turn_unknown_and_a_closed_one_idle() -> None:
    prompt = line("message", message={"role": "user", "content": "x"})
    over = line("message", message={"role": "assistant", "content": [], "stopReason": "stop"})
    assert words(told([prompt]), QUIET_MS) == ("unknown", "quiet")
    assert words(told([prompt, over]), IDLE_MS) == ("idle", "quiet")
    assert words(told([prompt]), life=Life.DEAD) == ("done", "ended-mid-turn")
    assert words(told([prompt, over]), life=Life.DEAD) == ("done", "exited")
    assert words(told([prompt]), 60_000, began=told([prompt]).at + 30_000) == ("waiting", "interrupted")


def test_what_it_did_is_names_alone() -> None:
    work = activity(told(LINES)).work
    assert (work.turns, work.tools, work.program) == (6, ("bash",), "npm")
    assert [(step.tool, step.is_over, step.ok) for step in work.steps] == [("bash", True, True)]


@pytest.mark.parametrize(
    ("argv", "is_its"),
    [
        (["pi", "", ""], True),
        (["node", "/x/node_modules/@earendil-works/pi-coding-agent/dist/cli.js"], True),
        (["node", "/usr/bin/pi", "--continue"], True),
        (["node", "/usr/bin/pi", "update"], False),
        (["node", "/x/server.js", "pi"], False),
        (["pip"], False),
        ([], False),
    ],
)
def test_which_process_is_its(argv: list[str], is_its: bool) -> None:
    assert (role(argv) is not None) == is_its


@given(st.lists(st.sampled_from(LINES)), st.integers(0, 40))
def test_no_order_and_no_cut_makes_it_fall_or_work_at_rest(lines: list[bytes], cut: int) -> None:
    turn = told([*lines, LINES[-1][:-cut] if cut else LINES[-1]])
    verdict = judge(turn, Life.ALIVE, turn.at, turn.at)
    assert verdict.state is not State.WORKING or turn.now in RUNNING
    assert verdict.state is State.WAITING or cut
