"""A command starts fast: it imports what it needs, and never Qt."""

import pytest

from tests.cli.rig import ISLAND, Island

QT = ("PySide6", "shiboken6", "qasync")
HEAVY = ("httpx", "pydantic", "keyring", "watchdog", "dbus_fast", "starlette", "uvicorn", "psutil")


def imported(island: Island, *arguments: str) -> set[str]:
    """Top packages that a command imported."""
    command = (ISLAND[0], "-X", "importtime", *ISLAND[1:])
    done = island.run(*arguments, command=command)
    names = [
        line.rpartition("|")[2].strip() for line in done.said.splitlines() if line.startswith("import time:")
    ]
    assert "lisa_island.cli" in names
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("arguments", [("status",), ("status", "--json"), ("doctor",), ("pin", "a")])
def test_alone_no_command_knows_qt(island, arguments):
    assert not imported(island, *arguments) & set(QT)


@pytest.mark.parametrize(
    "arguments", [("status",), ("toggle",), ("send", "@a", "b"), ("pin", "a"), ("doctor",)]
)
def test_through_the_door_a_command_is_one_line(island, arguments):
    with island.headless():
        found = imported(island, *arguments)
    assert not found & {*QT, *HEAVY}


def test_without_the_opt_in_no_client_is_loaded(island):
    assert "httpx" not in imported(island, "status")


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("nonsense",)])
def test_grammar_alone_needs_nothing(island, arguments):
    assert not imported(island, *arguments) & {*QT, *HEAVY, "asyncio"}
