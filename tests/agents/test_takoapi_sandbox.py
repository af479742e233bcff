"""The source against the sandbox as a child process: two programs that share no wire code."""

from collections.abc import AsyncIterator, Iterator

import pytest

from lisa_island.core.agent import AgentSession, Can, Reply, RequestKind, State
from lisa_island.core.intents import Answer, CheckKey, Describe, Discover, Outcome, ReadReply, Result, Send
from lisa_island.system.clock import SystemClock
from tests.agents.fault_streams import CASES
from tests.agents.rig import Rig
from tests.sandbox.child import KEY, Running, running, sandbox


@pytest.fixture(scope="module")
def children() -> Iterator[dict[str, Running]]:
    with (
        running(sandbox("--generation", "G0", "--limit", "100000")) as old,
        running(sandbox("--generation", "G1", "--limit", "100000")) as new,
    ):
        yield {"G0": old, "G1": new}


class Live(Rig):
    """The source on the real loop, before a real gateway."""

    def __init__(self, child: Running) -> None:
        self.child = child
        super().__init__(
            settings={"base_url": child.url}, keys={child.url: KEY}, clock=SystemClock(), is_played=False
        )

    async def call(self, slug: str, text: str = "hello") -> Outcome:
        """Send with whatever price it has, and wait for the end of the call."""
        described = await self.perform(Describe("takoapi", slug))
        price = described.agents[0].price if described.agents else ""
        outcome = await self.perform(Send("takoapi", slug, text, accepted_price=price))
        if outcome.key is not None:
            key = outcome.key
            await self.until(lambda r: not r.sessions[key].followed)
        return outcome

    async def answer(self, row: AgentSession, text: str) -> Outcome:
        price = row.price
        outcome = await self.perform(Answer(row.key, row.requests[0].request_id, text, price))
        await self.until(lambda r: not r.sessions[row.key].followed)
        return outcome


@pytest.fixture(params=["G0", "G1"])
async def rig(request: pytest.FixtureRequest, children: dict[str, Running]) -> AsyncIterator[Live]:
    async with Live(children[request.param]) as live:
        yield live


@pytest.fixture
async def new(children: dict[str, Running]) -> AsyncIterator[Live]:
    async with Live(children["G1"]) as live:
        yield live


ENDS = {
    "sheet-wizard": ("done", "completed"),
    "tone-check": ("done", "answered"),
    "flaky-build": ("error", "failed"),
    "reject-me": ("error", "rejected"),
    "canceled": ("done", "canceled"),
    "acme-research": ("waiting", "input-required"),
    "legal-lens": ("waiting", "auth-required"),
    "rpc-error": ("error", "agent-error"),
    "late-error": ("error", "agent-error"),
    "html-body": ("unknown", "outcome-unknown"),
    "empty-body": ("unknown", "outcome-unknown"),
    "null-body": ("unknown", "outcome-unknown"),
    "no-envelope": ("unknown", "outcome-unknown"),
    "no-stream": ("unknown", "outcome-unknown"),
    "not-sse": ("done", "completed"),
    "cut-mid": ("unknown", "outcome-unknown"),
    "slow-30s": ("unknown", "outcome-unknown"),
    "own-401": ("error", "agent-error"),
    "own-403": ("error", "agent-error"),
    "own-404": ("error", "agent-error"),
    "own-429": ("error", "agent-error"),
    "own-500": ("unknown", "outcome-unknown"),
    "captive-portal": ("unknown", "outcome-unknown"),
    "platform-500": ("unknown", "outcome-unknown"),
    "platform-504": ("unknown", "outcome-unknown"),
    "ends-active": ("working", "working"),
    "weird-state": ("unknown", "paused-for-review"),
    "v10-shapes": ("done", "completed"),
    "huge-artifact": ("done", "completed"),
    "flood": ("unknown", "outcome-unknown"),
    "file-and-data": ("done", "completed"),
    "double-snapshot": ("done", "completed"),
    "after-final": ("done", "completed"),
}


@pytest.mark.parametrize("slug", ENDS)
async def test_each_scenario_leaves_the_right_row(rig, slug):
    await rig.call(slug)
    assert (str(rig.row.state), rig.row.state_reason) == ENDS[slug]


# These are of a body's size or silence, or of an agent's card; test_takoapi_faults plays them.
OWN = frozenset({"noclose", "silent8", "toobig", "dense", "v025card"})
WIRE = [name for name, case in CASES.items() if case.state and name not in OWN]


@pytest.mark.parametrize("name", WIRE)
async def test_the_matrix_as_another_hand_wrote_it(new, name):
    outcome = await new.call(f"wire-{name}")
    assert outcome.key is not None, outcome
    assert (str(new.row.state), new.row.state_reason) == (CASES[name].state, CASES[name].reason)


@pytest.mark.parametrize(
    ("slug", "word"),
    [
        ("broke", "outcome.balance"),
        ("redirect", "outcome.redirect"),
        ("project-only", "outcome.not-callable"),
        ("nobody", "outcome.no-agent"),
    ],
)
async def test_what_the_gateway_refuses_leaves_no_row(rig, slug, word):
    outcome = await rig.call(slug)
    assert (outcome.result, outcome.word) == (Result.REFUSED, word)
    assert not rig.rows and not rig.tasks.rows


async def test_a_strict_free_agent_is_taken_to_message(new):
    await new.call("strict-stream")
    assert new.row.state is State.DONE


async def test_a_question_is_answered_and_the_task_completed(new):
    await new.call("acme-research")
    (request,) = new.row.requests
    assert request.kind is RequestKind.INPUT and request.summary
    assert (await new.answer(new.row, "Q3, in euro")).result is Result.DONE
    assert (new.row.state, new.row.requests, new.row.reply) == (State.DONE, (), Reply.HELD)
    assert "Scope: Q3, in euro" in (await new.perform(ReadReply(new.row.key))).text


async def test_a_sign_in_is_answered_by_the_fixed_sentence(new):
    await new.call("legal-lens")
    assert new.row.requests[0].kind is RequestKind.AUTH
    await new.answer(new.row, "I have signed in")
    assert new.row.state is State.DONE


async def test_on_the_old_gateway_no_answer_goes_out(children):
    async with Live(children["G0"]) as old:
        await old.call("acme-research")
        assert Can.ANSWER not in old.row.capabilities
        assert (await old.answer(old.row, "Q3")).word == "outcome.g0-answer"
        assert old.row.requests


async def test_artifacts_are_put_together_once(new):
    await new.call("double-snapshot")
    assert (await new.perform(ReadReply(new.row.key))).text == "Once. Only once."
    assert [a.size for a in new.row.activity.artifacts] == [len("Once. Only once.")]


async def test_the_registry_shows_what_can_be_called(rig):
    outcome = await rig.perform(Discover("takoapi", limit=200))
    targets = {info.target for info in outcome.agents}
    assert {"sheet-wizard", "acme-research"} <= targets
    assert not targets & {"project-only", "tin-robot"}
    assert {i.target: i.price for i in outcome.agents}["acme-research"] == "0.02 USD"
    assert not rig.rows


async def test_the_key_is_checked_without_spending(rig):
    assert (await rig.perform(CheckKey("takoapi"))).word == "outcome.key-good"
    rig.child.turn("key", valid=False)
    try:
        assert (await rig.perform(CheckKey("takoapi"))).word == "outcome.key-refused"
    finally:
        rig.child.turn("key", valid=True)


async def test_the_public_routes_see_no_key(rig):
    rig.child.turn("forget")
    await rig.call("sheet-wizard")
    public = [r for r in rig.child.get("requests") if r["path"].startswith("/api/")]
    assert public and not any(r["key"] for r in public)
    assert not any({"authorization", "x-api-key", "cookie"} & set(r["headers"]) for r in public)
