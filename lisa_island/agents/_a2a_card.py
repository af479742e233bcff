"""An agent's card, read by shape: A2A 0.1 to 1.0, legacy and dual layouts in one body. Pure.

What it says is a claim: cleaned, bounded, never followed from here. `supportedInterfaces` wins over the
legacy members where it names anything; the patch part of a version is ignored, 0.2 speaks as 0.3 does.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from lisa_island.core.adding import is_header
from lisa_island.core.origin import origin_of
from lisa_island.core.text import clean, name, url_parts, word

MOST_INTERFACES: Final = 32
MOST_SKILLS: Final = 100
MOST_TAGS: Final = 20
MOST_NEEDS: Final = 16
DESCRIPTION_LIMIT: Final = 1_000
ADDRESS_LIMIT: Final = 2_048

JSONRPC: Final = "JSONRPC"
REST: Final = "HTTP+JSON"
_CALLABLE = frozenset({JSONRPC, REST})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where and how an agent is called. `version` is "1.0" or "0.3"; a tenant of "" is none."""

    url: str
    binding: str = JSONRPC
    version: str = "1.0"
    tenant: str = ""
    streaming: bool = True


@dataclass(frozen=True, slots=True)
class Skill:
    """Something that the agent says it can do."""

    id: str
    name: str
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Need:
    """A credential that the card names.

    `kind`: bearer, basic, api-key, oauth2, oidc, mtls, other. For api-key `header` is the header's name, ""
    where it would go into a query or a cookie. `can_satisfy`: whether we can send it.
    """

    kind: str
    scheme: str
    header: str = ""
    can_satisfy: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """What an agent says about itself. `interfaces` are those we can speak, the preferred first.

    `needs` has an entry for each scheme that is named; `needs_any` says whether one is required.
    `claims` are the versions as claimed, `others` the bindings that we do not speak, both cleaned.
    """

    name: str
    url: str
    description: str = ""
    provider: str = ""
    version: str = ""
    skills: tuple[Skill, ...] = ()
    interfaces: tuple[Endpoint, ...] = ()
    streaming: bool = False
    needs: tuple[Need, ...] = ()
    needs_any: bool = False
    has_extended: bool = False
    required_extensions: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    is_0_1: bool = False
    grpc_only: bool = False


@dataclass(frozen=True, slots=True)
class CardFault:
    """Why there is no card. `why` is one of: not-json, not-a-card, too-large, not-found, needs-auth, refused,
    moved, unreachable, untrusted, not-allowed, not-an-address. `detail` is cleaned; `url` is what was asked.
    """

    why: str
    url: str
    detail: str = ""


def read_card(body: object, card_url: str) -> Card | CardFault:
    """The card in a JSON body. Never raises."""
    if not isinstance(body, dict):
        return CardFault("not-a-card", card_url)
    if not _claims_anything(body):
        return CardFault("not-a-card", card_url, clean(_text(body, "message") or _text(body, "error"), 200))
    capabilities = _dict(body, "capabilities")
    streaming = capabilities.get("streaming") is True
    stated = list(_stated(body))
    is_0_1 = _is_0_1(body)
    found = () if is_0_1 else _distinct(_endpoints(stated, card_url, streaming))
    others = tuple(dict.fromkeys(word(s.binding) for s in stated if s.binding not in _CALLABLE))
    return Card(
        name=name(_text(body, "name")) or _host(card_url),
        url=card_url,
        description=clean(_text(body, "description"), DESCRIPTION_LIMIT, newlines=True),
        provider=name(_text(_dict(body, "provider"), "organization")),
        version=word(_text(body, "version")),
        skills=tuple(_skills(body)),
        interfaces=found,
        streaming=streaming,
        needs=tuple(_needs(body)),
        needs_any=_requires(body),
        has_extended=capabilities.get("extendedAgentCard") is True
        or body.get("supportsAuthenticatedExtendedCard") is True,
        required_extensions=tuple(_required(capabilities)),
        claims=tuple(dict.fromkeys(word(s.version) for s in stated if s.version)),
        others=others,
        is_0_1=is_0_1,
        grpc_only=not found and not is_0_1 and bool(stated) and all(s.binding == "GRPC" for s in stated),
    )


# --- endpoints ---


@dataclass(frozen=True, slots=True)
class _Stated:
    """An interface in the card's own words."""

    url: str
    binding: str
    version: str
    tenant: str = ""


def _claims_anything(body: dict[str, Any]) -> bool:
    """Whether it is a card at all: somewhere to call, and a name or something that it can do."""
    has_place = bool(_text(body, "url") or _list(body, "supportedInterfaces"))
    return has_place and bool(_text(body, "name") or _list(body, "skills"))


_AFTER_0_1 = (
    *("supportedInterfaces", "protocolVersion", "preferredTransport", "additionalInterfaces"),
    *("securitySchemes", "security"),
)


def _is_0_1(body: dict[str, Any]) -> bool:
    """Whether it is of the draft of April 2025. Cards of 0.2.0 name no version either, so the draft's own
    `authentication` has to be there, and nothing that came after it."""
    return "authentication" in body and not any(body.get(member) for member in _AFTER_0_1)


def _stated(body: dict[str, Any]) -> Iterator[_Stated]:
    version = _text(body, "protocolVersion")
    listed = _list(body, "supportedInterfaces")
    for each in listed[:MOST_INTERFACES]:
        binding = _text(each, "protocolBinding") or _text(each, "transport") or JSONRPC
        own = _text(each, "protocolVersion") or version or "1.0"
        yield _Stated(_text(each, "url"), binding.upper(), own, _text(each, "tenant"))
    if listed:
        return
    if _text(body, "url"):
        yield _Stated(_text(body, "url"), (_text(body, "preferredTransport") or JSONRPC).upper(), version)
    for each in _list(body, "additionalInterfaces")[:MOST_INTERFACES]:
        yield _Stated(_text(each, "url"), (_text(each, "transport") or JSONRPC).upper(), version)


def _endpoints(stated: list[_Stated], card_url: str, streaming: bool) -> Iterator[Endpoint]:
    for each in stated:
        address, spoken = _address(each.url, card_url), dialect_of(each.version)
        is_whole = each.tenant == clean(each.tenant, 200)
        if each.binding in _CALLABLE and address and spoken and is_whole:
            yield Endpoint(address, each.binding, spoken, each.tenant, streaming)


def dialect_of(version: str) -> str:
    """The dialect for a claimed version: "1.0", "0.3", or "" for one that nobody here speaks.

    Cards before 0.2.5 have no version. Patches count for nothing, nor do minor versions of 1.
    """
    if not version:
        return "0.3"
    found = re.match(r"v?([0-9]{1,4})(?:\.([0-9]{1,4}))?(?:[.+-]|$)", version.strip())
    if not found:
        return ""
    major, minor = int(found[1]), int(found[2] or 0)
    if major == 1:
        return "1.0"
    return "0.3" if major == 0 and minor >= 2 else ""


def _address(url: str, card_url: str) -> str:
    """An endpoint's address; a path alone stands below the card's origin."""
    is_path = url.startswith("/") and not url.startswith("//")
    return whole_address(origin_of(card_url) + url if is_path else url)


def whole_address(url: str) -> str:
    """A http address with its host in ASCII, "" for one that is not whole or not clean."""
    before, host, after = url_parts(url)
    shown = before + host + after
    return shown if host and len(shown) <= ADDRESS_LIMIT and origin_of(shown) else ""


def _distinct(endpoints: Iterator[Endpoint]) -> tuple[Endpoint, ...]:
    kept: dict[tuple[str, ...], Endpoint] = {}
    for each in endpoints:
        kept.setdefault((each.url.rstrip("/"), each.binding, each.version, each.tenant), each)
    return tuple(kept.values())


def _host(url: str) -> str:
    return name(origin_of(url).partition("//")[2]) or "?"


# --- what it does and needs ---


def _skills(body: dict[str, Any]) -> Iterator[Skill]:
    for each in _list(body, "skills")[:MOST_SKILLS]:
        tags = tuple(word(tag) for tag in _any_list(each, "tags")[:MOST_TAGS] if isinstance(tag, str))
        shown = name(_text(each, "name")) or name(_text(each, "id"))
        if shown:
            yield Skill(name(_text(each, "id")), shown, tags)


def _required(capabilities: dict[str, Any]) -> Iterator[str]:
    for each in _list(capabilities, "extensions")[:MOST_INTERFACES]:
        if each.get("required") is True and _text(each, "uri"):
            yield clean(_text(each, "uri"), 200)


def _requires(body: dict[str, Any]) -> bool:
    """Whether one of the schemes is asked for; an empty alternative means that it also works without."""
    wanted = _any_list(body, "securityRequirements") or _any_list(body, "security")
    if not wanted:
        return bool(_schemes_0_1(body))
    return all(isinstance(each, dict) and bool(each.get("schemes", each)) for each in wanted)


def _needs(body: dict[str, Any]) -> Iterator[Need]:
    for title, scheme in list(_dict(body, "securitySchemes").items())[:MOST_NEEDS]:
        if isinstance(scheme, dict):
            yield _need(name(title), scheme)
    for told in _schemes_0_1(body)[:MOST_NEEDS]:
        known = told.lower() in ("bearer", "basic")
        yield Need(told.lower() if known else "other", name(told), can_satisfy=known)


def _schemes_0_1(body: dict[str, Any]) -> list[str]:
    return [s for s in _any_list(_dict(body, "authentication"), "schemes") if isinstance(s, str)]


_WRAPPED = {
    "apiKeySecurityScheme": "apiKey",
    "httpAuthSecurityScheme": "http",
    "oauth2SecurityScheme": "oauth2",
    "openIdConnectSecurityScheme": "openIdConnect",
    "mtlsSecurityScheme": "mutualTLS",
}


def _need(title: str, scheme: dict[str, Any]) -> Need:
    """One scheme, in OpenAPI's style (0.2, 0.3) or in the wrapper of 1.0."""
    wrapper = next((w for w in _WRAPPED if isinstance(scheme.get(w), dict)), "")
    inner, kind = (scheme[wrapper], _WRAPPED[wrapper]) if wrapper else (scheme, _text(scheme, "type"))
    match kind:
        case "http":
            way = _text(inner, "scheme").lower()
            known = way in ("bearer", "basic")
            return Need(way if known else "other", title, can_satisfy=known)
        case "apiKey":
            header = (
                _text(inner, "name") if (_text(inner, "location") or _text(inner, "in")) == "header" else ""
            )
            is_ours = is_header(header)
            return Need("api-key", title, header if is_ours else "", is_ours)
        case "oauth2" | "openIdConnect":
            # A token that the owner has goes out as a bearer token; none is fetched from here.
            return Need("oauth2" if kind == "oauth2" else "oidc", title, can_satisfy=True)
        case "mutualTLS":
            return Need("mtls", title)
        case _:
            return Need("other", title)


# --- members ---


def _text(body: dict[str, Any], member: str) -> str:
    found = body.get(member)
    return found if isinstance(found, str) else ""


def _dict(body: dict[str, Any], member: str) -> dict[str, Any]:
    found = body.get(member)
    return found if isinstance(found, dict) else {}


def _any_list(body: dict[str, Any], member: str) -> list[Any]:
    found = body.get(member)
    return found if isinstance(found, list) else []


def _list(body: dict[str, Any], member: str) -> list[dict[str, Any]]:
    return [each for each in _any_list(body, member) if isinstance(each, dict)]
