"""The owner's gate: default deny, one row a caller."""

import pytest

from lisa_island.app.gate import UNSURE, WINDOWS, Caller, demand, demand_no_agent
from lisa_island.core.errors import NotAllowedError
from lisa_island.core.preferences import Preferences
from lisa_island.core.words import has

OWNER, AGENT, SCRIPT = Caller(True), Caller(False, "claude"), Caller(False)
UNSURE_ONE = Caller(False, UNSURE)

TABLE = [
    ("deny", OWNER, False, ""),
    ("deny", WINDOWS, True, ""),
    ("deny", AGENT, False, "gate.agent"),
    ("deny", SCRIPT, False, "gate.no-terminal"),
    ("allow", AGENT, False, ""),
    ("allow", SCRIPT, False, ""),
    ("deny", UNSURE_ONE, False, "gate.unsure"),
    ("allow", UNSURE_ONE, False, ""),
    ("allow", AGENT, True, "gate.owner.agent"),
    ("allow", SCRIPT, True, "gate.owner.no-terminal"),
    ("allow", UNSURE_ONE, True, "gate.owner.unsure"),
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
    assert has(word)


@pytest.mark.parametrize(
    ("caller", "word"),
    [
        (OWNER, ""),
        (SCRIPT, ""),
        (AGENT, "gate.owner.agent"),
        (UNSURE_ONE, "gate.owner.unsure"),
    ],
)
def test_what_a_script_of_the_owner_may_do_and_an_agent_may_not(caller, word):
    if not word:
        demand_no_agent(caller)
        return
    with pytest.raises(NotAllowedError) as refusal:
        demand_no_agent(caller)
    assert refusal.value.word == word


def test_deny_is_the_default():
    assert Preferences().agent_calls == "deny"
