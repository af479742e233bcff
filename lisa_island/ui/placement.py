"""Where pill and panel stand on the displays there are: asks `core.geometry`, moves the windows.

Placement(shell, pill, panel, mode)     mode: () -> WindowMode
    .choose()           the display for the next opening, after the owner's choice
    .place()  .place_panel(always=False)  .show_pill()
    .drag(corner)  .save()  .nudge(dx, dy)  .centre()      what is saved is saved per display
    .screens_changed()  .is_on_bridge() -> bool  .dragging
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QRect, QTimer
from PySide6.QtGui import QCursor, QGuiApplication, QScreen

from lisa_island.core import geometry
from lisa_island.core.geometry import Place, Positions, Rect, Screen
from lisa_island.ui.panel import Panel
from lisa_island.ui.pill import Pill
from lisa_island.ui.shell import Shell
from lisa_island.ui.window_mode import WindowMode

CHECK_AGAIN_MS = 1000


class Placement(QObject):
    """Moves both windows; nothing else does."""

    def __init__(
        self, shell: Shell, pill: Pill, panel: Panel, mode: Callable[[], WindowMode], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._shell, self._pill, self._panel, self._mode = shell, pill, panel, mode
        self._screen: Screen | None = None
        # Saving takes a moment: what was saved before and what is meant now, until they meet.
        self._moved: tuple[Positions, Positions] | None = None
        self.dragging = False
        self._is_closed = False
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self.place)
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        for signal in (app.screenAdded, app.screenRemoved, app.primaryScreenChanged):
            signal.connect(self.screens_changed)
        app.screenAdded.connect(self._follow)
        for screen in QGuiApplication.screens():
            self._follow(screen)

    def _follow(self, screen: QScreen) -> None:
        screen.geometryChanged.connect(self.screens_changed)
        screen.availableGeometryChanged.connect(self.screens_changed)
        screen.logicalDotsPerInchChanged.connect(self.screens_changed)

    def close(self) -> None:
        """Move nothing any more: the application's displays outlive both windows."""
        self._is_closed = True
        self._again.stop()

    @property
    def screen(self) -> Screen | None:
        """The display they stand on."""
        return self._screen

    def _screens(self) -> list[Screen]:
        primary = QGuiApplication.primaryScreen()
        return [
            Screen(s.name(), values(s.geometry()), values(s.availableGeometry()), s is primary)
            for s in QGuiApplication.screens()
        ]

    def _chosen(self) -> Screen | None:
        return geometry.choose(self._screens(), self._shell.preferences.screen, _pointer())

    def choose(self) -> None:
        """Go to the display that is wanted now."""
        self._screen = self._chosen()
        self.place()

    def screens_changed(self, *_: object) -> None:
        """A display came, went, or is another size: stay on ours where it still is, and look again in 1 s."""
        if self._is_closed:
            return
        name = self._screen.name if self._screen else ""
        self._screen = next((s for s in self._screens() if s.name == name), None) or self._chosen()
        self.place()
        # Docks and panels settle a moment after the display itself.
        self._again.start(CHECK_AGAIN_MS)

    def place(self) -> None:
        """Both where they belong now; a pill in the owner's hand stays there."""
        self._screen = self._screen or self._chosen()
        if self._screen is None or self.dragging:
            return
        margin, size = self._pill.ring_margin, self._pill.size()
        saved = geometry.place_of(self._positions(), self._screen)
        rect = geometry.pill(self._screen, size.width() - 2 * margin, size.height() - 2 * margin, saved)
        self._pill.move(rect.x - margin, rect.y - margin)
        self.place_panel()

    def place_panel(self, always: bool = False) -> None:
        """The panel at its final size; while hidden only when it is about to show."""
        if self._screen is None or not (always or self._panel.isVisible()):
            return
        self._panel.main.set_room(geometry.panel_room(self._screen))
        rect = geometry.panel(self._screen, self.pill_rect(), self._panel.content_height())
        if not self._mode().has_pill:
            self._panel.resize(rect.width, rect.height)
        elif values(self._panel.geometry()) != rect:
            self._panel.setGeometry(rect.x, rect.y, rect.width, rect.height)

    def _positions(self) -> Positions:
        saved = self._shell.preferences.positions
        if self._moved is not None and saved != self._moved[0]:
            self._moved = None
        return self._moved[1] if self._moved else saved

    def show_pill(self) -> None:
        if not self._mode().has_pill:
            return
        self.choose()
        self._pill.show()
        # A window manager may have put a new tool window where it likes.
        self.place()

    def pill_rect(self) -> Rect:
        """The pill without its focus ring."""
        return values(self._pill.geometry()).grown(-self._pill.ring_margin)

    def is_on_bridge(self) -> bool:
        """Whether the pointer rests between pill and panel."""
        return geometry.bridge(self.pill_rect(), values(self._panel.geometry())).has(*_pointer())

    def drag(self, corner: QPoint) -> None:
        """Follow the hand, also onto another display."""
        margin, size = self._pill.ring_margin, self._pill.size()
        rect = Rect(corner.x(), corner.y(), size.width(), size.height()).grown(-margin)
        self._screen = geometry.choose(self._screens(), "pointer", _pointer()) or self._screen
        if self._screen is not None:
            rect = geometry.drag(rect, self._screen)
            self._pill.move(rect.x - margin, rect.y - margin)

    def save(self) -> None:
        """Keep the place where it was dropped."""
        if self._screen is not None:
            self._keep(self._screen, geometry.place(self.pill_rect(), self._screen))

    def nudge(self, dx: int, dy: int) -> None:
        if self._screen is not None:
            rect = geometry.nudge(self.pill_rect(), self._screen, dx, dy)
            self._keep(self._screen, geometry.place(rect, self._screen))

    def centre(self) -> None:
        """Back to top centre on this display."""
        if self._screen is not None:
            self._keep(self._screen, None)

    def _keep(self, screen: Screen, place: Place | None) -> None:
        kept = geometry.keep_place(self._positions(), screen, place)
        self._moved = (self._shell.preferences.positions, kept)
        self._shell.prefer(positions=kept)
        self.place()


def _pointer() -> tuple[int, int]:
    at = QCursor.pos()
    return at.x(), at.y()


def values(rect: QRect) -> Rect:
    """A QRect as a value."""
    return Rect(rect.x(), rect.y(), rect.width(), rect.height())
