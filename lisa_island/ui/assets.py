"""Pictures of the app: files in `resources`, drawn once per (name, size, DPR, colour) and kept.

    resource("icons/state/done.svg") -> bytes            # FileNotFoundError when there is none
    names("state") -> tuple[str, ...]                    # folders state action agent app tray/16 tray/22
    pixmap(name, size, color=None, dpr=1.0, theme=None, turn=0) -> QPixmap
        # name "state/working" or "action/settings"; color: token, QColor, None = its own; turn: degrees
    badge(kind, text="", size=22, dpr=1.0, theme=None) -> QPixmap
        # kind: claude codex opencode aider gemini pi lisa git shell pr a2a acp mcp takoapi other, or the
        # agent ids claude-code gemini-cli github-pr; "remote" draws remote_badge(text). Unknown kind = other.
    remote_badge(slug, size=22, dpr=1.0, theme=None) -> QPixmap
    remote_color(slug) -> QColor                         # hue from the slug, WCAG luminance 0.176
    tray_icon(state, variant="onDark") -> QIcon          # states TRAY_STATES, variants TRAY_VARIANTS
    app_icon() -> QIcon;  app_pixmap(size, dpr=1.0) -> QPixmap

Sizes are logical px, the pixmap carries its DPR. Call only after the application exists.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from PySide6.QtCore import QByteArray, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPen, QPixmap
from PySide6.QtSvg import QSvgRenderer

from lisa_island.core.digest import hex_digest
from lisa_island.ui import theme as _theme
from lisa_island.ui.theme import Theme

TRAY_STATES = ("quiet", "working", "needs", "urgent", "error", "done", "offline", "muted")
TRAY_VARIANTS = ("onDark", "onLight", "mono")
# The drawn grid and the sizes it is sharp at.
_TRAY_SIZES = {16: (16, 32), 22: (22, 24, 44)}
_APP_SIZES = (16, 22, 24, 32, 48, 64, 128, 256)
_BADGE_FILES = {"claude": "claude-code", "gemini": "gemini-cli", "pr": "github-pr"}
_BADGE_LUMINANCE = 0.176
_KEPT_PIXMAPS = 600

Key = tuple[object, ...]
_pixmaps: OrderedDict[Key, QPixmap] = OrderedDict()
_svgs: dict[str, bytes] = {}


def _root() -> Traversable:
    """`resources` inside the installed package, else beside the source tree."""
    packed = resources.files("lisa_island").joinpath("resources")
    return packed if packed.is_dir() else Path(__file__).parents[2] / "resources"


def resource(path: str) -> bytes:
    """The bytes of a packed file, by its path below `resources`.

    Raises FileNotFoundError, and ValueError for a path that leads out.
    """
    parts = path.split("/")
    if ".." in parts or "" in parts:
        raise ValueError(f"not a path below resources: {path!r}")
    return _root().joinpath(*parts).read_bytes()


@lru_cache
def names(folder: str) -> tuple[str, ...]:
    """Icon names of a folder below `icons`, sorted: "state/done" and so on."""
    entries = _root().joinpath("icons", *folder.split("/")).iterdir()
    return tuple(sorted(f"{folder}/{e.name[:-4]}" for e in entries if e.name.endswith(".svg")))


def _svg(name: str) -> bytes:
    if name not in _svgs:
        _svgs[name] = resource(f"icons/{name}.svg")
    return _svgs[name]


def _draw(name: str, size: float, dpr: float, turn: int = 0) -> QPixmap:
    """The file's own colours on a transparent square."""
    renderer = QSvgRenderer(QByteArray(_svg(name)))
    if not renderer.isValid():
        raise ValueError(f"not a drawable icon: {name}")
    pixmap = QPixmap(QSize(1, 1) * max(1, round(size * dpr)))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    middle = QPointF(pixmap.width() / 2, pixmap.height() / 2)
    painter.translate(middle)
    painter.rotate(turn)
    painter.translate(-middle)
    renderer.render(painter, QRectF(pixmap.rect()))
    painter.end()
    pixmap.setDevicePixelRatio(dpr)
    return pixmap


def _kept(key: Key) -> QPixmap | None:
    if key in _pixmaps:
        _pixmaps.move_to_end(key)
    return _pixmaps.get(key)


def _keep(key: Key, pixmap: QPixmap) -> QPixmap:
    """Keep the newest: a slug or a scale that is no longer shown must not stay for ever."""
    _pixmaps[key] = pixmap
    while len(_pixmaps) > _KEPT_PIXMAPS:
        _pixmaps.popitem(last=False)
    return pixmap


def _ink(color: str | QColor, theme: Theme | None) -> QColor:
    return color if isinstance(color, QColor) else (theme or _theme.current()).color(color)


def pixmap(
    name: str,
    size: float,
    color: str | QColor | None = None,
    dpr: float = 1.0,
    theme: Theme | None = None,
    turn: int = 0,
) -> QPixmap:
    """An icon of `size` logical px, tinted with one colour. FileNotFoundError for an unknown name."""
    ink = None if color is None else _ink(color, theme)
    key = (name, size, dpr, None if ink is None else ink.rgba(), turn)
    if found := _kept(key):
        return found
    drawn = _draw(name, size, dpr, turn)
    if ink is not None:
        painter = QPainter(drawn)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
        painter.fillRect(QRectF(0, 0, size + 1, size + 1), ink)
        painter.end()
    return _keep(key, drawn)


def badge(
    kind: str, text: str = "", size: float = 22, dpr: float = 1.0, theme: Theme | None = None
) -> QPixmap:
    """The badge of an agent kind; its container tells the place. An unknown kind takes "other"."""
    if kind == "remote":
        return remote_badge(text, size, dpr, theme)
    name = f"agent/{_BADGE_FILES.get(kind, kind)}"
    return pixmap(name if name in names("agent") else "agent/other", size, None, dpr, theme)


def remote_color(slug: str) -> QColor:
    """A stable hue per slug, all of one luminance, so that a white letter is readable on every one."""
    hue = int(hex_digest(slug.encode("utf-8", "replace"))[:4], 16) / 65536
    low, high = 0.0, 1.0
    for _ in range(24):  # luminance grows with lightness: halve until 8-bit steps are met
        middle = (low + high) / 2
        if _theme.luminance(QColor.fromHslF(hue, 0.42, middle)) < _BADGE_LUMINANCE:
            low = middle
        else:
            high = middle
    return QColor(QColor.fromHslF(hue, 0.42, high).rgb())


def remote_letter(slug: str) -> str:
    """The first letter or digit of a slug, upper case; "?" when it has none."""
    return next((c.upper()[:1] for c in slug if c.isalnum()), "?")


def remote_badge(slug: str, size: float = 22, dpr: float = 1.0, theme: Theme | None = None) -> QPixmap:
    """A circle in the slug's colour with its first letter: white, 600, 55 % of the size."""
    look = theme or _theme.current()
    key = ("remote", remote_letter(slug), remote_color(slug).rgb(), size, dpr, look.name, look.family)
    if found := _kept(key):
        return found
    drawn = QPixmap(pixmap("agent/remote-blank", size, remote_color(slug), dpr, look))
    painter = QPainter(drawn)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    area = QRectF(0, 0, size, size)
    if look.name == "contrast":  # on black the fill alone is a weak edge
        painter.setPen(QPen(look.color("line.control"), 1.5))
        painter.drawEllipse(area.adjusted(1, 1, -1, -1))
    font = look.font("body.600")
    font.setPixelSize(max(1, round(size * 0.55)))
    painter.setFont(font)
    painter.setPen(look.color("badge.ink"))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, remote_letter(slug))
    painter.end()
    return _keep(key, drawn)


def tray_icon(state: str, variant: str = "onDark") -> QIcon:
    """Island and beacon for the tray, in every size a tray asks for. ValueError for an unknown word."""
    if state not in TRAY_STATES or variant not in TRAY_VARIANTS:
        raise ValueError(f"no such tray icon: {state} {variant}")
    icon = QIcon()
    for grid, sizes in _TRAY_SIZES.items():
        for size in sizes:
            icon.addPixmap(pixmap(f"tray/{grid}/{state}-{variant}", size))
    icon.setIsMask(variant == "mono")
    return icon


def app_pixmap(size: float, dpr: float = 1.0) -> QPixmap:
    return pixmap("app/lisa-island", size, None, dpr)


def app_icon() -> QIcon:
    """The icon of windows, notices and launchers."""
    icon = QIcon()
    for size in _APP_SIZES:
        icon.addPixmap(app_pixmap(size))
    return icon


def screen_dpr() -> float:
    """The DPR of the primary screen, for pictures that belong to no widget."""
    screen = QGuiApplication.primaryScreen()
    return screen.devicePixelRatio() if screen else 1.0
