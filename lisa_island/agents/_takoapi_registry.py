"""Registry and detail rows of both gateway generations, as choices for the owner.

Prices are decimals, whether they come as number or string; every other string is foreign and cleaned here.
"""

import asyncio
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from lisa_island.agents._a2a_wire import Flag, Object, Text, Wire
from lisa_island.core.intents import AgentInfo
from lisa_island.core.naming import SLUG as SLUG
from lisa_island.core.text import clean, name, plain_url, word

DESCRIPTION_LIMIT = 300
MOST_ROWS = 2_000
MOST_SKILLS = 8
FREE = "free"
UNKNOWN_PRICE = "unknown"

_ROWS_A_TURN = 5
_G1_MARKS = ("totalHosted", "truncated")


def _dicts(value: object) -> list[object]:
    return [v for v in value[:MOST_SKILLS] if isinstance(v, dict)] if isinstance(value, list) else []


def _category(value: object) -> str:
    found = value.get("slug", value.get("name")) if isinstance(value, dict) else value
    return found if isinstance(found, str) else ""


class Skill(Wire):
    """One ability; registry and detail differ in its id, both give a name."""

    name: Text = ""


class Row(Wire):
    """What registry and detail rows share."""

    slug: Text = ""
    name: Text = ""
    description: Text = ""
    kind: Text = ""
    streaming: Flag = False
    category: Annotated[str, BeforeValidator(_category)] = ""
    skills: Annotated[tuple[Skill, ...], BeforeValidator(_dicts)] = ()


class RegistryRow(Row):
    """A row of `/api/registry`. G0 has no `invokable`."""

    invokable: Annotated[bool | None, BeforeValidator(lambda v: v if isinstance(v, bool) else None)] = None
    endpoint: Text = ""
    pricing: Object = None


class DetailRow(Row):
    """A row of `/api/agents/{slug}`. G0 gives the price as a string."""

    endpoint: Text = Field("", alias="endpointUrl")
    pricing_model: Text = Field("", alias="pricingModel")
    unit: Any = Field(None, alias="unitPriceUsd")
    health: Text = Field("", alias="healthStatus")


@dataclass(frozen=True, slots=True)
class Listing:
    """The hosted agents of a registry answer, its generation, and whether rows may be missing."""

    agents: tuple[AgentInfo, ...]
    generation: str
    total: int
    rows: int


def price_word(model: str, unit: object) -> str:
    """ "free", "0.02 USD", or "unknown" where nothing certain is said."""
    if model == "FREE":
        return FREE
    if isinstance(unit, bool) or not isinstance(unit, int | float | str):
        return UNKNOWN_PRICE
    try:
        amount = Decimal(str(unit)[:40].strip())
    except InvalidOperation:
        return UNKNOWN_PRICE
    if not amount.is_finite() or amount < 0 or not -12 <= amount.adjusted() <= 9:
        return UNKNOWN_PRICE
    return f"{amount.normalize():f} USD" if amount else FREE


def generation_of(body: object) -> str:
    """G1, G0, or "unknown" for what is no registry (contract takoapi.md, section 0)."""
    if not isinstance(body, dict) or not isinstance(body.get("agents"), list):
        return "unknown"
    rows = [row for row in body["agents"] if isinstance(row, dict)]
    if all(mark in body for mark in _G1_MARKS) and all("invokable" in row for row in rows):
        return "G1"
    return "G0" if not any(mark in body for mark in _G1_MARKS) else "unknown"


async def read_registry(body: object) -> Listing:
    """The callable agents of a registry answer; lets the loop run between rows."""
    rows = body.get("agents") if isinstance(body, dict) else None
    rows = rows[:MOST_ROWS] if isinstance(rows, list) else []
    found = []
    for index, row in enumerate(rows):
        if index % _ROWS_A_TURN == 0:
            await asyncio.sleep(0)
        if isinstance(row, dict) and (info := _listed(RegistryRow.model_validate(row))):
            found.append(info)
    total = body.get("totalHosted") if isinstance(body, dict) else None
    known = total if type(total) is int and 0 <= total < 1_000_000 else len(found)
    return Listing(tuple(found), generation_of(body), max(known, len(found)), len(rows))


def _listed(row: RegistryRow) -> AgentInfo | None:
    hosted = row.kind == "HOSTED" and bool(row.endpoint) if row.invokable is None else row.invokable
    if not hosted or not SLUG.fullmatch(row.slug):
        return None
    pricing = row.pricing or {}
    model = pricing.get("model")
    return _info(row, price_word(model if isinstance(model, str) else "", pricing.get("unitUsd")))


def read_detail(body: object, slug: str) -> AgentInfo | None:
    """The agent of a detail answer, or None when it is not one, or another's."""
    if not isinstance(body, dict):
        return None
    row = DetailRow.model_validate(body)
    if row.slug != slug:
        return None
    # A gateway that keeps the endpoint to itself may still call it.
    hosted = row.kind != "PROJECT" and (bool(row.endpoint) or "endpointUrl" not in body)
    info = _info(row, price_word(row.pricing_model, row.unit), callable_=hosted, health=word(row.health))
    endpoint = plain_url(row.endpoint)
    return replace(info, interfaces=(endpoint,)) if endpoint else info


def _info(row: Row, price: str, *, callable_: bool = True, health: str = "") -> AgentInfo:
    return AgentInfo(
        target=row.slug,
        name=name(row.name) or row.slug,
        description=clean(row.description, DESCRIPTION_LIMIT),
        price=price,
        streaming=row.streaming,
        callable=callable_,
        category=word(row.category),
        health=health,
        skills=tuple(s for s in (name(skill.name) for skill in row.skills) if s),
    )
