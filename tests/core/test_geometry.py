"""Where the windows stand: tables, and what holds for every display."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core import geometry
from lisa_island.core.geometry import Place, Rect, Screen

HD = Screen("HD", Rect(0, 0, 1920, 1080), Rect(0, 27, 1920, 1053), primary=True)
LEFT = Screen("LEFT", Rect(-1280, 0, 1280, 720), Rect(-1280, 0, 1280, 720))
SMALL = Screen("SMALL", Rect(0, 0, 400, 300), Rect(0, 0, 400, 300))


@pytest.mark.parametrize(
    ("wanted", "pointer", "name"),
    [
        ("pointer", (-5, 5), "LEFT"),
        ("pointer", (5, 5), "HD"),
        ("pointer", (9999, 5), "HD"),
        ("pointer", None, "HD"),
        ("primary", (-5, 5), "HD"),
        ("LEFT", (5, 5), "LEFT"),
        ("unplugged", (-5, 5), "HD"),
    ],
)
def test_choice_of_display(wanted: str, pointer: tuple[int, int] | None, name: str) -> None:
    found = geometry.choose((LEFT, HD), wanted, pointer)
    assert found is not None and found.name == name


def test_no_display_at_all() -> None:
    assert geometry.choose((), "primary") is None


def test_top_centre() -> None:
    assert geometry.pill(HD, 200, 36) == Rect(860, 35, 200, 36)


def test_a_place_is_kept_when_the_text_grows() -> None:
    place = Place(300, 500)
    assert geometry.pill(HD, 108, 36, place).middle == geometry.pill(HD, 320, 36, place).middle == 300


def test_places_are_kept_per_display() -> None:
    positions = geometry.keep_place((), HD, Place(1, 2))
    positions = geometry.keep_place(positions, LEFT, Place(3, 4))
    assert geometry.place_of(positions, HD) == Place(1, 2)
    assert geometry.place_of(geometry.keep_place(positions, HD, None), HD) is None
    assert geometry.place_of(positions, SMALL) is None


@pytest.mark.parametrize(("off", "snaps"), [(0, True), (12, True), (-12, True), (13, False), (-13, False)])
def test_snap(off: int, snaps: bool) -> None:
    dropped = geometry.drag(Rect(860 + off, 300, 200, 36), HD)
    assert (dropped.middle == 960) == snaps


def test_back_at_top_centre_is_no_place() -> None:
    assert geometry.place(Rect(860, 35, 200, 36), HD) is None
    assert geometry.place(Rect(861, 35, 200, 36), HD) == Place(961, 8)


def test_the_keyboard_leaves_the_centre_line() -> None:
    assert geometry.nudge(Rect(860, 35, 200, 36), HD, 1, -1) == Rect(868, 27, 200, 36)


@pytest.mark.parametrize(
    ("screen", "anchor", "content", "expected"),
    [
        pytest.param(HD, Rect(860, 35, 200, 36), 500, Rect(740, 79, 440, 500), id="under the pill"),
        pytest.param(HD, Rect(860, 35, 200, 36), 2000, Rect(740, 79, 440, 800), id="at most 800"),
        pytest.param(HD, Rect(0, 35, 200, 36), 500, Rect(8, 79, 440, 500), id="kept on the display"),
        pytest.param(HD, Rect(860, 1030, 200, 36), 500, Rect(740, 522, 440, 500), id="above a low pill"),
        pytest.param(LEFT, Rect(-740, 8, 200, 36), 900, Rect(-860, 52, 440, 660), id="room below the pill"),
        pytest.param(SMALL, Rect(100, 8, 200, 36), 500, Rect(16, 16, 368, 276), id="smaller than a panel"),
    ],
)  # fmt: skip
def test_panel(screen: Screen, anchor: Rect, content: int, expected: Rect) -> None:
    assert geometry.panel(screen, anchor, content) == expected


def test_bridge() -> None:
    anchor, window = Rect(860, 35, 200, 36), Rect(740, 79, 440, 500)
    assert geometry.bridge(anchor, window) == Rect(860, 71, 200, 8)
    assert geometry.bridge(Rect(860, 800, 200, 36), Rect(740, 292, 440, 500)) == Rect(860, 792, 200, 8)


NUMBERS = st.integers(-5000, 5000)
SIZES = st.integers(64, 5000)


@st.composite
def screens(draw: st.DrawFn) -> Screen:
    x, y, width, height = draw(NUMBERS), draw(NUMBERS), draw(SIZES), draw(SIZES)
    bar = draw(st.integers(0, min(60, height - 63)))
    return Screen("S", Rect(x, y, width, height), Rect(x, y + bar, width, height - bar))


@given(screens(), st.integers(40, 320), NUMBERS, NUMBERS)
def test_a_pill_can_always_be_caught(screen: Screen, width: int, x: int, y: int) -> None:
    area = screen.area
    for rect in (geometry.pill(screen, width, 36, Place(x, y)), geometry.drag(Rect(x, y, width, 36), screen)):
        seen = min(rect.right, area.right) - max(rect.x, area.x)
        assert seen >= min(40, rect.width, area.width)
        assert min(rect.bottom, area.bottom) - max(rect.y, area.y) >= min(36, area.height)


@given(screens(), st.integers(108, 320), st.integers(1, 3000), NUMBERS, NUMBERS)
def test_a_panel_is_never_cut(screen: Screen, width: int, content: int, x: int, y: int) -> None:
    anchor = geometry.pill(screen, width, 36, Place(x, y))
    rect = geometry.panel(screen, anchor, content)
    assert rect.width <= 440 and rect.height <= min(800, content)
    if screen.area.height > 64 + geometry.AREA_GAP and screen.area.width > 64:
        assert rect.x >= screen.area.x and rect.right <= screen.area.right
        assert rect.y >= screen.area.y and rect.bottom <= screen.area.bottom
