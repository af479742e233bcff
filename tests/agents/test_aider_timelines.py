"""States of a recorded aider history, labelled by hand from its lines: how the line begins, state, reason.

Each label is what a person beside the terminal would have called it when that line was written.
"""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents._aider_history import Now, Run, fold
from lisa_island.agents._aider_state import judge
from lisa_island.agents._jsonl import Line
from lisa_island.agents._proc import Life
from lisa_island.core.agent import State
from tests.agents.local_rig import DATA, NOW

LAB = DATA / "aider" / "lab-0.86.2" / ".aider.chat.history.md"
KILLED = DATA / "aider" / "killed-0.86.2" / ".aider.chat.history.md"

TIMELINES: dict[Path, list[tuple[str, str, str]]] = {}
TIMELINES[KILLED] = [
    ("# aider chat started at", "idle", "not-started"),
    ("> Repo-map", "idle", "not-started"),
    ("#### hello", "working", "working"),
    ("> Tokens", "waiting", "your-turn"),
    ("#### please DO_SLOW", "working", "working"),
    ("> ^C again", "waiting", "interrupted"),  # while the model was asked: no answer, no count
    ("#### please DO_400", "working", "working"),
    ("> litellm.BadRequestError", "error", "bad-request"),
    ("#### please DO_SLOW", "working", "working"),
    ("> Tokens", "waiting", "your-turn"),
    ("#### /ask DO_SLOW", "working", "working"),  # a command that carries a question
    ("#### DO_SLOW", "working", "working"),  # its question again: one turn; then it was killed
]
TIMELINES[LAB] = [
    ("# aider chat started at", "idle", "not-started"),
    ("> Add .aider* to .gitignore", "idle", "not-started"),  # a question before anything was asked
    ("> /srv/venv-aider/bin/aider", "idle", "not-started"),  # its command line: nothing is taken from it
    ("> Added hello.py", "idle", "not-started"),
    ("#### please AIDER", "working", "working"),
    ("Mock title", "working", "working"),  # the answer: prose is passed over
    ("> Tokens: 2.5k", "waiting", "your-turn"),
    ("#### plain hello", "working", "working"),
    ("> Tokens: 2.5k", "waiting", "your-turn"),
    ("> ^C again", "waiting", "interrupted"),
    ("#### hello DO_500x", "working", "working"),
    ("> Tokens: 2.6k", "waiting", "your-turn"),
    ("#### /exit", "done", "exited"),
]


def told(lines: list[str], run: Run | None = None) -> Run:
    run = run or Run()
    for line in lines:
        run = fold(run, Line(line.encode("utf-8", "surrogatepass")), NOW)
    return run


def words(run: Run, life: Life = Life.ALIVE, age: int = 0) -> tuple[str, str]:
    seen = judge(run, "", life, NOW + age, NOW)
    assert not seen.requests  # nothing on the disk proves a wait for a decision
    return str(seen.state), seen.reason


@pytest.mark.parametrize("path", TIMELINES, ids=lambda p: p.parent.name)
def test_a_recorded_history(path: Path) -> None:
    labels = list(TIMELINES[path])
    run = Run()
    for line in path.read_text("utf-8").split("\n"):
        run = told([line], run)
        if labels and line.startswith(labels[0][0]):
            assert words(run) == labels[0][1:], labels[0]
            labels.pop(0)
    assert not labels, "labels without a line"
    # Three answers of 2 tokens, /exit is no turn; two of 3 tokens and five prompts.
    assert (run.turns, run.tokens) == {LAB: (3, 6), KILLED: (5, 6)}[path]
    assert (run.version, run.model) == ("0.86.2", "openai/gpt-4o")


def test_every_sample_has_a_timeline() -> None:
    assert {p for p in (DATA / "aider").rglob("*.md") if p.name != "ORIGIN.md"} == set(TIMELINES)


FAIL, RETRY = "> litellm.APIError: x  ", "> Retrying in 0.2 seconds...  "
YES = "(Y)es/(N)o/(D)on't ask again [Yes]:"
HEAD = "# aider chat started at 2030-01-02 03:04:05"
ASK, END = "#### do it  ", "> Tokens: 2.5k sent, 25 received. Cost: $0.01 message, $0.02 session.  "


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], ("unknown", "nothing-decisive")),
        ([HEAD], ("idle", "not-started")),
        ([HEAD, ASK], ("working", "working")),
        ([HEAD, ASK, END], ("waiting", "your-turn")),
        # A heading or a quotation of an answer is no prompt and no end.
        ([HEAD, ASK, END, "#### Step 1", "> Tokens: 1 sent, 1 received."], ("waiting", "your-turn")),
        ([HEAD, ASK, "> quoted", "#### Step 1"], ("working", "working")),
        # Slash commands are no turns, but those that carry a question to the model.
        ([HEAD, ASK, END, "#### /add ring.py  "], ("waiting", "your-turn")),
        ([HEAD, ASK, END, "#### /run make  "], ("waiting", "your-turn")),
        ([HEAD, ASK, END, "#### !make  "], ("waiting", "your-turn")),
        ([HEAD, ASK, END, "#### /ask  "], ("waiting", "your-turn")),
        ([HEAD, ASK, END, "#### /ask why  "], ("working", "working")),
        ([HEAD, ASK, END, "#### <blank>  "], ("waiting", "your-turn")),
        ([HEAD, ASK, END, "#### /quit  "], ("done", "exited")),
        ([HEAD, "#### /clear  ", ASK], ("working", "working")),  # a command that wrote nothing
        ([HEAD, ASK, "> ^C again to exit  "], ("waiting", "interrupted")),
        ([HEAD, ASK, "> KeyboardInterrupt  "], ("waiting", "interrupted")),
        # Failures, by class; one that is tried again is none yet.
        ([HEAD, ASK, "> litellm.RateLimitError: secret words  "], ("error", "rate-limit")),
        ([HEAD, ASK, "> litellm.AuthenticationError: x  "], ("error", "auth")),
        ([HEAD, ASK, "> litellm.ContextWindowExceededError: x  "], ("error", "context-full")),
        ([HEAD, ASK, "> litellm.BadRequestError: x  "], ("error", "bad-request")),
        ([HEAD, ASK, "> litellm.InternalServerError: x  "], ("error", "server-error")),
        ([HEAD, ASK, "> litellm.APIConnectionError: x  "], ("error", "api-error")),
        ([HEAD, ASK, "> Traceback (most recent call last):  "], ("error", "tool-crashed")),
        ([HEAD, ASK, "> Unable to read the file  "], ("error", "api-error")),
        ([HEAD, ASK, FAIL, RETRY], ("working", "retrying")),
        ([HEAD, ASK, FAIL, RETRY, END], ("waiting", "your-turn")),
        ([HEAD, ASK, FAIL, ASK], ("working", "working")),
        # A yes after an answer makes it go on; a no does not, nor a question about something else.
        ([HEAD, ASK, END, f"> Attempt to fix lint errors? {YES} y  "], ("working", "working")),
        ([HEAD, ASK, END, f"> Attempt to fix lint errors? {YES} n  "], ("waiting", "your-turn")),
        ([HEAD, ASK, END, f"> Add a.py to the chat? {YES} y  "], ("working", "working")),
        ([HEAD, ASK, END, f"> Add a.py to the chat? {YES} d  "], ("waiting", "your-turn")),
        ([HEAD, ASK, END, f"> Create new file? {YES} y  "], ("waiting", "your-turn")),
        ([HEAD, ASK, END, "> Applied edit to a.py  ", "> Commit abc words  "], ("waiting", "your-turn")),
        # A new run forgets the last one's.
        ([HEAD, ASK, END, HEAD], ("idle", "not-started")),
    ],
)  # fmt: skip
def test_what_a_line_makes_of_a_run(lines: list[str], expected: tuple[str, str]) -> None:
    assert words(told(lines)) == expected


def test_time_and_death() -> None:
    asked, ended = told([HEAD, ASK]), told([HEAD, ASK, END])
    assert words(asked, age=299_999) == ("working", "working")
    assert words(asked, age=300_000) == ("unknown", "quiet")  # nothing is written before an answer is whole
    assert words(ended, age=30 * 60_000) == ("idle", "quiet")
    assert words(asked, Life.DEAD) == ("done", "ended-mid-turn")
    assert words(ended, Life.DEAD) == ("done", "exited")
    assert words(told([HEAD, ASK, END, "#### /exit  "]), Life.DEAD) == ("done", "exited")


def test_a_prompt_of_many_lines_is_one_turn() -> None:
    run = told([HEAD, "#### one  ", "####   ", "#### /exit  ", "#### two  ", END, "#### three  "])
    assert run.turns == 2 and run.now is Now.PROMPT


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("31,588", 31_588),
        ("2.5k", 2_500),
        ("1.2M", 1_200_000),
        ("7", 7),
        ("..", 0),
        (",", 0),
        ("9" * 20, 2**53),
    ],
)
def test_numbers_as_they_are_written(text: str, tokens: int) -> None:
    line = f"> Tokens: 2.5k sent, 1k cache hit, {text} received. Cost: $0.01 message.  "
    assert told([HEAD, ASK, line]).tokens == tokens


def test_edited_files_are_names_newest_last() -> None:
    run = told(
        [HEAD, "> Applied edit to src/a.py  ", "> Applied edit to b.py  ", "> Applied edit to src/a.py  "]
    )
    assert run.files == ("b.py", "a.py")


ALL = [*LAB.read_text("utf-8").split("\n"), HEAD, ASK, END, "> ^C again to exit  ", "> litellm.APIError: x  "]


@given(
    st.lists(st.sampled_from(ALL) | st.text(max_size=40), max_size=30),
    st.integers(0, 60),
    st.integers(0, 10**8),
)
def test_cuts_duplicates_and_reorders_are_survived(lines: list[str], cut: int, age: int) -> None:
    run = told([line[: len(line) - cut] if n % 5 == 3 else line for n, line in enumerate(lines)])
    assert words(run, Life.DEAD)[0] == "done"
    state, _ = words(run, age=age)
    assert State(state) in State
    if age >= 300_000 or not run.is_open:
        assert state != "working"
    assert len(run.files) <= 10


@given(st.lists(st.text(max_size=60).filter(lambda t: not t.endswith("  ")), max_size=8))
def test_no_answer_makes_a_turn_or_ends_one(prose: list[str]) -> None:
    """Whatever an answer says, as long as no line of it ends with aider's two spaces or begins a run."""
    answer = [line for text in prose for line in re.split(r"[\r\n]", text) if not line.endswith("  ")]
    before = told([HEAD, ASK])
    after = told([line for line in answer if not line.startswith("# aider chat")], before)
    assert (after.now, after.turns, after.tokens) == (before.now, before.turns, before.tokens)


@given(st.binary(max_size=300))
def test_no_line_breaks_the_reader(line: bytes) -> None:
    fold(Run(), Line(line), NOW)
    fold(Run(), Line(line, line), NOW)
    fold(Run(), Line(b"> Tokens: " + line + b"  "), NOW)


def test_the_reader_of_paths() -> None:
    assert told([HEAD, f"> Applied edit to {'x' * 5000}  "]).files == ()  # its end was not read
    assert isinstance(LAB, Path)
