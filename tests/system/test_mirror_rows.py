"""Whatever stands in the call list, reading and merging it is total, stable and loses nobody's call."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lisa_island.system import _mirror_rows as rows
from tests.fakes.clock import START
from tests.system.rows import DAY, lisa_row, task

slugs = st.sampled_from(["a", "b", "c", "d"])
times = st.integers(START - DAY - 5, START)
states = st.sampled_from(["working", "completed", "TASK_STATE_FAILED", "odd\u202e"])
lisas = st.builds(lisa_row, slugs, times, states)
ours = st.dictionaries(slugs, st.builds(lisa_row, st.just("x"), times, states), max_size=4).map(
    lambda found: {slug: row | {"slug": slug} for slug, row in found.items()}
)
wild = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["slug", "lastState", "lastMtime", "taskId", "startedAt"]) | st.text(), inner
        )
    ),
    max_leaves=20,
)


def merge(file: list[Any], others: list[Any], own: dict[str, Any], more: set[tuple[str, int]]) -> list[Any]:
    written = frozenset(more | {rows.identity(row) for row in own.values()})
    return rows.merge(file, others, own, written, START)


@settings(deadline=None)
@given(st.lists(lisas), st.lists(lisas), ours, st.sets(st.tuples(slugs, times)))
def test_merging(file: list[Any], others: list[Any], own: dict[str, Any], more: set[tuple[str, int]]) -> None:
    written = more | {rows.identity(row) for row in own.values()}
    merged = merge(file, others, own, more)
    by_slug = {row["slug"]: row for row in merged}
    assert len(by_slug) == len(merged), "one row per slug"
    assert all(START - row["lastMtime"] <= DAY for row in merged)
    assert merge(merged, others, own, more) == merged, "a second sync has nothing to do"
    theirs = rows.foreign([*file, *others], frozenset(written))
    latest: dict[str, int] = {}
    for row in (*theirs, *own.values()):
        latest[row["slug"]] = max(latest.get(row["slug"], 0), row["lastMtime"])
    assert {slug: row["lastMtime"] for slug, row in by_slug.items()} == {
        slug: at for slug, at in latest.items() if START - at <= DAY
    }, "the latest call of each slug, and no write of ours that no task stands behind"


@settings(deadline=None)
@given(st.binary() | wild.map(lambda found: json.dumps(found).encode()))
def test_any_bytes_are_rows_or_refused(data: bytes) -> None:
    try:
        found = rows.parse(data)
    except ValueError:
        return
    for row in found:
        rows.identity(row)
        rows.lisa_row(row, frozenset(), START)
    assert rows.parse(rows.dump(found)) == found


@pytest.mark.parametrize(("age", "stays"), [(DAY, True), (DAY + 1, False)])
def test_a_day_to_the_millisecond(age: int, stays: bool) -> None:
    assert bool(merge([lisa_row("a", START - age)], [], {}, set())) is stays
    row = rows.lisa_row(lisa_row("a", START - age), frozenset(), START)
    assert (row is not None) is stays


def test_a_write_of_ours_is_replaced_whatever_its_time() -> None:
    """The clock was set back: the newest word of ours has the older time."""
    before, now = lisa_row("a", START), lisa_row("a", START - 50, "working")
    assert merge([before], [], {"a": now}, {("a", START)}) == [now]


def test_a_list_that_would_be_refused_loses_its_oldest_rows() -> None:
    many = [lisa_row(f"slug-{n}", START - n, note="x" * 1_000) for n in range(6_000)]
    kept = rows.parse(rows.dump(many))
    assert 3_000 < len(kept) < 6_000
    assert kept == many[: len(kept)]


def test_our_row_is_lisas_format() -> None:
    assert list(rows.wire_of(task())) == ["slug", "taskId", "startedAt", "lastMtime", "lastState"]
    assert "taskId" not in rows.wire_of(task(task_id=""))
