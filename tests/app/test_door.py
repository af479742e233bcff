"""What the door answers when a call takes a turn late, when its row goes, and when its asker hangs up."""

import asyncio
from contextlib import aclosing

import httpx
import pytest

from lisa_island.agents._takoapi_sender import GRACE_SECONDS
from lisa_island.app.door import serve
from lisa_island.app.gate import WINDOWS, Caller
from lisa_island.app.house import REMOTE, House, Plan
from lisa_island.core.agent import SessionKey, State
from lisa_island.core.intents import Send, StopFollowing
from lisa_island.core.summary import rows
from lisa_island.system.clock import SystemClock
from tests.e2e.conftest import KEY, environ, until

GATEWAY = "https://gateway.example"
BROKE = {
    "error": "Insufficient credit",
    "detail": "Your balance does not cover this call.",
    "balanceUsd": 0.5,
    "requiredUsd": 1.0,
}


class Hasty(SystemClock):
    """The real clock, on which the sender's grace is over at once."""

    def call_later(self, seconds, call):
        return super().call_later(0 if seconds == GRACE_SECONDS else seconds, call)


class Gateway(httpx.MockTransport):
    """Free agents that do not stream. A message is held until `go`, then answered with `answer`."""

    def __init__(self):
        self.go, self.asked = asyncio.Event(), asyncio.Event()
        self.registry = asyncio.Event()
        self.registry.set()
        self.answer = httpx.Response(402, json=BROKE)
        self.messages = 0
        super().__init__(self._handle)

    async def _handle(self, request):
        if request.method == "GET":
            await self.registry.wait()
            if request.url.path == "/api/registry":
                return httpx.Response(200, json={"totalHosted": 0, "truncated": False, "agents": []})
            slug = request.url.path.rpartition("/")[2]
            agent = {"slug": slug, "name": slug, "kind": "HOSTED", "endpointUrl": "https://a.example"}
            return httpx.Response(200, json=agent | {"pricingModel": "FREE", "streaming": False})
        self.messages += 1
        self.asked.set()
        await self.go.wait()
        return self.answer


@pytest.fixture
async def gateway():
    return Gateway()


@pytest.fixture
async def house(tmp_path, gateway):
    (tmp_path / "run").mkdir(mode=0o700)
    env = environ(tmp_path, GATEWAY)
    house = House(Plan(tmp_path / "lisa", env, transport=gateway, clock=Hasty()))
    await house.open()
    house.secrets.remember(GATEWAY, KEY)
    await house.settings.change(key_source="run", takoapi_enabled=True)
    await until(house, lambda: REMOTE in house._sources)
    yield house
    gateway.registry.set()
    gateway.go.set()
    await house.close()


async def told(house, wait=False, caller=WINDOWS, **request):
    request = {"do": "send", "target": "acme", "text": "hi", "wait": wait} | request
    return [answer async for answer in serve(house, request, caller)]


async def test_a_late_refusal_stays_as_a_row_that_can_be_sent_again(house, gateway):
    [first] = await told(house)
    assert (first["state"], first["stateReason"]) == ("working", "sending") and "error" not in first
    gateway.go.set()
    key = SessionKey(REMOTE, first["sessionId"])
    await until(house, lambda: house.store.roster.get(key).state is State.ERROR)
    row = house.store.roster.get(key)
    assert (row.state_reason, row.unread) == ("not-sent", True)
    assert [t.detail for t in row.trail if t.kind == "call.refused"] == ["outcome.balance"]


async def test_whoever_waits_hears_of_the_late_refusal(house, gateway):
    conversation = serve(house, {"do": "send", "target": "acme", "text": "hi", "wait": True}, WINDOWS)
    async with aclosing(conversation):
        first = await anext(conversation)
        assert first["state"] == "working"
        gateway.go.set()
        last = await anext(conversation)
    assert (last["final"], last["state"], last["stateReason"]) == (True, "error", "not-sent")
    assert last["why"] == "outcome.balance"


async def test_whoever_answers_hears_of_a_late_refusal(house, gateway):
    gateway.answer = httpx.Response(200, json=completed("Which quarter?", "input-required"))
    gateway.go.set()
    last = (await told(house, wait=True))[-1]
    [need] = last["needs"]
    gateway.answer, gateway.go = httpx.Response(402, json=BROKE), asyncio.Event()
    request = {"do": "answer", "request": need["requestId"], "text": "Q3", "wait": True}
    async with aclosing(serve(house, request, WINDOWS)) as conversation:
        assert (await anext(conversation))["state"] == "working"
        gateway.go.set()
        last = await anext(conversation)
    assert last["unsent"] and [n["requestId"] for n in last["needs"]] == [need["requestId"]]


async def test_waiting_ends_when_the_owner_stops_following(house, gateway):
    conversation = serve(house, {"do": "send", "target": "acme", "text": "hi", "wait": True}, WINDOWS)
    async with aclosing(conversation):
        first = await anext(conversation)
        await house.perform(StopFollowing(SessionKey(REMOTE, first["sessionId"])))
        last = await anext(conversation)
    assert last == {"sessionId": first["sessionId"], "gone": True, "needs": [], "final": True}


async def test_who_hangs_up_before_a_byte_has_sent_nothing(house, gateway):
    gateway.registry.clear()

    async def ask():
        await told(house)

    cancel = house.nursery.start(ask(), "asker")
    await asyncio.sleep(0)
    cancel()
    gateway.registry.set()
    # The next call is the proof: the one before it would have come first.
    gateway.answer = httpx.Response(200, json=completed())
    gateway.go.set()
    await told(house, wait=True, target="other")
    assert gateway.messages == 1 and [s.project for s in rows(house.store.roster)] == ["other"]


async def test_who_hangs_up_later_leaves_a_call_that_goes_on(house, gateway):
    gateway.answer = httpx.Response(200, json=completed())

    async def ask():
        await told(house, wait=True)

    cancel = house.nursery.start(ask(), "asker")
    await gateway.asked.wait()
    await until(house, lambda: len(rows(house.store.roster)) == 1)
    cancel()
    gateway.go.set()
    await until(house, lambda: rows(house.store.roster)[0].state is State.DONE)


async def test_two_calls_at_once_are_told_apart(house, gateway):
    """Each asker hears of its own row, whichever was opened first."""
    gateway.answer = httpx.Response(200, json=completed())
    one, two = house.background(first_of(house, "one")), house.background(first_of(house, "two"))
    assert (await one)["sessionId"].startswith("one/") and (await two)["sessionId"].startswith("two/")


async def first_of(house, target):
    [answer] = await told(house, target=target)
    return answer


async def test_a_reply_is_seen_by_the_owner_who_waited_and_by_nobody_else(house, gateway):
    gateway.answer = httpx.Response(200, json=completed("Here it is"))
    gateway.go.set()
    assert (await told(house, wait=True))[-1]["reply"] == "Here it is"
    assert not rows(house.store.roster)[0].unread
    await house.settings.change(agent_calls="allow")
    await told(house, wait=True, target="other", caller=Caller(False, "claude"))
    assert {s.project: s.unread for s in rows(house.store.roster)} == {"acme": False, "other": True}


async def test_the_intent_of_the_windows_and_of_the_door_are_one(house, gateway):
    gateway.answer = httpx.Response(200, json=completed())
    gateway.go.set()
    outcome = await house.perform(Send(REMOTE, "acme", "hi"))
    assert outcome.key is not None


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "send", "target": 5, "text": ["x"], "label": None, "price": {}},
        {"do": "send"},
        {"do": "answer", "request": 7, "text": 7},
        {"do": "question", "request": []},
        {"do": "discover", "query": {"a": 1}},
        {"do": "pin", "target": 3},
        {"do": "facts", "lang": 9},
        {"do": "quit", "sure": "yes"},
        {"do": "nonsense"},
        {"do": None},
        {},
    ],
)
async def test_nonsense_is_answered(house, gateway, request_):
    answers = [answer async for answer in serve(house, request_, WINDOWS)]
    assert answers and gateway.messages == 0


def completed(text="Done", state="completed"):
    said = {"kind": "message", "messageId": "m", "role": "agent", "parts": [{"kind": "text", "text": text}]}
    task = {"kind": "task", "id": "t", "contextId": "c", "status": {"state": state, "message": said}}
    return {"jsonrpc": "2.0", "id": "1", "result": task}
