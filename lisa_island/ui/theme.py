"""One theme for every widget: colours, type, radii, spaces and metrics of the design, by name.

t = theme.current()                    # Theme, frozen; before the application exists: plain dark
t.color("text.2") -> QColor            # dotted names of the design; KeyError for a typo
t.font("body") -> QFont                # caption small body body.600 row.title lead lead.600 title
                                       # hero code code.600
t.line_height("body") -> int           # px of one line, OS font size included
t.height(28, "body") -> int            # max(px, line height + the padding that px leaves at 100 %)
t.radius("r.card") | t.space(3) -> int # px
t.line_width -> int                    # 1, in high contrast 2
t.motion("m.enter") -> int             # ms; 0 when motion is reduced
t.metrics -> Metrics                   # section 4
t.edge(native_shadow=False) -> QColor  # outline of a window: line.control, or line.edge under an OS shadow
t.name -> "dark" | "light" | "contrast";  t.scale -> 1.0 … 2.0;  t.dark -> bool

w = theme.watcher()                    # the one ThemeWatcher; needs the application
w.changed.connect(self.restyle)        # Signal(); read theme.current() again
w.choose("system" | "dark" | "light" | "contrast")
w.set_language("zh-CN"); w.set_reduced_motion(True); w.set_scale(2.0 | None)
theme.apply_palette(app)               # once at start; follows every later change by itself

theme.build(name, scale=1.0, ...) -> Theme   # for tests and pictures
theme.contrast_ratio(a, b) | theme.luminance(c) -> float   # WCAG 2
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

import shiboken6
from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QFontMetrics, QGuiApplication, QPalette

from lisa_island.ui import dress, tokens
from lisa_island.ui.tokens import Metrics

ThemeName = Literal["dark", "light", "contrast"]
Choice = Literal["system", "dark", "light", "contrast"]
_COLUMN: dict[str, int] = {"dark": 0, "light": 1, "contrast": 2}
_SCHEMES = {"dark": Qt.ColorScheme.Dark, "light": Qt.ColorScheme.Light}
# The size at which each platform's default UI font stands at 100 %, in px.
_DEFAULT_FONT_PX = {"darwin": 13.0, "win32": 12.0}.get(sys.platform, 40 / 3)


def luminance(color: QColor) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.2)."""

    def linear(c: float) -> float:
        return c / 12.92 if c <= 0.04045 else float(((c + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF())


def contrast_ratio(a: QColor, b: QColor) -> float:
    """WCAG contrast of two opaque colours, 1 to 21."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@dataclass(frozen=True, slots=True)
class Theme:
    """All design values for one look. Frozen: a change makes a new Theme and `ThemeWatcher.changed`."""

    name: ThemeName
    colors: dict[str, str] = field(repr=False)
    scale: float = 1.0
    family: str = ""
    code_family: str = ""
    cjk: bool = False
    reduced_motion: bool = False
    metrics: Metrics = field(default=Metrics(), repr=False)

    @property
    def dark(self) -> bool:
        """Whether light ink stands on dark surfaces."""
        return luminance(self.color("surface.panel")) < 0.2

    @property
    def line_width(self) -> int:
        """Outline width in px."""
        return 2 if self.name == "contrast" else 1

    def color(self, token: str) -> QColor:
        """The colour of a dotted token; KeyError when the design has no such name."""
        return QColor(self.colors[token])

    def edge(self, native_shadow: bool = False) -> QColor:
        """Outline of a top-level window: weak only where the OS draws a shadow around it."""
        return self.color("line.edge" if native_shadow else "line.control")

    def font(self, style: str) -> QFont:
        """A font of the type scale at the OS font size; tabular figures where Qt can ask for them."""
        px, _, weight = tokens.TYPE[self._style(style)]
        # A copy: who asked may change it.
        return QFont(_font(self._family(style), self._px(px), weight, style.startswith("code")))

    def line_height(self, style: str) -> int:
        """Height of one line in px: the design's, or the font's own where that is taller."""
        px, line, weight = tokens.TYPE[self._style(style)]
        own = _font_height(self._family(style), self._px(px), weight, style.startswith("code"))
        return max(round(line * self.scale), own)

    def _family(self, style: str) -> str:
        return self.code_family if style.startswith("code") else self.family

    def _px(self, px: float) -> int:
        return max(1, round(px * self.scale))

    def height(self, px: int, style: str = "body") -> int:
        """A part's height that grows with the OS font: max(px, line height + its padding at 100 %)."""
        return max(px, self.line_height(style) + px - tokens.TYPE[style][1])

    def radius(self, name: str) -> int:
        return tokens.RADII[name]

    def space(self, step: int) -> int:
        return tokens.SPACES[step]

    def motion(self, name: str) -> int:
        """Milliseconds. `m.flash` is a time to read, not a motion, and stays when motion is reduced."""
        return 0 if self.reduced_motion and name != "m.flash" else tokens.MOTION[name]

    def _style(self, style: str) -> str:
        return "small" if self.cjk and style == "caption" else style


_WEIGHTS = {int(w) for w in QFont.Weight}


def _feature(font: QFont, tag: str, value: int) -> None:
    if hasattr(font, "setFeature"):  # Qt 6.7
        font.setFeature(QFont.Tag(tag), value)


@lru_cache(maxsize=64)
def _font(family: str, px: int, weight: int, code: bool) -> QFont:
    """Kept: rows ask for the same few fonts many times in one painting."""
    font = QFont(family)
    font.setPixelSize(px)
    # 650 has no name in QFont.Weight; DemiBold is the nearest that fonts really ship.
    font.setWeight(QFont.Weight(weight) if weight in _WEIGHTS else QFont.Weight.DemiBold)
    if code:
        font.setStyleHint(QFont.StyleHint.Monospace)
    _feature(font, "tnum", 1)
    for ligature in ("liga", "calt") if code else ():
        _feature(font, ligature, 0)
    return font


@lru_cache(maxsize=64)
def _font_height(family: str, px: int, weight: int, code: bool) -> int:
    return QFontMetrics(_font(family, px, weight, code)).height()


def build(name: ThemeName, scale: float = 1.0, **values: Any) -> Theme:
    """A Theme by name; `values` are further Theme fields (family, code_family, cjk, reduced_motion)."""
    colors = {token: column[_COLUMN[name]] for token, column in tokens.COLOURS.items()}
    colors |= {f"badge.{kind}": fill for kind, fill in tokens.BADGES.items()}
    return replace(Theme(name, colors, min(max(scale, 1.0), 2.0)), **values)


def with_system_colors(theme: Theme, palette: QPalette) -> Theme:
    """High contrast from the palette of a Windows contrast theme instead of our own column."""
    role = QPalette.ColorRole
    window, text, button_text, highlight, on_highlight = (
        palette.color(r).name()
        for r in (role.Window, role.WindowText, role.ButtonText, role.Highlight, role.HighlightedText)
    )
    gray = palette.color(QPalette.ColorGroup.Disabled, role.WindowText).name()
    picked = {
        "text.disabled": gray,
        "accent": highlight,
        "accent.hover": highlight,
        "accent.press": highlight,
        "accent.ink": on_highlight,
        "switch.knob": on_highlight,
        "focus": highlight,
        "line.control": button_text,
    }
    plain = ("text.", "line.", "state.", "strip", "diff.add.ink", "diff.del.ink")
    for token in theme.colors:
        if token.startswith(("surface.", "tint.", "diff.")) and not token.endswith(".ink"):
            picked[token] = window
        elif token.startswith(plain):
            picked.setdefault(token, text)
    return replace(theme, colors={**theme.colors, **picked})


def os_font_scale(font: QFont) -> float:
    """How much larger than the platform's default the OS font is, 1.0 to 2.0."""
    return min(max(QFontInfo(font).pixelSize() / _DEFAULT_FONT_PX, 1.0), 2.0)


class ThemeWatcher(QObject):
    """Follows the system's colour scheme, contrast and font, or the owner's choice; tells by `changed`."""

    changed = Signal()

    def __init__(self, app: QGuiApplication) -> None:
        super().__init__(app)
        self._app = app
        self._choice: Choice = "system"
        self._cjk = self._reduced_motion = False
        self._scale: float | None = None
        # Our own palette hides the system's: keep the first, for platforms that name no scheme.
        self._system_palette = QPalette(app.palette())
        self._system_font = QFont(app.font())
        self.theme = self._make()
        hints = app.styleHints()
        hints.colorSchemeChanged.connect(self.refresh)
        if hasattr(hints, "accessibility"):  # Qt 6.10
            hints.accessibility().contrastPreferenceChanged.connect(self.refresh)
        app.fontDatabaseChanged.connect(self.refresh)

    @property
    def choice(self) -> Choice:
        return self._choice

    def choose(self, choice: Choice) -> None:
        """Follow the system, or stay with one look. ValueError for another word."""
        if choice not in ("system", *_COLUMN):
            raise ValueError(f"no such theme: {choice!r}")
        self._choice = choice
        hints = self._app.styleHints()
        if hasattr(hints, "setColorScheme"):  # Qt 6.8: the frames that the system draws follow too
            hints.setColorScheme(_SCHEMES.get(choice, Qt.ColorScheme.Unknown))
        self.refresh()

    def set_language(self, language: str) -> None:
        """zh, ja and ko take no text below 12 px."""
        self._cjk = language.lower().startswith(("zh", "ja", "ko"))
        self.refresh()

    def set_reduced_motion(self, reduced: bool) -> None:
        self._reduced_motion = reduced
        self.refresh()

    def set_scale(self, scale: float | None) -> None:
        """A fixed text scale, 1.0 to 2.0; None follows the OS font."""
        self._scale = scale
        self.refresh()

    def refresh(self, *_: object) -> None:
        """Read the system again; `changed` only when something is different."""
        _font_height.cache_clear()  # A family may be another file now.
        theme = self._make()
        if theme != self.theme:
            self.theme = theme
            self.changed.emit()

    def system_look(self) -> ThemeName:
        hints = self._app.styleHints()
        if hasattr(hints, "accessibility"):
            wanted = hints.accessibility().contrastPreference()
            if wanted == Qt.ContrastPreference.HighContrast:
                return "contrast"
        scheme = hints.colorScheme()
        if scheme == Qt.ColorScheme.Unknown:
            return (
                "dark" if luminance(self._system_palette.color(QPalette.ColorRole.Window)) < 0.2 else "light"
            )
        return "dark" if scheme == Qt.ColorScheme.Dark else "light"

    def _make(self) -> Theme:
        name = self.system_look() if self._choice == "system" else self._choice
        theme = build(
            name,
            os_font_scale(self._system_font) if self._scale is None else self._scale,
            family=self._system_font.family(),
            code_family=QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family(),
            cjk=self._cjk,
            reduced_motion=self._reduced_motion,
        )
        if name == "contrast" and self._choice == "system" and sys.platform == "win32":
            return with_system_colors(theme, self._system_palette)
        return theme


_watcher: ThemeWatcher | None = None


def watcher() -> ThemeWatcher:
    """The one watcher of this application. RuntimeError before the application exists."""
    global _watcher
    if _watcher is None or not shiboken6.isValid(_watcher):
        app = QCoreApplication.instance()
        if not isinstance(app, QGuiApplication):
            raise RuntimeError("the theme follows an application; make QApplication first")
        _watcher = ThemeWatcher(app)
    return _watcher


def current() -> Theme:
    """The theme to paint with now."""
    return watcher().theme if isinstance(QCoreApplication.instance(), QGuiApplication) else build("dark")


def palette(theme: Theme) -> QPalette:
    """A QPalette in which plain Qt widgets match the theme."""
    return dress.palette(theme.color)


def stylesheet(theme: Theme) -> str:
    """The least that menus, choices, scroll bars and tooltips need beyond a palette."""
    small, item = round(12 * theme.scale), theme.height(30)
    return dress.stylesheet(theme.colors, line_width=theme.line_width, small=small, item=item)


def apply_palette(app: QGuiApplication) -> None:
    """Dress plain Qt widgets in the theme, now and at every later change. Call once, at start."""
    follow = watcher()
    if app.property("lisaPalette"):
        return
    app.setProperty("lisaPalette", True)

    def dress() -> None:
        app.setPalette(palette(follow.theme))
        if hasattr(app, "setStyleSheet"):
            app.setStyleSheet(stylesheet(follow.theme))

    follow.changed.connect(dress)
    dress()
