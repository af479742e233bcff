"""Ids that were met: the last are known, memory is bounded."""

from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents._ids import LEAST, Ids


@given(st.lists(st.lists(st.integers(0, 3_000), max_size=40), max_size=120))
def test_the_last_are_known_and_the_sum_is_bounded(parts: list[list[int]]) -> None:
    ids, met = Ids(), []
    for part in parts:
        words = [str(n) for n in part]
        ids, met = ids.plus(words), [*met, *words]
        assert all(word in ids for word in met[-LEAST:])
        assert "x" not in ids
        assert len(ids.recent) + len(ids.young) + len(ids.old) <= 2 * LEAST + 80
    assert all(word in met for word in (*ids.recent, *ids.young, *ids.old))


def test_what_was_long_ago_is_forgotten() -> None:
    ids = Ids()
    for n in range(4 * LEAST):
        ids = ids.plus((str(n),))
    assert "0" not in ids and str(4 * LEAST - 1) in ids and str(3 * LEAST) in ids
