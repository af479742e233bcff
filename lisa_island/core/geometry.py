"""Where pill and panel stand: pure rectangles in logical px.

A place is kept relative to the work area of its display: `x` of the pill's middle, `y` of its top.
So a pill that grows with its text stays where it was put, and a display that moves takes it along.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

PILL_TOP = 8
SNAP = 12
VISIBLE = 40
BRIDGE = 8
PANEL_WIDTH = 440
PANEL_MAX_HEIGHT = 800
SCREEN_GAP = 32
AREA_GAP = 24
EDGE = 8
STEP = 8
# Below this a panel is no use: it rather covers the pill.
SHORTEST = 320


@dataclass(frozen=True, slots=True)
class Rect:
    """Position and size; `right` and `bottom` are the first px outside."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    @property
    def middle(self) -> int:
        return self.x + self.width // 2

    def has(self, x: int, y: int) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom

    def grown(self, by: int) -> "Rect":
        """Larger by so much on every side."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


@dataclass(frozen=True, slots=True)
class Screen:
    """`area` is what panels and docks leave free; `whole` all of it."""

    name: str
    whole: Rect
    area: Rect
    primary: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where the owner put the pill, relative to the work area."""

    x: int
    y: int


Positions = tuple[tuple[str, int, int], ...]


def choose(screens: Sequence[Screen], wanted: str, pointer: tuple[int, int] | None = None) -> Screen | None:
    """The display to stand on. `wanted`: pointer, primary, or a display's name. None without displays."""
    if wanted == "pointer" and pointer is not None:
        found = next((s for s in screens if s.whole.has(*pointer)), None)
    else:
        found = next((s for s in screens if s.name == wanted), None)
    primary = next((s for s in screens if s.primary), None)
    return found or primary or (screens[0] if screens else None)


def place_of(positions: Positions, screen: Screen) -> Place | None:
    """What was saved for this display."""
    return next((Place(x, y) for name, x, y in positions if name == screen.name), None)


def keep_place(positions: Positions, screen: Screen, place: Place | None) -> Positions:
    """The positions with this display's place set, or forgotten: then it is top centre again."""
    others = tuple(p for p in positions if p[0] != screen.name)
    return others if place is None else (*others, (screen.name, place.x, place.y))


def pill(screen: Screen, width: int, height: int, place: Place | None = None) -> Rect:
    """Where a pill of this size stands: top centre, or where it was put, and always within reach."""
    area = screen.area
    if place is None:
        place = Place(area.width // 2, PILL_TOP)
    return reach(Rect(area.x + place.x - width // 2, area.y + place.y, width, height), area)


def reach(rect: Rect, area: Rect) -> Rect:
    """Moved so that at least 40 px (or all of it, if it is smaller) can be seen and caught."""
    across, down = min(VISIBLE, rect.width), min(VISIBLE, rect.height)
    return replace(
        rect,
        x=_within(rect.x, area.x + across - rect.width, area.right - across),
        y=_within(rect.y, area.y + down - rect.height, area.bottom - down),
    )


def drag(rect: Rect, screen: Screen) -> Rect:
    """A dragged pill: it stays within reach and snaps to the centre line."""
    rect = reach(rect, screen.area)
    if abs(rect.middle - screen.area.middle) <= SNAP:
        rect = replace(rect, x=screen.area.middle - rect.width // 2)
    return rect


def place(rect: Rect, screen: Screen) -> Place | None:
    """What to save for a dropped pill; None at top centre, which follows the display by itself."""
    found = Place(rect.x + rect.width // 2 - screen.area.x, rect.y - screen.area.y)
    return None if found == Place(screen.area.width // 2, PILL_TOP) else found


def nudge(rect: Rect, screen: Screen, dx: int, dy: int) -> Rect:
    """The keyboard's drag: steps of 8 px, without snapping (it would never leave the centre line)."""
    return reach(replace(rect, x=rect.x + dx * STEP, y=rect.y + dy * STEP), screen.area)


def panel_room(screen: Screen) -> int:
    """The highest that a panel may be on this display."""
    return max(1, min(PANEL_MAX_HEIGHT, screen.area.height - AREA_GAP))


def panel(screen: Screen, anchor: Rect, content_height: int) -> Rect:
    """The panel under its pill, above it where there is more room, inside the work area."""
    area = screen.area
    width = max(1, min(PANEL_WIDTH, screen.whole.width - SCREEN_GAP))
    height = max(1, min(content_height, panel_room(screen)))
    x = _within(anchor.middle - width // 2, area.x + EDGE, area.right - EDGE - width)
    below, above = area.bottom - EDGE - anchor.bottom - BRIDGE, anchor.y - BRIDGE - area.y - EDGE
    if below >= min(height, SHORTEST) and (below >= above or below >= height):
        return Rect(x, anchor.bottom + BRIDGE, width, min(height, below))
    if above >= min(height, SHORTEST):
        height = min(height, above)
        return Rect(x, anchor.y - BRIDGE - height, width, height)
    return Rect(x, _within(anchor.bottom + BRIDGE, area.y + EDGE, area.bottom - EDGE - height), width, height)


def bridge(anchor: Rect, window: Rect) -> Rect:
    """The strip between pill and panel, on which the pointer has not left yet."""
    left, right = max(anchor.x, window.x), min(anchor.right, window.right)
    top, bottom = min(anchor.bottom, window.bottom), max(anchor.y, window.y)
    return Rect(left, top, max(0, right - left), max(0, bottom - top))


def _within(value: int, low: int, high: int) -> int:
    """Clamped; where there is no room at all, the low side wins."""
    return max(low, min(value, high))
