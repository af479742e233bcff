"""Bug reports about A2A clients (contract a2a.md, F) that no other test holds, each with what is right."""

from collections.abc import AsyncIterator

import httpx
import pytest

from lisa_island.core.agent import State
from lisa_island.core.intents import Answer, ReadReply
from tests.agents.direct_rig import DirectRig
from tests.agents.rig import Feed, artifact, sse, streamed, task, update
from tests.fakes.clock import settle


async def test_f10_a_body_that_ends_cleanly_in_mid_task_is_not_the_whole_of_it() -> None:
    async with DirectRig() as rig:
        rig.agent.plays("stream", lambda _s: streamed(sse(task("working"))))
        rig.agent.plays(
            "subscribe", lambda _s: streamed(sse(update("working", "On")), sse(update("completed")))
        )
        rig.agent.plays("get", task("working"))
        await rig.send("box", "x")
        await rig.clock.run(5)
        assert (rig.row.state, rig.row.state_reason) == (State.DONE, "completed")
        assert len(rig.agent.calls("subscribe")) == len(rig.agent.calls("stream")) == 1


async def test_f12_silence_behind_a_first_working_is_asked_after_and_shows_what_is_stored() -> None:
    async with DirectRig() as rig:
        rig.agent.plays("stream", Feed(sse(task("working"))))
        rig.agent.plays("get", task("input-required", "Which colour?", mid="q"))
        await rig.send("box", "x")
        assert rig.row.state is State.WORKING
        await rig.clock.run(46)
        assert rig.row.state is State.WAITING
        assert [request.summary for request in rig.row.requests] == ["Which colour?"]


async def test_f14_what_was_missed_before_a_stream_without_a_snapshot_is_there() -> None:
    missed = artifact("one ", id="a1")["artifact"]

    async with DirectRig() as rig:
        feed = Feed(sse(task("working")))
        rig.agent.plays("stream", feed)
        rig.agent.plays("get", task("working", artifacts=[missed]))
        later = sse(artifact("two", id="a1", append=True))
        rig.agent.plays("subscribe", lambda _s: streamed(later, sse(update("completed"))))
        await rig.send("box", "x")
        feed.cut()
        await settle()
        rig.agent.plays("get", httpx.Response(500))
        await rig.clock.run(5)
        assert rig.row.state is State.DONE
        assert (await rig.perform(ReadReply(rig.row.key))).text == "one two"


async def test_f17_a_thousand_events_that_a_proxy_held_back_come_at_once() -> None:
    words = [sse(update("working", f"Step {n}", mid=f"m{n}")) for n in range(1_000)]
    async with DirectRig() as rig:
        feed = Feed(b"".join([sse(task("working")), *words]))
        rig.agent.plays("stream", feed)
        rig.agent.plays("get", task("completed"))
        told = 0

        def tell(*_: object) -> None:
            nonlocal told
            told += 1

        rig.store.subscribe(tell)
        await rig.send("box", "x")
        await settle(2_000)
        assert rig.row.state is State.WORKING and rig.row.activity.status_text == "Step 999"
        assert told < 20
        feed.end()
        await rig.clock.run(5)
        assert rig.row.state is State.DONE


async def test_f31_a_task_that_only_repeats_itself_grows_old_and_keeps_its_word() -> None:
    async with DirectRig() as rig:
        rig.agent.card["capabilities"] = {"streaming": False}
        rig.agent.plays("send", {"task": task("working", "All done!", mid="m")})
        rig.agent.plays("get", task("working", "All done!", mid="m"))
        await rig.send("box", "x")
        last, updates = rig.row.last_activity, rig.row.activity.updates
        await rig.clock.run(900)
        assert len(rig.agent.calls("get")) > 10
        assert (rig.row.last_activity, rig.row.activity.updates) == (last, updates)
        assert (rig.row.state, rig.row.state_reason) == (State.WORKING, "working")
        rig.agent.plays("get", task("working", "Or not", mid="n"))
        await rig.clock.run(61)
        assert rig.row.last_activity is not None and last is not None and rig.row.last_activity > last


STAMPS = {
    "two hours ahead": "2025-06-15T19:06:40Z", "a day behind": "2025-06-14T15:06:40Z",
    "no zone": "2025-06-15T15:06:40", "none": "", "far off": "9999-12-31T23:59:59Z", "no time": "yesterday",
}  # fmt: skip


@pytest.mark.parametrize("stamp", STAMPS)
async def test_f35_at14_a_wrong_clock_at_the_agents_changes_no_age_and_no_order(stamp: str) -> None:
    def stamped(state: str, at: str) -> bytes:
        status = {"state": f"TASK_STATE_{state}"} | ({"timestamp": at} if at else {})
        return sse({"statusUpdate": {"taskId": "T1", "contextId": "C1", "status": status}})

    async with DirectRig() as rig:
        feed = Feed(sse(task("submitted")), stamped("WORKING", STAMPS[stamp]))
        rig.agent.plays("stream", feed)
        rig.agent.plays("get", task("working"))
        await rig.send("box", "x")
        assert rig.row.last_activity == rig.clock.now()
        await rig.clock.run(30)
        # Later to arrive, earlier by its own clock.
        feed.send(stamped("COMPLETED", "2001-01-01T00:00:00Z"))
        await settle()
        assert (rig.row.state, rig.row.last_activity) == (State.DONE, rig.clock.now())


async def test_f23_another_id_that_nobody_asked_for_is_told() -> None:
    """An agent that makes a task of an unknown id: the row goes over to it, and the history says so."""
    async with DirectRig() as rig:
        rig.agent.plays("stream", lambda _s: streamed(sse(task("input-required", "Which?", mid="q"))))
        rig.agent.plays("get", task("input-required", "Which?", mid="q"))
        await rig.send("box", "x")
        [request] = rig.row.requests
        rig.agent.plays("stream", lambda _s: streamed(sse(task("working", id="T2"))))
        rig.agent.plays("get", task("working", id="T2"))
        await rig.perform(Answer(rig.row.key, request.request_id, "blue"))
        assert rig.row.task is not None and rig.row.task.task_id == "T2"
        assert "call.continued" in [entry.kind for entry in rig.row.trail]
        assert {sent.body["params"]["id"] for sent in rig.agent.calls("get")[-1:]} == {"T2"}


class Dripping(httpx.AsyncByteStream):
    """A stream that says the same state again and again, as some do after each re-attaching."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for _ in range(50):
            yield sse(task("input-required", "Which?", mid="q"))


async def test_d14_f14_a_state_that_is_repeated_is_one_request() -> None:
    async with DirectRig() as rig:
        told: list[str] = []
        rig.store.subscribe(
            lambda _old, new: told.extend(r.request_id for s in new.sessions.values() for r in s.requests)
        )
        rig.agent.plays(
            "stream",
            lambda _s: httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=Dripping()),
        )
        rig.agent.plays("get", task("input-required", "Which?", mid="q"))
        await rig.send("box", "x")
        await rig.clock.run(200)
        assert len(set(told)) == 1 and len(rig.row.requests) == 1
