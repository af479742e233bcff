"""Where the key is, in words that are true for the place the owner chose."""

import pytest

from lisa_island.app.key_words import key_words
from lisa_island.core.agent import KeyState
from lisa_island.core.ports import Secret
from lisa_island.core.words import LANGUAGES, say


@pytest.mark.parametrize(
    ("secret", "source", "english"),
    [
        (Secret(KeyState.READY), "keyring", "Key saved in the keyring."),
        (Secret(KeyState.READY), "environment", "Read from the environment at each start."),
        (Secret(KeyState.READY), "file", "Read from config.env at each start."),
        (Secret(KeyState.NONE), "keyring", "No key saved."),
        (
            Secret(KeyState.NONE),
            "environment",
            "TAKO_KEY was not set in the environment when the island started.",
        ),
        (Secret(KeyState.NONE, detail="secrets.file-unreadable"), "file", "config.env could not be read."),
        (Secret(KeyState.MEMORY), "file", "The key is kept in memory and forgotten when you quit."),
        (
            Secret(KeyState.ABSENT, detail="plain.Text"),
            "keyring",
            "No system keyring was found: plain.Text does not protect a key. Nothing was saved in it.",
        ),
    ],
)
def test_the_sentence(secret, source, english):
    word, values = key_words(secret, source)
    assert say("en", word, **values) == english


@pytest.mark.parametrize("state", KeyState)
@pytest.mark.parametrize("source", ["keyring", "run", "environment", "file"])
def test_every_state_and_place_has_one(state, source):
    for lang in LANGUAGES:
        word, values = key_words(Secret(state), source)
        assert say(lang, word, **values)
