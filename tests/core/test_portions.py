"""Long texts in portions: nothing is lost, and no portion is more than can be laid out at once."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core import portions as module
from lisa_island.core.portions import LONGEST_LINE, PORTION_CHARS, PORTION_LINES, portions

LONG = st.tuples(st.text(max_size=30), st.integers(0, 3_000)).map(lambda made: made[0] * made[1])


def bounded(portion: str) -> bool:
    lines = portion.split("\n")
    most = PORTION_CHARS + LONGEST_LINE
    return len(lines) <= PORTION_LINES and max(map(len, lines)) <= LONGEST_LINE and len(portion) <= most


@given(LONG)
def test_nothing_is_lost_and_every_portion_is_bounded(text):
    found = list(portions(text))
    assert "".join(found).replace("\n", "") == text.replace("\n", "")
    assert all(bounded(portion) for portion in found)


@given(st.lists(st.text(alphabet="ab \t中", max_size=200), max_size=1_500))
def test_ordinary_lines_stay_as_they_are(lines):
    text = "\n".join(lines)
    assert "\n".join(portions(text)) == text


def test_a_long_line_breaks_behind_a_blank_and_between_letters():
    prose = "word " * 2_000
    first = next(portions(prose)).split("\n")
    assert all(line.endswith("word ") for line in first[:-1])
    marked = "e\u0301" * 5_000
    assert all(not line.startswith("\u0301") for line in next(portions(marked)).split("\n"))


def test_marks_without_end_do_not_hold_it_up():
    assert bounded(next(portions("\u0301" * 100_000)))


def test_a_huge_text_costs_no_more_than_what_is_wanted_of_it(monkeypatch):
    monkeypatch.setattr(module, "LONGEST_LINE", 10)
    wanted = list(itertools.islice(portions("x" * 50_000_000), 2))
    assert [len(p.replace("\n", "")) for p in wanted] == [4_000, 4_000]
