"""The registry and the key check: by the owner's act, without a key in the question."""

from decimal import Decimal

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents._takoapi_registry import generation_of, price_word, read_detail, read_registry
from lisa_island.core.agent import Health
from lisa_island.core.intents import CheckKey, Describe, Discover, Result
from tests.agents.rig import PlayedGateway, Rig
from tests.fakes.secrets import KEY


def row(slug="sum", **more):
    return {
        "slug": slug, "name": "Sum", "description": "Adds", "kind": "HOSTED", "invokable": True,
        "endpoint": "https://agent.example", "streaming": True, "category": "office",
        "pricing": {"model": "PER_CALL", "unitUsd": 0.02}, "skills": [{"id": "s", "name": "Totals"}], **more,
    }  # fmt: skip


PROJECT = row("tin", kind="PROJECT", invokable=False, endpoint=None)

PRICES = [
    ("FREE", None, "free"),
    ("PER_CALL", 0.02, "0.02 USD"),
    ("PER_CALL", "0.020000", "0.02 USD"),
    ("PER_TASK", 5, "5 USD"),
    ("PER_TOKEN", "100", "100 USD"),
    ("PER_CALL", 1e-7, "0.0000001 USD"),
    ("PER_CALL", 0, "free"),
    ("PER_CALL", "0.000", "free"),
    ("", 0, "free"),
    ("PER_CALL", None, "unknown"),
    ("", None, "unknown"),
    ("PER_CALL", "-1", "unknown"),
    ("PER_CALL", "cheap", "unknown"),
    ("PER_CALL", "NaN", "unknown"),
    ("PER_CALL", "Infinity", "unknown"),
    ("PER_CALL", "1e999999", "unknown"),
    ("PER_CALL", True, "unknown"),
    ("PER_CALL", [1], "unknown"),
]


@pytest.mark.parametrize(("model", "unit", "word"), PRICES)
def test_a_price_is_a_word(model, unit, word):
    assert price_word(model, unit) == word


@given(st.text() | st.floats() | st.integers() | st.none() | st.decimals().map(str))
def test_no_price_breaks_the_word(unit):
    word = price_word("PER_CALL", unit)
    assert word in ("free", "unknown") or Decimal(word.removesuffix(" USD")) > 0
    assert len(word) < 60


async def test_discover_shows_what_can_be_called_and_sends_no_key():
    async with Rig(gateway=PlayedGateway(registry=[row(), PROJECT])) as rig:
        outcome = await rig.perform(Discover("takoapi", " tax ", "office", 5))
        (info,) = outcome.agents
        assert (info.target, info.price, info.streaming, info.skills) == (
            "sum",
            "0.02 USD",
            True,
            ("Totals",),
        )
        assert outcome.total >= 1
        (asked,) = rig.gateway.sent
        assert asked.query == {
            "format": "json", "kind": "HOSTED", "limit": "5", "q": "tax", "category": "office",
        }  # fmt: skip
        assert "authorization" not in asked.headers and "x-api-key" not in asked.headers
        assert not rig.rows


async def test_discover_needs_neither_key_nor_opt_in_for_it_is_the_owners_own_act():
    async with Rig(gateway=PlayedGateway(registry=[row()]), keys={}, settings={"enabled": False}) as rig:
        assert (await rig.perform(Discover("takoapi"))).result is Result.DONE


async def test_the_old_registry_is_asked_for_more_since_it_mixes_projects_in():
    rows = [PROJECT | {"slug": f"tin-{n}"} for n in range(50)] + [row()]

    class Old(PlayedGateway):
        def _listing(self):
            limit = int(self.sent[-1].query["limit"])
            shown = [{k: v for k, v in r.items() if k != "invokable"} for r in rows[:limit]]
            return {"name": "r", "count": len(shown), "agents": shown}

    async with Rig(gateway=Old("G0")) as rig:
        outcome = await rig.perform(Discover("takoapi", limit=50))
        assert [a.target for a in outcome.agents] == ["sum"]
        assert [s.query["limit"] for s in rig.gateway.sent] == ["50", "500"]
        assert rig.status.generation == "G0"


HOSTILE = "\x1b]0;pwned\x07<b>Sum</b>\u202e\u0000" + "y" * 5000


async def test_rows_are_clean_bounded_and_whole_or_left_out():
    odd = [
        None,
        7,
        "x",
        {},
        row(""),
        row("A"),
        row("../x"),
        row("s" * 101),
        row(slug=7),
        row("x", invokable="yes"),
    ]
    odd += [
        row(
            "fine",
            name=HOSTILE,
            description=HOSTILE,
            category={"slug": HOSTILE},
            skills=[{"name": HOSTILE}] * 99,
        )
    ]
    odd += [row("plain", name=None, description=7, pricing=[], streaming="true", skills="x", category=None)]
    listing = await read_registry({"agents": odd, "totalHosted": "many", "truncated": False})
    fine, *rest = [a for a in listing.agents if a.target in ("fine", "plain")]
    assert len(fine.name) <= 80 and len(fine.description) <= 300 and len(fine.category) <= 64
    assert len(fine.skills) == 8 and "\x1b" not in repr(fine) and "\u202e" not in repr(fine)
    assert fine.name.startswith("<b>Sum</b>")
    assert [(a.name, a.price, a.streaming) for a in rest] == [("plain", "unknown", False)]
    assert len([a for a in listing.agents if a.target == "x"]) == 1


@pytest.mark.parametrize(
    ("body", "generation"),
    [
        ({"agents": [], "totalHosted": 0, "truncated": False}, "G1"),
        ({"agents": [row()], "totalHosted": 1, "truncated": True}, "G1"),
        ({"agents": [{"slug": "a"}], "totalHosted": 1, "truncated": True}, "unknown"),
        ({"agents": [{"slug": "a"}], "count": 1}, "G0"),
        ({"agents": []}, "G0"),
        ({"agents": {}}, "unknown"),
        ({}, "unknown"),
        ([], "unknown"),
        (None, "unknown"),
    ],
)
def test_the_generation_is_read_from_the_shape(body, generation):
    assert generation_of(body) == generation


@pytest.mark.parametrize("body", [None, [], {}, {"slug": "other"}, {"slug": 7}])
def test_a_detail_that_is_none_or_anothers_is_none(body):
    assert read_detail(body, "sum") is None


async def test_describe_tells_price_and_abilities():
    async with Rig(gateway=PlayedGateway(prices={"acme": "0.02"})) as rig:
        outcome = await rig.perform(Describe("takoapi", "acme"))
        assert (outcome.agents[0].price, outcome.agents[0].streaming) == ("0.02 USD", True)
        assert "authorization" not in rig.gateway.sent[0].headers
        assert (await rig.perform(Describe("takoapi", "No/Slug"))).word == "outcome.bad-slug"
        assert len(rig.gateway.sent) == 1


DETAILS = [
    (httpx.Response(404, json={"error": "Agent not found", "code": "NOT_FOUND"}), "outcome.no-agent"),
    (httpx.Response(200, json={"slug": "acme", "kind": "PROJECT"}), "outcome.not-callable"),
    (
        httpx.Response(200, json={"slug": "acme", "kind": "HOSTED", "endpointUrl": None}),
        "outcome.not-callable",
    ),
    (httpx.Response(200, json={"slug": "acme", "kind": "HOSTED"}), "outcome.price"),
    (httpx.Response(302), "outcome.redirect"),
    (httpx.Response(500), "outcome.price"),
    (httpx.Response(404, text="<html>"), "outcome.price"),
    (httpx.Response(200, text="x" * 3_000_000), "outcome.price"),
    (httpx.Response(200, json={"slug": "other"}), "outcome.price"),
]


@pytest.mark.parametrize("number", range(len(DETAILS)))
async def test_a_detail_decides_before_anything_is_sent(number):
    response, word = DETAILS[number]
    async with Rig() as rig:

        class Other(PlayedGateway):
            async def __call__(self, request):
                if request.url.path.startswith("/api/agents/"):
                    return httpx.Response(
                        response.status_code, headers=response.headers, content=response.content
                    )
                return await super().__call__(request)

        rig.source._desk.gateway._http.transport = httpx.MockTransport(Other())
        outcome = await rig.send()
        assert outcome.word == word
        assert outcome.price == ("unknown" if word == "outcome.price" else "")
        assert not rig.tasks.log


@pytest.mark.parametrize("path", ["/api/registry"])
@pytest.mark.parametrize(
    ("response", "word"),
    [
        (lambda: httpx.Response(302), "outcome.redirect"),
        (lambda: httpx.Response(200, text="<html>Sign in</html>"), "outcome.no-registry"),
        (lambda: httpx.Response(500), "outcome.no-registry"),
        (lambda: httpx.Response(200, json=[]), "outcome.no-registry"),
        (lambda: httpx.Response(200, content=b"[" + b"1," * 2_000_000), "outcome.no-registry"),
    ],
)
async def test_a_place_that_is_no_gateway_is_named(path, response, word):
    class Other(PlayedGateway):
        async def __call__(self, request):
            assert request.url.path == path
            return response()

    async with Rig(gateway=Other()) as rig:
        assert (await rig.perform(Discover("takoapi"))).word == word
        assert (await rig.perform(CheckKey("takoapi"))).word == word


async def test_a_registry_that_breaks_off_says_so():
    class Other(PlayedGateway):
        async def __call__(self, request):
            raise httpx.ReadTimeout("late")

    async with Rig(gateway=Other()) as rig:
        assert (await rig.perform(Discover("takoapi"))).word == "outcome.no-answer"


# --- the key check ---


async def test_a_good_key_is_known_by_a_slug_that_does_not_exist():
    async with Rig() as rig:
        outcome = await rig.perform(CheckKey("takoapi"))
        assert (outcome.result, outcome.word) == (Result.DONE, "outcome.key-good")
        registry, knock = rig.gateway.sent
        assert "authorization" not in registry.headers
        assert knock.path.startswith("/v1/agents/no-such-agent-") and knock.path.endswith("/message")
        assert knock.body == {}
        assert knock.headers["authorization"] == f"Bearer {KEY}"
        assert rig.status.generation == "G1"


def knocking(response):
    class Other(PlayedGateway):
        async def _call(self, sent):
            return response()

    return Other()


@pytest.mark.parametrize(
    ("response", "word", "health"),
    [
        (
            lambda: httpx.Response(401, json={"error": "Invalid or missing API key"}),
            "outcome.key-refused",
            "refused",
        ),
        (lambda: httpx.Response(401, json={"error": "no"}), "outcome.key-unclear", "ok"),
        (lambda: httpx.Response(200, json={}), "outcome.key-unclear", "ok"),
        (lambda: httpx.Response(500), "outcome.key-unclear", "ok"),
        (lambda: httpx.Response(302), "outcome.redirect", "ok"),
        (
            lambda: httpx.Response(429, json={"error": "Too many requests"}, headers={"retry-after": "9"}),
            "outcome.too-many",
            "waiting",
        ),
    ],
)
async def test_what_else_a_knock_may_bring(response, word, health):
    async with Rig(gateway=knocking(response)) as rig:
        outcome = await rig.perform(CheckKey("takoapi"))
        assert (outcome.result, outcome.word) == (Result.REFUSED, word)
        assert rig.status.health is Health(health)


async def test_without_a_key_only_the_address_is_checked():
    async with Rig(keys={}) as rig:
        assert (await rig.perform(CheckKey("takoapi"))).word == "outcome.no-key"
        assert [s.path for s in rig.gateway.sent] == ["/api/registry"]


async def test_a_good_check_ends_a_refusal():
    async with Rig() as rig:
        rig.gateway.plays(
            "acme", lambda _s: httpx.Response(401, json={"error": "Invalid or missing API key"})
        )
        await rig.send()
        assert rig.status.health is Health.REFUSED
        await rig.perform(CheckKey("takoapi"))
        assert rig.status.health is Health.OK
