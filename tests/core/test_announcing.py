"""What is said aloud: at most one announcement in two seconds, merged, and never of working or done."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core.agent import State
from lisa_island.core.announcing import GAP_MS, About, Sentence, Spoken, Voice, due, heard, news, wait
from lisa_island.core.roster import Roster
from tests.fakes.sessions import asking, remote

NOW = 1_000_000


def roster(*sessions) -> Roster:
    return Roster({s.key: s for s in sessions})


def said(*sentences: Sentence) -> Voice:
    """The first was said at 0, the others wait."""
    voice = Voice()
    for sentence in sentences:
        voice, _ = heard(voice, sentence, 0)
    return voice


def test_the_first_is_said_at_once_and_nothing_waits() -> None:
    voice, spoken = heard(Voice(), Sentence("Sent to acme"), 0)
    assert spoken == Spoken("Sent to acme") and wait(voice, 0) is None


def test_what_comes_sooner_waits_for_the_rest_of_the_pause() -> None:
    voice, _ = heard(Voice(), Sentence("one"), 0)
    voice, spoken = heard(voice, Sentence("two"), 500)
    assert spoken is None and wait(voice, 500) == 1500
    assert due(voice, 1999) == (voice, None)
    voice, spoken = due(voice, GAP_MS)
    assert spoken == Spoken("two") and wait(voice, GAP_MS) is None


def test_needs_add_up() -> None:
    need = Sentence("acme needs input", About.NEED)
    _, spoken = due(said(need, need, need), GAP_MS)
    assert spoken == Spoken("2 more need you")
    _, spoken = due(said(*(Sentence("x", About.NEED, lang="zh-CN") for _ in range(3))), GAP_MS)
    assert spoken == Spoken("又有 2 项待处理")


def test_of_what_was_found_only_the_newest_is_said() -> None:
    _, spoken = due(said(*(Sentence(f"{n} found", About.FOUND) for n in (9, 4, 2))), GAP_MS)
    assert spoken == Spoken("2 found")


def test_different_sorts_are_said_together_in_one_order() -> None:
    found, sent, failed = (
        Sentence("2 found", About.FOUND),
        Sentence("Sent to acme"),
        Sentence("Scan failed.", About.FAILED),
    )
    _, spoken = due(said(Sentence("first"), found, failed, sent), GAP_MS)
    assert spoken == Spoken("Sent to acme. Scan failed. 2 found.")


def test_failures_are_all_named_but_not_without_end() -> None:
    _, spoken = due(said(Sentence("0"), *(Sentence(f"{n} failed", About.FAILED) for n in range(9))), GAP_MS)
    assert spoken == Spoken("6 failed. 7 failed. 8 failed.")


def test_urgent_goes_first_alone_and_assertive() -> None:
    voice = said(Sentence("one"), Sentence("two"), Sentence("Codex asks", urgent=True))
    voice, spoken = due(voice, GAP_MS)
    assert spoken == Spoken("Codex asks", assertive=True)
    assert due(voice, 2 * GAP_MS)[1] == Spoken("two")
    assert heard(Voice(), Sentence("Codex asks", urgent=True), 0)[1] == Spoken("Codex asks", assertive=True)


@given(st.lists(st.tuples(st.integers(0, 3000), st.sampled_from(About), st.booleans()), max_size=30))
def test_two_announcements_are_two_seconds_apart_and_nothing_is_stuck(
    steps: list[tuple[int, About, bool]],
) -> None:
    voice, now, at = Voice(), 0, []
    for ms, about, urgent in steps:
        end = now + ms
        while (left := wait(voice, now)) is not None and now + left <= end:
            now += left
            voice, spoken = due(voice, now)
            assert spoken is not None
            at.append(now)
        now = end
        voice, spoken = heard(voice, Sentence("x", about, urgent=urgent), now)
        at += [now] if spoken else []
    while (left := wait(voice, now)) is not None:
        now += left
        voice, spoken = due(voice, now)
        assert spoken is not None
        at.append(now)
    assert all(b - a >= GAP_MS for a, b in pairwise(at))


def test_a_new_need_is_news_in_words_without_the_question() -> None:
    before, after = roster(), roster(asking("acme", "Secret question?", now=NOW))
    assert [s.text for s in news(before, after, "en")] == ["acme needs input"]
    assert [s.text for s in news(before, after, "zh-CN")] == ["acme 需要你输入"]
    assert news(after, after, "en") == ()
    assert news(after, before, "en") == ()


def test_many_at_once_are_counted() -> None:
    one, two, three = (asking(slug, now=NOW) for slug in ("a", "b", "c"))
    assert [s.text for s in news(roster(), roster(one, two), "en")] == ["2 need you"]
    (more,) = news(roster(one), roster(one, two, three), "en")
    assert (more.text, more.n) == ("2 more need you", 2)


def test_a_failure_is_news_only_when_it_was_seen_to_happen() -> None:
    working, failed = remote("acme"), remote("acme", state=State.ERROR)
    assert [s.text for s in news(roster(working), roster(failed), "en")] == ["acme failed"]
    assert news(roster(), roster(failed), "en") == () == news(roster(failed), roster(failed), "en")


def test_working_and_done_are_never_news() -> None:
    for state in set(State) - {State.ERROR, State.WAITING}:
        for before in (roster(), roster(remote("acme")), roster(asking("acme", now=NOW))):
            assert news(before, roster(remote("acme", state=state)), "en") == ()
