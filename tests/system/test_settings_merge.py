"""Lists that several hands change at once: nobody's addition or removal is undone by another's."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core.preferences import DirectAgent, Pin
from lisa_island.system._settings_merge import merged
from lisa_island.system.settings import FileSettings
from lisa_island.system.worker import Worker
from tests.fakes.clock import FakeClock

NAMES = st.lists(st.sampled_from("abcdef"), unique=True).map(tuple)


def agent(name: str, auth: str = "") -> DirectAgent:
    return DirectAgent(name, f"https://{name}.example", auth=auth)


@given(NAMES, NAMES, NAMES)
def test_both_changes_are_in_what_comes_out(
    seen: tuple[str, ...], wanted: tuple[str, ...], found: tuple[str, ...]
) -> None:
    out = merged({"follow_at_agent": wanted}, {"follow_at_agent": seen}, {"follow_at_agent": found})
    kept = out["follow_at_agent"]
    assert len(set(kept)) == len(kept)
    assert set(kept) == (set(found) - (set(seen) - set(wanted))) | (set(wanted) - set(seen))


@given(NAMES, NAMES)
def test_who_saw_the_newest_has_their_way_with_the_order_too(
    seen: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    assert merged({"pins": wanted, "theme": 1}, {"theme": 0}, {}) == {"pins": wanted, "theme": 1}
    out = merged({"follow_at_agent": wanted}, {"follow_at_agent": seen}, {"follow_at_agent": seen})
    assert out["follow_at_agent"] == wanted


def test_a_changed_agent_takes_the_place_of_its_own() -> None:
    seen, wanted = (agent("a"), agent("b")), (agent("a", "bearer"),)
    found = (agent("b"), agent("c"), agent("a"))
    out = merged({"direct_agents": wanted}, {"direct_agents": seen}, {"direct_agents": found})
    assert out["direct_agents"] == (agent("c"), agent("a", "bearer"))


async def test_two_changes_at_once_in_one_island(home: Path, worker: Worker, clock: FakeClock) -> None:
    settings = FileSettings(home, {}, worker, clock)
    await settings.open()
    await asyncio.gather(*(settings.change(direct_agents=(agent(name),)) for name in "abc"))
    await asyncio.gather(*(settings.change(pins=(Pin(name),)) for name in "abc"))
    assert [a.name for a in settings.now().direct_agents] == ["a", "b", "c"]
    assert [p.target for p in settings.now().pins] == ["a", "b", "c"]
    await settings.close()


class NoWatch:
    """Hears of nothing, as a watch whose news is still on its way."""

    def __init__(self, *_: object) -> None:
        pass

    def close(self) -> None:
        pass


async def test_two_islands_that_have_not_seen_each_others_change(
    home: Path, worker: Worker, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lisa_island.system.settings.FileWatch", NoWatch)
    one, other = FileSettings(home, {}, worker, clock), FileSettings(home, {}, worker, clock)
    await one.open()
    await one.change(direct_agents=(agent("a"), agent("b")))
    await other.open()
    await one.change(direct_agents=(agent("a"), agent("b"), agent("c")))
    await other.change(direct_agents=(agent("b"),))
    assert [a.name for a in other.now().direct_agents] == ["b", "c"]
    for each in (one, other):
        await each.close()
