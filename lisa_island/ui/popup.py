"""What menus share: literal texts, and round corners for one that we draw ourselves in any window mode."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QMenu

from lisa_island.ui import theme, window_mode


def literal(text: str, *, native: bool = False) -> str:
    """`text` as a menu shows it literally.

    WORKAROUND Qt 6.11: over D-Bus only the first ampersand is turned into the mnemonic sign of that
    protocol, an underscore, and underscores are not escaped at all.
    """
    if not native:
        return text.replace("&", "&&")
    return text.replace("_", "__").replace("&", "&&", 1)


def round_off(menu: QMenu) -> None:
    """Dress the menu each time it is about to show; the style sheet draws its outline."""
    _Rounder(menu)


class _Rounder(QObject):
    """Lives as long as its menu."""

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        self._menu = menu
        flags = Qt.WindowType.FramelessWindowHint | Qt.WindowType.NoDropShadowWindowHint
        menu.setWindowFlags(menu.windowFlags() | flags)
        menu.aboutToShow.connect(self._dress)
        menu.installEventFilter(self)

    def _dress(self) -> None:
        menu, mode = self._menu, window_mode.latest()
        if menu.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground) is mode.is_masked:
            menu.destroy()  # a window keeps the surface that it was made with
        window_mode.dress(menu, mode)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QMenu):
            window_mode.shape(watched, window_mode.latest(), theme.current().radius("r.banner"))
        return False
