"""States of recorded OpenCode sessions, labelled by hand from their records: time, state, reason.

Each label is what a person beside the terminal would have called it then, as far as its records can tell.
"""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lisa_island.agents import _opencode_db, _opencode_tree
from lisa_island.agents._opencode_talk import Call, Talk, activity, failure, judge
from lisa_island.agents._proc import Life
from lisa_island.core.agent import State
from lisa_island.core.evidence import Rank
from lisa_island.core.words import has
from tests.agents.opencode_rig import LAB, OLD, TREE, as_of, tree_as_of

W, WAIT, ERR, UNKNOWN, DONE = "working", "waiting", "error", "unknown", "done"
LONG = "ses_dd274e18affeE6W77FOkcWjlcc"
RUN = "ses_dd275c989ffeeg9yWN6esSDAfA"
CHILD = "ses_dd27439bcfferBKvHwAwgL2W4V"

TIMELINES: dict[str, list[tuple[int, str, str]]] = {
    LONG: [
        (1796060421770, W, "working"),  # the prompt stands alone
        (1796060421800, W, "working"),  # an answer has begun
        (1796060423030, W, "working"),  # bash; an approval dialog was open, which no record says
        (1796060429860, W, "working"),  # it has returned, the message goes on
        (1796060429890, W, "working"),  # completed with tool-calls: not the end of the turn
        (1796060429900, W, "working"),
        (1796060430150, WAIT, "your-turn"),  # stop
        (1796060447700, W, "working"),
        (1796060447860, W, "working"),  # a long command
        (1796060454232, WAIT, "interrupted"),  # MessageAbortedError is Esc, no failure
        (1796060458910, W, "working"),
        (1796060459050, ERR, "bad-request"),  # APIError, 400
        (1796060464620, W, "working"),
        (1796060464750, W, "working"),  # task: the subagent's session does the work
        (1796060469980, W, "working"),
        (1796060470210, WAIT, "your-turn"),
        (1796060475336, W, "working"),
        (1796060475350, W, "working"),
        (1796060475410, WAIT, "question"),  # the question tool waits
    ],
    RUN: [
        (1796060362430, W, "working"),
        (1796060363090, W, "working"),
        (1796060363870, W, "working"),  # bash asks for permission, which no record says
        (1796060363920, W, "working"),  # refused; the message is not completed yet
        (1796060363990, WAIT, "interrupted"),  # and nothing follows a refusal
    ],
}

TREES: dict[Path, dict[str, list[tuple[int, str, str]]]] = {
    TREE: {
        "s_stage0_small": [
            (1730000001000, W, "working"),
            (1730000002000, W, "working"),
            (1730000003000, W, "working"),  # ls has returned; this version records no end of a message
            (1730000005000 + 300_000, UNKNOWN, "quiet"),  # five minutes after its last change
        ],
        "s_stage0_large": [
            (1730000101000, W, "working"),
            (1730000103100, WAIT, "interrupted"),  # aborted, although it says stop
            (1730000105000, W, "working"),
            (1730000106000, W, "working"),
            (1730000109000 + 300_000, UNKNOWN, "quiet"),
        ],
    },
    OLD: {
        "s_stage0_drift": [
            (1730000201000, W, "working"),
            (1730000202000, W, "working"),  # its parts lie elsewhere: messages alone speak
            (1730000204000 + 300_000, UNKNOWN, "quiet"),
        ],
    },
}


def talks(path: Path) -> dict[str, Talk]:
    return {talk.session: talk for talk in _opencode_db.read(path, lambda _session, _directory: True)}


@pytest.mark.parametrize("session", TIMELINES)
def test_a_recorded_session(session: str, tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    for at, *expected in TIMELINES[session]:
        as_of(LAB, path, at)
        talk = talks(path)[session]
        seen = judge(talk, Life.ALIVE, at, at)
        assert [str(seen.state), seen.reason] == expected, at
        assert bool(seen.requests) == (seen.reason == "question")  # an approval is never claimed
        dead = judge(talk, Life.DEAD, at, at)
        # A process that ended is never working and waits for nobody.
        assert (dead.state, dead.requests) == (State.DONE, ())
        assert dead.reason == ("ended-mid-turn" if seen.state is State.WORKING or seen.requests else "exited")


@pytest.mark.parametrize("tree", TREES, ids=lambda p: p.name)
def test_a_recorded_folder(tree: Path, tmp_path: Path) -> None:
    for session, labels in TREES[tree].items():
        for at, *expected in labels:
            shutil.rmtree(tmp_path / "s", ignore_errors=True)
            tree_as_of(tree, tmp_path / "s", at)
            found = {t.session: t for t in _opencode_tree.read(tmp_path / "s", 0, lambda _s, _d: True)}
            seen = judge(found[session], Life.ALIVE, at, at)
            assert [str(seen.state), seen.reason] == expected, (session, at)


def test_every_sample_has_a_timeline() -> None:
    with closing(sqlite3.connect(f"file:{LAB}?immutable=1", uri=True)) as db:
        every = {id_ for (id_,) in db.execute("SELECT id FROM session")}
    assert every == {*TIMELINES, CHILD}
    named = {json.loads(f.read_text())["id"] for t in (TREE, OLD) for f in t.glob("session/*/*.json")}
    assert named == {session for tree in TREES.values() for session in tree}


def test_a_subagents_session_is_no_row_of_its_own() -> None:
    assert CHILD not in talks(LAB)


def test_what_the_lab_session_did() -> None:
    work = activity(talks(LAB)[LONG]).work
    assert work is not None
    # Five prompts; the session's own count of output tokens, 4 x 25.
    assert (work.turns, work.tokens, work.model, work.mode) == (5, 100, "mock-model", "build")
    assert (work.tools, work.program, work.version) == (("bash", "task", "question"), "tail", "1.18.33")


def test_what_an_earlier_process_left_open_is_no_work(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    as_of(LAB, path, 1796060475336)
    talk = talks(path)[LONG]
    began = talk.at + 60_000
    seen = judge(talk, Life.ALIVE, began + 1000, began, began)
    assert (str(seen.state), seen.reason, seen.fact.rule) == (WAIT, "interrupted", "opencode.left-open")
    assert str(judge(talk, Life.ALIVE, began + 1000, began, talk.at).state) == W


# --- the tables of 2.0, composed after rows that others published (not verified) ---

SCHEMA = """
CREATE TABLE session_v2 (id text PRIMARY KEY, project_id text, parent_id text, slug text, directory text,
  title text, version text, tokens_output integer, agent text, model text, time_created integer,
  time_updated integer, time_idle integer, idle_outcome text, time_compacting integer, time_archived integer);
CREATE TABLE session_message (id text PRIMARY KEY, session_id text, type text, seq integer,
  time_created integer, time_updated integer, data text);
"""


def second(path: Path, *rows: tuple[str, dict[str, Any]]) -> Talk:
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(SCHEMA)
        db.execute(
            "INSERT INTO session_v2 (id, directory, version, tokens_output, time_created, time_updated) "
            "VALUES ('s', '/w', '2.0.14', 461, 1, 2)"
        )
        for seq, (type_, data) in enumerate(rows):
            db.execute(
                "INSERT INTO session_message VALUES (?, 's', ?, ?, ?, ?, ?)",
                (f"m{seq}", type_, seq, 1000 + seq, 1000 + seq, json.dumps(data)),
            )
        db.commit()
    return talks(path)["s"]


USER: tuple[str, dict[str, Any]] = ("user", {"text": "x"})
ASKED = {"type": "tool", "id": "c1", "name": "question", "state": {"status": "running", "input": {}}}
SAID: tuple[str, dict[str, Any]] = (
    "assistant",
    {"finish": "stop", "time": {"completed": 5}, "content": [{"type": "text", "text": "x"}]},
)
FAILED: tuple[str, dict[str, Any]] = (
    "assistant",
    {
        "finish": "error", "time": {"completed": 5}, "content": [],
        "error": {"type": "provider.invalid-request", "status": 400, "message": "x"},
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([USER], (W, "working")),
        ([USER, ("assistant", {"content": [ASKED]})], (WAIT, "question")),
        ([USER, SAID], (WAIT, "your-turn")),
        ([USER, SAID, ("idle", {"outcome": "succeeded"})], (WAIT, "your-turn")),
        ([USER, SAID, ("idle", {"outcome": "interrupted"})], (WAIT, "interrupted")),
        ([USER, FAILED, ("idle", {"outcome": "failed"})], (ERR, "bad-request")),
        # Another model was chosen afterwards: that begins no run.
        ([USER, SAID, ("idle", {"outcome": "succeeded"}), ("model-switched", {})], (WAIT, "your-turn")),
        # A failure of before is no failure of now.
        ([USER, FAILED, ("idle", {"outcome": "failed"}), USER, SAID, ("idle", {})], (WAIT, "your-turn")),
        ([], (UNKNOWN, "nothing-decisive")),
    ],
)
def test_the_tables_of_the_second_generation(
    rows: list[tuple[str, dict[str, Any]]], expected: tuple[str, str], tmp_path: Path
) -> None:
    talk = second(tmp_path / "two.db", *rows)
    seen = judge(talk, Life.ALIVE, 1500, 1500)
    assert (str(seen.state), seen.reason) == expected
    assert talk.tokens == 461


# --- whatever the records hold ---

WORDS = st.sampled_from(["", "user", "assistant", "idle", "stop", "tool-calls", "unknown", "aborted", "zz"])
TIMES = st.integers(0, 10**10)
CALLS = st.builds(
    Call, st.just("c"), st.sampled_from(["bash", "question", "task"]),
    st.sampled_from(["running", "pending", "completed", "error", "zz"]), is_refused=st.booleans(),
)  # fmt: skip
TALKS = st.builds(
    Talk, st.just("s"), archived=st.just(0) | TIMES, compacting=st.just(0) | TIMES,
    role=st.sampled_from(["", "user", "assistant", "idle"]), at=TIMES, updated=TIMES,
    is_completed=st.booleans(), finish=WORDS, error=st.sampled_from(["", "aborted", "api-error"]),
    outcome=WORDS, is_retrying=st.booleans(), calls=st.lists(CALLS, max_size=3).map(tuple),
)  # fmt: skip


@given(TALKS, st.sampled_from(Life), TIMES)
def test_any_session_has_one_true_state(talk: Talk, life: Life, now: int) -> None:
    seen = judge(talk, life, now, now)
    assert seen.state in State and seen.fact.at <= max(now, talk.updated)
    if life is Life.DEAD:
        assert seen.state is State.DONE and not seen.requests
    assert has(f"why.{seen.fact.rule}") and has(f"would.{seen.fact.rule}") == (seen.until is not None)
    # Ten seconds for one that says no end; a compaction is work of its own, after the turn.
    if not talk.is_open and seen.fact.rule not in ("opencode.loop", "opencode.compacting"):
        assert seen.state is not State.WORKING  # no false working at rest
    if seen.requests:
        assert life is Life.ALIVE and seen.fact.rank is Rank.REQUEST
        assert any(c.tool == "question" and c.is_running for c in talk.calls)
    later = judge(talk, Life.UNKNOWN, now + talk.at + talk.updated + talk.compacting + 10**8, now)
    assert later.state is not State.WORKING  # silence keeps nothing at work where no process is known


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_cut_and_doubled_rows_are_survived(data: st.DataObject, tmp_path: Path) -> None:
    path = tmp_path / "cut.db"
    shutil.copyfile(LAB, path)
    with closing(sqlite3.connect(path)) as db:
        for table in ("message", "part"):
            rows = db.execute(f"SELECT id, data FROM {table}").fetchall()
            for id_, text in data.draw(st.lists(st.sampled_from(rows), max_size=4)):
                cut = text[: data.draw(st.integers(0, len(text)))]
                odd = data.draw(st.sampled_from([cut, "null", "[]", "7", '{"time":7,"role":[]}', text]))
                db.execute(f"UPDATE {table} SET data = ? WHERE id = ?", (odd, id_))
            for id_, _ in data.draw(st.lists(st.sampled_from(rows), max_size=3)):
                db.execute(f"UPDATE {table} SET time_created = ? WHERE id = ?", (data.draw(TIMES), id_))
        db.commit()
    for talk in talks(path).values():
        for life in Life:
            assert judge(talk, life, talk.at + data.draw(st.integers(0, 10**8)), 0).state in State
        activity(talk)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(junk=st.binary(max_size=200))
def test_no_file_breaks_the_reader(junk: bytes, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "t", ignore_errors=True)
    shutil.copytree(TREE, tmp_path / "t")
    for n, file in enumerate(sorted((tmp_path / "t").rglob("*.json"))):
        if n % 3 == 0:
            file.write_bytes(junk or file.read_bytes()[: len(junk)])
    _opencode_tree.read(tmp_path / "t", 0, lambda _s, _d: True)


@pytest.mark.parametrize(
    ("name", "status", "expected"),
    [
        ("MessageAbortedError", None, "aborted"), ("APIError", 529, "overloaded"),
        ("APIError", 429, "rate-limit"), ("ProviderAuthError", None, "auth"),
        ("APIError", 401, "auth"), ("APIError", 400, "bad-request"),
        ("MessageOutputLengthError", None, "output-length"),
        ("ContextOverflowError", None, "context-full"),
        ("APIError", 503, "server-error"), ("UnknownError", None, "api-error"), ("x", "429", "api-error"),
    ],
)  # fmt: skip
def test_a_failure_is_a_class_of_ours(name: str, status: object, expected: str) -> None:
    assert failure(name, status) == expected
