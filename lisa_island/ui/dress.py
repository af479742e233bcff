"""What plain Qt widgets wear, so that they match the theme: a palette and a short style sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtGui import QColor, QPalette

from lisa_island.ui.tokens import RADII

_ROLES = {
    "Window": "surface.panel",
    "WindowText": "text.1",
    "Base": "surface.inset",
    "AlternateBase": "surface.card",
    "Text": "text.1",
    "PlaceholderText": "text.3",
    "Button": "surface.card",
    "ButtonText": "text.1",
    "BrightText": "state.error",
    "ToolTipBase": "surface.raised",
    "ToolTipText": "text.1",
    "Highlight": "accent",
    "HighlightedText": "accent.ink",
    "Accent": "accent",
    "Link": "accent",
    "LinkVisited": "state.unknown",
    "Light": "surface.raised",
    "Midlight": "surface.hover",
    "Mid": "line.subtle",
    "Dark": "line.control",
    "Shadow": "line.edge",
}

# WORKAROUND Qt 6.11: under a style sheet a line edit fills its body even with a clear Base brush.
_SHEET = """
QToolTip {{ background: {surface_raised}; color: {text_1}; border: {w}px solid {line_control};
  padding: 2px 4px; font-size: {small}px; }}
Field {{ background: transparent; border: none; }}
QMenu {{ background: {surface_raised}; color: {text_1}; border: {w}px solid {line_control}; padding: 6px;
  border-radius: {banner}px; }}
QMenu::item {{ padding: 6px 12px 6px 10px; border-radius: 6px; background: transparent; }}
QMenu::item:selected {{ background: {surface_select}; color: {text_1}; }}
QMenu::item:disabled {{ color: {text_disabled}; }}
QMenu::separator {{ height: {w}px; background: {line_subtle}; margin: 5px 10px; }}
QMenu::icon {{ padding-left: 8px; }}
Select QAbstractItemView {{ background: {surface_raised}; color: {text_1}; border: {w}px solid {line_control};
  padding: 4px; outline: none; }}
Select QAbstractItemView::item {{ min-height: {item}px; padding: 0 8px; border-radius: 6px; }}
Select QAbstractItemView::item:selected {{ background: {surface_select}; color: {text_1}; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; border: none; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; border: none; }}
QScrollBar::handle {{ background: {line_control}; border-radius: 3px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: 28px; }}
QScrollBar::handle:horizontal {{ min-width: 28px; }}
QScrollBar#inField:vertical {{ width: 12px; }}
QScrollBar#inField::handle:vertical {{ margin: 8px 5px 8px 1px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; border: none; background: none; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: none; }}
"""


def palette(color: Callable[[str], QColor]) -> QPalette:
    """`color` gives the colour of a token."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    result = QPalette()
    for name, token in _ROLES.items():
        result.setColor(getattr(role, name), color(token))
    for name in ("WindowText", "Text", "ButtonText", "HighlightedText"):
        result.setColor(group.Disabled, getattr(role, name), color("text.disabled"))
    result.setColor(group.Disabled, role.Highlight, color("surface.hover"))
    return result


def stylesheet(colors: Mapping[str, str], *, line_width: int, small: int, item: int) -> str:
    """`small`: px of tooltip text; `item`: px of a line in a list of choices."""
    values = {token.replace(".", "_"): value for token, value in colors.items()}
    return _SHEET.format_map(
        values | {"w": line_width, "small": small, "item": item, "banner": RADII["r.banner"]}
    )
