"""The direct source whole, before an agent that the test plays: what is sent, what is shown, what is kept."""

import asyncio
from functools import partial
from typing import Any

import httpx
import pytest

from lisa_island.agents import _a2a_desk, _a2a_task, _guard
from lisa_island.core.agent import Can, Freshness, Reply, RequestKind, SessionKey, State
from lisa_island.core.intents import (
    Answer,
    Cancel,
    Continue,
    Discover,
    Outcome,
    ReadArtifact,
    ReadCard,
    ReadRaw,
    ReadReply,
    Result,
    Send,
    SendAgain,
    StopFollowing,
    TryAgent,
    TryNow,
)
from lisa_island.core.ports import TaskRow
from tests.agents.direct_rig import ORIGIN, DirectRig, PlayedAgent, card
from tests.agents.rig import Feed, artifact, fault, sse, streamed, task, update
from tests.fakes.clock import settle

SECRET = "s3cret-credential"


def interface(url: str, binding: str = "JSONRPC") -> dict[str, str]:
    return {"url": url, "protocolBinding": binding, "protocolVersion": "1.0"}


async def asked(rig: DirectRig, text: str = "Which?", mid: str = "q1") -> Outcome:
    """A task that waits with a question."""
    question = task("input-required", text, mid=mid)
    rig.agent.plays("stream", lambda _s: streamed(sse(task("working")), sse(question)))
    rig.agent.plays("get", question)
    outcome = await rig.send("box", "hello")
    await rig.until(lambda r: any(s.requests for s in r.sessions.values()))
    return outcome


async def test_a_task_is_streamed_to_its_end_and_its_reply_can_be_read() -> None:
    async with DirectRig() as rig:
        rig.agent.plays(
            "stream",
            lambda _s: streamed(sse(task("working")), sse(artifact("built")), sse(update("completed"))),
        )
        rig.agent.plays("get", task("completed", artifacts=[artifact("built")["artifact"]]))
        outcome = await rig.send("box", "build")
        row = rig.row
        assert outcome.result is Result.DONE and outcome.key == row.key
        assert (row.state, row.state_reason, row.unread) == (State.DONE, "completed", True)
        assert [a.name for a in row.activity.artifacts] == ["out.txt"] and row.reply is Reply.HELD
        assert (await rig.perform(ReadReply(row.key))).text == "built"
        assert (await rig.perform(ReadArtifact(row.key, 0))).text == "built"
        (sent,) = rig.agent.calls("stream")
        message = sent.body["params"]["message"]
        assert message["parts"] == [{"text": "build"}] and "taskId" not in message
        assert sent.headers["a2a-version"] == "1.0" and "authorization" not in sent.headers


async def test_the_row_is_written_before_a_byte_goes_out() -> None:
    async with DirectRig() as rig:

        def body(_sent: Any) -> httpx.Response:
            (row,) = rig.tasks.rows.values()
            assert row.agent == "a2a" and row.endpoint == f"{ORIGIN}/rpc" and row.state == "working"
            return streamed(sse(task("completed")))

        rig.agent.plays("stream", body)
        rig.agent.plays("get", task("completed"))
        assert (await rig.send("box", "x")).result is Result.DONE


async def test_an_agent_that_does_not_stream_is_polled() -> None:
    agent = PlayedAgent(card(capabilities={"streaming": False}))
    async with DirectRig(agent=agent) as rig:
        agent.plays("send", {"task": task("working")})
        agent.plays("get", task("working"), task("completed", "Done"))
        await rig.send("box", "x")
        assert rig.row.state is State.WORKING and not agent.calls("stream", "subscribe")
        (sent,) = agent.calls("send")
        assert sent.body["params"]["configuration"]["returnImmediately"] is True
        await rig.clock.run(6)
        assert rig.row.state is State.DONE


async def test_a_reply_without_a_task_is_an_answer_and_no_error() -> None:
    async with DirectRig() as rig:
        reply = {"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "Hello"}]}}
        rig.agent.plays("stream", lambda _s: streamed(sse(reply)))
        await rig.send("box", "hi")
        assert (rig.row.state, rig.row.state_reason) == (State.DONE, "answered")
        assert (await rig.perform(ReadReply(rig.row.key))).text == "Hello"
        assert not rig.agent.calls("get")


async def test_an_answer_carries_both_ids_and_a_fresh_message_id() -> None:
    async with DirectRig() as rig:
        await asked(rig)
        row, first = rig.row, rig.agent.calls("stream")[0].body["params"]["message"]["messageId"]
        rig.agent.plays("stream", lambda _s: streamed(sse(update("working")), sse(update("completed"))))
        rig.agent.plays("get", task("completed"))
        outcome = await rig.perform(Answer(row.key, row.requests[0].request_id, "blue"))
        assert outcome.result is Result.DONE and rig.row.state is State.DONE and not rig.row.requests
        message = rig.agent.calls("stream")[-1].body["params"]["message"]
        assert (message["taskId"], message["contextId"]) == ("T1", "C1")
        assert message["messageId"] != first


async def test_the_old_snapshot_of_a_continuing_stream_does_not_reopen_the_question() -> None:
    async with DirectRig() as rig:
        await asked(rig)
        feed = Feed(sse(task("input-required", "Which?", mid="q1")))
        rig.agent.plays("stream", feed)
        rig.agent.plays("get", task("working"))
        row = rig.row
        answering = rig.begin(Answer(row.key, row.requests[0].request_id, "blue"))
        await settle()
        assert not rig.row.requests and rig.row.state is State.WORKING
        feed.frame(update("working", "On it"))
        await settle()
        assert answering.done() and rig.row.state is State.WORKING and not rig.row.requests


async def test_a_second_answer_to_one_question_sends_nothing() -> None:
    async with DirectRig() as rig:
        await asked(rig)
        rig.agent.plays("stream", Feed())
        row = rig.row
        answer = Answer(row.key, row.requests[0].request_id, "blue")
        rig.begin(answer)
        await settle()
        again = await rig.perform(answer)
        assert again.word == "outcome.request-gone" and len(rig.agent.calls("stream")) == 2


@pytest.mark.parametrize("code", [-32602, -32004, -32603])
async def test_an_answer_that_is_refused_leaves_the_question_open(code: int) -> None:
    async with DirectRig() as rig:
        await asked(rig)
        rig.agent.plays("stream", fault(code, "not now"))
        row = rig.row
        outcome = await rig.perform(Answer(row.key, row.requests[0].request_id, "blue"))
        assert outcome.result is Result.REFUSED and outcome.word == "outcome.answer-refused"
        assert [r.summary for r in rig.row.requests] == ["Which?"]
        assert Can.ANSWER in rig.row.capabilities


async def test_an_answer_to_a_task_that_is_over_says_so() -> None:
    async with DirectRig() as rig:
        await asked(rig)
        rig.agent.plays("stream", fault(-32602, "Task T1 is in terminal state: completed"))
        row = rig.row
        outcome = await rig.perform(Answer(row.key, row.requests[0].request_id, "blue"))
        assert outcome.word == "outcome.session-expired"
        assert (rig.row.state, rig.row.state_reason) == (State.ERROR, "session-expired")


async def test_a_single_artifact_without_a_text_is_not_taken_for_the_agents_words() -> None:
    picture = {"artifactId": "a", "name": "a.png", "parts": [{"raw": "iVBORw0KGgo=", "filename": "a.png"}]}
    async with DirectRig() as rig:
        rig.agent.plays("stream", lambda _s: streamed(sse(task("completed", "Done", artifacts=[picture]))))
        rig.agent.plays("get", task("completed", "Done", artifacts=[picture]))
        await rig.send("box", "draw")
        assert (await rig.perform(ReadReply(rig.row.key))).text == "Done"
        shown = await rig.perform(ReadArtifact(rig.row.key, 0))
        assert (shown.result, shown.text) == (Result.DONE, "")


async def test_another_id_in_the_answer_is_followed_and_told() -> None:
    async with DirectRig() as rig:
        await asked(rig)
        rig.agent.plays("stream", lambda _s: streamed(sse(task("completed", "Done", id="T2"))))
        rig.agent.plays("get", task("completed", "Done", id="T2"))
        row = rig.row
        await rig.perform(Answer(row.key, row.requests[0].request_id, "blue"))
        assert rig.row.task is not None and rig.row.task.task_id == "T2"
        assert ("call.continued", "T2") in [(entry.kind, entry.detail) for entry in rig.row.trail]


async def test_ready_for_input_is_your_turn_and_takes_more() -> None:
    async with DirectRig() as rig:
        rig.agent.plays("stream", lambda _s: streamed(sse(task("working")), sse(update("input-required"))))
        rig.agent.plays("get", task("input-required"))
        await rig.send("box", "x")
        assert rig.row.state is State.WAITING and not rig.row.requests
        assert Can.CONTINUE in rig.row.capabilities
        rig.agent.plays("stream", lambda _s: streamed(sse(update("completed"))))
        rig.agent.plays("get", task("completed"))
        outcome = await rig.perform(Continue(rig.row.key, "more"))
        assert outcome.result is Result.DONE and rig.row.state is State.DONE
        assert rig.agent.calls("stream")[-1].body["params"]["message"]["taskId"] == "T1"


@pytest.mark.parametrize(
    "data",
    [
        {"options": ["Yes", "No"]},
        {"question": {"choices": [{"label": "Yes"}, {"value": "No"}]}},
        {"schema": {"type": "object", "properties": {"go": {"enum": ["Yes", "No"]}}}},
    ],
)
async def test_options_in_a_data_part_become_choices(data: dict[str, Any]) -> None:
    async with DirectRig() as rig:
        question = task("input-required", "Go on?", mid="q1")
        question["status"]["message"]["parts"].append({"kind": "data", "data": data})
        rig.agent.plays("stream", lambda _s: streamed(sse(question)))
        rig.agent.plays("get", question)
        await rig.send("box", "x")
        assert rig.row.requests[0].options == ("Yes", "No")


async def test_a_call_that_nothing_reached_leaves_no_row() -> None:
    async with DirectRig() as rig:
        await rig.perform(TryAgent("a2a", "box"))
        rig.agent.is_down = True
        outcome = await rig.send("box", "x")
        assert outcome.result is Result.REFUSED and outcome.word == "outcome.unreachable"
        assert not [r for r in rig.rows if r.task] and not rig.tasks.rows


async def test_a_call_that_broke_before_a_word_is_unknown_and_can_be_sent_again() -> None:
    async with DirectRig() as rig:
        feed = Feed()
        feed.cut()
        rig.agent.plays("stream", feed)
        outcome = await rig.send("box", "x")
        assert outcome.result is Result.UNKNOWN
        assert (rig.row.state, rig.row.state_reason) == (State.UNKNOWN, "outcome-unknown")
        await rig.clock.run(3600)
        assert len(rig.agent.calls("stream", "send")) == 1
        rig.agent.plays("stream", lambda _s: streamed(sse(task("completed"))))
        rig.agent.plays("get", task("completed"))
        again = await rig.perform(SendAgain(rig.row.key))
        assert again.result is Result.DONE and len(rig.rows) == 2
        assert len(rig.agent.calls("stream")) == 2


async def test_a_stream_that_breaks_after_a_word_is_asked_after() -> None:
    async with DirectRig() as rig:
        feed = Feed(sse(task("working")))
        feed.cut()
        rig.agent.plays("stream", feed)
        rig.agent.plays("get", task("completed", "Done"))
        await rig.send("box", "x")
        assert rig.row.state is State.DONE
        assert len(rig.agent.calls("stream")) == 1


async def test_a_server_that_asks_who_calls_waits_for_a_sign_in() -> None:
    async with DirectRig(auth="bearer") as rig:
        rig.agent.plays("stream", httpx.Response(401))
        outcome = await rig.send("box", "x")
        assert outcome.word == "outcome.sign-in"
        (request,) = rig.row.requests
        assert request.kind is RequestKind.AUTH and Can.SIGN_IN in rig.row.capabilities
        assert Can.SEND_AGAIN in rig.row.capabilities and Can.ANSWER not in rig.row.capabilities


@pytest.mark.parametrize("taken", [True, False])
async def test_sent_again_after_a_sign_in_the_refused_row_is_gone(taken: bool) -> None:
    async with DirectRig(auth="bearer") as rig:
        rig.agent.plays("stream", httpx.Response(401))
        await rig.send("box", "x")
        refused_row = rig.row.key
        rig.agent.answers.clear()
        rig.agent.plays("stream", Feed(sse(task("working"))) if taken else httpx.Response(401))
        outcome = await rig.perform(SendAgain(refused_row))
        assert outcome.result is (Result.DONE if taken else Result.REFUSED)
        await rig.until(lambda roster: roster.get(refused_row) is None)
        assert bool(rig.row.requests) is not taken


async def test_the_credential_goes_to_its_own_origin_and_never_with_a_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def public(_host: str, _port: int) -> tuple[str, ...]:
        return ("93.184.215.14",)

    monkeypatch.setattr(_a2a_desk, "guarded", partial(_guard.guarded, resolve=public))
    elsewhere = "https://rpc.example"
    agent = PlayedAgent(card(supportedInterfaces=[interface(f"{elsewhere}/rpc")]))
    keys = {ORIGIN: SECRET, elsewhere: "other-secret"}
    async with DirectRig(agent=agent, keys=keys, auth="bearer", origins=[ORIGIN, elsewhere]) as rig:
        agent.plays("stream", lambda _s: streamed(sse(task("completed"))))
        agent.plays("get", task("completed"))
        await rig.send("box", "x")
        sent = [(s.path, s.headers.get("authorization")) for s in agent.sent]
        assert sent[0] == ("/.well-known/agent-card.json", None)
        assert {auth for path, auth in sent if path == "/rpc"} == {"Bearer other-secret"}
        assert SECRET not in repr(sent)


@pytest.mark.parametrize(
    ("settings", "header", "value"),
    [
        ({"auth": "bearer"}, "authorization", f"Bearer {SECRET}"),
        ({"auth": "basic"}, "authorization", "Basic czNjcmV0LWNyZWRlbnRpYWw="),
        ({"auth": "header", "header": "X-Api-Key"}, "x-api-key", SECRET),
    ],
)
async def test_a_credential_is_sent_as_the_owner_said(settings: Any, header: str, value: str) -> None:
    async with DirectRig(keys={ORIGIN: SECRET}, **settings) as rig:
        rig.agent.plays("stream", lambda _s: streamed(sse(task("completed"))))
        rig.agent.plays("get", task("completed"))
        await rig.send("box", "x")
        assert rig.agent.calls("stream")[0].headers[header] == value


async def test_an_endpoint_that_the_owner_did_not_agree_to_gets_nothing() -> None:
    interfaces = [
        {"url": "https://other.example/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    ]
    agent = PlayedAgent(card(supportedInterfaces=interfaces))
    async with DirectRig(agent=agent) as rig:
        outcome = await rig.send("box", "x")
        assert outcome.word == "outcome.endpoint-moved"
        assert dict(outcome.values)["origin"] == "https://other.example"
        assert all(s.body is None for s in agent.sent)


async def test_cancel_is_asked_for_and_shown_when_it_is_so() -> None:
    async with DirectRig() as rig:
        feed = Feed(sse(task("working")))
        rig.agent.plays("stream", feed)
        rig.agent.plays("get", task("working"))
        rig.agent.plays("cancel", task("canceled"))
        await rig.send("box", "x")
        assert Can.CANCEL in rig.row.capabilities
        outcome = await rig.perform(Cancel(rig.row.key))
        assert outcome.result is Result.DONE
        assert (rig.row.state, rig.row.state_reason) == (State.DONE, "canceled")
        assert Can.CANCEL not in rig.row.capabilities


async def test_a_refused_cancel_says_why_and_changes_nothing() -> None:
    async with DirectRig() as rig:
        rig.agent.plays("stream", Feed(sse(task("working"))))
        rig.agent.plays("get", task("working"))
        rig.agent.plays("cancel", fault(-32002, "Too \x1b[31mlate"))
        await rig.send("box", "x")
        outcome = await rig.perform(Cancel(rig.row.key))
        assert outcome.word == "outcome.not-canceled" and "Too" in dict(outcome.values)["why"]
        assert "\x1b" not in dict(outcome.values)["why"]
        assert rig.row.state is State.WORKING
        assert "call.not-canceled" in [entry.kind for entry in rig.row.trail]


async def test_a_cancel_that_breaks_is_unknown_and_asked_after() -> None:
    def broke(_sent: Any) -> httpx.Response:
        raise httpx.ReadError("gone")

    async with DirectRig() as rig:
        rig.agent.plays("stream", Feed(sse(task("working"))))
        rig.agent.plays("get", task("canceled"))
        rig.agent.plays("cancel", broke)
        await rig.send("box", "x")
        outcome = await rig.perform(Cancel(rig.row.key))
        assert outcome.result is Result.UNKNOWN and len(rig.agent.calls("cancel")) == 1
        await rig.clock.run(60)
        assert rig.row.state_reason == "canceled"


def row(**more: Any) -> TaskRow:
    found = {
        "session_id": "box/0a1b2c3d", "target": "box", "message_id": "m1", "started_at": 1, "updated_at": 0,
        "state": "working", "task_id": "T1", "context_id": "C1", "agent": "a2a", "endpoint": f"{ORIGIN}/rpc",
    }  # fmt: skip
    return TaskRow(**(found | more))


async def test_a_task_of_an_earlier_run_is_unknown_until_its_agent_says() -> None:
    rig = DirectRig()
    rig.tasks.rows["box/0a1b2c3d"] = row(updated_at=rig.clock.now())
    rig.agent.is_down = True
    async with rig:
        assert (rig.row.state, rig.row.freshness) == (State.UNKNOWN, Freshness.OFFLINE)
        rig.agent.is_down = False
        rig.agent.plays("get", task("completed", "Done"))
        await rig.clock.run(70)
        assert rig.row.state is State.DONE and rig.row.freshness is Freshness.LIVE
        assert not rig.agent.calls("stream", "send")


async def test_a_task_that_the_server_forgot_is_lost_and_kept() -> None:
    rig = DirectRig()
    rig.tasks.rows["box/0a1b2c3d"] = row(updated_at=rig.clock.now())
    rig.agent.plays("get", fault(-32001, "Task not found"))
    async with rig:
        await rig.clock.run(10)
        assert (rig.row.state, rig.row.state_reason) == (State.UNKNOWN, "lost-by-server")


async def test_another_kinds_rows_are_left_alone() -> None:
    rig = DirectRig()
    rig.tasks.rows["acme/0a1b2c3d"] = row(session_id="acme/0a1b2c3d", agent="takoapi", target="acme")
    async with rig:
        assert [r.key for r in rig.rows if r.task] == []


async def test_stop_following_ends_the_stream_and_the_row_and_sends_nothing() -> None:
    async with DirectRig() as rig:
        feed = Feed(sse(task("working")))
        rig.agent.plays("stream", feed)
        rig.agent.plays("get", task("working"))
        await rig.send("box", "x")
        calls = len(rig.agent.sent)
        await rig.perform(StopFollowing(rig.row.key))
        assert feed.is_closed and not [r for r in rig.rows if r.task] and not rig.tasks.rows
        assert len(rig.agent.sent) == calls


async def test_the_frames_can_be_shown_as_they_came() -> None:
    async with DirectRig() as rig:
        rig.agent.plays("stream", lambda _s: streamed(sse(task("completed", "Done\x1b[31m"))))
        rig.agent.plays("get", task("completed"))
        await rig.send("box", "x")
        raw = (await rig.perform(ReadRaw(rig.row.key))).text
        assert '"state"' in raw and "completed" in raw and "\x1b" not in raw


async def test_at_most_32_streams_are_open_and_the_rest_is_polled() -> None:
    async with DirectRig() as rig:
        feeds: list[Feed] = []

        def body(sent: Any) -> httpx.Response:
            number = sent.body["params"]["message"]["parts"][0]["text"]
            feeds.append(Feed(sse(task("working", id=f"T{number}"))))
            return httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=feeds[-1])

        def unary(sent: Any) -> httpx.Response:
            number = sent.body["params"]["message"]["parts"][0]["text"]
            return httpx.Response(200, json={"result": {"task": task("working", id=f"T{number}")}})

        def found(sent: Any) -> httpx.Response:
            return httpx.Response(200, json={"result": task("working", id=sent.body["params"]["id"])})

        rig.agent.plays("stream", body)
        rig.agent.plays("send", unary)
        rig.agent.plays(
            "get", lambda s: httpx.Response(200, json={"result": task("working", id=s.body["params"]["id"])})
        )
        for number in range(40):
            await rig.send("box", str(number))
        assert len(feeds) == 32 and len(rig.agent.calls("send")) == 8
        polled = len(rig.agent.calls("get"))
        await rig.clock.run(6)
        assert len(rig.agent.calls("get")) > polled
        assert all(r.state is State.WORKING for r in rig.rows)


async def test_an_agent_of_the_draft_is_refused_politely() -> None:
    old = {"name": "Old", "url": f"{ORIGIN}/", "version": "1", "capabilities": {}, "skills": []}
    async with DirectRig(agent=PlayedAgent(old)) as rig:
        rig.agent.plays("get", fault(-32601))
        outcome = await rig.send("box", "x")
        assert outcome.result is Result.REFUSED
        assert not [r for r in rig.rows if r.task]


async def test_a_grpc_only_card_is_said_to_be_so() -> None:
    grpc = interface("https://box.example:50051", "GRPC")
    async with DirectRig(agent=PlayedAgent(card(supportedInterfaces=[grpc]))) as rig:
        assert (await rig.send("box", "x")).word == "outcome.grpc-only"


async def test_nobody_is_asked_before_the_owner_does() -> None:
    async with DirectRig() as rig:
        await rig.clock.run(3600)
        assert rig.agent.sent == [] and [r.key.session_id for r in rig.rows] == ["box"]


async def test_a_card_can_be_looked_at_before_it_is_added() -> None:
    async with DirectRig() as rig:
        outcome = await rig.perform(ReadCard("a2a", ORIGIN))
        (info,) = outcome.agents
        assert (info.name, info.skills, info.tags) == ("Box", ("Build",), ("ci",))
        assert info.interfaces == (f"JSONRPC 1.0 {ORIGIN}/rpc",)
        assert all(s.body is None for s in rig.agent.sent)


async def test_discover_filters_by_tag() -> None:
    async with DirectRig() as rig:
        found = await rig.perform(Discover("a2a", category="CI"))
        assert [a.target for a in found.agents] == ["box"]
        assert (await rig.perform(Discover("a2a", category="other"))).agents == ()


async def test_a_test_spends_nothing() -> None:
    async with DirectRig() as rig:
        rig.agent.plays("get", fault(-32001, "Task not found"))
        outcome = await rig.perform(TryAgent("a2a", "box"))
        assert outcome.word == "outcome.test-ok" and not rig.agent.calls("send", "stream")
        rig.agent.plays("get", httpx.Response(401))
        assert (await rig.perform(TryAgent("a2a", "box"))).word == "outcome.test-sign-in"


async def test_a_chain_of_calls_carries_its_guards() -> None:
    async with DirectRig() as rig:
        rig.agent.plays("stream", lambda _s: streamed(sse(task("completed"))))
        rig.agent.plays("get", task("completed"))
        chain = '{"pi:hopCount": 3, "pi:visitedAgents": ["https://a.example"], "pi:budgets": {"maxHops": 5}}'
        await rig.perform(Send("a2a", "box", "x", metadata=chain))
        sent = rig.agent.calls("stream")[0].body["params"]["message"]["metadata"]
        assert sent["pi:hopCount"] == 4 and sent["pi:visitedAgents"] == ["https://a.example"]
        assert sent["pi:budgets"]["maxHops"] == 5
        long = '{"pi:hopCount": 5, "pi:budgets": {"maxHops": 5}}'
        assert (await rig.perform(Send("a2a", "box", "x", metadata=long))).word == "outcome.too-many-hops"
        loop = f'{{"pi:visitedAgents": ["{ORIGIN}/rpc"]}}'
        assert (await rig.perform(Send("a2a", "box", "x", metadata=loop))).word == "outcome.loop"
        assert len(rig.agent.calls("stream")) == 1


async def test_try_now_asks_at_once() -> None:
    async with DirectRig() as rig:
        await asked(rig)
        before = len(rig.agent.calls("get"))
        await rig.perform(TryNow("a2a"))
        assert len(rig.agent.calls("get")) == before + 1


async def test_what_the_owner_wrote_is_in_no_row_of_the_database() -> None:
    async with DirectRig() as rig:
        await asked(rig)
        stored = repr(rig.tasks.rows)
        assert "hello" not in stored and SECRET not in stored
        assert SessionKey("a2a", "box") not in rig.roster.sessions


async def test_a_fault_of_ours_leaves_nobody_waiting_and_no_row_that_claims_to_be_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: Any) -> list[Any]:
        raise ValueError

    async with DirectRig() as rig:
        rig.agent.plays("stream", lambda _s: streamed(sse(task("working"))))
        rig.agent.plays("get", task("working"))
        with monkeypatch.context() as patched:
            patched.setattr(_a2a_task.DirectTask, "take", broken)
            outcome = await rig.send("box", "x")
        assert outcome.result is Result.UNKNOWN
        assert (rig.row.state_reason, rig.row.followed) == ("outcome-unknown", False)
        rig.agent.plays("stream", Feed(sse(task("working"))))
        await rig.send("box", "y")
        second = next(r for r in rig.rows if r.followed)
        monkeypatch.setattr(_a2a_task.DirectTask, "take", broken)
        await rig.perform(TryNow("a2a"))
        await rig.clock.run(60)
        assert not rig.get(second.key).followed
        assert all("ValueError" in failure for failure in rig.failures) and len(rig.failures) == 2
        rig.failures.clear()


async def test_the_cards_of_all_agents_are_asked_for_at_once() -> None:
    """One that never answers holds up nobody but itself."""
    async with DirectRig() as rig:
        rig.set(agents=[{"name": f"n{i}", "url": f"https://n{i}.example"} for i in range(4)])
        asked, go = [], asyncio.Event()

        async def card_of(request: httpx.Request) -> httpx.Response:
            asked.append(request.url.host)
            await go.wait()
            return httpx.Response(200, json=card(name=request.url.host))

        rig.agent.answers_card = card_of
        found = rig.begin(Discover("a2a"))
        await settle()
        assert sorted(asked) == [f"n{i}.example" for i in range(4)]
        go.set()
        assert [a.target for a in (await found).agents] == [f"n{i}" for i in range(4)]
