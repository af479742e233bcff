"""The public list of agents and the detail of one, in both generations (contract A4, A5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .steps import Agent, Json

LIMITS = {"G0": (1000, 2000), "G1": (200, 1000)}
CREATED = "2026-03-01T08:00:00.000Z"


def registry(agents: Iterable[Agent], generation: str, query: Mapping[str, str]) -> Json:
    """The JSON registry. A parameter that does not fit is ignored; hosted agents come first."""
    listed = [agent for agent in agents if agent.listed]
    if generation == "G1" and query.get("kind") in ("HOSTED", "PROJECT"):
        listed = [agent for agent in listed if agent.hosted == (query["kind"] == "HOSTED")]
    found = _sorted([agent for agent in listed if _matches(agent, query)], query.get("sort"))
    hosted = [agent for agent in found if agent.hosted]
    projects = [agent for agent in found if not agent.hosted]
    shown = [*hosted, *projects][: _limit(generation, query.get("limit"))]
    rows = [_row(agent, generation) for agent in shown]
    head = {"name": "TakoAPI Agent Registry", "description": "Agents that this sandbox plays."}
    if generation == "G0":
        return {**head, "count": len(rows), "agents": rows}
    calls = sum(agent.hosted for agent in shown)
    return {
        **head,
        "note": "Only agents with invokable=true can be called.",
        "count": len(rows),
        "total": len(found),
        "totalHosted": len(hosted),
        "totalProject": len(projects),
        "returned": {"hosted": calls, "project": len(shown) - calls},
        "truncated": len(shown) < len(found),
        "agents": rows,
    }


def markdown(listing: Json) -> str:
    """What a registry request without `format=json` gets."""
    lines = [f"- **{row['name']}** (`{row['slug']}`): {row['description']}" for row in listing["agents"]]
    return "\n".join([f"# {listing['name']}", "", *lines, ""])


def detail(agent: Agent, generation: str) -> Json:
    """The flat object of one agent; G0 gives the price as a string and leaks columns."""
    owner, _, repository = agent.slug.partition("-") if not agent.hosted else ("", "", "")
    row: Json = {
        "id": f"agent_{agent.slug}",
        "slug": agent.slug,
        "name": agent.name,
        "description": agent.description,
        "kind": _kind(agent),
        "scenarios": [],
        "cardUrl": _card(agent),
        "endpointUrl": _endpoint(agent),
        "protocols": ["A2A"],
        "streaming": agent.streams,
        "pushNotify": False,
        "securitySchemes": None,
        "cardSignatureVerified": False,
        "namespaceVerified": False,
        "healthStatus": agent.health,
        "healthCheckedAt": CREATED if agent.health else None,
        "pricingModel": _pricing(agent),
        "unitPriceUsd": float(agent.price) if agent.price else None,
        "byokSupported": False,
        "githubUrl": None if agent.hosted else f"https://github.example/{owner}/{repository}",
        "stars": agent.stars,
        "repoOwner": owner or None,
        "repoName": repository or None,
        "homepage": None,
        "logo": None,
        "featured": agent.featured,
        "likesCount": 0,
        "callsCount": 0,
        "avgRating": None,
        "ratingCount": 0,
        "createdAt": CREATED,
        "updatedAt": CREATED,
        "category": {"name": agent.category.title(), "slug": agent.category},
        "publisher": {"name": "Sandbox", "username": "sandbox"},
        "skills": [_skill(index, name) for index, name in enumerate(agent.skills)],
    }
    if generation == "G0":
        price = str(agent.price) if agent.price else None
        row |= {"unitPriceUsd": price, "publisherId": "user_sandbox", "moderationNote": None, "cardRaw": {}}
    return row


def _row(agent: Agent, generation: str) -> Json:
    row: Json = {
        "name": agent.name,
        "slug": agent.slug,
        "description": agent.description,
        "url": f"https://takoapi.com/agents/{agent.slug}",
        "kind": _kind(agent),
        "invokable": agent.hosted,
        "endpoint": _endpoint(agent),
        "github": None if agent.hosted else f"https://github.example/{agent.slug}",
        "stars": agent.stars,
        "protocols": ["A2A"],
        "streaming": agent.streams,
        "pricing": {"model": _pricing(agent), "unitUsd": float(agent.price) if agent.price else None},
        "category": agent.category,
        "agentCard": _card(agent),
        "skills": [{"id": f"s{index}", "name": name} for index, name in enumerate(agent.skills)],
    }
    if generation == "G0":
        del row["invokable"]
    return row


def _matches(agent: Agent, query: Mapping[str, str]) -> bool:
    words = query.get("q", "")[:100].casefold()
    protocol = query.get("protocol")
    return (
        words in f"{agent.name}\n{agent.description}".casefold()
        and query.get("category", agent.category) == agent.category
        and protocol not in ("OPENAI_COMPAT", "MCP")
    )


def _sorted(agents: list[Agent], order: str | None) -> list[Agent]:
    if order == "stars":
        return sorted(agents, key=lambda agent: -(agent.stars or 0))
    return sorted(agents, key=lambda agent: (not agent.featured, -(agent.stars or 0)))


def _limit(generation: str, asked: str | None) -> int:
    usual, most = LIMITS[generation]
    return min(int(asked), most) if asked and asked.isascii() and asked.isdigit() and int(asked) else usual


def _skill(index: int, name: str) -> dict[str, Any]:
    return {
        "skillKey": f"s{index}",
        "name": name,
        "description": name,
        "inputModes": ["text"],
        "outputModes": ["text"],
        "examples": [],
    }


def _kind(agent: Agent) -> str:
    return "HOSTED" if agent.hosted else "PROJECT"


def _pricing(agent: Agent) -> str:
    return "PER_CALL" if agent.price else "FREE"


def _endpoint(agent: Agent) -> str | None:
    return f"https://agents.example/{agent.slug}/a2a" if agent.hosted else None


def _card(agent: Agent) -> str | None:
    return f"https://agents.example/{agent.slug}/.well-known/agent-card.json" if agent.hosted else None
