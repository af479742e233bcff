"""Every stream fault of the matrix through `/stream`: no lost event, no wrong state, no revived task."""

import pytest

from lisa_island.core.agent import Reply
from lisa_island.core.intents import ReadReply, Result
from tests.agents.fault_streams import CASES
from tests.agents.rig import Feed, Rig, sse, update
from tests.fakes.clock import settle


async def finish(rig):
    """Let the whole body be read; a huge one takes many turns of the loop, never one long one."""
    for _ in range(200):
        await settle(50)
        if not rig.row.followed:
            return
    await rig.clock.run(11)


@pytest.mark.parametrize("name", [n for n, case in CASES.items() if case.state])
async def test_the_row_says_what_is_right(name):
    case = CASES[name]
    async with Rig() as rig:
        rig.gateway.plays("acme", lambda _sent: case.response())
        asked = rig.begin_send("acme")
        await settle()
        await finish(rig)
        await asked
        assert (str(rig.row.state), rig.row.state_reason) == (case.state, case.reason)
        assert rig.row.followed is False
        assert len(rig.gateway.calls()) == 1


async def test_a_redirect_is_no_row():
    async with Rig() as rig:
        rig.gateway.plays("acme", lambda _sent: CASES["s302"].response())
        outcome = await rig.send()
        assert (outcome.result, outcome.word) == (Result.REFUSED, "outcome.redirect")
        assert not rig.rows and not rig.tasks.rows
        assert len(rig.gateway.calls()) == 1


async def test_a_big_artifact_is_named_weighed_and_cut_to_what_memory_may_hold():
    async with Rig() as rig:
        rig.gateway.plays("acme", lambda _sent: CASES["big"].response())
        asked = rig.begin_send("acme")
        await settle()
        await finish(rig)
        await asked
        assert [(a.name, a.size) for a in rig.row.activity.artifacts] == [("big.txt", 6_000_000)]
        assert rig.row.reply is Reply.HELD
        assert len((await rig.perform(ReadReply(rig.row.key))).text) == 2 * 1024 * 1024


async def test_noise_leaves_one_line_in_the_trail():
    async with Rig() as rig:
        rig.gateway.plays("acme", lambda _sent: CASES["badjson"].response())
        await rig.send()
        assert [e.kind for e in rig.row.trail].count("call.noise") == 1


async def test_many_frames_in_one_read_let_the_loop_run():
    turns = 0
    frames = [update("working", f"step {n}") for n in range(400)]
    async with Rig() as rig:
        rig.gateway.plays("acme", Feed(b"".join(sse(frame) for frame in frames)))
        asked = rig.begin_send("acme")
        while not rig.rows or rig.row.activity.updates < len(frames):
            turns += 1
            await settle(1)
        await asked
        assert turns > len(frames)


async def test_a_flood_of_one_agent_keeps_no_other_waiting():
    """The source hands on more in a turn than streams bring: nobody's events wait behind a flood."""
    frames = [update("input-required", f"question {n}") for n in range(3_000)]
    async with Rig() as rig:
        rig.gateway.plays("flood", Feed(b"".join(sse(frame) for frame in frames)))
        asked = rig.begin_send("flood")
        await rig.until(lambda roster: bool(roster.sessions))
        worst, waiting = 0, rig.source._desk.queue
        while rig.row.activity.updates < len(frames):
            await settle(1)
            worst = max(worst, waiting.qsize())
        await asked
        assert worst < 100
