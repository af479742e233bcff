"""The owner's gate: default deny, one row a caller."""

import pytest

from lisa_island.app.gate import WINDOWS, Caller, demand
from lisa_island.core.errors import NotAllowedError
from lisa_island.core.preferences import Preferences

OWNER, AGENT, SCRIPT = Caller(True), Caller(False, "claude"), Caller(False)

TABLE = [
    ("deny", OWNER, False, ""),
    ("deny", WINDOWS, True, ""),
    ("deny", AGENT, False, "gate.agent"),
    ("deny", SCRIPT, False, "gate.no-terminal"),
    ("allow", AGENT, False, ""),
    ("allow", SCRIPT, False, ""),
    ("allow", AGENT, True, "gate.agent"),
    ("allow", OWNER, True, ""),
    ("nonsense", AGENT, False, "gate.agent"),
]


@pytest.mark.parametrize(("setting", "caller", "owner_only", "word"), TABLE)
def test_who_may(setting, caller, owner_only, word):
    preferences = Preferences(agent_calls=setting)
    if not word:
        demand(preferences, caller, owner_only=owner_only)
        return
    with pytest.raises(NotAllowedError) as refusal:
        demand(preferences, caller, owner_only=owner_only)
    assert refusal.value.word == word


def test_deny_is_the_default():
    assert Preferences().agent_calls == "deny"
