"""The scripted agents, read as the values they are."""

import re
from itertools import islice
from typing import Any, get_args

import pytest

from lisa_island.sandbox import hostile
from lisa_island.sandbox.scenarios import AGENTS, QUESTION
from lisa_island.sandbox.shapes import add_up
from lisa_island.sandbox.steps import Agent, Call, Event, Route, Step

BY_SLUG = {agent.slug: agent for agent in AGENTS}


def call(route: Any = "stream", **more: Any) -> Call:
    message = {"role": "user", "parts": [{"kind": "text", "text": "hi"}]}
    return Call(**{"slug": "x", "route": route, "text": "hi", "message": message, **more, **ID})


ID = {"task_id": "task-1", "context_id": "context-1"}


def results(slug: str, **more: Any) -> list[Any]:
    return [step.result for step in BY_SLUG[slug].scenario(call(**more)) if isinstance(step, Event)]


def states(slug: str, **more: Any) -> list[str]:
    return [result["status"]["state"] for result in results(slug, **more) if "status" in result]


def test_slugs_are_unique_and_well_formed() -> None:
    assert len(BY_SLUG) == len(AGENTS)
    assert all(re.fullmatch(r"[a-z0-9-]+", slug) for slug in BY_SLUG)


@pytest.mark.parametrize("route", get_args(Route))
@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.slug)
def test_a_scenario_is_pure(agent: Agent, route: Route) -> None:
    first, second = (list(islice(agent.scenario(call(route)), 40)) for _ in range(2))
    assert first == second
    assert all(isinstance(step, get_args(Step)) for step in first)


@pytest.mark.parametrize(
    ("slug", "last"),
    [
        ("sheet-wizard", "completed"),
        ("acme-research", "input-required"),
        ("legal-lens", "auth-required"),
        ("slow-report", "completed"),
        ("flaky-build", "failed"),
        ("reject-me", "rejected"),
        ("canceled", "canceled"),
        ("ends-active", "working"),
        ("weird-state", "paused-for-review"),
    ],
)
def test_where_a_task_ends(slug: str, last: str) -> None:
    assert states(slug)[0] == "submitted"
    assert states(slug)[-1] == last
    assert add_up(results(slug))["status"]["state"] == last


@pytest.mark.parametrize("slug", ["acme-research", "legal-lens", "step-by-step"])
def test_an_answer_completes_the_same_task(slug: str) -> None:
    whole = add_up(results(slug, resumed=True))
    assert (whole["status"]["state"], whole["id"]) == ("completed", "task-1")
    assert whole["artifacts"]


def test_the_question_is_the_one_of_the_mockups() -> None:
    assert add_up(results("acme-research"))["status"]["message"]["parts"][0]["text"] == QUESTION


def test_an_artifact_in_two_pieces_is_one() -> None:
    names = [item["name"] for item in add_up(results("sheet-wizard"))["artifacts"]]
    assert names == ["totals.csv", "notes.md"]
    text = "".join(part["text"] for part in add_up(results("sheet-wizard"))["artifacts"][0]["parts"])
    assert len(text.splitlines()) == 13


@pytest.mark.parametrize("harm", hostile.CORPUS, ids=range(len(hostile.CORPUS)))
def test_harry_is_hostile_everywhere(harm: str) -> None:
    said = results("hostile-harry")
    words = [item["status"]["message"] for item in said if "message" in item.get("status", {})]
    assert harm in [message["parts"][0]["text"] for message in words]
    assert harm in [item["artifact"]["name"] for item in said if "artifact" in item]
    assert harm in BY_SLUG["hostile-harry"].description
    assert hostile.MARK in harm or harm == hostile.KEYLIKE
