"""The journal's values: folding, its head, its lines, and that no text of anybody can stand in them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core.actions import ACTIONS, action_of
from lisa_island.core.agent import RequestKind, SessionKey, State
from lisa_island.core.evidence import Rank
from lisa_island.core.journal import (
    MAIN,
    ActionBegan,
    ActionEnded,
    AgentJoined,
    AgentLeft,
    AgentStated,
    Asked,
    Delegated,
    Entry,
    Known,
    SessionTold,
    Used,
    fold,
    head,
    reason_of,
    replayed,
    rule_of,
    tag,
)
from lisa_island.core.journal_lines import exported, imported, plain, read

KEY = SessionKey("claude-code", "s")
TAGS = st.sampled_from([tag(x) for x in "abcde"])
AGENTS = st.just(MAIN) | TAGS
OKS = st.sampled_from([None, True, False])
NUMBERS = st.integers(0, 2**53)
ASKED = st.builds(Asked, st.sampled_from(RequestKind), TAGS, NUMBERS)
REASONS = st.sampled_from(["", "working", "your-turn", "permission", "other", "quiet"])
RULES = st.sampled_from(["", "claude-code.busy", "takoapi.status"])
HAPPENINGS = st.one_of(
    st.builds(SessionTold, st.booleans(), NUMBERS, st.booleans()),
    st.builds(AgentJoined, AGENTS, st.just("") | AGENTS),
    st.builds(AgentLeft, AGENTS, OKS),
    st.builds(
        AgentStated, AGENTS, st.sampled_from(State), REASONS, RULES,
        st.none() | st.sampled_from(Rank), st.lists(ASKED, max_size=3).map(tuple),
    ),
    st.builds(ActionBegan, AGENTS, st.sampled_from(ACTIONS), TAGS),
    st.builds(ActionEnded, AGENTS, TAGS, OKS),
    st.builds(Delegated, AGENTS, AGENTS),
    st.builds(Used, AGENTS, NUMBERS),
)  # fmt: skip


def folded(happenings, known=None) -> Known:
    known = known or Known()
    for happening in happenings:
        known = fold(known, happening)
    return known


@given(st.lists(HAPPENINGS, max_size=40), st.integers(0, 40))
def test_a_head_stands_for_what_it_replaces_and_is_never_longer(happenings, at):
    old, new = happenings[:at], happenings[at:]
    told = head(folded(old))
    assert len(told) <= len(old)
    assert folded(told) == folded(old)
    assert folded([*told, *new]) == folded(happenings)


@given(HAPPENINGS)
def test_a_happening_comes_back_from_its_line(happening):
    assert read(json.loads(json.dumps(plain(happening)))) == happening


@given(st.lists(st.tuples(NUMBERS, HAPPENINGS), max_size=20))
def test_an_export_replays_to_the_same_states(told):
    entries = [Entry(at, KEY, happening) for at, happening in told]
    again = list(imported(exported(entries)))
    assert [(at, known) for at, _, known in replayed(again)] == [
        (at, known) for at, _, known in replayed(entries)
    ]
    assert "claude-code::s" not in "".join(exported(entries))


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.sampled_from([MAIN, tag("a")]),
    lambda x: st.lists(x, max_size=3) | st.dictionaries(st.sampled_from(
        ["type", "id", "state", "busy", "turns", "action", "toolCallId", "requests", "kind", "tag", "rank"]
    ) | st.text(max_size=5), x, max_size=6),
    max_leaves=10,
)  # fmt: skip
TYPES = st.sampled_from(
    [
        "session",
        "agent_join",
        "agent_leave",
        "agent_state",
        "action",
        "action_end",
        "delegate",
        "usage",
        "say",
    ]
)


@given(JUNK, TYPES)
def test_reading_raises_nothing_but_a_value_error(found, kind):
    for junk in (found, {**found, "type": kind} if isinstance(found, dict) else found):
        try:
            read(junk)
        except ValueError:
            pass


@pytest.mark.parametrize(
    "event",
    [
        {"type": "say", "id": "main", "text": "hello"},
        {"type": "agent_join", "id": "sk-ant-planted"},
        {"type": "agent_state", "id": "main", "state": "working", "reason": "sk-ant-planted"},
        {"type": "action", "id": "main", "action": "rm -rf", "toolCallId": tag("a")},
        {"type": "usage", "id": "main", "tokens": True},
        {"type": "usage", "id": "main", "tokens": 1e400},
    ],
)
def test_what_this_program_would_not_write_is_refused(event):
    with pytest.raises(ValueError):
        read(event)


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        ([], "1"),
        (["{}"], "1"),
        (['{"format": "lisa-island-journal", "version": 2}'], "1"),
        ([*exported([]), "x"], "2"),
        ([*exported([]), "[" * 10_000], "2"),
        ([*exported([]), '{"at": 1, "agent": "a", "session": "a name", "event": {"type": "usage"}}'], "2"),
    ],
)
def test_a_file_that_is_no_journal_names_its_line(lines, number):
    with pytest.raises(ValueError, match=f"^{number}$"):
        list(imported(lines))


def test_words_of_peers_do_not_pass():
    assert reason_of("sk-ant-planted") == "other" and reason_of("your-turn") == "your-turn"
    assert reason_of("long-tool") == "long-tool", "a reason that a row has words for"
    assert rule_of("claude-code.sk-ant") == "" and rule_of("claude-code.busy")
    assert tag("a") == tag("a") != tag("b") and len(tag("\ud800" * 10_000)) == 12


def test_children_do_not_push_the_session_s_own_agent_out():
    known = folded([AgentJoined(MAIN), *(AgentJoined(tag(str(i)), MAIN) for i in range(500))])
    assert known.agents[0] == (MAIN, "") and len(known.agents) == 65 and not known.is_over
    assert folded([AgentLeft(MAIN)], known).is_over


@pytest.mark.parametrize(
    ("tool", "action"),
    [
        ("Read", "archive"), ("Bash", "server"), ("Edit", "type"), ("Task", "delegate"),
        ("Agent", "delegate"),
        ("TodoWrite", "whiteboard"), ("tasks", "whiteboard"), ("AskUserQuestion", "phone"),
        ("exit_plan_mode", "whiteboard"), ("KillShell", "server"), ("mcp__files__read_file", "archive"),
        ("readme", "type"), ("searchdocs", "type"), ("WebFetch", "phone"), ("", "type"), ("mcp__x__", "type"),
    ],
)  # fmt: skip
def test_tools_by_their_names(tool, action):
    assert action_of(tool) == action


@given(st.text())
def test_every_name_is_one_of_six(tool):
    assert action_of(tool) in ACTIONS
