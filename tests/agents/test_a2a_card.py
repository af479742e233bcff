# ruff: noqa: E501  (one card a line reads best)
"""Cards of every layout, and what is made of a card that lies, rambles or is none (contract a2a.md A1, E)."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents._a2a_card import Card, CardFault, Endpoint, Need, Skill, dialect_of, read_card
from tests.agents.contract import bounded_and_clean

AT = "https://a.example/.well-known/agent-card.json"
URL = "https://a.example/rpc"


def interface(url: str, binding: str, version: str, **more: Any) -> dict[str, Any]:
    return {"url": url, "protocolBinding": binding, "protocolVersion": version, **more}


def read(**members: Any) -> Card:
    found = read_card({"name": "Lab", **members}, AT)
    assert isinstance(found, Card), found
    return found


def spoken(card: Card) -> list[tuple[str, str, str]]:
    return [(e.url, e.binding, e.version) for e in card.interfaces]


def test_at10_an_own_list_in_its_order():
    card = read(
        supportedInterfaces=[
            interface(URL, "JSONRPC", "1.0", tenant=""),
            interface("https://a.example/rest", "HTTP+JSON", "1.0", tenant=""),
            interface(URL, "JSONRPC", "0.3"),
        ],
        capabilities={"streaming": True},
    )
    assert spoken(card) == [
        (URL, "JSONRPC", "1.0"),
        ("https://a.example/rest", "HTTP+JSON", "1.0"),
        (URL, "JSONRPC", "0.3"),
    ]
    assert all(e.streaming and e.tenant == "" for e in card.interfaces)
    assert card.streaming and card.claims == ("1.0", "0.3")


def test_at10_a_hybrid_card_counts_by_its_list_alone():
    card = read(
        url="https://old.example/",
        protocolVersion="0.3",
        preferredTransport="JSONRPC",
        additionalInterfaces=[{"url": "https://old.example/rest", "transport": "HTTP+JSON"}],
        supportedInterfaces=[interface(URL, "JSONRPC", "1.0")],
    )
    assert spoken(card) == [(URL, "JSONRPC", "1.0")]


def test_f26_at10_a_card_of_0_3_has_one_list_without_doubles():
    card = read(
        url=URL, protocolVersion="0.3.0", preferredTransport="JSONRPC",
        additionalInterfaces=[
            {"url": URL, "transport": "JSONRPC"}, {"url": URL + "/", "transport": "JSONRPC"},
            {"url": "https://a.example/rest", "transport": "HTTP+JSON"},
        ],
    )  # fmt: skip
    assert spoken(card) == [(URL, "JSONRPC", "0.3"), ("https://a.example/rest", "HTTP+JSON", "0.3")]


@pytest.mark.parametrize("version", ["0.2.5", "0.2.0", "0.3.0", "0.3.7", None])
def test_at10_v025card_0_2_is_called_as_0_3_is(version):
    assert spoken(read(url=URL, protocolVersion=version, skills=[])) == [(URL, "JSONRPC", "0.3")]


@pytest.mark.parametrize(
    ("claimed", "dialect"),
    [
        ("1.0", "1.0"), ("1.0.7", "1.0"), ("1", "1.0"), ("1.2", "1.0"), ("v1.0", "1.0"), ("0.3.0", "0.3"),
        ("0.2.6", "0.3"), ("0.4", "0.3"), ("", "0.3"), ("0.1.0", ""), ("2.0", ""), ("latest", ""), ("1.0-rc1", "1.0"),
    ],
)  # fmt: skip
def test_e_a_patch_counts_for_nothing(claimed, dialect):
    assert dialect_of(claimed) == dialect


def test_e_the_first_that_is_spoken_wins_with_its_tenant():
    card = read(
        supportedInterfaces=[
            interface("https://a.example:443", "GRPC", "1.0"), interface("https://a.example/x", "urn:x", "1.0"),
            interface("https://a.example/rest", "HTTP+JSON", "1.0", tenant="t1"), interface(URL, "JSONRPC", "0.3"),
        ]
    )  # fmt: skip
    assert card.interfaces[0] == Endpoint("https://a.example/rest", "HTTP+JSON", "1.0", "t1", False)
    assert card.others == ("GRPC", "URN:X") and not card.grpc_only


def test_at10_only_grpc_is_said():
    card = read(supportedInterfaces=[interface("a.example:50051", "GRPC", "1.0")])
    assert card.grpc_only and card.interfaces == ()


def test_only_a_future_version_is_neither_grpc_nor_spoken():
    card = read(supportedInterfaces=[interface(URL, "JSONRPC", "3.0")])
    assert (card.interfaces, card.grpc_only, card.is_0_1, card.claims) == ((), False, False, ("3.0",))


def test_the_draft_of_2025_is_known_by_its_shape():
    draft = {
        "url": URL,
        "version": "1",
        "authentication": {"schemes": ["Bearer"]},
        "capabilities": {},
        "skills": [],
    }
    card = read(**draft)
    assert card.is_0_1 and card.interfaces == () and card.needs_any
    assert card.needs == (Need("bearer", "Bearer", can_satisfy=True),)
    assert not read(**draft, protocolVersion="0.2.5").is_0_1


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("/rpc", URL), ("HTTPS://A.Example/rpc", URL), ("https://münchen.de/x", "https://xn--mnchen-3ya.de/x"),
        ("http://[::1]:80/x", "http://[::1]:80/x"), ("https://a.example/?assistant_id=1", "https://a.example/?assistant_id=1"),
        ("//evil.example/x", ""), ("https://u:p@a.example/", ""), ("ftp://a.example/", ""), ("javascript:alert(1)", ""),
        ("https://a.example/x.", "https://a.example/x."), ("see https://a.example/", ""), ("https://a.exa\u202emple/", ""), ("", ""),
        ("https://a.example/" + "x" * 3000, ""), ("https:///x", ""),
    ],
)  # fmt: skip
def test_an_address_is_whole_or_none(url, address):
    card = read_card({"name": "x", "supportedInterfaces": [interface(url, "JSONRPC", "1.0")]}, AT)
    assert isinstance(card, Card)
    assert [e.url for e in card.interfaces] == ([address] if address else [])


WRAPPED = {
    "bearer": ({"httpAuthSecurityScheme": {"scheme": "Bearer"}}, Need("bearer", "s", can_satisfy=True)),
    "basic": ({"httpAuthSecurityScheme": {"scheme": "basic"}}, Need("basic", "s", can_satisfy=True)),
    "digest": ({"httpAuthSecurityScheme": {"scheme": "digest"}}, Need("other", "s")),
    "key": (
        {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}},
        Need("api-key", "s", "X-Key", True),
    ),
    "query": ({"apiKeySecurityScheme": {"location": "query", "name": "key"}}, Need("api-key", "s")),
    "host": ({"apiKeySecurityScheme": {"location": "header", "name": "Host"}}, Need("api-key", "s")),
    "split": ({"apiKeySecurityScheme": {"location": "header", "name": "X\r\nY"}}, Need("api-key", "s")),
    "oauth2": ({"oauth2SecurityScheme": {"flows": {}}}, Need("oauth2", "s", can_satisfy=True)),
    "oidc": ({"openIdConnectSecurityScheme": {}}, Need("oidc", "s", can_satisfy=True)),
    "mtls": ({"mtlsSecurityScheme": {}}, Need("mtls", "s")),
    "0.3 bearer": ({"type": "http", "scheme": "bearer"}, Need("bearer", "s", can_satisfy=True)),
    "0.3 key": ({"type": "apiKey", "in": "header", "name": "X-Key"}, Need("api-key", "s", "X-Key", True)),
    "0.3 cookie": ({"type": "apiKey", "in": "cookie", "name": "sid"}, Need("api-key", "s")),
    "0.3 oauth2": ({"type": "oauth2", "flows": {}}, Need("oauth2", "s", can_satisfy=True)),
    "0.3 oidc": ({"type": "openIdConnect"}, Need("oidc", "s", can_satisfy=True)),
    "0.3 mtls": ({"type": "mutualTLS"}, Need("mtls", "s")),
    "new": ({"tribalKnowledge": {}}, Need("other", "s")),
}


@pytest.mark.parametrize("case", WRAPPED)
def test_what_it_needs_in_either_style(case):
    scheme, need = WRAPPED[case]
    assert read(url=URL, securitySchemes={"s": scheme}).needs == (need,)


@pytest.mark.parametrize(
    ("members", "needed"),
    [
        ({}, False), ({"security": [{"s": []}]}, True), ({"security": [{"s": []}, {}]}, False), ({"security": []}, False),
        ({"securityRequirements": [{"schemes": {"s": {"list": []}}}]}, True),
        ({"securityRequirements": [{"schemes": {}}]}, False),
    ],
)  # fmt: skip
def test_whether_it_is_needed(members, needed):
    assert read(url=URL, **members).needs_any is needed


@pytest.mark.parametrize(
    "members", [{"capabilities": {"extendedAgentCard": True}}, {"supportsAuthenticatedExtendedCard": True}]
)
def test_an_extended_card_is_known(members):
    assert read(url=URL, **members).has_extended and not read(url=URL).has_extended


def test_extensions_that_are_required_are_named():
    extensions = [{"uri": "urn:a", "required": True}, {"uri": "urn:b"}, {"required": True}]
    assert read(url=URL, capabilities={"extensions": extensions}).required_extensions == ("urn:a",)


def test_what_it_says_of_itself_is_cleaned():
    card = read(
        url=URL, description="Two\nlines\x1b[31m" + "x" * 5000, provider={"organization": "Acme\u202e"}, version="1.2",
        skills=[{"id": "s", "name": "Say\nit", "tags": ["a", 5, "b"]}, {"id": "only"}, {}, "no skill"],
    )  # fmt: skip
    assert card.description.startswith("Two\nlines") and bounded_and_clean(replace(card, description=""))
    assert (card.provider, card.version) == ("Acme", "1.2")
    assert card.skills == (Skill("s", "Say it", ("a", "b")), Skill("only", "only"))


def test_a_card_without_a_name_is_called_by_its_host():
    found = read_card({"url": URL, "skills": [{"id": "s"}]}, AT)
    assert isinstance(found, Card) and found.name == "a.example"


@pytest.mark.parametrize(
    "body", [None, [], "card", 5, {}, {"detail": "Not Found"}, {"name": "x"}, {"url": URL}, {"message": "hi"}]
)
def test_at10_what_is_no_card_is_none(body):
    found = read_card(body, AT)
    assert isinstance(found, CardFault) and found.why == "not-a-card"


def test_a_list_without_end_is_cut():
    many = [interface(f"https://a.example/{n}", "JSONRPC", "1.0") for n in range(500)]
    card = read(supportedInterfaces=many, skills=[{"id": str(n), "tags": ["t"] * 99} for n in range(500)])
    assert len(card.interfaces) == 32 and len(card.skills) == 100 and len(card.skills[0].tags) == 20


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.sampled_from([URL, "1.0", "JSONRPC", "header"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([
        "name", "url", "supportedInterfaces", "additionalInterfaces", "protocolVersion", "protocolBinding", "tenant",
        "capabilities", "extensions", "uri", "skills", "id", "tags", "provider", "organization", "security",
        "securitySchemes", "securityRequirements", "schemes", "authentication", "type", "in", "httpAuthSecurityScheme",
    ]), inner, max_size=6),
    max_leaves=30,
)  # fmt: skip


@given(
    st.dictionaries(
        st.sampled_from(
            ["name", "url", "supportedInterfaces", "securitySchemes", "skills", "capabilities", "security"]
        ),
        ANY,
    )
)
def test_whatever_it_says_is_a_card_or_a_reason(body):
    found = read_card(body, AT)
    if isinstance(found, Card):
        assert found.name and bounded_and_clean(found)
        assert all(re.match("https?://", e.url) and e.version in ("1.0", "0.3") for e in found.interfaces)
