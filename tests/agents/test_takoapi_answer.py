"""Questions and answers: bound to one request, sent once, reopened when nothing reached the agent."""

import asyncio

import httpx
import pytest

from lisa_island.app.recorder import row_of
from lisa_island.core.agent import Can, Reply, RequestKind, State
from lisa_island.core.intents import Answer, Result, SendAgain
from tests.agents.rig import Feed, PlayedGateway, Rig, artifact, envelope, fault, sse, task, update
from tests.fakes.clock import settle

ASKS = sse(task("input-required", "Which colour?", mid="q1"))


def asking(*pieces: bytes) -> Feed:
    feed = Feed(*(pieces or (ASKS,)))
    feed.end()
    return feed


def answer(row, text="blue", **more):
    return Answer(row.key, row.requests[0].request_id, text, **more)


async def test_a_waiting_row_is_blocked_by_its_question():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking())
        await rig.send()
        (request,) = rig.row.requests
        assert (rig.row.state, rig.row.state_reason, rig.row.followed) == (
            State.WAITING,
            "input-required",
            False,
        )
        assert (request.kind, request.summary, request.since) == (
            RequestKind.INPUT, "Which colour?", rig.clock.now(),
        )  # fmt: skip
        assert " " not in request.request_id


async def test_a_sign_in_is_a_request_of_its_own_kind():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(sse(task("auth-required", "Sign in at\nhttps://a.example/x"))))
        await rig.send()
        (request,) = rig.row.requests
        assert (request.kind, request.summary) == (RequestKind.AUTH, "Sign in at\nhttps://a.example/x")


async def test_the_question_closes_when_the_answer_goes_out():
    async with Rig() as rig:
        reply = Feed()
        rig.gateway.plays("acme", asking(), lambda _s: httpx.Response(200, stream=reply))
        await rig.send()
        asked = rig.begin(answer(rig.row))
        await settle()
        assert (rig.row.state, rig.row.state_reason, rig.row.requests) == (State.WORKING, "sending", ())
        assert rig.row.followed and rig.row.task.calls == 2
        reply.send(b'{"jsonrpc":"2.0","result":{"kind":"task","id":"T1","status":{"state":"completed"}}}')
        reply.end()
        assert (await asked).result is Result.DONE
        await settle()
        assert rig.row.state is State.DONE


REFUSALS = {
    "402": lambda _s: httpx.Response(
        402, json={"error": "Insufficient credit", "balanceUsd": 0, "requiredUsd": 1}
    ),
    "404": lambda _s: httpx.Response(404, json={"error": "Agent not found"}),
    "400": lambda _s: httpx.Response(400, json={"error": "Empty message", "detail": ""}),
    "401": lambda _s: httpx.Response(401, json={"error": "Invalid or missing API key"}),
    "302": lambda _s: httpx.Response(302),
}


@pytest.mark.parametrize("case", REFUSALS)
async def test_the_same_question_is_open_again_when_nothing_reached_the_agent(case):
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(), REFUSALS[case])
        await rig.send()
        before = rig.row.requests
        outcome = await rig.perform(answer(rig.row))
        assert outcome.result is Result.REFUSED
        assert rig.row.requests == before
        assert (rig.row.state, rig.row.state_reason, rig.row.followed) == (
            State.WAITING,
            "input-required",
            False,
        )
        assert Can.ANSWER in rig.row.capabilities
        assert rig.tasks.rows


async def test_an_answer_is_written_down_before_its_first_byte():
    """Killed right after it, the island must not ask for the same answer again."""
    written = []
    async with Rig() as rig:

        def play(_sent):
            written.extend(rig.tasks.rows.values())
            return httpx.Response(200, json=envelope(task("completed")))

        rig.gateway.plays("acme", asking(), play)
        await rig.send(label="Mine")
        await rig.perform(answer(rig.row))
        (row,) = written
        assert (row.state, row.reason, row.question, row.calls) == ("working", "sending", None, 2)
        assert (row.task_id, row.context_id, row.label) == ("T1", "C1", "Mine")
        assert row == row_of(rig.row).with_(state="working", reason="sending", terminal=False, unread=False,
            task_state="input-required", had_reply=False)  # fmt: skip


async def test_a_disk_that_takes_no_answer_sends_none():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(), envelope(task("completed")))
        await rig.send()
        before = rig.row
        rig.tasks.broken = True
        outcome = await rig.perform(answer(before))
        assert (outcome.result, outcome.word) == (Result.REFUSED, "storage.timeout")
        assert (rig.row.state, rig.row.requests, rig.row.followed) == (before.state, before.requests, False)
        assert len(rig.gateway.calls()) == 1
        rig.tasks.broken = False
        assert (await rig.perform(answer(rig.row))).result is Result.DONE


async def test_who_leaves_while_the_answer_is_written_has_sent_nothing(monkeypatch):
    async with Rig() as rig:
        rig.gateway.plays("acme", asking())
        await rig.send()
        before, is_writing = rig.row, asyncio.Event()

        async def slow(_row):
            is_writing.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(rig.tasks, "update", slow)
        leave = rig.nursery.start(rig.supervisor.perform(answer(before)), "asked")
        await is_writing.wait()
        leave()
        await settle()
        assert (rig.row.state, rig.row.requests) == (before.state, before.requests)
        assert len(rig.gateway.calls()) == 1


async def test_a_refused_answer_can_be_given_again():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(), REFUSALS["402"], envelope(task("completed")))
        await rig.send()
        await rig.perform(answer(rig.row))
        assert (await rig.perform(answer(rig.row))).result is Result.DONE
        assert rig.row.state is State.DONE


async def test_a_question_that_is_gone_is_not_answered():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(), envelope(task("completed")))
        await rig.send()
        old = answer(rig.row)
        assert (await rig.perform(Answer(old.key, "acme/a0000001#9", "x"))).word == "outcome.request-gone"
        await rig.perform(old)
        calls = len(rig.gateway.calls())
        assert (await rig.perform(old)).word == "outcome.request-gone"
        assert len(rig.gateway.calls()) == calls


async def test_of_two_answers_at_once_the_second_is_refused():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(), envelope(task("completed")))
        await rig.send()
        first, second = rig.begin(answer(rig.row, "blue")), rig.begin(answer(rig.row, "red"))
        assert (await first).result is Result.DONE
        assert (await second).word == "outcome.request-gone"
        assert [c.body["text"] for c in rig.gateway.calls("/message")] == ["blue"]


async def test_an_answer_is_a_paid_call_too():
    async with Rig(gateway=PlayedGateway(prices={"acme": "0.5"})) as rig:
        rig.gateway.plays("acme", envelope(task("input-required", "Which?")), envelope(task("completed")))
        await rig.send(accepted_price="0.5 USD")
        outcome = await rig.perform(answer(rig.row))
        assert (outcome.word, outcome.price) == ("outcome.price", "0.5 USD")
        assert rig.row.requests
        assert (await rig.perform(answer(rig.row, accepted_price="0.5 USD"))).result is Result.DONE


async def test_on_the_old_gateway_an_answer_is_refused_honestly():
    async with Rig(gateway=PlayedGateway(generation="G0")) as rig:
        rig.gateway.plays("acme", asking())
        await rig.send()
        assert Can.ANSWER not in rig.row.capabilities
        outcome = await rig.perform(answer(rig.row))
        assert (outcome.result, outcome.word) == (Result.REFUSED, "outcome.g0-answer")
        assert rig.row.requests
        assert len(rig.gateway.calls()) == 1


async def test_a_gateway_that_cannot_be_read_gets_no_answer():
    async with Rig(gateway=PlayedGateway(registry=["x"])) as rig:
        rig.gateway.plays("acme", asking())
        rig.gateway._listing = lambda: {"what": "is this"}
        await rig.send()
        assert (await rig.perform(answer(rig.row))).word == "outcome.generation-unknown"
        assert len(rig.gateway.calls()) == 1


@pytest.mark.parametrize(
    "error",
    [
        fault(-32001, "Task not found"),
        fault(-32602, "Task T1 is in terminal state: completed"),
        fault(-32004, "Task is in a terminal state"),
    ],
)
async def test_a_session_that_expired_says_so_and_keeps_the_text(error):
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(), error)
        await rig.send()
        outcome = await rig.perform(answer(rig.row))
        assert (outcome.result, outcome.word) == (Result.REFUSED, "outcome.session-expired")
        assert (rig.row.state, rig.row.state_reason, rig.row.requests) == (State.ERROR, "session-expired", ())
        assert rig.row.unread


async def test_any_other_error_is_the_agents_own():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(), fault(-32602, "Invalid parameters"))
        await rig.send()
        assert (await rig.perform(answer(rig.row))).word == "outcome.agent-error"
        assert rig.row.state_reason == "agent-error"


def gone(_sent):
    return httpx.Response(502, json={"error": "Agent unreachable"})


async def test_an_answer_that_was_cut_off_is_unknown_and_goes_to_its_own_task_again_after_a_click():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(), gone, envelope(task("completed")))
        await rig.send()
        assert (await rig.perform(answer(rig.row))).result is Result.UNKNOWN
        assert (rig.row.state_reason, rig.row.requests) == ("outcome-unknown", ())
        assert Can.SEND_AGAIN in rig.row.capabilities
        assert (await rig.perform(SendAgain(rig.row.key))).result is Result.DONE
        first, again = rig.gateway.calls("message")[-2:]
        assert (again.body["text"], again.body["taskId"]) == ("blue", "T1")
        assert again.body["message"]["messageId"] != first.body["message"]["messageId"]
        assert rig.row.state is State.DONE and len(rig.rows) == 1
        assert (await rig.perform(SendAgain(rig.row.key))).word == "outcome.text-gone"


async def test_an_answer_again_that_may_not_go_out_leaves_the_row_unknown():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(), gone)
        await rig.send()
        await rig.perform(answer(rig.row))
        rig.set(enabled=False)
        await settle()
        assert (await rig.perform(SendAgain(rig.row.key))).result is Result.REFUSED
        assert (rig.row.state_reason, rig.row.requests) == ("outcome-unknown", ())
        rig.set(enabled=True)
        rig.gateway.plays("acme", envelope(task("completed")))
        assert (await rig.perform(SendAgain(rig.row.key))).result is Result.DONE


async def test_an_answer_again_that_nothing_reached_opens_its_question():
    async with Rig() as rig:
        refusal = httpx.Response(
            402, json={"error": "Insufficient credit", "balanceUsd": 0, "requiredUsd": 1}
        )
        rig.gateway.plays("acme", asking(), gone, lambda _s: refusal)
        await rig.send()
        request = rig.row.requests[0]
        await rig.perform(answer(rig.row))
        assert (await rig.perform(SendAgain(rig.row.key))).result is Result.REFUSED
        assert rig.row.requests == (request,)


async def test_the_old_snapshot_does_not_open_the_answered_question_again():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(), envelope(task("input-required", "Which colour?", mid="q1")))
        await rig.send()
        await rig.perform(answer(rig.row))
        assert (rig.row.state, rig.row.state_reason, rig.row.requests) == (State.WORKING, "working", ())


async def test_a_new_question_has_a_new_id():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(), envelope(task("input-required", "Which colour?", mid="q2")))
        await rig.send()
        first = rig.row.requests[0].request_id
        await rig.perform(answer(rig.row))
        (request,) = rig.row.requests
        assert request.request_id == "acme/a0000001#2" != first


async def test_a_question_that_is_only_repeated_keeps_its_id():
    async with Rig() as rig:
        again = sse(update("input-required", "Which colour?", mid="q7"))
        rig.gateway.plays("acme", asking(ASKS, again, sse(update("input-required"))))
        await rig.send()
        (request,) = rig.row.requests
        assert (request.request_id, request.summary) == ("acme/a0000001#1", "Which colour?")


async def test_a_question_may_stand_in_an_artifact():
    async with Rig() as rig:
        interrupt = artifact("", name="Interrupt")
        interrupt["artifact"]["parts"] = [{"kind": "data", "data": {"id": "i", "value": "Approve the plan?"}}]
        rig.gateway.plays("acme", asking(sse(task("working")), sse(interrupt), sse(update("input-required"))))
        await rig.send()
        assert rig.row.requests[0].summary == "Approve the plan?"


async def test_a_question_without_a_task_cannot_be_answered():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(sse({"kind": "task", "status": {"state": "input-required"}})))
        await rig.send()
        assert Can.ANSWER not in rig.row.capabilities
        assert (await rig.perform(answer(rig.row))).word == "outcome.no-task"


async def test_the_question_is_cut_and_cleaned():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(sse(task("input-required", "a\x1b[31mb\u202ec\n" + "x" * 9000))))
        await rig.send()
        summary = rig.row.requests[0].summary
        assert len(summary) == 4000 and summary.startswith("abc\nxx") and summary.endswith("…")


async def test_a_stream_that_stays_open_for_a_sign_in_goes_on_beside_the_answer():
    async with Rig() as rig:
        feed = Feed(sse(task("auth-required", "Sign in", mid="q1")))
        reply = Feed()
        rig.gateway.plays("acme", feed, lambda _s: httpx.Response(200, stream=reply))
        await rig.send()
        asked = rig.begin(answer(rig.row, "I have signed in"))
        await settle()
        feed.frame(update("auth-required", "Sign in", mid="q1"))
        await settle()
        assert rig.row.requests == ()
        feed.frame(update("working", "Reading"))
        await settle()
        assert rig.row.state_reason == "working" and rig.row.followed
        reply.cut()
        await asked
        await settle()
        assert rig.row.state_reason == "working" and rig.row.followed
        feed.frame(update("completed", "Done"))
        feed.end()
        await settle()
        assert (rig.row.state, rig.row.followed, rig.row.reply) == (State.DONE, False, Reply.HELD)


async def test_an_agent_that_goes_on_by_itself_closes_its_question():
    async with Rig() as rig:
        feed = Feed(ASKS)
        rig.gateway.plays("acme", feed)
        await rig.send()
        assert rig.row.requests
        feed.frame(update("working", "Never mind"))
        await settle()
        assert (rig.row.state, rig.row.requests) == (State.WORKING, ())


async def test_an_answer_that_became_a_new_task_is_followed_under_its_new_id():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking(), envelope(task("completed", "New", id="T2")))
        await rig.send()
        await rig.perform(answer(rig.row))
        assert (rig.row.state, rig.row.task.task_id) == (State.DONE, "T2")
        assert "call.continued" in [entry.kind for entry in rig.row.trail]


async def test_a_cut_while_it_waits_leaves_it_waiting():
    async with Rig() as rig:
        feed = Feed(ASKS)
        rig.gateway.plays("acme", feed)
        await rig.send()
        feed.cut()
        await settle()
        assert (rig.row.state, rig.row.followed) == (State.WAITING, False)
        assert rig.row.requests


async def test_an_answer_goes_to_the_address_of_its_task_alone():
    async with Rig() as rig:
        rig.gateway.plays("acme", asking())
        await rig.send()
        rig.secrets.keys["https://other.example"] = "tako_live_other"
        rig.set(base_url="https://other.example")
        await settle()
        outcome = await rig.perform(answer(rig.row))
        assert (outcome.word, dict(outcome.values)) == (
            "outcome.other-origin",
            {"origin": "https://takoapi.com"},
        )
        assert len(rig.gateway.calls()) == 1
