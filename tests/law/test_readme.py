"""README names everything that a person can type or set, and points at nothing that is not there."""

import argparse
import re

from lisa_island.cli import parser as grammar
from lisa_island.system._island_values import KEYS
from tests.law.source import ROOT

README = (ROOT / "README.md").read_text("utf-8")
# What stands in code: fenced blocks and inline spans.
CODE = "\n".join(re.findall(r"```.*?```|`[^`\n]+`", README, re.S))
SET_UP = ("./packaging/try.sh", "./packaging/check.sh", "--quick", "--install", "--remove")
VARIABLES = ("LISA_HOME", "TAKOAPI_BASE_URL", "LISA_ISLAND_LANG")


def is_named(word: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", CODE) is not None


def typed() -> set[str]:
    """Every command, and every long option of any command."""
    found: set[str] = set()
    waiting: list[argparse.ArgumentParser] = [grammar._parser()]
    while waiting:
        for action in waiting.pop()._actions:
            found |= {option for option in action.option_strings if option.startswith("--")}
            if isinstance(action, argparse._SubParsersAction):
                found |= set(action.choices)
                waiting += action.choices.values()
            elif action.choices and not action.option_strings:
                found |= {str(choice) for choice in action.choices}
    return found - {"--help"}


def test_every_command_and_option_is_named() -> None:
    assert {"send", "clear", "--headless", "--wait"} <= typed()
    assert not [word for word in sorted(typed()) if not is_named(word)]


def test_every_setting_is_named() -> None:
    assert "agentCalls" in KEYS
    assert not [key for key in sorted(KEYS.keys() | {"enabled", "pin"}) if not is_named(key)]


def test_set_up_and_environment_are_named() -> None:
    assert not [word for word in (*SET_UP, *VARIABLES) if word not in CODE]


def test_what_it_points_at_is_there() -> None:
    targets = re.findall(r"\]\(([^)#\s]+)|src=\"([^\"]+)\"", README)
    local = [a or b for a, b in targets if not re.match(r"[a-z]+:", a or b)]
    assert local
    assert not [target for target in local if not (ROOT / target).exists()]
