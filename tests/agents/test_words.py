"""Every sentence that a source may answer with is in the catalogue, with what fills its places."""

import ast
import re
from pathlib import Path

import pytest

from lisa_island.core import words

AGENTS = Path(__file__).parents[2] / "lisa_island" / "agents"
TREES = {path.name: ast.parse(path.read_text("utf-8")) for path in AGENTS.glob("*.py")}
# The places of sentences whose words are chosen at run time.
FILLED = {
    "outcome.no-key": {"origin"},
    "outcome.key-locked": {"origin"},
    "outcome.no-keyring": {"origin"},
    "outcome.key-timed-out": {"origin"},
    "outcome.balance": {"balance", "required"},
    "outcome.price": {"price", "slug"},
    "outcome.unreachable": {"origin"},
    "outcome.untrusted": {"origin"},
    "outcome.not-https": {"origin"},
    "outcome.private-address": {"origin"},
    "outcome.test-ok": {"name", "version"},
}


FILLED |= {word: {"url", "detail"} for word in words.catalogue() if word.startswith("outcome.card.")}


def said() -> set[str]:
    return {
        node.value
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.startswith("outcome.")
    }


def calls() -> list[tuple[str, set[str]]]:
    return [
        (node.args[0].value, {k.arg for k in node.keywords if k.arg})
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "refused"
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value
    ]


@pytest.mark.parametrize("word", sorted(said()))
def test_the_catalogue_knows_it_and_its_places_are_filled(word: str) -> None:
    english, _ = words.catalogue()[word]
    places = set(re.findall(r"\{(\w+)\}", english))
    given = [names for found, names in calls() if found == word]
    if word in FILLED:
        given.append(FILLED[word])
    assert all(places <= names for names in given)
    assert given or not places


def test_no_sentence_is_left_over() -> None:
    """Others may say them too, the supervisor for one."""
    package = "".join(
        path.read_text("utf-8") for path in AGENTS.parent.rglob("*.py") if path.parent.name != "words"
    )
    assert not [k for k in words.catalogue() if k.startswith("outcome.") and f'"{k}"' not in package]
