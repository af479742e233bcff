"""The registry and the detail in both generations."""

from typing import Any

import httpx
import pytest

from lisa_island.sandbox.program import make_state
from lisa_island.sandbox.registry import registry
from lisa_island.sandbox.state import State
from tests.sandbox.child import KEY


async def listed(client: httpx.AsyncClient, **query: str) -> dict[str, Any]:
    answer = await client.get("/api/registry", params={"format": "json", **query})
    return dict(answer.raise_for_status().json())


async def test_the_probe_tells_the_generations_apart(client: httpx.AsyncClient, state: State) -> None:
    body = await listed(client, kind="HOSTED", limit="1")
    is_new = state.generation == "G1"
    assert {"totalHosted" in body, "truncated" in body, "invokable" in body["agents"][0]} == {is_new}
    assert body["count"] == len(body["agents"]) == 1


async def test_kind_is_heeded_by_the_newer_one_alone(client: httpx.AsyncClient, state: State) -> None:
    kinds = {row["kind"] for row in (await listed(client, kind="PROJECT"))["agents"]}
    assert kinds == ({"PROJECT"} if state.generation == "G1" else {"PROJECT", "HOSTED"})


@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        ({"q": "SPREADSHEETS"}, {"sheet-wizard"}),
        ({"category": "research"}, {"acme-research", "legal-lens"}),
        ({"protocol": "MCP"}, set()),
        ({"q": "no such agent"}, set()),
    ],
)
async def test_filters(client: httpx.AsyncClient, query: dict[str, str], slugs: set[str]) -> None:
    assert {row["slug"] for row in (await listed(client, **query))["agents"]} == slugs


async def test_what_does_not_fit_is_ignored(client: httpx.AsyncClient) -> None:
    assert await listed(client, limit="many", sort="x", kind="x", protocol="x") == await listed(client)


async def test_price_is_a_number_or_a_string(client: httpx.AsyncClient, state: State) -> None:
    price = (await client.get("/api/agents/acme-research")).json()["unitPriceUsd"]
    assert price == ("0.02" if state.generation == "G0" else 0.02)
    row = next(row for row in (await listed(client))["agents"] if row["slug"] == "acme-research")
    assert row["pricing"] == {"model": "PER_CALL", "unitUsd": 0.02}


async def test_nobody_is_not_found(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/agents/nobody-here")
    assert (answer.status_code, answer.content) == (404, b'{"error":"Agent not found","code":"NOT_FOUND"}')


async def test_without_format_it_is_markdown(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/registry")
    assert answer.text.startswith("# TakoAPI Agent Registry")


def test_two_hundred_more_agents() -> None:
    state = make_state(KEY, fillers=200)
    body = registry(state.agents.values(), "G1", {"kind": "HOSTED"})
    assert body["totalHosted"] > 200
    assert (body["count"], body["truncated"]) == (200, True)
