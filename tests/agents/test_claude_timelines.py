"""States of recorded transcripts, labelled by hand from their records: time, state, reason.

Each label is what a person beside the terminal would have called it when that record was written, as far as a
transcript alone can tell.
"""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_island.agents import _claude_record as records
from lisa_island.agents._jsonl import Line
from lisa_island.agents._proc import Life
from lisa_island.core.agent import State
from tests.agents.claude_rig import DATA, LAB_FILE, lines, told, verdict

W, WAIT, ERR, UNKNOWN = "working", "waiting", "error", "unknown"
OLD = DATA / "lab-1.0.60" / "projects" / "-srv-lab-cc-work-demo-app-v2"

TIMELINES: dict[Path, list[tuple[str, str, str]]] = {
    LAB_FILE: [
        ("17:19:07.963", W, "working"),  # prompt
        ("17:19:08.036", W, "working"),  # text of a message that goes on to a call
        ("17:19:08.041", W, "working"),  # Bash; a permission dialog was open, which no transcript says
        ("17:19:22.265", W, "working"),  # its result
        ("17:19:22.288", WAIT, "your-turn"),  # end_turn
        ("17:19:22.295", WAIT, "your-turn"),  # turn_duration
        ("17:19:26.919", W, "working"),
        ("17:19:26.963", W, "working"),  # a command that failed is no failure of the session
        ("17:19:27.008", WAIT, "your-turn"),
        ("17:19:53.277", W, "working"),
        ("17:20:00.953", W, "working"),  # a queued prompt changes nothing
        ("17:20:04.022", WAIT, "interrupted"),  # Esc while it ran
        ("17:20:04.024", WAIT, "interrupted"),
        ("17:20:04.053", W, "working"),  # the queued prompt is sent
        ("17:20:04.080", WAIT, "your-turn"),
        ("17:20:16.748", WAIT, "interrupted"),
        ("17:20:29.095", W, "working"),  # Esc before the first token: the prompt stays last
        ("17:20:54.965", W, "working"),
        ("17:20:58.052", WAIT, "interrupted"),  # refused in the dialog
        ("17:21:08.454", W, "working"),  # a subagent in the background
        ("17:21:08.534", WAIT, "background-agents"),  # the turn is over, the subagent runs on
        ("17:21:08.667", W, "working"),  # its notice makes a turn without a human
        ("17:21:08.694", WAIT, "your-turn"),
        (
            "17:21:17.206",
            W,
            "working",
        ),  # AskUserQuestion: the registry alone says that it waits
        ("17:21:38.734", W, "working"),
        ("17:21:38.791", WAIT, "your-turn"),
        ("17:21:42.739", ERR, "bad-request"),  # 400
        ("17:21:48.157", W, "working"),
        ("17:21:49.849", ERR, "overloaded"),  # 529
        ("17:22:18.919", WAIT, "your-turn"),  # max_tokens
        ("17:22:18.921", W, "working"),  # and it goes on by itself
        ("17:22:18.949", WAIT, "your-turn"),
        ("17:22:25.634", WAIT, "your-turn"),  # refusal
        ("17:22:25.639", WAIT, "your-turn"),  # a line of information
        ("17:22:25.639", W, "working"),
        ("17:22:25.667", WAIT, "your-turn"),
        ("17:22:51.910", WAIT, "compacted"),  # /compact
        ("17:22:52.009", WAIT, "compacted"),  # its records are no prompt
        ("17:23:00.551", W, "working"),
        ("17:23:00.619", WAIT, "your-turn"),
    ],
    OLD / "01674b10-6a1c-4a72-a151-4254bb603b52.jsonl": [
        ("17:26:06.533", W, "working"),  # Task
        ("17:26:06.739", W, "working"),  # the subagent's own end is not the turn's
        ("17:26:06.819", W, "working"),
        ("17:26:06.866", WAIT, "your-turn"),
    ],
    OLD / "511c7244-65f4-4f77-ab75-3f0c34fcf60b.jsonl": [
        ("17:28:02.990", W, "working"),  # text without a stop reason: a call may follow, and does
        ("17:28:03.079", W, "working"),
        ("17:28:05.927", W, "working"),  # one of two parallel calls is done
        ("17:28:05.936", W, "working"),
        ("17:28:05.952", WAIT, "your-turn"),
    ],
    OLD / "7e30b166-088a-4ded-adf0-3b8c35246a32.jsonl": [
        ("17:25:57.089", W, "working"),
        ("17:25:57.137", W, "working"),
        ("17:25:57.161", WAIT, "your-turn"),
    ],
    DATA / "agent-history_rejection.jsonl": [
        ("10:00:20.000", W, "working"),  # Edit
        ("10:00:25.000", WAIT, "interrupted"),  # "The user doesn't want to proceed"
        ("10:00:35.000", W, "working"),  # it tries another way
        ("10:00:45.000", WAIT, "your-turn"),
        ("10:01:20.000", WAIT, "your-turn"),
    ],
    DATA / "agent-history_compaction.jsonl": [
        ("08:00:30.000", WAIT, "your-turn"),
        ("10:37:04.233", WAIT, "compacted"),
        ("10:38:00.000", W, "working"),
        ("10:38:20.000", WAIT, "your-turn"),
    ],
    DATA / "agent-history_fork.jsonl": [
        ("09:00:30.000", W, "working"),
        ("09:00:40.000", WAIT, "your-turn"),
        ("09:01:50.000", WAIT, "your-turn"),
    ],
    DATA / "claude-code-log_todowrite.jsonl": [
        ("10:00:05Z", W, "working"),  # no stop reason in these builds
        ("10:04:01Z", W, "working"),
    ],
    DATA / "claude-code-log_edge_cases.jsonl": [
        ("11:00:30Z", WAIT, "your-turn"),
        ("11:01:31Z", W, "working"),  # a tool's error
        ("11:02:10Z", WAIT, "compacted"),  # a slash command
        ("11:02:20Z", WAIT, "compacted"),
        ("11:03:00Z", W, "working"),
    ],
    DATA / "claude-code-viewer_1af7.jsonl": [
        ("00:47:21.540", W, "working"),
        ("00:47:29.831", W, "working"),
        ("00:47:46.059", W, "working"),
        ("00:47:52.264", WAIT, "your-turn"),
    ],
    DATA / "spotter_agent-acompact.jsonl": [
        ("21:18:41.098", UNKNOWN, "nothing-decisive")
    ],  # a subagent's own
    DATA / "agent-sessions_small.jsonl": [],  # trimmed of all that decides: it is only survived
}


@pytest.mark.parametrize("path", TIMELINES, ids=lambda p: p.stem[:24])
def test_a_recorded_session(path: Path) -> None:
    labels = list(TIMELINES[path])
    so_far: list[bytes] = []
    for line in lines(path):
        so_far.append(line)
        found = records.record(line)
        time = str((found or {}).get("timestamp", ""))[11:]
        if not labels or time not in (labels[0][0], labels[0][0] + "Z"):
            continue
        if found and found.get("type") not in ("user", "assistant", "system", "queue-operation"):
            continue
        at = records.moment(found["timestamp"]) if found else None
        seen = verdict(told(so_far), at or 0)
        assert (str(seen.state), seen.reason) == labels[0][1:], labels[0]
        assert not seen.requests  # a transcript never proves a wait for a decision
        labels.pop(0)
    assert not labels, "labels without a record"


def test_every_sample_has_a_timeline() -> None:
    assert {p for p in DATA.rglob("*.jsonl") if "subagents" not in p.parts} == set(TIMELINES)


def test_counts_of_the_lab_session() -> None:
    turn = told(lines(LAB_FILE))
    assert turn.turns == 16  # promptIndex of the last prompt
    assert (turn.version, turn.mode, turn.cwd) == ("2.1.332", "default", "/srv/lab/cc/work/demo_app.v2")
    assert not turn.calls and not turn.background and not turn.subagents


def test_each_message_counts_its_tokens_once() -> None:
    path = OLD / "511c7244-65f4-4f77-ab75-3f0c34fcf60b.jsonl"
    found = [r for r in map(records.record, lines(path)) if r and r.get("type") == "assistant"]
    most: dict[str, int] = {}
    for r in found:
        id_ = r["message"]["id"]
        most[id_] = max(most.get(id_, 0), r["message"]["usage"]["output_tokens"])
    assert len(found) > len(most)
    assert told(lines(path)).tokens == sum(most.values())


ALL = [line for path in TIMELINES for line in lines(path) if len(line) < 20_000]


@given(st.data())
@settings(max_examples=60)
def test_cuts_duplicates_and_reorders_are_survived(data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(ALL), max_size=30))
    cut = data.draw(st.integers(0, 400))
    turn = told([line[: len(line) - cut] if i % 7 == 3 else line for i, line in enumerate(chosen)])
    for life in Life:
        seen = verdict(turn, turn.at + data.draw(st.integers(0, 10**8)), life=life)
        assert seen.state in State and not seen.requests
        if life is Life.DEAD:
            assert seen.state is State.DONE
    assert len(turn.calls) <= 64 and len(turn.tools) <= 6


REST = lines(LAB_FILE)


@given(st.integers(0, len(REST) - 1), st.lists(st.integers(0, 40), max_size=12))
@settings(max_examples=40)
def test_no_false_working_at_rest(start: int, again: list[int]) -> None:
    """Read from anywhere, with any of the last lines told twice: at rest it stays at rest."""
    tail = REST[start:][-60:]
    doubled = REST[start:] + [tail[i] for i in sorted(again) if i < len(tail)]
    seen = verdict(told(doubled), records.moment("2026-11-30T17:23:01.000Z") or 0)
    assert (str(seen.state), seen.reason) in ((WAIT, "your-turn"), (UNKNOWN, "nothing-decisive"))


@given(st.binary(max_size=300))
def test_no_line_breaks_the_reader(line: bytes) -> None:
    records.read(Line(line))
    records.read(Line(line, line))
