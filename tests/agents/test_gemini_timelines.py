"""States of recorded Gemini CLI chats, labelled by hand from their records: time, state, reason.

Each label is what a person beside the terminal would have called it when that record was written.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_island.agents import _gemini_record as records
from lisa_island.agents._fields import moment
from lisa_island.agents._gemini_turn import Now, Turn, activity, fold, judge
from lisa_island.agents._jsonl import Line
from lisa_island.agents._proc import Life
from lisa_island.core.agent import State
from tests.agents.local_rig import DATA, NOW

GEMINI = DATA / "gemini"
LAB = GEMINI / "lab-0.61.0" / "tmp" / "demo" / "chats" / "session-2026-11-30T17-41-3d0fe70a.jsonl"
W, WAIT, ERR, IDLE = "working", "waiting", "error", "idle"

TIMELINES: dict[Path, list[tuple[str, str, str]]] = {
    LAB: [
        ("17:41:49.726", IDLE, "not-started"),  # the header; then a context that no person wrote
        ("17:41:49.752", W, "working"),  # prompt
        ("17:41:49.787", W, "working"),  # an empty message: a tool runs
        ("17:41:49.787", W, "working"),  # again, with its call: a tool that failed is no failed session
        ("17:41:49.795", W, "working"),  # its result goes to the model, which is no prompt
        ("17:41:49.804", WAIT, "your-turn"),  # a text without a call
    ],
    GEMINI / "resumed-0.61.0.jsonl": [
        ("03:27:41.114", IDLE, "not-started"),
        ("03:27:50.174", W, "working"),
        ("03:27:58.314", WAIT, "your-turn"),
        ("03:28:02.938", W, "working"),
        ("03:28:03.086", W, "working"),  # a command runs
        ("03:28:03.086", W, "working"),
        ("03:28:03.795", W, "working"),
        ("03:28:04.092", WAIT, "your-turn"),
        ("03:28:23.125", W, "working"),
        ("03:28:23.154", W, "working"),
        ("03:28:23.154", W, "working"),
        ("03:28:23.242", W, "working"),
        ("03:28:23.280", WAIT, "your-turn"),
        ("03:28:35.335", W, "working"),
        ("03:28:38.769", WAIT, "interrupted"),  # Esc while the model was asked
        ("03:28:44.542", W, "working"),
        ("03:28:44.584", ERR, "bad-request"),  # 400
        ("03:28:44.584", ERR, "bad-request"),  # where to read more
        ("03:28:53.338", W, "working"),  # then it was killed, and resumed by another process
        ("03:29:31.279", W, "working"),
        ("03:29:31.481", W, "working"),  # an approval was asked for, which no record says
        ("03:29:31.481", WAIT, "interrupted"),  # Esc in its dialog
        ("03:29:45.707", WAIT, "interrupted"),
        *[("03:29:45.708", WAIT, "interrupted")] * 11,  # the whole history again, under new ids
        ("03:29:51.462", W, "working"),
        ("03:29:51.489", W, "working"),  # an approval again
        ("03:29:51.489", W, "working"),  # granted, and done
        ("03:29:59.940", W, "working"),
        ("03:30:00.017", WAIT, "your-turn"),
    ],
    GEMINI / "agent-sessions_jsonl_v040.jsonl": [
        ("21:39:22.319", IDLE, "not-started"),
        ("21:39:33.155", W, "working"),
        ("21:39:35.125", W, "working"),  # a call that has ended: the model goes on
        ("21:39:45.996", WAIT, "your-turn"),
    ],
    GEMINI / "agent-history_tool_error.jsonl": [
        ("15:00:00.000", IDLE, "not-started"),
        ("15:00:00.000", W, "working"),
        ("15:00:10.000", W, "working"),  # a text with its call: another message may follow
        ("15:00:20.000", W, "working"),
        ("15:00:30.000", W, "working"),  # the edit found nothing to edit
        ("15:00:40.000", W, "working"),
        ("15:00:50.000", W, "working"),
        ("15:01:00.000", W, "working"),
        ("15:01:10.000", W, "working"),
        ("15:01:15.000", WAIT, "your-turn"),
    ],
    GEMINI / "agentsview_standard_session.json": [
        ("10:00:00Z", W, "working"),
        ("10:00:05Z", WAIT, "your-turn"),
        ("10:05:00Z", W, "working"),
        ("10:05:05Z", WAIT, "your-turn"),
    ],
    GEMINI / "agentsview_system_messages.json": [
        ("10:00:00Z", IDLE, "not-started"),  # a line of information is no turn
        ("10:00:01Z", ERR, "api-error"),
        ("10:00:05Z", ERR, "api-error"),  # a warning changes nothing
    ],
    GEMINI / "agentsview_thinking_only.json": [
        ("10:00:00Z", W, "working"),
        ("10:00:05Z", WAIT, "your-turn"),
    ],
}


def told(lines: list[bytes], turn: Turn | None = None) -> Turn:
    turn = turn or Turn()
    for line in lines:
        entry = records.read(Line(line)) if line else None
        if entry is not None:
            turn = fold(turn, entry)
    return turn


def dumped(*found: dict[str, Any]) -> list[bytes]:
    return [json.dumps(r).encode() for r in found]


def words(turn: Turn, age: int = 0, life: Life = Life.ALIVE) -> tuple[str, str]:
    seen = judge(turn, life, max(turn.at, turn.heard) + age, NOW)
    assert not seen.requests  # nothing on the disk proves a wait for a decision
    return str(seen.state), seen.reason


def steps(path: Path) -> list[tuple[str, Turn]]:
    """(time of the record, turn so far) for each record that has a time of its own."""
    if path.suffix == ".json":
        whole = json.loads(path.read_text("utf-8"))
        found = []
        for n, message in enumerate(whole["messages"], 1):
            data = json.dumps(whole | {"messages": whole["messages"][:n]}).encode()
            turn = Turn()
            for entry in records.read_whole(data):
                turn = fold(turn, entry)
            found.append((message["timestamp"], turn))
        return found
    turn, found = Turn(), []
    for line in path.read_bytes().split(b"\n"):
        turn = told([line], turn)
        record = json.loads(line) if line else {}
        if stamp := record.get("timestamp") or record.get("startTime"):
            found.append((stamp, turn))
    return found


@pytest.mark.parametrize("path", TIMELINES, ids=lambda p: p.stem[:28])
def test_a_recorded_session(path: Path) -> None:
    found = steps(path)
    assert len(found) == len(TIMELINES[path])
    for (stamp, turn), (time, *expected) in zip(found, TIMELINES[path], strict=True):
        at = moment(stamp)
        assert stamp.removesuffix("Z").endswith(time.removesuffix("Z")) and at is not None
        seen = judge(turn, Life.ALIVE, at, at)
        assert [str(seen.state), seen.reason] == expected, time
        assert not seen.requests
        assert judge(turn, Life.DEAD, at, at).state is State.DONE


def test_every_sample_has_a_timeline() -> None:
    every = {*GEMINI.rglob("*.jsonl"), *GEMINI.glob("agentsview_*.json")}
    assert every == set(TIMELINES)


def test_what_the_lab_session_did() -> None:
    work = activity(steps(LAB)[-1][1]).work
    assert work is not None
    # One prompt; the repeated message counts once: 2 x (25 + 5 thoughts).
    assert (work.turns, work.tokens, work.model) == (1, 60, "gemini-3.8-flash")
    assert (work.tools, work.program) == (("run_shell_command",), "ls")
    assert [(s.tool, s.is_over, s.ok) for s in work.steps] == [("run_shell_command", True, False)]


AT = "2030-01-02T03:04:05.000Z"


def user(text: str = "do it", id_: str = "u1", at: str = AT) -> dict[str, Any]:
    return {"id": id_, "timestamp": at, "type": "user", "content": [{"text": text}]}


def said(text: str = "done", id_: str = "g1", at: str = AT, **more: Any) -> dict[str, Any]:
    return {"id": id_, "timestamp": at, "type": "gemini", "content": text, "model": "m", **more}


def call(status: str = "success", tool: str = "replace", **asked: Any) -> dict[str, Any]:
    return {"id": "c1", "name": tool, "args": asked, "status": status, "result": [{"x": 1}]}


def note(kind: str, text: str = "x", id_: str = "n1") -> dict[str, Any]:
    return {"id": id_, "timestamp": AT, "type": kind, "content": text}


ANSWER = {"id": "u2", "timestamp": AT, "type": "user", "content": [{"functionResponse": {"id": "c1"}}]}
EMPTY = said("", tokens={"output": 5})


@pytest.mark.parametrize(
    ("found", "age", "expected"),
    [
        ([], 0, (IDLE, "not-started")),
        ([user()], 0, (W, "working")),
        ([user()], 300_000, ("unknown", "quiet")),
        ([user("/stats")], 0, (IDLE, "not-started")),  # a command is no turn
        ([user("/home/x is broken")], 0, (W, "working")),  # a path is no command
        ([user(), EMPTY], 9_000, (W, "working")),
        ([user(), EMPTY], 10_000, (W, "long-tool")),  # a tool or an approval: a maybe
        ([user(), EMPTY], 10**8, (W, "long-tool")),
        ([user(), EMPTY, note("info")], 0, (WAIT, "interrupted")),  # Esc while it ran
        ([user(), note("info")], 0, (WAIT, "interrupted")),
        ([user(), said(), note("info")], 0, (WAIT, "your-turn")),  # information at rest
        ([user(), said("", toolCalls=[call("cancelled")]), note("info")], 0, (WAIT, "interrupted")),
        ([user(), said("", toolCalls=[call("cancelled")]), ANSWER], 0, (WAIT, "interrupted")),
        ([user(), note("info"), user("again", "u9"), said("", "g9")], 0, (WAIT, "interrupted")),
        ([user("<session_context> x")], 0, (IDLE, "not-started")),
        ([user(), said("", toolCalls=[call("error")])], 0, (W, "working")),
        ([user(), said("", toolCalls=[call()]), ANSWER], 0, (W, "working")),
        ([user(), said("so", toolCalls=[call()])], 9_000, (W, "working")),
        ([user(), said("so", toolCalls=[call()])], 10_000, (WAIT, "your-turn-probable")),
        ([user(), said()], 30 * 60_000, (IDLE, "quiet")),
        ([user(), note("error", "[API Error: 429 secret]")], 0, (ERR, "rate-limit")),
        ([user(), note("error", "API key not valid")], 0, (ERR, "auth")),
        ([user(), note("error", "got status 503")], 0, (ERR, "server-error")),
        ([user(), note("error", "something")], 0, (ERR, "api-error")),
        ([user(), said(), note("error", "Unknown command: /x")], 0, (WAIT, "your-turn")),
        ([user(), note("warning")], 0, (W, "working")),
        ([user(), {"id": "z", "timestamp": AT, "type": "brand-new"}], 0, (W, "working")),
        ([user(), said(), {"$rewindTo": "u1"}], 0, (WAIT, "your-turn")),
        ([user(), said(), {"$rewindTo": "nobody"}], 0, (WAIT, "your-turn")),
        # History that is replayed is no turn, neither at rest nor at work.
        ([user(), said(), {"$set": {"messages": [user(id_="new")]}}], 0, (WAIT, "your-turn")),
        ([{"$set": {"messages": [user(id_="new")]}}], 0, (IDLE, "not-started")),
        # A message that is written again counts once, and an old one decides nothing.
        ([user(), said(), user()], 0, (WAIT, "your-turn")),
        ([user(), EMPTY, said("done", "g1")], 0, (WAIT, "your-turn")),
    ],
)  # fmt: skip
def test_what_the_records_make(found: list[dict[str, Any]], age: int, expected: tuple[str, str]) -> None:
    assert words(told(dumped(*found)), age) == expected


def test_counts_follow_rewinds() -> None:
    first, second = user(id_="a"), user(id_="b")
    turn = told(
        dumped(first, said("x", "g1", tokens={"output": 5}), second, said("y", "g2", tokens={"output": 7}))
    )
    assert (len(turn.messages), activity(turn).work.turns) == (4, 2)  # type: ignore[union-attr]
    rewound = told(dumped({"$rewindTo": "b"}), turn)
    work = activity(rewound).work
    assert work is not None and (work.turns, work.tokens) == (1, 5)
    # What is replayed was counted when it was typed.
    kept = told(dumped({"$set": {"messages": [first, user(id_="zz")]}}), turn)
    work = activity(kept).work
    assert work is not None and (work.turns, work.tokens) == (2, 12)


def test_a_history_that_is_written_again_counts_once() -> None:
    work = activity(steps(GEMINI / "resumed-0.61.0.jsonl")[-1][1]).work
    assert work is not None
    # Eight prompts were typed, eight messages of the model were live, 5 tokens each.
    assert (work.turns, work.tokens) == (8, 40)
    assert work.files == ("b.txt",) and work.tools[-2:] == ("write_file", "write_file")


def test_what_an_earlier_process_left_open_is_no_work() -> None:
    turn = told(dumped(user()))
    seen = judge(turn, Life.ALIVE, turn.at + 1000, 0, began=turn.at + 60_000)
    assert (str(seen.state), seen.reason, seen.fact.rule) == (WAIT, "interrupted", "gemini.left-open")
    seen = judge(turn, Life.ALIVE, turn.at + 1000, 0, began=turn.at + 1_000)
    assert str(seen.state) == W


def test_files_and_programs_are_names() -> None:
    calls = [
        call(tool="replace", file_path="/w/src/ring.py"),
        call(tool="run_shell_command", command="CI=1 npm test"),
    ]
    calls[1]["id"] = "c2"
    work = activity(told(dumped(user(), said("", toolCalls=calls)))).work
    assert work is not None and (work.files, work.program) == (("ring.py",), "npm")


def test_a_line_that_is_too_long_is_known_by_its_ends() -> None:
    head = b'{"id":"g9","timestamp":"2030-01-02T03:04:05.000Z","type":"gemini","content":"","toolCalls":[{"x'
    turn = fold(
        told(dumped(user())), records.read(Line(head, b'"}]}')) or records.Entry(records.Happened.NOTHING)
    )
    assert turn.now is Now.RESULT
    for data in (
        head.replace(b"gemini", b"user"),
        head.replace(b"gemini", b"info"),
        b'{"$set":{"messages":[',
        b"x",
    ):
        assert records.read(Line(data, b"}")) is not None


ALL = [line for path in TIMELINES if path.suffix == ".jsonl" for line in path.read_bytes().split(b"\n")]
ODD = dumped(
    *[user(), EMPTY, said(), ANSWER, note("info"), note("error"), {"$rewindTo": "u1"}, {"$set": None}]
)


@given(st.data())
@settings(max_examples=80)
def test_cuts_duplicates_and_reorders_are_survived(data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from([*ALL, *ODD]), max_size=30))
    cut = data.draw(st.integers(0, 300))
    turn = told([line[: len(line) - cut] if i % 5 == 3 else line for i, line in enumerate(chosen)])
    age = data.draw(st.integers(0, 10**8))
    for life in Life:
        state, _ = words(turn, age, life)
        assert State(state) in State
        if life is Life.DEAD:
            assert state == "done"
        if not turn.is_open or (life is Life.UNKNOWN and age >= 300_000):
            assert state != "working"
    assert len(turn.calls) <= 16


REST = LAB.read_bytes().split(b"\n")


@given(st.integers(0, len(REST) - 2), st.lists(st.integers(0, len(REST) - 2), max_size=12))
def test_no_false_working_at_rest(start: int, again: list[int]) -> None:
    """Read from anywhere, with any of its lines told twice: at rest it stays at rest."""
    turn = told([*REST[start:], *(REST[i] for i in sorted(again) if i >= start)])
    assert words(turn) in ((WAIT, "your-turn"), (IDLE, "not-started"))


@given(st.binary(max_size=300))
def test_no_line_breaks_the_reader(line: bytes) -> None:
    records.read(Line(line))
    records.read(Line(line, line))
    records.read_whole(line)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "type", "content", "text", "toolCalls", "args", "messages"]), inner
        )
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(
        st.sampled_from(["id", "type", "timestamp", "content", "toolCalls", "tokens", "$set"]), JSON
    )
)
def test_wrong_types_are_survived(found: dict[str, Any]) -> None:
    for kind in ("user", "gemini", "error"):
        activity(told(dumped({**found, "type": kind}, found)))
