"""Replies in memory: bounded each and in all, what was read goes first, and what is lost is said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents._replies import Replies, clean_long, cut_bytes
from lisa_island.core.agent import Reply
from lisa_island.core.intents import ReadReply
from lisa_island.core.text import clean
from tests.agents.rig import PlayedGateway, Rig, envelope, task


async def test_what_was_read_goes_first_then_the_oldest():
    replies = Replies(each=100, in_all=300)
    assert [replies.keep(name, "x" * 100) for name in "abc"] == [(), (), ()]
    await replies.read("b")
    assert replies.keep("d", "x" * 100) == ("b",)
    assert replies.keep("e", "x" * 100) == ("a",)
    assert await replies.read("a") is None
    assert [name for name in "abcde" if name in replies] == ["c", "d", "e"]


async def test_a_reply_that_grew_takes_its_own_place():
    replies = Replies(each=100, in_all=100)
    replies.keep("a", "one")
    assert replies.keep("a", "two") == ()
    assert await replies.read("a") == "two"
    replies.forget(["a", "never"])
    assert "a" not in replies


async def test_one_alone_may_fill_all():
    replies = Replies(each=200, in_all=100)
    assert replies.keep("a", "x" * 200) == ()
    assert len(await replies.read("a")) == 200


@given(st.text(), st.integers(0, 40))
def test_a_cut_keeps_whole_characters(text, limit):
    cut = cut_bytes(text, limit)
    assert len(cut.encode("utf-8", "replace")) <= limit
    assert text.encode("utf-8", "replace").decode().startswith(cut) or cut == text


LINES = st.lists(st.text(st.sampled_from("ab \t\u202e\x1bé"), max_size=30), max_size=30)


@given(LINES, st.integers(1, 50))
async def test_a_long_text_cleaned_in_pieces_holds_nothing_active(lines, times):
    text = "\n".join(lines) * times
    cleaned = await clean_long(text)
    assert clean(cleaned, len(cleaned), newlines=True) == cleaned


async def test_pieces_do_not_show_where_lines_end():
    text = "\n".join(f"line {n}" + "\n" * (n % 4) for n in range(20_000))
    assert await clean_long(text) == clean(text, len(text), newlines=True)
    words = "word " * 20_000
    assert await clean_long(words) == words.rstrip()


async def test_what_had_to_go_is_said_in_the_roster(monkeypatch):
    async with Rig(gateway=PlayedGateway(silent={"a", "b"})) as rig:
        monkeypatch.setattr(rig.source._desk, "replies", Replies(each=100, in_all=150))
        for slug in ("a", "b"):
            rig.gateway.plays(slug, envelope(task("completed", "x" * 100)))
            await rig.send(slug)
        assert {r.project: r.reply for r in rig.rows} == {"a": Reply.LOST, "b": Reply.HELD}
        (lost,) = [r for r in rig.rows if r.project == "a"]
        assert (await rig.perform(ReadReply(lost.key))).word == "outcome.no-reply"


@pytest.mark.parametrize("state", ["failed", "rejected"])
async def test_the_agents_last_words_can_be_read_after_a_failure(state):
    async with Rig(gateway=PlayedGateway(silent={"acme"})) as rig:
        rig.gateway.plays("acme", envelope(task(state, "make: exit code 2")))
        await rig.send()
        assert (await rig.perform(ReadReply(rig.row.key))).text == "make: exit code 2"
        assert rig.row.activity.status_text == "make: exit code 2"
