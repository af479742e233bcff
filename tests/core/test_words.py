"""The catalogue: both languages, same placeholders, plurals in pairs."""

import re

import pytest

from lisa_island.core import words

PLACE = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize("key", sorted(words.catalogue()))
def test_each_key_has_both_languages_with_the_same_places(key):
    english, chinese = words.catalogue()[key]
    assert english.strip() and chinese.strip()
    assert set(PLACE.findall(english)) == set(PLACE.findall(chinese))


def test_plurals_stand_in_pairs():
    keys = set(words.catalogue())
    for key in keys:
        if key.endswith(".many"):
            assert key.removesuffix(".many") + ".one" in keys


def test_no_sentence_blames_or_shouts():
    for key, (english, chinese) in words.catalogue().items():
        assert not english.endswith("!") and not chinese.endswith("！"), key
        assert "please wait" not in english.lower(), key


def test_a_value_that_looks_like_a_place_stays_what_it_is(monkeypatch):
    monkeypatch.setattr(words, "catalogue", lambda: {"t.x": ("{a} and {b}", "{a} 和 {b}")})
    assert words.say("en", "t.x", a="{b}", b="2") == "{b} and 2"


def test_any_chinese_locale_speaks_chinese_and_the_rest_english():
    assert words.pick("zh_CN.UTF-8") == words.pick("zh-TW") == "zh-CN"
    assert words.pick("de_DE.UTF-8") == words.pick("") == words.pick("C") == "en"
