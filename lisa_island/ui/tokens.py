"""The design's named values as plain data: the only file of the house with a hex colour in it.

COLOURS: token -> (dark, light, contrast); BADGES: badge kind -> fill, all of WCAG luminance 0.176;
TYPE: style -> (px, line px, weight); RADII, SPACES, MOTION (ms); Metrics: sizes in logical px at 100 %.
Widgets do not read this file: they ask `theme.current()`.
"""

from __future__ import annotations

from typing import NamedTuple

COLOURS: dict[str, tuple[str, str, str]] = {
    "surface.pill": ("#13161B", "#FFFFFF", "#000000"),
    "surface.panel": ("#171A20", "#F8F9F7", "#000000"),
    "surface.card": ("#1E222A", "#FFFFFF", "#000000"),
    "surface.raised": ("#242932", "#FFFFFF", "#000000"),
    "surface.inset": ("#111418", "#EFF1EE", "#000000"),
    "surface.hover": ("#262C35", "#EBEEEA", "#1F1F1F"),
    "surface.select": ("#1C3234", "#DDF1EC", "#003B46"),
    "tint.waiting": ("#2B2417", "#FFF3DC", "#000000"),
    "tint.error": ("#311D1E", "#FCE8E6", "#000000"),
    "tint.working": ("#18273A", "#E6EFFB", "#000000"),
    "tint.done": ("#172A20", "#E3F3E8", "#000000"),
    "tint.unknown": ("#25213A", "#EEEAF8", "#000000"),
    "diff.add.bg": ("#15291E", "#E1F3E7", "#00280F"),
    "diff.del.bg": ("#331D1F", "#FCE6E4", "#330000"),
    "diff.add.ink": ("#8FE0AE", "#14632F", "#7DF29C"),
    "diff.del.ink": ("#FFA79F", "#9C221E", "#FF9B93"),
    "text.1": ("#F2F4F6", "#161A1F", "#FFFFFF"),
    "text.2": ("#B4BCC7", "#454E58", "#FFFFFF"),
    "text.3": ("#929CA9", "#5F6872", "#E0E0E0"),
    "text.disabled": ("#626C79", "#98A09A", "#A0A0A0"),
    "line.control": ("#727C8B", "#7F8882", "#FFFFFF"),
    "line.edge": ("#353C47", "#D3D8D2", "#FFFFFF"),
    "line.subtle": ("#2C323C", "#DDE1DC", "#FFFFFF"),
    # Decor: the outline of the first needs-you card and the bars of the activity strip.
    "line.waiting": ("#57461F", "#E9D3A4", "#FFD23F"),
    "strip": ("#5B6573", "#A4ADA6", "#FFFFFF"),
    "accent": ("#5CCFBC", "#0A7567", "#4DE8FF"),
    "accent.ink": ("#05221D", "#FFFFFF", "#000000"),
    "accent.hover": ("#74DBCA", "#086A5D", "#8FF1FF"),
    "accent.press": ("#4CBBA9", "#065C50", "#2CCFE8"),
    "focus": ("#8AE6D6", "#0A7567", "#FFFF00"),
    "state.working": ("#74B3FF", "#1B62BF", "#8CC8FF"),
    "state.waiting": ("#F6BC55", "#955700", "#FFD23F"),
    "state.waiting.fill": ("#F6BC55", "#C07400", "#FFD23F"),
    "state.error": ("#FF8278", "#BF2F2A", "#FF9B93"),
    "state.done": ("#66D18F", "#18793F", "#7DF29C"),
    "state.idle": ("#929CA9", "#5F6872", "#E0E0E0"),
    "state.unknown": ("#B9A6E8", "#6A54A8", "#D9C8FF"),
    "state.offline": ("#929CA9", "#5F6872", "#E0E0E0"),
    "urgent.fill": ("#F6BC55", "#F6BC55", "#F6BC55"),
    "urgent.ink": ("#1F1600", "#1F1600", "#1F1600"),
    "urgent.outline": ("#D9982A", "#D9982A", "#D9982A"),
    "badge.ink": ("#FFFFFF", "#FFFFFF", "#FFFFFF"),
    "switch.knob": ("#05221D", "#FFFFFF", "#000000"),
}

BADGES: dict[str, str] = {
    "claude": "#4C77A4",
    "codex": "#98638D",
    "opencode": "#488155",
    "aider": "#956E33",
    "gemini": "#AB5F56",
    "pi": "#766AB3",
    "lisa": "#2E8177",
    "git": "#AF5B63",
    "shell": "#6A777F",
    "pr": "#89679E",
    "a2a": "#1D7F93",
    "acp": "#6C7A3B",
    "mcp": "#9F6740",
    "other": "#6E757D",
}

TYPE: dict[str, tuple[int, int, int]] = {
    "caption": (11, 14, 400),
    "small": (12, 16, 400),
    "body": (13, 18, 400),
    "body.600": (13, 18, 600),
    "row.title": (13, 18, 500),
    "lead": (15, 20, 400),
    "lead.600": (15, 20, 600),
    "title": (18, 24, 600),
    "hero": (22, 28, 650),
    "code": (12, 18, 400),
    "code.600": (12, 18, 600),
}

RADII: dict[str, int] = {
    "r.tag": 6,
    "r.control.s": 9,
    "r.control": 10,
    "r.banner": 12,
    "r.card": 14,
    "r.dialog": 16,
    "r.pill": 18,
    "r.panel": 20,
}

SPACES: dict[int, int] = {1: 4, 2: 8, 3: 12, 4: 16, 6: 24, 8: 32}

MOTION: dict[str, int] = {
    "m.instant": 0,
    "m.enter": 140,
    "m.leave": 100,
    "m.page": 140,
    "m.notice": 700,
    "m.flash": 4000,
}


class Metrics(NamedTuple):
    """Section 4 of the design, logical px at 100 %; a part with text takes `Theme.height(px)`."""

    # No dataclass: the first pill reads this file before anything else is imported.
    pill_height: int = 36
    pill_min: int = 108
    pill_max: int = 320
    pill_shrunk: int = 40
    pill_pad_left: int = 12
    pill_pad_right: int = 14
    pill_gap: int = 8
    pill_glyph: int = 16
    pill_small_glyph: int = 12
    pill_top: int = 8
    panel_width: int = 440
    panel_screen_gap: int = 32
    panel_max_height: int = 800
    panel_area_gap: int = 24
    panel_header: int = 48
    icon_button: int = 32
    section_line: int = 30
    first_card: int = 130
    card: int = 52
    card_margin: int = 8
    card_gap: int = 6
    cards_shown: int = 3
    card_pad_v: int = 10
    card_pad_h: int = 12
    badge: int = 22
    badge_large: int = 32
    code_preview: int = 30
    button: int = 28
    button_footer: int = 32
    footer: int = 57
    row: int = 44
    row_compact: int = 36
    row_pad: int = 16
    row_gap: int = 10
    row_glyph: int = 14
    strip_width: int = 39
    strip_height: int = 12
    time_min: int = 44
    bar: int = 52
    field: int = 36
    completion_row: int = 44
    completion_row_project: int = 36
    completion_rows: int = 6
    code_lines: int = 12
    code_line: int = 20
    reply_min_lines: int = 2
    reply_max_lines: int = 8
    option_min: int = 40
    option_max: int = 54
    settings_width: int = 720
    settings_height: int = 520
    settings_min_width: int = 640
    settings_min_height: int = 440
    nav_width: int = 172
    nav_tab: int = 34
    settings_line: int = 44
    switch_width: int = 34
    switch_height: int = 20
    checkbox: int = 16
    checkbox_target: int = 28
    onboarding_width: int = 560
    onboarding_height: int = 468
    toast_width: int = 380
    menu_width: int = 292
    menu_item: int = 30
    target_min: int = 28
    target_gap: int = 8
