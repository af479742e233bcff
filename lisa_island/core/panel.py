"""When pill and panel show: one pure machine. `step(state, event)` answers with the next state and effects.

No event of the roster is in here: nothing an agent does can open the panel, raise it or take the focus.
Effects are data; `ui.island` performs them in order.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

HOVER_MS = 300
LEAVE_MS = 400


class Mode(StrEnum):
    """`OPEN` was opened by hovering and has no activation; `OPENED` was the owner's act and has it."""

    HIDDEN = "hidden"
    PEEK = "peek"
    OPEN = "open"
    OPENED = "opened"
    PINNED = "pinned"
    DRAGGING = "dragging"


class Hold(StrEnum):
    """What keeps a panel that was opened by hovering."""

    MENU = "menu"
    BUTTON = "button"
    FIELD = "field"
    DRAFT = "draft"


class Veil(StrEnum):
    """Why nothing is shown. The owner's own act shows the panel once nevertheless."""

    ASKED = "asked"
    PRESENTING = "presenting"
    FULL_SCREEN = "full-screen"
    DEMO = "demo"


class Timer(StrEnum):
    HOVER = "hover"
    LEAVE = "leave"


class Act(StrEnum):
    """Events without a value."""

    POINTER_ON_PILL = "pointer-on-pill"
    POINTER_ON_PANEL = "pointer-on-panel"
    POINTER_OUT = "pointer-out"
    PILL_CLICKED = "pill-clicked"
    PANEL_CLICKED = "panel-clicked"
    TOGGLED = "toggled"
    OPEN_ASKED = "open-asked"
    CLOSE_ASKED = "close-asked"
    ESCAPED = "escaped"
    FOCUS_LOST = "focus-lost"
    DRAG_BEGAN = "drag-began"
    DRAG_ENDED = "drag-ended"
    PINNED = "pinned"
    UNPINNED = "unpinned"


@dataclass(frozen=True, slots=True)
class Held:
    """Something began (`on`) or stopped to keep the panel."""

    hold: Hold
    on: bool


@dataclass(frozen=True, slots=True)
class Veiled:
    """A reason to show nothing began or ended."""

    veil: Veil
    on: bool


@dataclass(frozen=True, slots=True)
class TimerDue:
    timer: Timer


Event = Act | Held | Veiled | TimerDue


@dataclass(frozen=True, slots=True)
class ShowPill:
    pass


@dataclass(frozen=True, slots=True)
class HidePill:
    pass


@dataclass(frozen=True, slots=True)
class ShowPanel:
    """`activate` only when the owner acted."""

    activate: bool


@dataclass(frozen=True, slots=True)
class HidePanel:
    pass


@dataclass(frozen=True, slots=True)
class Activate:
    """Give the visible panel the focus: the owner clicked in it."""


@dataclass(frozen=True, slots=True)
class SavePlace:
    """The pill was dropped: keep its place for this display."""


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Single shot; starting again restarts it."""

    timer: Timer
    ms: int


@dataclass(frozen=True, slots=True)
class StopTimer:
    timer: Timer


Effect = ShowPill | HidePill | ShowPanel | HidePanel | Activate | SavePlace | StartTimer | StopTimer

_SHOWING = frozenset({Mode.OPEN, Mode.OPENED, Mode.PINNED})


@dataclass(frozen=True, slots=True)
class Panel:
    """`pointer`: it is on pill, panel or the bridge between. `before_drag`: what a drop goes back to."""

    mode: Mode = Mode.HIDDEN
    pointer: bool = False
    holds: frozenset[Hold] = frozenset()
    veils: frozenset[Veil] = frozenset()
    timer: Timer | None = None
    before_drag: Mode = Mode.PEEK

    @property
    def is_showing(self) -> bool:
        """Whether the panel itself is on the screen."""
        return self.mode in _SHOWING


Step = tuple[Panel, tuple[Effect, ...]]

HIDDEN = Panel(veils=frozenset({Veil.ASKED}))
"""Where the app starts; it lifts the veil when it is ready to show."""


def step(panel: Panel, event: Event, hover_opens: bool = True) -> Step:
    """The next state and what to do, in order. Total: an event that means nothing now changes nothing."""
    match event:
        case Act():
            return _act(panel, event, hover_opens)
        case Held():
            return _held(panel, event)
        case Veiled():
            return _veiled(panel, event)
        case TimerDue():
            return _due(panel, event)
        case _:
            assert_never(event)


def _act(panel: Panel, act: Act, hover_opens: bool) -> Step:
    match act:
        case Act.POINTER_ON_PILL | Act.POINTER_ON_PANEL:
            return _entered(panel, hover_opens and act is Act.POINTER_ON_PILL)
        case Act.POINTER_OUT:
            return _left(replace(panel, pointer=False))
        case Act.PILL_CLICKED | Act.TOGGLED:
            return _toggled(panel)
        case Act.OPEN_ASKED:
            return _opened(panel)
        case Act.CLOSE_ASKED | Act.ESCAPED:
            return _closed(panel) if panel.is_showing else (panel, ())
        case Act.PANEL_CLICKED:
            return _to(panel, Mode.OPENED, Activate()) if panel.mode is Mode.OPEN else (panel, ())
        case Act.FOCUS_LOST:
            lost = panel.mode is Mode.OPENED and Hold.MENU not in panel.holds
            return _closed(panel) if lost else (panel, ())
        case Act.DRAG_BEGAN:
            return _drag(panel)
        case Act.DRAG_ENDED:
            return _drop(panel)
        case Act.PINNED:
            return _to(panel, Mode.PINNED) if panel.is_showing else (panel, ())
        case Act.UNPINNED:
            return _left(replace(panel, mode=Mode.OPENED)) if panel.mode is Mode.PINNED else (panel, ())
        case _:
            assert_never(act)


def _to(panel: Panel, mode: Mode, *effects: Effect) -> Step:
    """Change the mode; no timer outlives the mode that it was started in."""
    stop = (StopTimer(panel.timer),) if panel.timer else ()
    return replace(panel, mode=mode, timer=None), (*stop, *effects)


def _start(panel: Panel, timer: Timer, ms: int) -> Step:
    return replace(panel, timer=timer), (StartTimer(timer, ms),)


def _entered(panel: Panel, opens: bool) -> Step:
    panel = replace(panel, pointer=True)
    if panel.mode is Mode.PEEK and opens and panel.timer is None:
        return _start(panel, Timer.HOVER, HOVER_MS)
    return _to(panel, Mode.OPEN) if panel.mode is Mode.OPEN else (panel, ())


def _left(panel: Panel) -> Step:
    """The pointer is away or a hold ended: plan to close what only the pointer had opened."""
    if panel.mode is Mode.PEEK and not panel.pointer:
        return _to(panel, Mode.PEEK)
    if panel.mode is Mode.OPEN and not panel.pointer and not panel.holds:
        return _start(panel, Timer.LEAVE, LEAVE_MS)
    return panel, ()


def _toggled(panel: Panel) -> Step:
    # Hovering has opened it and the click comes a moment later: that click means "open", not "close".
    if panel.mode in (Mode.OPENED, Mode.PINNED):
        return _closed(panel)
    return _opened(panel)


def _opened(panel: Panel) -> Step:
    match panel.mode:
        case Mode.DRAGGING:
            return panel, ()
        case Mode.OPEN:
            return _to(panel, Mode.OPENED, Activate())
        case Mode.OPENED | Mode.PINNED:
            return panel, (Activate(),)
        case Mode.PEEK:
            return _to(panel, Mode.OPENED, ShowPanel(activate=True))
        case Mode.HIDDEN:
            panel = replace(panel, veils=panel.veils - {Veil.ASKED})
            return _to(panel, Mode.OPENED, ShowPill(), ShowPanel(activate=True))
        case _:
            assert_never(panel.mode)


def _closed(panel: Panel) -> Step:
    if panel.veils:
        return _to(panel, Mode.HIDDEN, HidePanel(), HidePill())
    return _to(panel, Mode.PEEK, HidePanel())


def _held(panel: Panel, event: Held) -> Step:
    holds = panel.holds | {event.hold} if event.on else panel.holds - {event.hold}
    panel = replace(panel, holds=holds)
    if not event.on:
        return _left(panel)
    return _to(panel, Mode.OPEN) if panel.mode is Mode.OPEN else (panel, ())


def _veiled(panel: Panel, event: Veiled) -> Step:
    veils = panel.veils | {event.veil} if event.on else panel.veils - {event.veil}
    panel = replace(panel, veils=veils)
    if veils and event.on and panel.mode is not Mode.HIDDEN:
        hide: tuple[Effect, ...] = (HidePanel(),) if panel.is_showing else ()
        return _to(panel, Mode.HIDDEN, *hide, HidePill())
    if not veils and panel.mode is Mode.HIDDEN:
        return _to(replace(panel, pointer=False), Mode.PEEK, ShowPill())
    return panel, ()


def _due(panel: Panel, event: TimerDue) -> Step:
    if panel.timer is not event.timer:
        return panel, ()
    panel = replace(panel, timer=None)
    if event.timer is Timer.HOVER:
        opens = panel.mode is Mode.PEEK and panel.pointer
        return _to(panel, Mode.OPEN, ShowPanel(activate=False)) if opens else (panel, ())
    leaves = panel.mode is Mode.OPEN and not panel.pointer and not panel.holds
    return _closed(panel) if leaves else (panel, ())


def _drag(panel: Panel) -> Step:
    if panel.mode in (Mode.HIDDEN, Mode.DRAGGING):
        return panel, ()
    hide: tuple[Effect, ...] = (HidePanel(),) if panel.is_showing else ()
    before = Mode.PEEK if panel.mode is Mode.OPEN else panel.mode
    return _to(replace(panel, before_drag=before), Mode.DRAGGING, *hide)


def _drop(panel: Panel) -> Step:
    if panel.mode is not Mode.DRAGGING:
        return panel, ()
    show: tuple[Effect, ...] = () if panel.before_drag is Mode.PEEK else (ShowPanel(activate=True),)
    return _to(panel, panel.before_drag, SavePlace(), *show)
