"""What doctor says of a folder that is odd or open."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from lisa_island.app.diagnostics import report
from lisa_island.app.doctor import facts
from lisa_island.core.agent import Freshness
from lisa_island.core.events import SessionOpened
from lisa_island.core.ports import TaskRow
from lisa_island.core.preferences import DirectAgent
from lisa_island.core.text import clean
from tests.e2e.conftest import living
from tests.fakes.direct import direct


async def told(home: Path) -> list[tuple[str, str]]:
    async with living(home, "https://gateway.example", on=False) as house:
        return list(await facts(house, "en"))


async def test_a_folder_that_everybody_can_write_to_is_something_to_do(tmp_path):
    (tmp_path / "lisa").mkdir(mode=0o700)
    assert not [value for key, value in await told(tmp_path) if "chmod" in value]
    (tmp_path / "lisa").chmod(0o777)
    assert (
        "fact.problem",
        f"Every user of this computer can write to {tmp_path / 'lisa'}. Close it: chmod o-w",
    ) in [(key, value[: value.find("o-w") + 3]) for key, value in await told(tmp_path)]


@pytest.mark.parametrize("name", [b"a\nTo do: nothing", b"\xff\xfe", b"\x1b[31mred", "\u202egpj".encode()])
async def test_an_odd_name_of_the_folder_can_be_told(tmp_path, name):
    home = tmp_path / os.fsdecode(name)
    home.mkdir()
    for _, value in await told(home):
        assert clean(value, 10_000) == value
        value.encode()


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({}, "no"),
        ({"presenting": True}, "Notifications held while you present"),
        ({"muted_until": 32_503_680_000_000}, "Notifications muted until 3000-01-01"),
        ({"quiet_hours": True, "quiet_from": "00:00", "quiet_to": "23:59"}, "Quiet hours until 23:59"),
    ],
)
async def test_why_it_is_quiet_now(tmp_path, monkeypatch, choices, said):
    monkeypatch.setattr("lisa_island.app.quiet.minute_of_day", lambda _: 12 * 60)
    async with living(tmp_path, "https://gateway.example", on=False) as house:
        await house.settings.change(**choices)
        found = dict(await facts(house, "en"))
    assert found["fact.quiet"].startswith(said)
    assert found["fact.do-not-disturb"].startswith("cannot be read here")


async def test_agents_by_address_are_counted_and_named_with_their_last_word(tmp_path):
    box = DirectAgent("box", url="https://box.example", origins=("https://box.example",), auth="bearer")
    async with living(tmp_path, "https://gateway.example", on=False) as house:
        assert ("fact.direct", "0") in await facts(house, "en")
        await house.settings.change(direct_agents=(box, replace(box, name="cat")))
        await house.tasks.begin(
            TaskRow("box/1", "box", "m", 1, house.clock.now() - 240_000, "done", terminal=True, agent="a2a")
        )
        found = await facts(house, "en")
        told = [value for key, value in found if key == "fact.direct-agent"]
        exported = await report(house)
    assert ("fact.direct", "2") in found
    assert told == [
        "box at box.example: on, last word 4 min ago",
        "cat at box.example: on, not called yet",
    ]
    assert "Agent: on, last word 4 min ago" in exported and "box.example" not in exported


async def test_one_that_does_not_answer_is_named(tmp_path):
    box = DirectAgent("box", url="https://box.example", origins=("https://box.example",))
    async with living(tmp_path, "https://gateway.example", on=False) as house:
        await house.settings.change(direct_agents=(box,))
        session = direct(freshness=Freshness.OFFLINE, last_activity=house.clock.now() - 240_000)
        house.store.dispatch(SessionOpened(session, house.clock.now()))
        told = dict(await facts(house, "en"))["fact.direct-agent"]
    assert told == "box at box.example: on, does not answer; last word 4 min ago"


async def test_it_says_who_may_report_and_for_how_long_what_happened_is_kept(tmp_path):
    async with living(tmp_path, "https://gateway.example", on=False) as house:
        found = dict(await facts(house, "en"))
        assert found["settings.journal"] == "7 days" and "settings.reporters" not in found
        await house.settings.change(journal_days=1, reporters=("my-host",))
        found, exported = dict(await facts(house, "en")), await report(house)
        assert (found["settings.journal"], found["settings.reporters"]) == ("1 day", "my-host")
        assert "my-host" not in exported and "reporters: 1" in exported
        await house.settings.change(journal_days=0)
        assert dict(await facts(house, "en"))["settings.journal"] == "Keep none"
