"""What doctor says of a folder that is odd or open."""

import os
from pathlib import Path

import pytest

from lisa_island.app.doctor import facts
from lisa_island.core.text import clean
from tests.e2e.conftest import living


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
