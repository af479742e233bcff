"""Restraint: places, tokens, breakers; and that one agent never stands in the way of another."""

import asyncio

import httpx

from lisa_island.agents._takoapi_limits import CALLS_A_WINDOW, IN_FLIGHT, IN_FLIGHT_PER_SLUG, Limits
from lisa_island.core.agent import Freshness, State
from lisa_island.core.backoff import Gate
from lisa_island.core.intents import Result, Send, StopFollowing, TryNow
from tests.agents.rig import Feed, PlayedGateway, Rig, envelope, sse, task
from tests.fakes.clock import FakeClock, settle


async def test_four_calls_are_in_flight_and_the_fifth_waits_as_sending():
    async with Rig() as rig:
        feeds = {f"agent-{n}": Feed(sse(task("working"))) for n in range(IN_FLIGHT + 1)}
        for slug, feed in feeds.items():
            rig.gateway.plays(slug, feed)
            rig.begin_send(slug)
        await settle()
        assert len(rig.gateway.calls()) == IN_FLIGHT
        assert [r.state_reason for r in rig.rows] == ["working"] * IN_FLIGHT + ["sending"]
        feeds["agent-0"].end()
        await settle()
        assert len(rig.gateway.calls()) == IN_FLIGHT + 1
        assert rig.rows[-1].state_reason == "working"


async def test_an_agent_that_hangs_leaves_a_place_for_others():
    async with Rig() as rig:
        rig.gateway.plays("slow", lambda _s: httpx.Response(200, stream=Feed()))
        for _ in range(IN_FLIGHT + 2):
            rig.begin_send("slow")
        await settle()
        assert len(rig.gateway.calls()) == IN_FLIGHT_PER_SLUG
        assert (await rig.send("other")).result is Result.DONE


async def test_the_sender_hears_soon_of_a_call_that_takes_long():
    async with Rig(gateway=PlayedGateway(silent={"slow"})) as rig:
        feed = Feed()
        rig.gateway.plays("slow", lambda _s: httpx.Response(200, stream=feed))
        asked = rig.begin_send("slow")
        await rig.clock.run(1.9)
        assert not asked.done()
        await rig.clock.run(0.2)
        assert (await asked).key == rig.row.key
        assert rig.row.followed


async def test_fewer_calls_a_minute_than_the_gateway_allows():
    clock = FakeClock()
    limits = Limits(clock)
    times = []
    for _ in range(3 * CALLS_A_WINDOW):
        ahead = limits._wait()
        clock.advance(ahead)
        await limits.token()
        times.append(clock.monotonic())
    for start in times:
        assert sum(start <= at < start + 60 for at in times) <= CALLS_A_WINDOW < 120


async def test_a_call_beyond_the_bucket_waits_for_the_window():
    async with Rig(gateway=PlayedGateway(silent={"acme"})) as rig:
        for _ in range(CALLS_A_WINDOW):
            await rig.send()
        asked = rig.begin_send()
        await settle()
        assert len(rig.gateway.calls()) == CALLS_A_WINDOW and not asked.done()
        await rig.clock.run(61)
        await settle()
        assert len(rig.gateway.calls()) == CALLS_A_WINDOW + 1


def breaks(_sent):
    raise httpx.ReadError("reset")


async def test_an_agent_that_keeps_failing_rests_and_others_do_not():
    async with Rig() as rig:
        rig.gateway.plays("bad", breaks)
        for _ in range(3):
            assert (await rig.send("bad")).result is Result.UNKNOWN
        outcome = await rig.send("bad")
        assert (outcome.result, outcome.word) == (Result.REFUSED, "outcome.agent-resting")
        assert dict(outcome.values)["slug"] == "bad"
        assert len(rig.gateway.calls()) == 3
        assert (await rig.send("good")).result is Result.DONE
        await rig.clock.run(6)
        rig.gateway.plays("bad", envelope(task("completed")))
        assert (await rig.send("bad")).result is Result.DONE
        assert (await rig.send("bad")).result is Result.DONE


async def test_while_half_open_one_call_may_try():
    async with Rig() as rig:
        rig.gateway.plays("bad", breaks)
        for _ in range(3):
            await rig.send("bad")
        await rig.clock.run(6)
        feed = Feed()
        rig.gateway.plays("bad", lambda _s: httpx.Response(200, stream=feed))
        first = rig.begin_send("bad")
        await settle()
        assert (await rig.send("bad")).word == "outcome.agent-resting"
        feed.cut()
        await first
        await settle()
        assert (await rig.send("bad")).word == "outcome.agent-resting"


async def test_an_agent_that_answers_with_errors_is_alive():
    async with Rig() as rig:
        rig.gateway.plays("rude", lambda _s: httpx.Response(403, json={"error": "no"}))
        for _ in range(6):
            assert (await rig.send("rude")).word == "outcome.agent-error"


async def test_an_agents_own_limit_makes_it_rest():
    async with Rig() as rig:
        rig.gateway.plays("tired", lambda _s: httpx.Response(429, json={"error": "quota"}))
        for _ in range(3):
            await rig.send("tired")
        assert (await rig.send("tired")).word == "outcome.agent-resting"


async def test_the_owner_can_say_now():
    async with Rig() as rig:
        rig.gateway.plays("bad", breaks)
        for _ in range(3):
            await rig.send("bad")
        await rig.perform(TryNow("takoapi"))
        assert (await rig.send("bad")).result is Result.UNKNOWN


def test_a_breaker_has_named_states_and_ignores_the_wall_clock():
    clock = FakeClock()
    limits = Limits(clock)
    assert limits.gate("a") is Gate.CLOSED
    for _ in range(3):
        limits.failed("a", 1.0)
    assert limits.gate("a") is Gate.OPEN and limits.gate("b") is Gate.CLOSED
    clock.jump(-10_000_000)
    clock.advance(6)
    assert limits.gate("a") is Gate.HALF_OPEN
    limits.tried("a")
    assert limits.gate("a") is Gate.OPEN
    limits.spared("a")
    assert limits.gate("a") is Gate.HALF_OPEN
    limits.worked("a")
    assert limits.gate("a") is Gate.CLOSED and limits.resting("a") is None


async def test_a_refusal_of_the_gateway_is_no_failure_of_the_agent():
    async with Rig() as rig:
        rig.gateway.plays("acme", lambda _s: httpx.Response(404, json={"error": "Agent not found"}))
        for _ in range(5):
            assert (await rig.send()).word == "outcome.no-agent"


async def test_after_a_final_state_the_stream_has_time_to_end_and_no_more():
    async with Rig() as rig:
        feed = Feed(sse(task("working")), sse(task("completed", "Done")))
        rig.gateway.plays("acme", feed)
        await rig.send()
        assert rig.row.state is State.DONE and rig.row.followed
        await rig.clock.run(9)
        assert not feed.is_closed
        await rig.clock.run(2)
        assert feed.is_closed and not rig.row.followed


async def test_a_call_goes_to_the_address_it_was_meant_for():
    """The owner changes the address while a call waits for its place."""
    async with Rig() as rig:
        for n in range(IN_FLIGHT):
            rig.gateway.plays(f"busy-{n}", Feed(sse(task("working"))))
            await rig.send(f"busy-{n}")
        asked = rig.begin_send("acme")
        await rig.clock.run(1)
        rig.secrets.keys["https://other.example"] = "tako_live_other"
        rig.set(base_url="https://other.example")
        (key,) = [r.key for r in rig.rows if r.project == "busy-0"]
        await rig.perform(StopFollowing(key))
        outcome = await asked
        assert outcome.word == "outcome.other-origin"
        assert len(rig.gateway.calls()) == IN_FLIGHT


async def test_a_cut_stream_takes_no_other_with_it():
    async with Rig() as rig:
        feeds = {slug: Feed(sse(task("working"))) for slug in ("one", "two")}
        for slug, feed in feeds.items():
            rig.gateway.plays(slug, feed)
            await rig.send(slug)
        feeds["one"].cut()
        await settle()
        assert {r.project: r.state for r in rig.rows} == {"one": State.UNKNOWN, "two": State.WORKING}
        feeds["two"].frame(task("completed"))
        feeds["two"].end()
        await settle()
        assert rig.rows[1].state is State.DONE


async def test_a_frame_proves_that_the_gateway_is_there():
    async with Rig() as rig:
        feed = Feed(sse(task("working")))
        rig.gateway.plays("acme", feed)
        await rig.send("acme")
        rig.gateway.is_down = True
        await rig.send("other")
        assert rig.row.freshness is Freshness.OFFLINE
        feed.frame(task("working", "Still here"))
        await settle()
        assert rig.row.freshness is Freshness.LIVE


async def test_a_gateway_that_asked_for_a_long_wait_is_asked_for_nothing():
    async with Rig() as rig:
        rig.gateway.plays(
            "acme",
            lambda _s: httpx.Response(
                429, json={"error": "Too many requests"}, headers={"retry-after": "900"}
            ),
        )
        await rig.send("acme")
        sent = len(rig.gateway.sent)
        assert (await rig.send("other")).word == "outcome.too-many"
        assert len(rig.gateway.sent) == sent


async def test_what_is_stopped_before_it_began_is_told_and_gives_its_try_back():
    async with Rig() as rig:
        rig.gateway.plays("bad", breaks)
        for _ in range(3):
            await rig.send("bad")
        await rig.clock.run(6)
        feed = Feed()
        rig.gateway.plays("bad", lambda _s: httpx.Response(200, stream=feed))
        asked = rig.begin_send("bad")
        while not (calls := rig.source._desk.calls):
            await settle(1)
        rig.source._desk.stop(calls[0])
        assert (await asked).result is Result.DONE
        assert rig.source._desk.limits.gate("bad") is Gate.HALF_OPEN


async def test_closing_tells_everybody_who_waits():
    rig = Rig()
    async with rig:
        feed = Feed()
        rig.gateway.plays("acme", feed)
        asked = rig.source.perform(Send("takoapi", "acme", "x"))
        waiting = asyncio.create_task(asked)
        await settle()
        assert not waiting.done()
        rig.supervisor.close("takoapi")
        await settle()
        assert (await waiting).key is not None
        assert feed.is_closed and not rig.source._desk.calls


async def test_half_a_surrogate_pair_does_not_stop_a_text():
    async with Rig() as rig:
        assert (await rig.send("acme", "half \ud83d, whole 😀 und ü")).result is Result.DONE
        assert rig.gateway.calls()[0].body == {"text": "half ?, whole 😀 und ü"}
