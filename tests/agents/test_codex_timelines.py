"""States of recorded rollouts, labelled by hand from their records: line, state, reason.

Each label is what a person beside the terminal would have called it when that line was written, as far as a
rollout and a held lock can tell.
"""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_island.agents import _codex_record as records
from lisa_island.agents._codex_head import read_head
from lisa_island.agents._codex_record import Happened
from lisa_island.agents._codex_turn import Turn
from lisa_island.agents._jsonl import Line
from lisa_island.agents._proc import Life
from lisa_island.core.agent import State
from lisa_island.core.evidence import Rank
from tests.agents.codex_rig import (
    CHILD,
    DATA,
    EXEC,
    NOW,
    OLD_LS,
    OLD_PATCH,
    PARENT,
    TUI,
    call,
    context,
    dumped,
    ended,
    event,
    item,
    lines,
    prompt,
    result,
    said,
    started,
    told,
    verdict,
)

W, WAIT, ERR, UNKNOWN = "working", "waiting", "error", "unknown"

TIMELINES: dict[Path, list[tuple[int, str, str]]] = {
    TUI: [
        (1, W, "working"),  # the turn's own beginning
        (9, W, "working"),  # asks to leave the sandbox: a dialog was open for 19 s, which no record says
        (12, W, "working"),  # allowed, and it ran
        (18, WAIT, "your-turn"),
        (19, WAIT, "your-turn"),  # settings before the next turn
        (20, W, "working"),
        (24, W, "working"),
        (26, W, "working"),  # Esc: the output of what was stopped
        (29, WAIT, "interrupted"),
        (31, W, "working"),
        (35, W, "working"),
        (37, W, "working"),
        (40, WAIT, "interrupted"),  # refused in the dialog
        (42, W, "working"),
        (46, ERR, "api-error"),  # 400: "other" is all that is said
        (48, W, "working"),  # the next turn
        (53, ERR, "usage-limit"),
        (54, ERR, "usage-limit"),  # a killed command of an older turn reports now
        (56, W, "working"),
        (60, WAIT, "question"),  # its question, until the next line: that mode has no questions
        (62, W, "working"),
        (68, WAIT, "your-turn"),
        (70, W, "working"),
        (74, W, "working"),
        (76, W, "working"),  # resumed after kill -9: said five seconds later (below)
    ],
    EXEC: [
        (0, UNKNOWN, "nothing-decisive"),
        (1, W, "working"),
        (9, W, "working"),  # a patch
        (11, W, "working"),
        (12, W, "working"),
        (15, W, "working"),  # a reply is not the end of a turn
        (18, WAIT, "your-turn"),
    ],
    PARENT: [
        (1, W, "working"),
        (9, W, "working"),  # spawns a subagent
        (12, W, "working"),
        (19, WAIT, "your-turn"),  # over, while the subagent works: the source knows of it, this file does not
        (20, WAIT, "your-turn"),  # its report is put into the conversation; no turn begins
        (21, W, "working"),  # /compact
        (26, W, "working"),
        (32, WAIT, "compacted"),
        (34, W, "working"),
        (40, W, "working"),
        (43, W, "working"),
        (49, WAIT, "your-turn"),
    ],
    CHILD: [(1, W, "working"), (11, W, "working"), (14, W, "working"), (20, WAIT, "your-turn")],
    OLD_LS: [
        (1, UNKNOWN, "nothing-decisive"),
        (2, W, "working"),
        (5, W, "working"),
        (6, W, "working"),
        (7, W, "working"),
        (10, W, "working"),  # a text that may go on: probably your turn ten seconds later
    ],
    OLD_PATCH: [(2, W, "working"), (5, W, "working"), (6, W, "working"), (9, W, "working")],
    DATA / "agent-history_compaction.jsonl": [
        (2, W, "working"),
        (4, W, "working"),
        (5, W, "working"),
        (6, W, "working"),
        (8, W, "working"),
        (11, W, "working"),
        (12, WAIT, "compacted"),
        (13, W, "working"),
        (16, W, "working"),
        (18, W, "working"),
        (19, W, "working"),  # five seconds after a text, in a version that records no end
    ],
    DATA / "agent-history_escalation.jsonl": [
        (2, W, "working"),
        (5, W, "working"),
        (7, W, "working"),
        (10, W, "working"),  # escalation asked for
        (11, W, "working"),  # never answered: the person wrote something else
        (12, W, "working"),
        (16, W, "working"),
        (18, W, "working"),
        (19, WAIT, "interrupted"),
        (20, WAIT, "interrupted"),
    ],
    DATA / "agent-sessions_050_legacy.jsonl": [
        (0, UNKNOWN, "nothing-decisive"),
        (1, WAIT, "your-turn"),
        (4, WAIT, "your-turn"),
    ],
    DATA / "agent-sessions_053_rate_limit.jsonl": [
        (2, UNKNOWN, "nothing-decisive"),
        (3, ERR, "rate-limit"),
        (4, ERR, "rate-limit"),
    ],
    DATA / "agent-sessions_small.jsonl": [
        (3, W, "working"),
        (4, W, "working"),
        (9, W, "working"),
        (10, W, "working"),
        (19, WAIT, "interrupted"),
        (20, WAIT, "interrupted"),  # a late output
        (22, WAIT, "interrupted"),  # a late text
        (24, WAIT, "interrupted"),  # an end after the abort says nothing new
        (25, WAIT, "interrupted"),
    ],  # what follows has neither times nor ids: it is only survived
}


def when(line: bytes) -> int:
    """The line's own time; the first builds give none."""
    return records.moment(json.loads(line).get("timestamp")) or NOW


@pytest.mark.parametrize("path", TIMELINES, ids=lambda p: p.stem[-24:])
def test_a_recorded_session(path: Path) -> None:
    raw = lines(path)
    for number, state, reason in TIMELINES[path]:
        seen = verdict(told(raw[: number + 1]), when(raw[number]))
        assert (str(seen.state), seen.reason) == (state, reason), number
        assert bool(seen.requests) == (reason == "question")  # nothing else is a request: no approval ever is


def test_every_sample_has_a_timeline() -> None:
    assert set(DATA.rglob("*.jsonl")) == set(TIMELINES)


def test_a_turn_that_a_crash_left_open() -> None:
    """Codex closes no turn when it resumes: the line of settings is all that it adds."""
    turn, at = told(lines(TUI)), when(lines(TUI)[76])
    assert verdict(turn, at + 4_999).state is State.WORKING
    for more in ({}, {"writer_since": at - 5_000}):
        seen = verdict(turn, at + 5_000, **more)
        assert (str(seen.state), seen.reason, seen.fact.rule) == (WAIT, "interrupted", "codex.crashed")
    assert verdict(turn, at, writer_since=at - 5_000).reason == "interrupted"  # at once, if its start says so
    assert verdict(turn, at, Life.DEAD).reason == "ended-mid-turn"


def test_a_long_turn_of_a_process_that_began_before_it_is_no_crash() -> None:
    turn = told(dumped(started(), prompt(), call(NOW + 10)).split(b"\n"))
    assert verdict(turn, NOW + 10_000, writer_since=NOW - 60_000).state is State.WORKING
    assert (
        verdict(turn, NOW + 10_000, writer_since=NOW + 1_000).state is State.WORKING
    )  # within what clocks err


def test_an_approval_is_maybe_at_most() -> None:
    turn = told(lines(TUI)[:11])
    at = when(lines(TUI)[9])
    assert verdict(turn, at + 4_999).reason == "working"
    seen = verdict(turn, at + 5_000)
    assert (seen.state, seen.reason, seen.requests) == (State.WAITING, "maybe-approval", ())
    assert seen.fact.rank is Rank.TRANSCRIPT


@pytest.mark.parametrize("more", [{"approval_policy": "never"}, {"approvals_reviewer": "guardian"}], ids=str)
def test_where_no_person_is_asked_nothing_may_wait(more: dict[str, str]) -> None:
    raw = dumped(started(), context(**more), prompt(), call(sandbox_permissions="require_escalated")).split(
        b"\n"
    )
    assert verdict(told(raw), NOW + 60_000).reason == "working"


@pytest.mark.parametrize(
    ("age", "life", "expected"),
    [
        (119_999, Life.ALIVE, (W, "working")),
        (120_000, Life.ALIVE, (W, "long-tool")),
        (86_400_000, Life.ALIVE, (W, "long-tool")),
        (599_999, Life.UNKNOWN, (W, "long-tool")),
        (600_000, Life.UNKNOWN, (UNKNOWN, "quiet")),
        (0, Life.DEAD, ("done", "ended-mid-turn")),
    ],
)
def test_a_call_without_a_result(age: int, life: Life, expected: tuple[str, str]) -> None:
    seen = verdict(told(dumped(started(), prompt(), call()).split(b"\n")), NOW + age, life)
    assert (str(seen.state), seen.reason) == expected and not seen.requests


def test_an_old_build_is_probably_done_after_ten_seconds() -> None:
    turn = told(lines(OLD_LS))
    assert verdict(turn, turn.at + 9_999).reason == "working"
    assert verdict(turn, turn.at + 10_000).reason == "your-turn-probable"


@pytest.mark.parametrize(
    ("said_", "expected"),
    [
        ("usage_limit_exceeded", "usage-limit"),
        ("context_window_exceeded", "context-full"),
        ("server_overloaded", "overloaded"),
        ("unauthorized", "auth"),
        ("bad_request", "bad-request"),
        ("internal_server_error", "server-error"),
        ({"http_connection_failed": {"http_status_code": 502}}, "server-error"),
        ({"response_stream_disconnected": {}}, "server-error"),
        ("other", "api-error"),
        ("a sentence of prose", "api-error"),
        (None, "api-error"),
        (7, "api-error"),
    ],
)
def test_a_failed_turn_has_a_class_of_ours(said_: object, expected: str) -> None:
    error = {"message": "SECRET", "codex_error_info": said_}
    seen = verdict(told(dumped(started(), ended(error=error)).split(b"\n")), NOW)
    assert (seen.state, seen.reason) == (State.ERROR, expected)


def test_counts_of_the_lab_sessions() -> None:
    turn = told(lines(TUI))
    assert turn.turns == 7  # DO_ESC, DO_LONG, DO_ESC, DO_400, DO_429, DO_ASK, DO_LONG
    assert (turn.model, turn.policy, turn.cwd) == ("mock-model", "on-request", "/srv/lab/cx/work/proj")
    parent = told(lines(PARENT))
    assert parent.turns == 2  # /compact is none
    assert told(lines(EXEC)).files == ("mock_new.txt",)
    assert told(lines(OLD_LS)).turns == 1 and told(lines(OLD_LS)).program == "ls"


def test_a_sum_is_taken_not_summed() -> None:
    """A sum is told more than once, and one that shrinks began anew."""
    # Seven answers of 25 each: the last is told by its own record alone, for then came kill -9.
    assert told(lines(TUI)).tokens == 7 * 25

    def counted(output: int, at: int) -> dict:
        return event("token_count", at, "", info={"total_token_usage": {"output_tokens": output}})

    raw = dumped(counted(100, NOW), counted(100, NOW + 1), counted(30, NOW + 2), counted(30, NOW + 3))
    assert told(raw.split(b"\n")).tokens == 130


@pytest.mark.parametrize(
    ("name", "asked", "expected"),
    [
        ("shell", {"command": ["bash", "-lc", "TOKEN=SECRET npm test SECRET"]}, "exec · npm"),
        ("shell_command", {"command": "cd x && make"}, "exec · make"),
        ("exec_command", {"cmd": "'SECRET SECRET' x"}, "exec"),
        ("shell", {"command": ["git", "commit", "-m", "SECRET"]}, "exec · git"),
        ("write_stdin", {"chars": "SECRET"}, "exec"),
        (
            "apply_patch",
            {"input": "*** Begin Patch\n*** Update File: src/ring.py\n+SECRET"},
            "exec · ring.py",
        ),
    ],
)
def test_what_a_call_is_about(name: str, asked: dict, expected: str) -> None:
    from lisa_island.agents._codex_state import doing

    turn = told(dumped(started(), call(name=name, **asked)).split(b"\n"))
    assert doing(turn) == expected.replace("exec", name)
    assert "SECRET" not in repr(turn)


def test_a_patch_that_is_no_json_names_its_files() -> None:
    text = "*** Begin Patch\n*** Add File: a/new.py\n+SECRET\n*** Move to: b/moved.py\n*** End Patch"
    raw = dumped(started(), item("custom_tool_call", call_id="c1", name="apply_patch", input=text))
    turn = told(raw.split(b"\n"))
    assert turn.files == ("new.py", "moved.py") and "SECRET" not in repr(turn)


def test_how_a_call_ended_is_known_from_its_item() -> None:
    done = {"type": "CommandExecution", "id": "c1", "exit_code": 2, "status": "failed", "command": ["x"]}
    raw = dumped(started(), call(), event("item_completed", item=done), result())
    (step,) = told(raw.split(b"\n")).ended
    assert (step.id, step.tool, step.is_over, step.ok) == ("c1", "exec_command", True, False)


def test_a_compaction_inside_a_turn_is_a_step_of_it() -> None:
    compacted = {"timestamp": event("x")["timestamp"], "type": "compacted", "payload": {"message": "SECRET"}}
    raw = dumped(started(), prompt(), compacted, said(), ended()).split(b"\n")
    assert verdict(told(raw), NOW).reason == "your-turn" and told(raw).turns == 1


def test_nothing_of_a_text_leaves_the_reader() -> None:
    """Every string of every sample but the words that are kept on purpose."""
    kept = {"mock-model", "/srv/lab/cx/work/proj", "exec_command"}
    secret = "PLANTED-CANARY-9f"

    def plant(value: object, key: str = "") -> object:
        if isinstance(value, dict):
            return {k: plant(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [plant(v, key) for v in value]
        if key == "arguments" and isinstance(value, str):
            try:
                asked = json.loads(value)
            except ValueError:
                return secret
            return json.dumps({**asked, "justification": secret, "message": secret, "workdir": secret})
        return secret if key in PROSE and isinstance(value, str) and value not in kept else value

    for path in TIMELINES:
        raw = [json.dumps(plant(json.loads(line))).encode() for line in lines(path) if line]
        assert any(secret.encode() in line for line in raw) or "legacy" in path.name
        entries = [records.read(Line(line)) for line in raw]
        heads = [read_head(line) for line in raw]
        assert secret not in repr(entries) + repr(heads) + repr(told(raw))


PROSE = {
    "text", "message", "last_agent_message", "output", "title", "prompt", "preview", "thread_name",
    "objective",
    "stdout", "stderr", "unified_diff", "summary", "instructions", "justification", "agent_nickname",
    "aggregated_output", "formatted_output", "review_output", "query",
}  # fmt: skip
ALL = [line for path in TIMELINES for line in lines(path) if line and len(line) < 20_000]


@given(st.data())
@settings(max_examples=60)
def test_cuts_duplicates_and_reorders_are_survived(data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(ALL), max_size=30))
    cut = data.draw(st.integers(0, 400))
    turn = told([line[: len(line) - cut] if i % 7 == 3 else line for i, line in enumerate(chosen)])
    for life in Life:
        seen = verdict(turn, turn.at + data.draw(st.integers(0, 10**8)), life)
        assert seen.state in State
        if life is Life.DEAD:
            assert seen.state in (State.DONE, State.ERROR) and not seen.requests
    assert len(turn.calls) <= 64 and len(turn.over) <= 128 and len(turn.tools) <= 6 and len(turn.ended) <= 8


RESTS = {
    TUI: (69, (ERR, WAIT, UNKNOWN)),
    PARENT: (50, (WAIT,)),
    EXEC: (19, (WAIT,)),
    CHILD: (21, (WAIT,)),
}


@given(st.sampled_from(sorted(RESTS)), st.data())
@settings(max_examples=80)
def test_no_false_working_at_rest(path: Path, data: st.DataObject) -> None:
    """Read from anywhere, with any of the last lines told twice: at rest it stays at rest."""
    end, states = RESTS[path]
    rest = [line for line in lines(path)[:end] if line]
    start = data.draw(st.integers(0, len(rest) - 1))
    again = data.draw(st.lists(st.integers(0, 40), max_size=12))
    tail = rest[start:][-60:]
    doubled = rest[start:] + [tail[i] for i in sorted(again) if i < len(tail)]
    at = when(rest[-1])
    seen = verdict(told(doubled), at + data.draw(st.integers(0, 10**6)))
    assert str(seen.state) in (*states, UNKNOWN, "idle") and not seen.requests


@given(st.integers(0, 53), st.lists(st.integers(0, 53), max_size=8))
@settings(max_examples=60)
def test_a_late_item_alone_begins_nothing(start: int, again: list[int]) -> None:
    """The killed command of an older turn is the last line, wherever reading began."""
    raw = lines(TUI)[start:55]
    seen = verdict(told(raw + [lines(TUI)[i] for i in sorted(again)]), when(lines(TUI)[54]))
    assert seen.state in (State.ERROR, State.UNKNOWN, State.WAITING)


@given(st.integers(0, 59), st.lists(st.integers(0, 59), max_size=10))
@settings(max_examples=60)
def test_a_question_is_never_lost(start: int, again: list[int]) -> None:
    """Read from anywhere before it, older lines told again after it: it is asked until it is answered."""
    raw = lines(TUI)
    turn = told(raw[start:61] + [raw[i] for i in sorted(again)])
    assert verdict(turn, when(raw[60])).requests


@given(st.binary(max_size=300))
def test_no_line_breaks_the_reader(line: bytes) -> None:
    records.read(Line(line))
    records.read(Line(line, line))
    read_head(line)


ODD = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.lists(st.integers(), max_size=2)


@given(ODD)
@settings(max_examples=60)
def test_no_type_breaks_the_reader(odd: object) -> None:
    for line in ALL[:40]:
        found = json.loads(line)
        payload = found.get("payload", found)
        for key in list(payload) if isinstance(payload, dict) else ():
            changed = {**payload, key: odd}
            records.read(
                Line(json.dumps({**found, "payload": changed} if "payload" in found else changed).encode())
            )


def test_a_huge_record_is_known_by_its_ends() -> None:
    output = dumped(result())[:-1]
    entry = records.read(Line(output[:200], output[-200:]))
    assert entry is not None and (entry.happened, entry.returned) == (Happened.RETURNED, "c1")
    end = dumped(ended())[:-1]
    entry = records.read(Line(end[:150], end[-100:]))
    assert entry is not None and (entry.happened, entry.turn) == (Happened.ENDED, "t1")


def test_unknown_kinds_are_counted_by_name_alone() -> None:
    turn = told(
        dumped(
            event("brand_new", text="SECRET"), item("newer_item"), {"type": "newest", "payload": {}}
        ).split(b"\n")
    )
    assert turn.unknown == ("event_msg/brand_new", "response_item/newer_item", "newest")
    assert all(
        not told(lines(path)).unknown for path in TIMELINES if path.name != "agent-sessions_small.jsonl"
    )
    assert Turn().unknown == ()
