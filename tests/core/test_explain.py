"""Why a state is believed and what would change it: one answer, structure only, for page and command."""

import json
from dataclasses import replace

import pytest

from lisa_island.agents import _claude_state
from lisa_island.core.agent import (
    Activity,
    AgentSession,
    Blocked,
    Can,
    Freshness,
    Health,
    Origin,
    RequestKind,
    SessionKey,
    SourceStatus,
    State,
    Task,
)
from lisa_island.core.events import SessionOpened
from lisa_island.core.evidence import Fact, Rank
from lisa_island.core.explain import explain, explained_json, find, lines
from lisa_island.core.roster import Roster, reduce
from lisa_island.core.words import has

AT = 1_800_000_000_123
SECRET = "sk-ant-PLANTED and a sentence"


def here(fact: Fact | None = None, **more) -> AgentSession:
    key = SessionKey("claude-code", "11111111-2222-4333-8444-555555555555")
    more = {"origin": Origin.LOCAL, "fact": fact, "last_activity": AT} | more
    return AgentSession(key, "demo", more.pop("state", State.WORKING), **more)


def said(session: AgentSession, lang: str = "en") -> str:
    return "\n".join(lines(explain(session), lang, lambda at: f"<{at}>", AT + 5_000))


def test_a_fact_is_told_with_rule_rank_and_age():
    fact = Fact("claude-code.transcript-prompt", "transcript", Rank.TRANSCRIPT, AT)
    source = SourceStatus(True, mode="hints", health=Health.OK)
    told = explained_json(explain(here(fact), source), AT + 5_000)
    assert told["facts"] == [
        {
            "rule": "claude-code.transcript-prompt", "signal": "transcript", "rank": "transcript",
            "at": "2027-01-15T08:00:00.123Z", "ageMs": 5_000,
        }
    ]  # fmt: skip
    assert told["would"] == ["would.rank.2", "would.claude-code.transcript-prompt"]
    assert told["source"] == {"health": "ok", "mode": "hints"}
    assert "five minutes without a record make it unknown" in said(here(fact))


def test_a_request_stands_above_what_was_read_before_it():
    fact = Fact("takoapi.status", "stream", Rank.LIVE, AT)
    asked = Blocked(RequestKind.AUTH, "r1", AT - 1)
    told = explain(here(fact, origin=Origin.CALLED, state=State.WAITING, requests=(asked,)))
    assert [(f.rule, f.rank) for f in told.facts] == [
        ("request.auth", Rank.REQUEST),
        ("takoapi.status", Rank.LIVE),
    ]
    assert told.would == ("would.decided",)
    can = replace(told.session, capabilities=frozenset({Can.SIGN_IN}))
    assert explain(can).would == ("would.answered",)


def test_a_permission_that_is_the_fact_is_told_once():
    fact = Fact("claude-code.waiting-permission", "registry", Rank.REQUEST, AT)
    asked = Blocked(RequestKind.PERMISSION, "7@1", AT)
    assert explain(here(fact, state=State.WAITING, requests=(asked,))).facts == (fact,)


@pytest.mark.parametrize(
    ("session", "would"),
    [
        (here(freshness=Freshness.OFFLINE), ("would.offline",)),
        (here(origin=Origin.PINNED), ("would.called",)),
        (here(origin=Origin.CALLED, followed=True), ("would.followed",)),
        (here(origin=Origin.CALLED), ("would.unfollowed",)),
        (here(origin=Origin.CALLED, task=Task("acme", terminal=True)), ("would.over",)),
        (here(Fact("claude-code.dead-open", "process", Rank.PROCESS, AT)), ("would.rank.1",)),
    ],
)
def test_what_would_change_it(session, would):
    assert explain(session).would == would
    assert all(has(key) for key in would)


def test_silence_is_said_to_change_nothing_of_a_remote_task_alone():
    assert "Silence alone never" in said(here(origin=Origin.CALLED))
    assert "Silence alone never" not in said(here(Fact("claude-code.idle", "registry", Rank.LIVE, AT)))


def test_each_rule_of_claude_code_that_time_ends_says_so():
    """Every verdict with a limit has a sentence for it, and none of the others has."""
    from lisa_island.agents._claude_registry import Entered
    from lisa_island.agents._claude_turn import Call, Now, Turn
    from lisa_island.agents._proc import Life

    timed, timeless = set(), set()
    alive = Entered(7, "s", "/w", status="idle", since=AT)
    for now in Now:
        for calls in ((), (Call("c", "Bash"),)) if now is Now.CALLING else ((),):
            for background in (0, 1):
                turn = Turn(now=now, at=AT, calls=calls, background=background)
                for age in (0, 11_000, 130_000, 301_000, 31 * 60_000):
                    for entered, life in ((None, Life.UNKNOWN), (alive, Life.ALIVE), (None, Life.DEAD)):
                        verdict = _claude_state.judge(turn, entered, life, AT + age)
                        (timed if verdict.until is not None else timeless).add(verdict.fact.rule)
    assert timed and not [rule for rule in sorted(timed) if not has(f"would.{rule}")]
    assert not [rule for rule in sorted(timeless - timed) if has(f"would.{rule}")]


def test_no_foreign_text_is_in_the_answer_for_programs():
    session = here(
        Fact(f"claude-code.{SECRET}", SECRET, Rank.LIVE, AT),
        state_reason=SECRET, cwd=SECRET, activity=Activity(status_text=SECRET), label="",
        requests=(Blocked(RequestKind.QUESTION, "r", AT, SECRET, (SECRET,)),),
    )  # fmt: skip
    told = json.dumps(explained_json(explain(session, SourceStatus(mode=SECRET)), AT))
    assert "PLANTED" not in told


def test_a_session_is_found_by_key_id_label_or_the_beginning_of_its_id():
    roster = reduce(Roster(), SessionOpened(here(label="Q3"), AT))
    other = here()
    other = replace(other, key=SessionKey("codex", "11111111-9"), label="")
    roster = reduce(roster, SessionOpened(other, AT))
    [mine] = find(roster, "Q3")
    assert find(roster, str(mine.key)) == find(roster, mine.key.session_id) == (mine,)
    assert find(roster, "11111111-2") == (mine,) and len(find(roster, "11111111")) == 2
    assert find(roster, "111") == find(roster, "nobody") == ()


def test_what_time_does_to_codex_is_said_too():
    from lisa_island.agents._codex_record import Call
    from lisa_island.agents._codex_state import judge
    from lisa_island.agents._codex_turn import Now, Turn
    from lisa_island.agents._proc import Life

    timed = set()
    for now in Now:
        turn = Turn(
            now=now, at=AT, heard=AT, calls=(Call("c", "exec_command"),) if now is Now.CALLING else ()
        )
        for age in (0, 11_000, 130_000, 301_000):
            for life in (Life.UNKNOWN, Life.ALIVE):
                verdict = judge(turn, life, AT + age, AT)
                if verdict.until is not None and verdict.reason != "your-turn-probable":
                    timed.add(verdict.fact.rule)
    assert timed and not [rule for rule in sorted(timed) if not has(f"would.{rule}")]
