"""Where pill and panel stand on the displays there are: asks `core.geometry`, moves the windows.

Placement(shell, pill, panel, mode)     mode: () -> WindowMode
    .choose()           the display for the next opening, after the owner's choice
    .place()  .place_panel(always=False)  .show_pill()
    .drag(corner)  .save()  .nudge(dx, dy)  .centre()      what is saved is saved per display
    .screens_changed()  .preferences_changed()  .is_on_bridge() -> bool  .dragging
    .display -> Rect | None    where they stand, in px of the server    display_changed()

The display on which the owner left them is theirs: unplugged, they move to another one, and back when it is
there again, unless the owner has opened them elsewhere meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QRect, QTimer, Signal
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

    display_changed = Signal()

    def __init__(
        self, shell: Shell, pill: Pill, panel: Panel, mode: Callable[[], WindowMode], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._shell, self._pill, self._panel, self._mode = shell, pill, panel, mode
        self._screen: Screen | None = None
        self._home = ""  # the name of the display on which the owner has left them
        self._wanted = shell.preferences.screen
        # Where the pill was sent: what it says of itself lags behind the window system.
        self._sent: Rect | None = None
        # Saving takes a moment: what was saved before and what is meant now, until they meet.
        self._moved: tuple[Positions, Positions] | None = None
        self.dragging = False
        self._is_closed = False
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._look_at_displays)
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

    @property
    def display(self) -> Rect | None:
        """Their display in px of the server: Qt scales a display's size and leaves its corner."""
        found = next(
            (s for s in QGuiApplication.screens() if self._screen and s.name() == self._screen.name), None
        )
        if found is None:
            return None
        whole, scale = found.geometry(), found.devicePixelRatio()
        return Rect(whole.x(), whole.y(), round(whole.width() * scale), round(whole.height() * scale))

    def _stand_on(self, screen: Screen | None) -> None:
        before, self._screen = self._screen, screen
        if (before and before.whole) != (screen and screen.whole):
            self.display_changed.emit()

    def choose(self) -> None:
        """Go to the display that is wanted now."""
        self._stand_on(self._chosen())
        self._home = self._screen.name if self._screen else ""
        self.place()

    def preferences_changed(self) -> None:
        """Another display may be wanted, or another place on it."""
        wanted, self._wanted = self._wanted, self._shell.preferences.screen
        self.choose() if wanted != self._wanted and self._screen else self.place()

    def screens_changed(self, *_: object) -> None:
        """A display came, went, or is another size: stay on ours or go back to it, and look again in 1 s."""
        if self._is_closed:
            return
        self._look_at_displays()
        # Docks and panels settle a moment after the display itself.
        self._again.start(CHECK_AGAIN_MS)

    def _look_at_displays(self) -> None:
        there = {s.name: s for s in self._screens()}
        ours = there.get(self._home) or there.get(self._screen.name if self._screen else "")
        self._stand_on(ours if ours and self._wanted == "pointer" else self._chosen())
        self.place()

    def place(self) -> None:
        """Both where they belong now; a pill in the owner's hand stays there."""
        if self._screen is None:
            self._stand_on(self._chosen())
        if self._screen is None or self.dragging:
            return
        margin, size = self._pill.ring_margin, self._pill.size()
        saved = geometry.place_of(self._positions(), self._screen)
        rect = geometry.pill(self._screen, size.width() - 2 * margin, size.height() - 2 * margin, saved)
        self._send(rect)
        self.place_panel()

    def place_panel(self, always: bool = False) -> None:
        """The panel at its final size; while hidden only when it is about to show."""
        if self._screen is None or not (always or self._panel.isVisible()):
            return
        self._panel.main.set_room(geometry.panel_room(self._screen))
        rect = geometry.panel(self._screen, self._sent or self.pill_rect(), self._panel.content_height())
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
            self._send(geometry.drag(rect, self._screen))

    def _send(self, rect: Rect) -> None:
        self._sent = rect
        self._pill.move(rect.x - self._pill.ring_margin, rect.y - self._pill.ring_margin)

    def save(self) -> None:
        """Keep the place where it was dropped; on another display than was wanted, that one is wanted now."""
        if self._screen is None:
            return
        self._home = self._screen.name
        chosen = self._chosen()
        moved = self._wanted != "pointer" and chosen is not None and chosen.name != self._screen.name
        if moved:
            self._shell.prefer(screen=self._screen.name)
        self._keep(self._screen, geometry.place(self.pill_rect(), self._screen))
        self.display_changed.emit()

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
