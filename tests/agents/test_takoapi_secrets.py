"""A planted key is found in the header of a call to its origin, and nowhere else."""

import logging
import traceback

import httpx
import pytest

from lisa_island.agents._http import CutError, NotSentError
from lisa_island.agents._takoapi_http import Gateway
from lisa_island.core.intents import Answer, CheckKey, Describe, Discover, ReadReply, SendAgain, TryNow
from tests.agents.rig import Feed, PlayedGateway, Rig, envelope, sse, streamed, task
from tests.agents.test_takoapi_status import BROKEN
from tests.fakes.secrets import KEY

TEXT = "the words of the owner 4711"


def faults():
    def raising(error):
        def play(sent):
            # What a client library may well do: put the request into its message.
            raise type(error)(f"{error} {sent.headers!r} Bearer {KEY}")

        return play

    plays = {
        type(e).__name__: raising(e)
        for e in [*BROKEN, httpx.ConnectError("x"), RuntimeError("x")]
        if not isinstance(e, UnicodeError)
    }
    plays |= {
        str(code): lambda _s, code=code: httpx.Response(code, json={"error": f"bad {KEY}", "Bearer": KEY})
        for code in (302, 400, 401, 402, 403, 404, 429, 500, 502)
    }
    return plays | {
        "done": envelope(task("completed")),
        "asks": lambda _s: streamed(sse(task("input-required", "?"))),
    }


@pytest.mark.parametrize("case", faults())
async def test_no_log_repr_or_event_holds_the_key(case, caplog):
    caplog.set_level(logging.DEBUG)
    async with Rig() as rig:
        said = []
        rig.store.subscribe(lambda _old, new: said.append(repr(new)))
        rig.gateway.plays("acme", faults()[case])
        outcomes = []
        asked = rig.begin_send("acme", TEXT)
        await rig.clock.run(3)
        outcomes.append(await asked)
        for row in rig.rows:
            for request in row.requests:
                outcomes.append(await rig.perform(Answer(row.key, request.request_id, TEXT)))
            outcomes += [await rig.perform(ReadReply(row.key)), await rig.perform(SendAgain(row.key))]
        for intent in (
            Discover("takoapi"),
            Describe("takoapi", "acme"),
            CheckKey("takoapi"),
            TryNow("takoapi"),
        ):
            outcomes.append(await rig.perform(intent))
        said += [repr(o) for o in outcomes] + [caplog.text] + [repr(r.args) for r in caplog.records]
        said += [repr(rig.source), repr(rig.source._desk.exchanges), repr(rig.source._desk.calls)]
        said += [repr(row) for row in rig.tasks.rows.values()]
        assert not [text for text in said if KEY in text]
        # Nor the owner's words, but where the owner wrote them.
        assert not [text for text in said if TEXT in text]
        for sent in rig.gateway.sent:
            assert ("authorization" in sent.headers) is sent.path.startswith("/v1/")
            assert KEY not in sent.path + repr(sent.query) + repr(sent.body)


@pytest.mark.parametrize("error", [httpx.ReadError("x"), httpx.ConnectError("x")])
async def test_what_is_raised_knows_nothing_of_the_request(error):
    def breaks(request):
        raise type(error)(f"{request.headers} {KEY}", request=request)

    gateway = Gateway("https://takoapi.com", httpx.MockTransport(breaks))
    with pytest.raises((NotSentError, CutError)) as caught:
        async with gateway.post("/v1/agents/a/message", {}, KEY):
            pass
    assert caught.value.__cause__ is None and caught.value.__suppress_context__
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert not caught.value.args
    await gateway.close()


async def test_a_key_goes_to_its_own_origin_alone():
    other = "tako_live_" + "o" * 32
    async with Rig(keys={"https://takoapi.com": KEY, "https://other.example": other}) as rig:
        await rig.send()
        rig.set(base_url="https://other.example/")
        await rig.send()
        assert [s.headers["authorization"] for s in rig.gateway.calls()] == [
            f"Bearer {KEY}",
            f"Bearer {other}",
        ]


async def test_a_redirect_takes_no_key_anywhere():
    async with Rig() as rig:
        rig.gateway.plays(
            "acme", lambda _s: httpx.Response(307, headers={"location": "https://evil.example/"})
        )
        await rig.send()
        assert len(rig.gateway.calls()) == 1


async def test_no_cookie_is_kept_that_would_tie_one_request_to_another():
    """The registry is asked without a key: a cookie of an earlier call would say whose question it is."""
    cookie = {"set-cookie": "who=4711; Path=/; Max-Age=999999"}
    async with Rig() as rig:
        rig.gateway.plays(
            "acme", lambda _s: httpx.Response(200, json=envelope(task("completed")), headers=cookie)
        )
        await rig.send()
        await rig.send()
        await rig.perform(Discover("takoapi"))
        assert len(rig.gateway.sent) > 3
        assert not [s.path for s in rig.gateway.sent if "cookie" in s.headers]


async def test_neither_proxy_nor_netrc_of_the_environment_is_used(monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine takoapi.com login me password planted\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    async with Rig() as rig:
        await rig.send()
        assert rig.gateway.calls()[0].headers["authorization"] == f"Bearer {KEY}"
        assert all("authorization" not in s.headers for s in rig.gateway.sent if s.path.startswith("/api/"))
    client = Gateway("https://takoapi.com", None)._http._client("https://takoapi.com")
    assert not client._trust_env and not client.follow_redirects and not client._mounts
    await client.aclose()


async def test_the_text_lives_no_longer_than_it_may_be_sent_again():
    async with Rig(gateway=PlayedGateway(silent={"acme"})) as rig:
        rig.gateway.plays("acme", lambda _s: httpx.Response(200, stream=Feed()))
        rig.begin_send("acme", TEXT)
        await rig.clock.run(3)
        (exchange,) = rig.source._desk.exchanges.values()
        assert exchange.text == TEXT
        rig.gateway.plays("other", envelope(task("completed")))
        await rig.send("other", TEXT)
        assert [e.text for e in rig.source._desk.exchanges.values() if e.target == "other"] == [""]
