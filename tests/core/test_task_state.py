"""Every spelling of contracts/a2a.md B, and the words nobody has written yet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core.agent import RequestKind, State
from lisa_island.core.task_state import read_task_state

SPELLINGS = [
    (State.WORKING, "submitted", None, False, ["submitted", "TASK_STATE_SUBMITTED", "SUBMITTED", 1]),
    (State.WORKING, "working", None, False, ["working", "TASK_STATE_WORKING", "Working", 2, "waiting"]),
    (
        State.WAITING,
        "input-required",
        RequestKind.INPUT,
        False,
        [
            "input-required",
            "TASK_STATE_INPUT_REQUIRED",
            "INPUT_REQUIRED",
            "input_required",
            "inputRequired",
            6,
        ],
    ),
    (
        State.WAITING,
        "auth-required",
        RequestKind.AUTH,
        False,
        ["auth-required", "TASK_STATE_AUTH_REQUIRED", "auth_required", "authRequired", 8],
    ),
    (State.DONE, "completed", None, True, ["completed", "TASK_STATE_COMPLETED", "Completed", 3]),
    (State.ERROR, "failed", None, True, ["failed", "TASK_STATE_FAILED", 4]),
    (State.ERROR, "rejected", None, True, ["rejected", "TASK_STATE_REJECTED", 7]),
    (
        State.DONE,
        "canceled",
        None,
        True,
        ["canceled", "cancelled", "TASK_STATE_CANCELED", "TASK_STATE_CANCELLED", 5],
    ),
    (State.UNKNOWN, "unknown", None, False, ["unknown", "TASK_STATE_UNSPECIFIED", "", None, 0, {}, [], True]),
]


@pytest.mark.parametrize(
    ("state", "word", "request_kind", "terminal", "raw"),
    [(s, w, r, t, raw) for s, w, r, t, raws in SPELLINGS for raw in raws],
)
def test_every_spelling_maps(state, word, request_kind, terminal, raw):
    found = read_task_state(raw)
    assert (found.state, found.word, found.reason) == (state, word, word)
    assert (found.request, found.terminal) == (request_kind, terminal)


@pytest.mark.parametrize("raw", ["paused", "TASK_STATE_PAUSED", "done", "running", "完成", 99, -1])
def test_another_word_is_unknown_with_the_word_as_reason(raw):
    found = read_task_state(raw)
    assert found.state is State.UNKNOWN
    assert found.reason == str(raw)
    assert not found.terminal


def test_a_hostile_word_is_cleaned_and_cut():
    found = read_task_state("\x1b[31mpaused\u202e" + "x" * 500)
    assert len(found.reason) <= 64
    assert "\x1b" not in found.reason and "\u202e" not in found.reason


@given(st.one_of(st.text(), st.integers(), st.none(), st.floats(), st.lists(st.text())))
def test_it_is_total(raw):
    found = read_task_state(raw)
    assert found.state in State
    assert 0 < len(found.reason) <= 64
