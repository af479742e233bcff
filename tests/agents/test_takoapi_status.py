"""Every row of the gateway's status matrix, told apart by exact body, through a call on either route."""

import ssl

import httpx
import pytest

from lisa_island.core.agent import Can, Health, State
from lisa_island.core.intents import Discover, Result, Send, SendAgain, TryNow
from tests.agents.rig import Feed, PlayedGateway, Rig, envelope, fault, sse, stream, task
from tests.fakes.clock import settle


def answer(status, body, **headers):
    if isinstance(body, bytes):
        return lambda _sent: httpx.Response(status, content=body, headers=headers)
    return lambda _sent: httpx.Response(status, json=body, headers=headers)


BALANCE = {"error": "Insufficient credit", "detail": "top up", "balanceUsd": "0.0100", "requiredUsd": 0.02}
PROJECT = {"error": "This agent is an open-source project, not an invokable endpoint"}

# The gateway itself refused: nothing reached the agent, so there is no row and the text is kept.
REFUSALS = {
    "400 body": (400, {"error": "Invalid request body", "detail": "text: no"}, "outcome.bad-request"),
    "400 empty": (400, {"error": "Empty message", "detail": "Send"}, "outcome.bad-request"),
    "400 project": (400, PROJECT, "outcome.not-callable"),
    "401 gateway": (401, {"error": "Invalid or missing API key"}, "outcome.key-refused"),
    "402": (402, BALANCE, "outcome.balance"),
    "402 without figures": (402, BALANCE | {"balanceUsd": None}, "outcome.balance-unknown"),
    "404 gateway": (404, {"error": "Agent not found"}, "outcome.no-agent"),
    "301": (301, b"", "outcome.redirect"),
    "307": (307, b"", "outcome.redirect"),
}

# The agent answered, and the gateway relayed it.
AGENT_ERRORS = {
    "400 own": (400, {"error": "No such model"}),
    "400 own that looks alike": (400, {"error": "Empty message", "code": 7}),
    "401 own": (401, {"error": "This agent wants its own token"}),
    "401 own that looks alike": (401, {"error": "Invalid or missing API key", "code": 7}),
    "401 page": (401, b"<html>401</html>"),
    "402 own": (402, {"error": "Pay me"}),
    "403": (403, {"error": "Members only"}),
    "404 own": (404, {"error": "No such notebook"}),
    "404 empty": (404, b""),
    "409": (409, {"error": "Busy"}),
    "429 own": (429, {"error": "Model quota used up"}),
    "429 own that looks alike": (429, {"error": "Too many requests"}),
    "200 rpc error": (200, fault(-32603, "Internal error")),
    "200 rpc error in terminal words": (200, fault(-32602, "Task is in terminal state")),
}

# Bytes went out, and nobody can tell what became of them.
UNKNOWN = {
    "200 null": (200, b"null"),
    "200 page": (200, b"<html>Sign in</html>"),
    "200 empty": (200, b""),
    "200 no envelope": (200, {"status": "ok"}),
    "200 neither": (200, {"jsonrpc": "2.0", "id": 1}),
    "200 null result": (200, {"jsonrpc": "2.0", "id": 1, "result": None}),
    "200 list": (200, []),
    "200 text": (200, b"It works!"),
    "204": (204, b""),
    "500 page": (500, b"<!DOCTYPE html>"),
    "500 own": (500, {"error": "Stack overflow"}),
    "502 unreachable": (502, {"error": "Agent unreachable"}),
    "502 no stream": (502, {"error": "Agent did not return a stream"}),
    "503": (503, {"error": "Too many requests"}),
    "504": (504, b""),
    "600": (600, b""),
}


@pytest.fixture(params=["message", "stream"])
async def rig(request):
    silent = {"acme"} if request.param == "message" else set()
    async with Rig(gateway=PlayedGateway(silent=silent)) as rig:
        yield rig


@pytest.mark.parametrize("case", REFUSALS)
async def test_a_refusal_of_the_gateway_leaves_no_row(rig, case):
    status, body, word = REFUSALS[case]
    rig.gateway.plays("acme", answer(status, body))
    outcome = await rig.send()
    assert (outcome.result, outcome.word) == (Result.REFUSED, word)
    assert not rig.rows and not rig.tasks.rows
    assert [verb for verb, _ in rig.tasks.log] == ["begin", "remove"]
    assert len(rig.gateway.calls()) == 1
    if case == "402":
        assert dict(outcome.values) == {"balance": "0.01 USD", "required": "0.02 USD"}


@pytest.mark.parametrize("case", AGENT_ERRORS)
async def test_the_agents_own_error_is_an_error_row(rig, case):
    status, body = AGENT_ERRORS[case]
    rig.gateway.plays("acme", answer(status, body))
    if "rpc" in case and "terminal" in case and "acme" not in rig.gateway.silent:
        rig.gateway.plays("acme", answer(status, body), answer(status, body))
    outcome = await rig.send()
    assert (outcome.result, outcome.word) == (Result.DONE, "outcome.agent-error")
    assert (rig.row.state, rig.row.state_reason, rig.row.unread) == (State.ERROR, "agent-error", True)
    assert not rig.row.followed
    assert rig.status.health is Health.OK


@pytest.mark.parametrize("case", UNKNOWN)
async def test_anything_else_is_unknown_and_never_sent_again(rig, case):
    status, body = UNKNOWN[case]
    rig.gateway.plays("acme", answer(status, body))
    outcome = await rig.send()
    assert (outcome.result, outcome.word) == (Result.UNKNOWN, "outcome.unknown")
    assert (rig.row.state, rig.row.state_reason) == (State.UNKNOWN, "outcome-unknown")
    assert Can.SEND_AGAIN in rig.row.capabilities
    await rig.clock.run(3600)
    assert len(rig.gateway.calls()) == 1


async def test_a_refused_key_stops_every_call_until_it_changes(rig):
    rig.gateway.plays(
        "acme", answer(401, {"error": "Invalid or missing API key"}), envelope(task("completed"))
    )
    await rig.send()
    assert rig.status.health is Health.REFUSED
    assert (await rig.send("other")).word == "outcome.key-refused"
    assert len(rig.gateway.calls()) == 1
    rig.set()
    await settle()
    assert rig.status.health is Health.OK
    assert (await rig.send()).result is Result.DONE


async def test_a_relayed_401_never_means_a_bad_key(rig):
    rig.gateway.plays("acme", answer(401, {"error": "Unauthorized"}))
    await rig.send()
    assert rig.status.health is Health.OK
    assert (await rig.send("other")).result is Result.DONE


# --- a busy gateway ---

BUSY = {"error": "Too many requests"}


async def test_a_busy_gateway_is_asked_once_more_when_it_said_so(rig):
    rig.gateway.plays("acme", answer(429, BUSY, **{"retry-after": "2"}), envelope(task("completed")))
    asked = rig.begin_send()
    await settle()
    assert rig.status.health is Health.WAITING
    assert rig.status.retry_at == rig.clock.now() + 2000
    assert rig.row.state_reason == "sending"
    await rig.clock.run(2)
    await settle()
    assert (await asked).result is Result.DONE
    assert rig.row.state is State.DONE
    assert rig.status.health is Health.OK and rig.status.retry_at is None
    assert len(rig.gateway.calls()) == 2


async def test_a_gateway_that_stays_busy_leaves_no_row(rig):
    rig.gateway.plays("acme", answer(429, BUSY, **{"retry-after": "1"}))
    asked = rig.begin_send()
    await rig.clock.run(1)
    await settle()
    outcome = await asked
    assert (outcome.result, outcome.word) == (Result.REFUSED, "outcome.too-many")
    assert not rig.rows
    assert len(rig.gateway.calls()) == 2


async def test_a_long_wait_is_not_waited(rig):
    rig.gateway.plays("acme", answer(429, BUSY, **{"retry-after": "61"}))
    outcome = await rig.send()
    assert (outcome.word, dict(outcome.values)) == ("outcome.too-many", {"seconds": "61"})
    assert rig.status.health is Health.WAITING


async def test_all_calls_wait_when_the_gateway_is_busy_and_the_owner_can_say_now(rig):
    rig.gateway.plays("acme", answer(429, BUSY, **{"retry-after": "50"}), envelope(task("completed")))
    rig.begin_send("acme")
    await settle()
    rig.begin_send("other")
    await rig.clock.run(40)
    assert len(rig.gateway.calls()) == 1
    assert {row.state_reason for row in rig.rows} == {"sending"}
    await rig.perform(TryNow("takoapi"))
    assert len(rig.gateway.calls()) == 3
    assert {row.state for row in rig.rows} == {State.DONE}


async def test_what_is_refused_late_keeps_its_row_and_its_text(rig):
    """Its sender was told that it is on its way and has let go of the text."""
    rig.gateway.plays(
        "acme", answer(429, BUSY, **{"retry-after": "30"}), answer(402, BALANCE), envelope(task("completed"))
    )
    asked = rig.begin_send()
    await rig.clock.run(5)
    assert (await asked).result is Result.DONE
    await rig.clock.run(30)
    assert (rig.row.state, rig.row.state_reason, rig.row.followed) == (State.ERROR, "not-sent", False)
    assert Can.SEND_AGAIN in rig.row.capabilities
    old = rig.row.key
    outcome = await rig.perform(SendAgain(old))
    assert outcome.result is Result.DONE and outcome.key != old
    assert rig.get(outcome.key).state is State.DONE
    assert Can.SEND_AGAIN not in rig.get(old).capabilities
    assert rig.gateway.calls()[-1].body["text"] == "hello"


@pytest.mark.parametrize(
    "retry_after",
    [
        "Mon, 16 Jun 2025 00:00:30 GMT",
        "Mon, 16 Jun 2025 00:00:30 +99999999999999",
        "soon",
        "-3",
        "0",
        "99999999999999999999",
        "9" * 5_000,
    ],
)
async def test_retry_after_may_be_a_date_or_nonsense(rig, retry_after):
    rig.gateway.plays("acme", answer(429, BUSY, **{"retry-after": retry_after}))
    asked = rig.begin_send()
    await rig.clock.run(200)
    await settle()
    assert (await asked).result in (Result.DONE, Result.REFUSED)
    assert rig.status.retry_at is None or rig.status.retry_at <= rig.clock.now() + 3_600_000


# --- a gateway that cannot be reached ---


async def test_a_refused_connection_is_tried_again_and_then_given_up(rig):
    await rig.send()
    rig.gateway.sent.clear()

    def refuse(_sent):
        raise httpx.ConnectError("refused")

    rig.gateway.plays("acme", refuse)
    asked = rig.begin_send()
    await settle()
    assert rig.status.health is Health.OFFLINE
    assert rig.status.retry_at is not None
    await rig.clock.run(1)
    await settle()
    outcome = await asked
    assert (outcome.result, outcome.word) == (Result.REFUSED, "outcome.unreachable")
    assert len(rig.rows) == 1
    assert len(rig.gateway.calls()) == 3
    assert rig.status.retry_at is None
    await rig.clock.run(3600)
    assert len(rig.gateway.calls()) == 3


async def test_a_connection_that_opens_on_the_second_try_sends_once(rig):
    def refuse(_sent):
        raise httpx.ConnectTimeout("slow")

    rig.gateway.plays("acme", refuse, envelope(task("completed")))
    asked = rig.begin_send()
    await rig.clock.run(1)
    assert (await asked).result is Result.DONE
    first, second = rig.gateway.calls()
    assert first.body == second.body
    assert rig.row.state is State.DONE
    assert rig.status.health is Health.OK


async def test_a_gateway_that_is_down_refuses_before_anything_is_written(rig):
    rig.gateway.is_down = True
    outcome = await rig.send()
    assert (outcome.result, outcome.word) == (Result.REFUSED, "outcome.unreachable")
    assert not rig.tasks.log
    assert rig.status.health is Health.OFFLINE
    assert (await rig.perform(TryNow("takoapi"))).word == "outcome.unreachable"
    rig.gateway.is_down = False
    assert (await rig.perform(TryNow("takoapi"))).result is Result.DONE
    assert rig.status.health is Health.OK


@pytest.mark.parametrize("where", ["/api/", "/v1/"])
async def test_a_gateway_that_cannot_prove_who_it_is_is_called_so_and_gets_nothing(rig, where):
    def distrust(request):
        if request.url.path.startswith(where):
            try:
                raise ssl.SSLCertVerificationError("self-signed certificate")
            except ssl.SSLError as error:
                raise httpx.ConnectError("no") from error
        return rig.gateway(request)

    rig.source._desk.gateway._http.transport = httpx.MockTransport(distrust)
    outcome = await rig.send()
    assert (outcome.result, outcome.word) == (Result.REFUSED, "outcome.untrusted")
    assert not rig.rows and rig.status.health is Health.OFFLINE
    if where == "/api/":
        assert (await rig.perform(Discover("takoapi"))).word == "outcome.untrusted"


BROKEN = [
    httpx.ReadError("reset"),
    httpx.ReadTimeout("late"),
    httpx.WriteError("broken pipe"),
    httpx.WriteTimeout("stuck"),
    httpx.RemoteProtocolError("garbage"),
    httpx.DecodingError("bad"),
    OSError("network is down"),
    UnicodeError("x"),
]


@pytest.mark.parametrize("error", BROKEN, ids=lambda e: type(e).__name__)
async def test_what_breaks_after_bytes_went_out_is_unknown(rig, error):
    def breaks(_sent):
        raise error

    rig.gateway.plays("acme", breaks)
    outcome = await rig.send()
    assert outcome.result is Result.UNKNOWN
    assert rig.row.state_reason == "outcome-unknown"
    assert len(rig.gateway.calls()) == 1


async def test_a_fault_of_our_own_is_unknown_too_and_breaks_nothing(rig, caplog):
    def breaks(_sent):
        raise RuntimeError("a bug")

    rig.gateway.plays("acme", breaks)
    outcome = await rig.send()
    assert outcome.result is Result.UNKNOWN
    assert rig.row.state_reason == "outcome-unknown"
    assert [r.getMessage() for r in caplog.records if r.levelname == "ERROR"] == [
        "a call failed: RuntimeError"
    ]
    assert (await rig.send("other")).result is Result.DONE


# --- agents that refuse streams ---


async def test_a_strict_free_agent_is_taken_to_message_once_and_remembered():
    async with Rig() as rig:
        rig.gateway.plays("acme", fault(-32602, "messageId"), envelope(task("completed")))
        assert (await rig.send()).result is Result.DONE
        assert [s.path.rpartition("/")[2] for s in rig.gateway.calls()] == ["stream", "message"]
        assert rig.row.state is State.DONE
        await rig.send()
        assert [s.path.rpartition("/")[2] for s in rig.gateway.calls()] == ["stream", "message", "message"]


async def test_only_the_whole_answer_counts():
    async with Rig() as rig:
        error = b'data: {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}}\n\n'
        rig.gateway.plays("acme", Feed(sse(task("working")), error))
        await rig.send()
        assert len(rig.gateway.calls()) == 1
        assert rig.row.state_reason == "agent-error"


async def test_a_second_refusal_is_an_error():
    async with Rig() as rig:
        rig.gateway.plays("acme", fault(-32602, "messageId"))
        await rig.send()
        assert len(rig.gateway.calls()) == 2
        assert rig.row.state_reason == "agent-error"


async def test_an_agent_without_a_stream_is_remembered():
    async with Rig() as rig:
        rig.gateway.plays(
            "acme", answer(502, {"error": "Agent did not return a stream"}), envelope(task("completed"))
        )
        assert (await rig.send()).result is Result.UNKNOWN
        assert (await rig.send()).result is Result.DONE
        assert [s.path.rpartition("/")[2] for s in rig.gateway.calls()] == ["stream", "message"]


async def test_a_priced_agent_is_never_sent_to_twice():
    async with Rig(gateway=PlayedGateway(prices={"acme": "1"}, silent=set())) as rig:
        rig.gateway.plays("acme", fault(-32602, "messageId"), envelope(task("completed")))
        outcome = await rig.perform(Send("takoapi", "acme", "hello", accepted_price="1 USD"))
        assert outcome.word == "outcome.agent-error"
        assert [s.path.rpartition("/")[2] for s in rig.gateway.calls()] == ["message"]


async def test_a_compressed_answer_that_nobody_asked_for_is_unknown():
    async with Rig() as rig:

        def squeezed(_sent):
            made = stream(Feed(b"\x1f\x8b"))
            made.headers["content-encoding"] = "gzip"
            return made

        rig.gateway.plays("acme", squeezed)
        assert (await rig.send()).result is Result.UNKNOWN
        assert rig.gateway.calls()[0].headers["accept-encoding"] == "identity"


NO_ID = {"loc": ["params", "message", "messageId"], "msg": "Field required"}


@pytest.mark.parametrize(
    ("data", "routes"), [([NO_ID], ["stream", "message"]), ([], ["stream"]), (None, ["stream"])]
)
async def test_the_newer_servers_word_for_a_missing_message_id_counts_and_no_other_does(data, routes):
    async with Rig() as rig:
        refusal = fault(-32600, "Invalid request")
        refusal["error"]["data"] = data
        rig.gateway.plays("acme", refusal, envelope(task("completed")))
        await rig.send()
        assert [s.path.rpartition("/")[2] for s in rig.gateway.calls()] == routes
