"""The design's numbers, computed again from the theme."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication

import lisa_island.ui
from lisa_island.ui import theme, tokens
from lisa_island.ui.theme import Theme, ThemeName, ThemeWatcher, build, contrast_ratio, luminance

SURFACES = tuple(t for t in tokens.COLOURS if t.startswith("surface."))
TINTS = tuple(t for t in tokens.COLOURS if t.startswith("tint."))
STATES = ("working", "waiting", "error", "done", "idle", "unknown", "offline")

# Ratio on surface.panel in dark, light and high contrast, as the design states it.
ON_PANEL = {
    "text.1": (15.8, 16.5, 21.0),
    "text.2": (9.1, 8.0, 21.0),
    "text.3": (6.3, 5.4, 15.9),
    "text.disabled": (3.3, 2.5, 8.0),
    "line.control": (4.1, 3.5, 21.0),
    "line.edge": (1.6, 1.4, 21.0),
    "line.subtle": (1.4, 1.3, 21.0),
    "accent": (9.2, 5.3, 14.3),
    "focus": (11.9, 5.3, 19.6),
    "state.working": (8.0, 5.6, 11.8),
    "state.waiting": (10.2, 5.5, 14.5),
    "state.waiting.fill": (10.2, 3.5, 14.5),
    "state.error": (7.2, 5.4, 10.4),
    "state.done": (9.2, 5.2, 15.1),
    "state.idle": (6.3, 5.4, 15.9),
    "state.unknown": (8.0, 5.8, 13.7),
    "state.offline": (6.3, 5.4, 15.9),
}
# Lowest ratio on any surface, dark and light.
LOWEST = {
    "state.working": (6.2, 5.0),
    "state.waiting": (7.9, 4.9),
    "state.waiting.fill": (7.9, 3.1),
    "state.error": (5.6, 4.9),
    "state.done": (7.1, 4.6),
    "state.idle": (4.9, 4.8),
    "state.unknown": (6.2, 5.2),
    "state.offline": (4.9, 4.8),
}
PAIRS = [
    ("accent.ink", "accent", "dark", 8.9),
    ("accent.ink", "accent", "light", 5.6),
    ("text.1", "tint.waiting", "dark", 13.9),
    ("text.1", "tint.waiting", "light", 15.9),
    ("text.2", "tint.waiting", "dark", 8.0),
    ("text.2", "tint.waiting", "light", 7.7),
    ("state.waiting.fill", "tint.waiting", "dark", 9.0),
    ("state.waiting.fill", "tint.waiting", "light", 3.3),
    ("diff.add.ink", "diff.add.bg", "dark", 9.8),
    ("diff.del.ink", "diff.del.bg", "dark", 8.4),
    ("diff.add.ink", "diff.add.bg", "light", 6.4),
    ("diff.del.ink", "diff.del.bg", "light", 6.6),
    ("urgent.ink", "urgent.fill", "dark", 10.4),
]


def ratio(t: Theme, ink: str, surface: str) -> float:
    return contrast_ratio(t.color(ink), t.color(surface))


def test_wcag_reference_values() -> None:
    assert contrast_ratio(QColor("black"), QColor("white")) == pytest.approx(21)
    assert contrast_ratio(QColor("#777777"), QColor("white")) == pytest.approx(4.478, abs=0.001)


@pytest.mark.parametrize("token", ON_PANEL)
def test_ratio_on_the_panel_is_the_stated_one(token: str) -> None:
    for name, stated in zip(("dark", "light", "contrast"), ON_PANEL[token], strict=True):
        assert ratio(build(name), token, "surface.panel") == pytest.approx(stated, abs=0.06), name


@pytest.mark.parametrize("token", LOWEST)
def test_lowest_ratio_on_any_surface_is_the_stated_one(token: str) -> None:
    for name, stated in zip(("dark", "light"), LOWEST[token], strict=True):
        lowest = min(ratio(build(name), token, surface) for surface in SURFACES)
        assert lowest == pytest.approx(stated, abs=0.06), name


@pytest.mark.parametrize(("ink", "ground", "name", "stated"), PAIRS)
def test_pairs(ink: str, ground: str, name: str, stated: float) -> None:
    assert ratio(build(name), ink, ground) == pytest.approx(stated, abs=0.06)


def test_text_and_controls_are_legible_everywhere(look: Theme) -> None:
    for ground in (*SURFACES, *TINTS):
        for ink in ("text.1", "text.2", "text.3"):
            assert ratio(look, ink, ground) >= 4.7, (ink, ground)
        assert ratio(look, "line.control", ground) >= 3.1 - 0.05, ground
        assert ratio(look, "focus", ground) >= 3.0, ground
        assert ratio(look, "accent", ground) >= 3.0, ground


def test_state_words_are_legible_on_surfaces_and_their_own_tint(look: Theme) -> None:
    for state in STATES:
        for ground in SURFACES:
            assert ratio(look, f"state.{state}", ground) >= 4.5, (state, ground)
        if f"tint.{state}" in TINTS:
            assert ratio(look, f"state.{state}", f"tint.{state}") >= 4.7, state
    for ground in SURFACES:
        assert ratio(look, "state.waiting.fill", ground) >= 3.0, ground


def test_glyphs_are_told_from_every_ground(look: Theme) -> None:
    for ground in (*SURFACES, *TINTS):
        for state in (*STATES, "waiting.fill"):
            assert ratio(look, f"state.{state}", ground) >= 3.0, (state, ground)
    for line in ("diff.add", "diff.del"):
        assert ratio(look, f"{line}.ink", f"{line}.bg") >= 4.5, line


def test_the_urgent_pill_is_the_same_in_all_looks(look: Theme) -> None:
    assert ratio(look, "urgent.ink", "urgent.fill") == pytest.approx(10.4, abs=0.06)


def test_every_colour_of_the_theme_is_measured_or_said_to_be_decor() -> None:
    grounds = {*SURFACES, *TINTS, "diff.add.bg", "diff.del.bg", "urgent.fill"}
    inks = {*ON_PANEL, "diff.add.ink", "diff.del.ink", "urgent.ink", "accent.ink", "switch.knob", "badge.ink"}
    fills = {"accent.hover", "accent.press"}
    decor = {"line.waiting", "strip", "urgent.outline"}
    assert set(tokens.COLOURS) == grounds | inks | fills | decor


def test_button_text_is_legible_in_every_phase(look: Theme) -> None:
    for fill in ("accent", "accent.hover", "accent.press"):
        assert ratio(look, "accent.ink", fill) >= 4.5, fill
        assert ratio(look, "switch.knob", fill) >= 3.0, fill


def test_badges_have_one_luminance_and_carry_white(look: Theme) -> None:
    for kind in tokens.BADGES:
        fill = look.color(f"badge.{kind}")
        assert luminance(fill) == pytest.approx(0.176, abs=0.004), kind
        assert contrast_ratio(fill, look.color("badge.ink")) >= 4.6 - 0.06, kind
        panel = {"dark": 3.7, "light": 4.4, "contrast": 3.7}[look.name]
        assert contrast_ratio(fill, look.color("surface.panel")) >= panel - 0.06, kind


def test_every_colour_is_opaque_and_valid(look: Theme) -> None:
    for token in look.colors:
        assert look.color(token).isValid() and look.color(token).alpha() == 255, token


def test_a_mistyped_name_is_an_error(look: Theme) -> None:
    with pytest.raises(KeyError):
        look.color("text.4")


def test_no_other_file_of_the_face_writes_a_hex_colour() -> None:
    hexes = re.compile(r"""["'][^"'\n]*#(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})\b""")
    for path in Path(lisa_island.ui.__file__).parent.rglob("*.py"):
        if path.name != "tokens.py":
            assert not hexes.search(path.read_text("utf-8")), path.name


@pytest.mark.parametrize("style", tokens.TYPE)
def test_type_has_the_size_and_follows_the_scale(style: str, qapp: QApplication) -> None:
    px, line, weight = tokens.TYPE[style]
    plain, double = build("light"), build("light", 2.0)
    assert plain.font(style).pixelSize() == px
    assert double.font(style).pixelSize() == 2 * px
    assert plain.line_height(style) >= line and double.line_height(style) >= 2 * line
    assert abs(int(plain.font(style).weight()) - weight) <= 50


def test_chinese_has_no_text_below_12_px(light: Theme) -> None:
    assert light.font("caption").pixelSize() == 11
    theme.watcher().set_language("zh-CN")
    assert min(theme.current().font(s).pixelSize() for s in tokens.TYPE) == 12


def test_code_is_monospace(light: Theme) -> None:
    assert QFontInfo(light.font("code")).fixedPitch()


def test_height_grows_with_the_font() -> None:
    assert build("light").height(44) >= 44
    assert build("light", 2.0).height(28) - build("light").height(28) >= 18


def test_scale_stays_between_one_and_two() -> None:
    assert build("dark", 0.5).scale == 1.0
    assert build("dark", 9).scale == 2.0


def test_reduced_motion_stops_motion_but_not_the_time_to_read(light: Theme) -> None:
    assert light.motion("m.enter") == 140
    theme.watcher().set_reduced_motion(True)
    calm = theme.current()
    assert [calm.motion(m) for m in ("m.enter", "m.leave", "m.page", "m.notice")] == [0, 0, 0, 0]
    assert calm.motion("m.flash") == 4000


def test_window_edge_is_weak_only_under_a_native_shadow(dark: Theme) -> None:
    assert dark.edge() == dark.color("line.control")
    assert dark.edge(native_shadow=True) == dark.color("line.edge")


def test_high_contrast_has_thick_lines_and_no_tints(contrast: Theme) -> None:
    assert contrast.line_width == 2
    assert {contrast.colors[t] for t in TINTS} == {"#000000"}


def test_more_contrast_of_the_desktop_is_followed(monkeypatch: pytest.MonkeyPatch, light: Theme) -> None:
    class Wish:
        wanted = Qt.ContrastPreference.NoPreference

        def contrastPreference(self) -> Qt.ContrastPreference:
            return self.wanted

    class Desk:
        def styleHints(self) -> Desk:
            return self

        def accessibility(self) -> Wish:
            return wish

        def colorScheme(self) -> Qt.ColorScheme:
            return Qt.ColorScheme.Dark

    wish = Wish()
    watcher = theme.watcher()
    monkeypatch.setattr(watcher, "_app", Desk())
    assert watcher.system_look() == "dark"
    wish.wanted = Qt.ContrastPreference.HighContrast
    assert watcher.system_look() == "contrast"


def test_watcher_tells_once_per_change(qtbot, light: Theme) -> None:
    watcher = theme.watcher()
    heard: list[str] = []

    def hear() -> None:
        heard.append(theme.current().name)

    watcher.changed.connect(hear)
    for choice in ("dark", "dark", "contrast"):
        watcher.choose(choice)
    watcher.changed.disconnect(hear)
    assert heard == ["dark", "contrast"]


def test_watcher_refuses_an_unknown_choice(light: Theme) -> None:
    with pytest.raises(ValueError):
        theme.watcher().choose("blue")  # type: ignore[arg-type]
    assert theme.current() is light


def test_system_choice_follows_the_system(light: Theme) -> None:
    theme.watcher().choose("system")
    assert theme.current().name == theme.watcher().system_look()


def test_plain_widgets_get_the_theme(qtbot, qapp: QApplication, dark: Theme) -> None:
    theme.apply_palette(qapp)
    theme.apply_palette(qapp)
    assert qapp.palette().color(QPalette.ColorRole.Window) == dark.color("surface.panel")
    theme.watcher().choose("light")
    assert qapp.palette().color(QPalette.ColorRole.Window) == theme.current().color("surface.panel")
    assert theme.current().colors["surface.raised"] in qapp.styleSheet()


def test_a_system_contrast_palette_takes_the_place_of_our_column(contrast: Theme) -> None:
    system = QPalette()
    roles = {"Window": "#2D3236", "WindowText": "#FFFFFF", "ButtonText": "#B6F6F0", "Highlight": "#A1BFDE"}
    for role, value in {**roles, "HighlightedText": "#212D3B"}.items():
        system.setColor(getattr(QPalette.ColorRole, role), QColor(value))
    own = theme.with_system_colors(contrast, system)
    assert own.color("surface.card") == own.color("tint.error") == QColor("#2D3236")
    assert own.color("text.2") == own.color("state.working") == QColor("#FFFFFF")
    assert own.color("line.control") == QColor("#B6F6F0")
    assert (own.color("accent"), own.color("accent.ink")) == (QColor("#A1BFDE"), QColor("#212D3B"))
    assert own.color("badge.git") == contrast.color("badge.git")


def test_metrics_keep_every_target_large_enough(light: Theme) -> None:
    m = light.metrics
    assert min(m.button, m.button_footer, m.icon_button, m.menu_item, m.checkbox_target) >= m.target_min == 28


def test_a_change_of_the_system_is_followed_until_a_look_is_chosen(qapp: QApplication) -> None:
    class Desk(ThemeWatcher):
        look = "light"

        def system_look(self) -> ThemeName:
            return self.look

    desk = Desk(qapp)
    heard: list[str] = []
    desk.changed.connect(lambda: heard.append(desk.theme.name))
    for desk.look in ("dark", "dark", "contrast"):
        qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    desk.choose("light")
    desk.look = "dark"
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert heard == ["dark", "contrast", "light"]
    desk.deleteLater()
