"""Every picture loads, takes its colour, and is told apart by its shape."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap

from lisa_island.ui import assets, glyphs, tokens
from lisa_island.ui.theme import Theme, contrast_ratio, luminance

FOLDERS = ("state", "action", "agent", "app", "tray/16", "tray/22")
EIGHT = ("working", "waiting", "error", "done", "idle", "unknown", "offline", "queued")


def grey(pixmap: QPixmap, ground: Qt.GlobalColor) -> bytes:
    """The picture without colour, one byte a pixel."""
    flat = QImage(pixmap.size(), QImage.Format.Format_ARGB32)
    flat.fill(ground)
    painter = QPainter(flat)
    painter.drawPixmap(flat.rect(), pixmap)
    painter.end()
    plain = flat.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = bytes(plain.constBits())
    step, width = plain.bytesPerLine(), plain.width()
    return b"".join(rows[y * step : y * step + width] for y in range(plain.height()))


def difference(a: QPixmap, b: QPixmap, ground: Qt.GlobalColor = Qt.GlobalColor.white) -> float:
    """Share of pixels that clearly differ, 0 to 1."""
    one, two = grey(a, ground), grey(b, ground)
    return sum(abs(x - y) > 60 for x, y in zip(one, two, strict=True)) / len(one)


def opaque_colors(pixmap: QPixmap) -> set[str]:
    image = pixmap.toImage().convertToFormat(QImage.Format.Format_ARGB32)
    pixels = set(memoryview(bytes(image.constBits())).cast("I"))
    return {QColor(p).name() for p in pixels if p >> 24 == 255}


@pytest.mark.parametrize("name", [n for folder in FOLDERS for n in assets.names(folder)])
def test_every_icon_draws_something(name: str, qapp) -> None:
    picture = assets.pixmap(name, 24, dpr=2.0)
    assert picture.size() == QSize(48, 48)
    assert picture.devicePixelRatio() == 2.0
    assert opaque_colors(picture)


@pytest.mark.parametrize("name", [n for folder in ("state", "action") for n in assets.names(folder)])
def test_a_tint_is_one_ink(name: str, look: Theme) -> None:
    assert opaque_colors(assets.pixmap(name, 24, "state.error", 2.0, look)) == {
        look.color("state.error").name()
    }


def test_every_shape_of_the_design_has_its_file(qapp) -> None:
    assert {f"state/{shape}" for shape in glyphs.SHAPES} == set(assets.names("state"))


def test_a_picture_is_drawn_once(dark: Theme) -> None:
    first = assets.pixmap("action/send", 18, "text.1", 1.0, dark)
    assert assets.pixmap("action/send", 18, dark.color("text.1")).cacheKey() == first.cacheKey()
    assert assets.pixmap("action/send", 18, "text.3", 1.0, dark).cacheKey() != first.cacheKey()


def test_the_store_of_pictures_is_bounded(qapp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "_KEPT_PIXMAPS", 5)
    for size in range(10, 40):
        assets.pixmap("state/done", size)
    assert len(assets._pixmaps) == 5


def test_an_unknown_picture_or_a_way_out_is_an_error(qapp) -> None:
    with pytest.raises(FileNotFoundError):
        assets.pixmap("state/nope", 16)
    for path in ("../pyproject.toml", "/etc/hostname", "icons//state"):
        with pytest.raises(ValueError):
            assets.resource(path)


@pytest.mark.parametrize("size", [12, 14, 16, 24])
def test_shapes_are_told_apart_in_grey(size: int, look: Theme) -> None:
    ink = look.color("text.3") if look.name == "light" else QColor(Qt.GlobalColor.black)
    for a, b in combinations(EIGHT, 2):
        apart = difference(glyphs.glyph(a, size, color=ink), glyphs.glyph(b, size, color=ink))
        assert apart > 0.06, (a, b, apart)


def test_your_turn_is_not_idle_and_not_amber(look: Theme) -> None:
    ink = QColor(Qt.GlobalColor.black)
    apart = difference(glyphs.glyph("your-turn", 16, color=ink), glyphs.glyph("idle", 16, color=ink))
    assert apart > 0.03
    assert "waiting" not in glyphs.token("your-turn")


def test_glyph_inks_are_strong_enough(look: Theme) -> None:
    for shape in glyphs.SHAPES:
        for ground in (t for t in tokens.COLOURS if t.startswith("surface.")):
            assert contrast_ratio(look.color(glyphs.token(shape)), look.color(ground)) >= 3.0
            assert contrast_ratio(look.color(glyphs.word_token(shape)), look.color(ground)) >= 4.5
        assert glyphs.token(shape, quiet=True) == glyphs.word_token(shape, quiet=True) == "text.3"
        assert glyphs.tint(shape) in look.colors


def test_only_the_working_ring_turns(dark: Theme) -> None:
    steps = [glyphs.glyph("working", 16, 2.0, step=n) for n in range(8)]
    assert len({p.cacheKey() for p in steps}) == 8
    assert min(difference(a, b) for a, b in combinations(steps, 2)) > 0.01
    assert glyphs.glyph("working", 16, 2.0, step=8).cacheKey() == steps[0].cacheKey()
    assert glyphs.glyph("error", 16, step=3).cacheKey() == glyphs.glyph("error", 16).cacheKey()


def test_paint_centres_the_glyph(dark: Theme) -> None:
    canvas = QPixmap(40, 20)
    canvas.fill(Qt.GlobalColor.transparent)
    painter = QPainter(canvas)
    glyphs.paint(painter, QRectF(0, 0, 40, 20), "done", dark)
    painter.end()
    image = canvas.toImage()
    assert image.pixelColor(12, 10).alpha() == 255
    assert image.pixelColor(5, 10).alpha() == image.pixelColor(35, 10).alpha() == 0


@pytest.mark.parametrize("kind", [*tokens.BADGES, "claude-code", "gemini-cli", "github-pr"])
def test_a_badge_has_the_fill_of_its_kind(kind: str, dark: Theme) -> None:
    short = {"claude-code": "claude", "gemini-cli": "gemini", "github-pr": "pr"}.get(kind, kind)
    assert dark.color(f"badge.{short}").name() in opaque_colors(assets.badge(kind, size=24, dpr=2.0))


def test_an_unknown_kind_has_the_neutral_badge(dark: Theme) -> None:
    assert assets.badge("../../x").cacheKey() == assets.badge("other").cacheKey()


@given(st.text(max_size=40))
def test_slug_colours_have_the_luminance_of_badges(slug: str) -> None:
    color = assets.remote_color(slug)
    assert abs(luminance(color) - 0.176) <= 0.01
    assert assets.remote_color(slug) == color


def test_slug_colours_are_stable_and_many() -> None:
    assert assets.remote_color("acme-research").name() == "#747931"
    assert len({assets.remote_color(f"agent-{n}").name() for n in range(60)}) > 50


@pytest.mark.parametrize(
    ("slug", "letter"), [("acme", "A"), ("--7up", "7"), ("测试", "测"), ("!", "?"), ("", "?")]
)
def test_the_letter_of_a_slug(slug: str, letter: str) -> None:
    assert assets.remote_letter(slug) == letter


def test_remote_badge_is_a_circle_with_a_white_letter(dark: Theme) -> None:
    picture = assets.badge("remote", "legal-lens", 22, 2.0, dark)
    image = picture.toImage()
    assert image.pixelColor(0, 0).alpha() == 0
    seen = opaque_colors(picture)
    assert assets.remote_color("legal-lens").name() in seen
    assert dark.color("badge.ink").name() in seen


@pytest.mark.parametrize("variant", assets.TRAY_VARIANTS)
@pytest.mark.parametrize("size", [16, 22, 24, 32, 44])
def test_tray_states_are_told_apart_by_shape(variant: str, size: int, qapp) -> None:
    icons = {state: assets.tray_icon(state, variant) for state in assets.TRAY_STATES}
    for icon in icons.values():
        assert icon.availableSizes() and QSize(size, size) in icon.availableSizes()
        assert icon.isMask() == (variant == "mono")
    pictures = {state: icon.pixmap(QSize(size, size), 1.0) for state, icon in icons.items()}
    ground = Qt.GlobalColor.black if variant == "onDark" else Qt.GlobalColor.white
    for a, b in combinations(assets.TRAY_STATES, 2):
        assert difference(pictures[a], pictures[b], ground) > 0.005, (a, b)


@pytest.mark.parametrize("wrong", [("busy", "onDark"), ("quiet", "sepia")])
def test_an_unknown_tray_icon_is_an_error(wrong: tuple[str, str], qapp) -> None:
    with pytest.raises(ValueError):
        assets.tray_icon(*wrong)


def test_app_icon_has_small_and_large_sizes(qapp) -> None:
    sides = {s.width() for s in assets.app_icon().availableSizes()}
    assert {16, 32, 48, 256} <= sides
