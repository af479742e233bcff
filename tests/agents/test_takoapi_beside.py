"""A gateway's task followed at its agent's own endpoint: off until chosen, and only ever asking."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import httpx
import pytest
import pytest_asyncio

from lisa_island.agents import _guard, _takoapi_beside
from lisa_island.core.agent import Can, Freshness, State
from lisa_island.core.intents import Answer, Cancel, ReadRaw, Result
from lisa_island.core.ports import TaskRow
from tests.agents.direct_rig import PlayedAgent
from tests.agents.rig import Feed, PlayedGateway, Rig, fault, sse, streamed, task, update
from tests.fakes.clock import settle
from tests.fakes.secrets import KEY

PUBLIC = "93.184.215.14"


class Both:
    """The gateway, and the agent behind it at an address of its own."""

    def __init__(self) -> None:
        self.gateway = PlayedGateway()
        self.agent = PlayedAgent()
        self.hosts: list[str] = []

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        host = request.headers["host"]
        self.hosts.append(host)
        return await (self.gateway if host == "takoapi.com" else self.agent)(request)


class BesideRig(Rig):
    def __init__(self, *rows: Any, follow: tuple[str, ...] = ("acme",)) -> None:
        self.both = Both()
        super().__init__(*rows, gateway=self.both, settings={"follow": list(follow)})


@pytest_asyncio.fixture(autouse=True)
async def public(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[str]]:
    addresses = [PUBLIC]

    async def resolve(_host: str, _port: int) -> tuple[str, ...]:
        return tuple(addresses)

    monkeypatch.setattr(_takoapi_beside, "guarded", partial(_guard.guarded, resolve=resolve))
    yield addresses


async def working(rig: BesideRig) -> None:
    """A task that the gateway has let go of while the agent still works."""
    rig.both.gateway.plays("acme", lambda _s: streamed(sse(task("working"))))
    await rig.send("acme")


async def test_nobody_is_asked_until_the_owner_chose_it() -> None:
    async with BesideRig(follow=()) as rig:
        await working(rig)
        await rig.clock.run(3600)
        assert set(rig.both.hosts) == {"takoapi.com"}
        assert Can.CANCEL not in rig.row.capabilities
        outcome = await rig.perform(Cancel(rig.row.key))
        assert outcome.word == "outcome.not-followed-there"


async def test_a_task_that_the_gateway_let_go_is_followed_to_its_end() -> None:
    async with BesideRig() as rig:
        feed = Feed()
        rig.both.agent.plays("subscribe", feed)
        rig.both.agent.plays("get", task("working"))
        await working(rig)
        assert rig.row.followed and Can.CANCEL in rig.row.capabilities
        rig.both.agent.plays("get", task("completed", "Done"))
        feed.frame(update("completed", "Done"))
        await settle()
        assert (rig.row.state, rig.row.followed) == (State.DONE, False)
        assert {s.body["method"] for s in rig.both.agent.sent if s.body} <= {"tasks/get", "tasks/resubscribe"}


async def test_the_agent_is_sent_neither_key_nor_text() -> None:
    async with BesideRig() as rig:
        rig.both.agent.plays("subscribe", Feed())
        rig.both.agent.plays("get", task("working"))
        await working(rig)
        sent = [(s.headers, s.body) for s in rig.both.agent.sent]
        assert sent and KEY not in repr(sent) and "hello" not in repr(sent)
        assert all("authorization" not in headers for headers, _ in sent)


async def test_a_cut_call_whose_task_is_known_is_asked_after() -> None:
    async with BesideRig() as rig:
        feed = Feed(sse(task("working")))
        feed.cut()
        rig.both.gateway.plays("acme", feed)
        rig.both.agent.plays("get", task("completed", "Done"))
        await rig.send("acme")
        assert (rig.row.state, rig.row.state_reason) == (State.DONE, "completed")
        assert len(rig.both.gateway.calls()) == 1


async def test_it_can_be_canceled_there() -> None:
    async with BesideRig() as rig:
        rig.both.agent.plays("subscribe", Feed())
        rig.both.agent.plays("get", task("working"))
        rig.both.agent.plays("cancel", fault(-32002, "too late"), task("canceled"))
        await working(rig)
        assert (await rig.perform(Cancel(rig.row.key))).word == "outcome.not-canceled"
        assert (await rig.perform(Cancel(rig.row.key))).result is Result.DONE
        assert rig.row.state_reason == "canceled"


async def test_an_answer_still_takes_the_gateways_way() -> None:
    async with BesideRig() as rig:
        question = task("input-required", "Which?", mid="q1")
        rig.both.gateway.plays("acme", lambda _s: streamed(sse(question)))
        rig.both.agent.plays("get", question)
        await rig.send("acme")
        assert rig.row.requests and Can.ANSWER in rig.row.capabilities
        rig.both.gateway.plays("acme", {"result": task("working")})
        rig.both.agent.plays("get", task("completed"))
        outcome = await rig.perform(Answer(rig.row.key, rig.row.requests[0].request_id, "blue"))
        assert outcome.result is Result.DONE
        assert len(rig.both.gateway.calls("/message")) == 1
        assert not rig.both.agent.calls("send", "stream")
        assert rig.row.state is State.DONE


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1", "100.64.0.1"]
)
async def test_a_name_that_leads_home_is_not_followed(public: list[str], address: str) -> None:
    public[:] = [PUBLIC, address]
    async with BesideRig() as rig:
        await working(rig)
        await rig.clock.run(300)
        assert set(rig.both.hosts) == {"takoapi.com"}
        assert rig.row.state is State.WORKING and rig.row.freshness is Freshness.LIVE
        assert not rig.row.followed


async def test_an_agent_that_shows_its_tasks_to_the_gateway_alone_changes_nothing() -> None:
    async with BesideRig() as rig:
        rig.both.agent.plays("get", httpx.Response(401))
        await working(rig)
        assert rig.row.state is State.WORKING and not rig.row.requests


async def test_switching_it_off_hangs_up_at_once() -> None:
    async with BesideRig() as rig:
        feed = Feed()
        rig.both.agent.plays("subscribe", feed)
        rig.both.agent.plays("get", task("working"))
        await working(rig)
        rig.set(follow=[])
        await settle()
        assert feed.is_closed and not rig.row.followed and Can.CANCEL not in rig.row.capabilities


async def test_switching_it_on_takes_up_what_is_open() -> None:
    async with BesideRig(follow=()) as rig:
        await working(rig)
        rig.both.agent.plays("get", task("completed", "Done"))
        rig.set(follow=["acme"])
        await settle(200)
        assert rig.row.state is State.DONE


async def test_a_task_of_an_earlier_run_is_asked_after() -> None:
    rig = BesideRig()
    row = TaskRow("acme/0a1b2c3d", "acme", "m1", 1, rig.clock.now(), "working", task_id="T1", context_id="C1")
    rig.tasks.rows[row.session_id] = row
    rig.both.agent.plays("get", task("completed", "Done"))
    async with rig:
        await settle(200)
        assert rig.row.state is State.DONE


async def test_its_frames_can_be_shown() -> None:
    async with BesideRig() as rig:
        rig.both.agent.plays("subscribe", Feed())
        rig.both.agent.plays("get", task("working", "mixing"))
        await working(rig)
        assert "mixing" in (await rig.perform(ReadRaw(rig.row.key))).text
