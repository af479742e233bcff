"""The panel machine: the table of the design, and what no sequence of events may break."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core.panel import (
    HIDDEN,
    HOVER_MS,
    LEAVE_MS,
    Act,
    Activate,
    Event,
    Held,
    HidePanel,
    HidePill,
    Hold,
    Mode,
    Panel,
    SavePlace,
    ShowPanel,
    ShowPill,
    StartTimer,
    StopTimer,
    Timer,
    TimerDue,
    Veil,
    Veiled,
    step,
)

PEEK = Panel(Mode.PEEK)
OVER = Panel(Mode.PEEK, pointer=True, timer=Timer.HOVER)
OPEN = Panel(Mode.OPEN, pointer=True)
OPENED = Panel(Mode.OPENED)
PINNED = Panel(Mode.PINNED)
MENU = Panel(Mode.OPENED, holds=frozenset({Hold.MENU}))
LEAVING = Panel(Mode.OPEN, timer=Timer.LEAVE)
START_HOVER = StartTimer(Timer.HOVER, HOVER_MS)
START_LEAVE = StartTimer(Timer.LEAVE, LEAVE_MS)

TABLE = [
    ("ready", HIDDEN, Veiled(Veil.ASKED, False), Mode.PEEK, (ShowPill(),)),
    ("hover waits", PEEK, Act.POINTER_ON_PILL, Mode.PEEK, (START_HOVER,)),
    ("hover opens", OVER, TimerDue(Timer.HOVER), Mode.OPEN, (ShowPanel(activate=False),)),
    ("passing by opens nothing", OVER, Act.POINTER_OUT, Mode.PEEK, (StopTimer(Timer.HOVER),)),
    ("a late timer opens nothing", PEEK, TimerDue(Timer.HOVER), Mode.PEEK, ()),
    ("click opens", OVER, Act.PILL_CLICKED, Mode.OPENED, (StopTimer(Timer.HOVER), ShowPanel(activate=True))),
    ("hotkey opens", PEEK, Act.TOGGLED, Mode.OPENED, (ShowPanel(activate=True),)),
    ("click after hover takes it", OPEN, Act.PILL_CLICKED, Mode.OPENED, (Activate(),)),
    ("click inside takes it", OPEN, Act.PANEL_CLICKED, Mode.OPENED, (Activate(),)),
    ("leaving waits", OPEN, Act.POINTER_OUT, Mode.OPEN, (START_LEAVE,)),
    ("coming back stays", LEAVING, Act.POINTER_ON_PANEL, Mode.OPEN, (StopTimer(Timer.LEAVE),)),
    ("left for good", LEAVING, TimerDue(Timer.LEAVE), Mode.PEEK, (HidePanel(),)),
    ("leaving what was opened", OPENED, Act.POINTER_OUT, Mode.OPENED, ()),
    ("click closes", OPENED, Act.PILL_CLICKED, Mode.PEEK, (HidePanel(),)),
    ("hotkey closes", OPENED, Act.TOGGLED, Mode.PEEK, (HidePanel(),)),
    ("escape closes", OPENED, Act.ESCAPED, Mode.PEEK, (HidePanel(),)),
    ("focus lost closes", OPENED, Act.FOCUS_LOST, Mode.PEEK, (HidePanel(),)),
    ("focus lost to our menu", MENU, Act.FOCUS_LOST, Mode.OPENED, ()),
    ("focus is not hover's to lose", OPEN, Act.FOCUS_LOST, Mode.OPEN, ()),
    ("pinned stays", PINNED, Act.FOCUS_LOST, Mode.PINNED, ()),
    ("pinned stays on leaving", PINNED, Act.POINTER_OUT, Mode.PINNED, ()),
    ("escape closes the pinned", PINNED, Act.ESCAPED, Mode.PEEK, (HidePanel(),)),
    ("pin", OPEN, Act.PINNED, Mode.PINNED, ()),
    ("nothing to pin", PEEK, Act.PINNED, Mode.PEEK, ()),
    ("unpin", PINNED, Act.UNPINNED, Mode.OPENED, ()),
    ("ask to open", PEEK, Act.OPEN_ASKED, Mode.OPENED, (ShowPanel(activate=True),)),
    ("ask again", OPENED, Act.OPEN_ASKED, Mode.OPENED, (Activate(),)),
    ("ask while hidden", HIDDEN, Act.OPEN_ASKED, Mode.OPENED, (ShowPill(), ShowPanel(activate=True))),
    ("drag closes hover", OPEN, Act.DRAG_BEGAN, Mode.DRAGGING, (HidePanel(),)),
    ("drop", Panel(Mode.DRAGGING), Act.DRAG_ENDED, Mode.PEEK, (SavePlace(),)),
    (
        "drop brings the opened back",
        Panel(Mode.DRAGGING, before_drag=Mode.PINNED),
        Act.DRAG_ENDED,
        Mode.PINNED,
        (SavePlace(), ShowPanel(activate=True)),
    ),
    ("no hover while dragging", Panel(Mode.DRAGGING), Act.POINTER_ON_PILL, Mode.DRAGGING, ()),
    ("presenting", OPENED, Veiled(Veil.PRESENTING, True), Mode.HIDDEN, (HidePanel(), HidePill())),
    ("full screen", PEEK, Veiled(Veil.FULL_SCREEN, True), Mode.HIDDEN, (HidePill(),)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("state", "event", "mode", "effects"), [r[1:] for r in TABLE], ids=[r[0] for r in TABLE]
)
def test_table(state: Panel, event: Event, mode: Mode, effects: tuple[object, ...]) -> None:
    after, done = step(state, event)
    assert (after.mode, done) == (mode, effects)


@pytest.mark.parametrize("hold", Hold)
def test_a_hold_keeps_what_hover_opened(hold: Hold) -> None:
    held, _ = step(OPEN, Held(hold, True))
    away, effects = step(held, Act.POINTER_OUT)
    assert effects == ()
    freed, effects = step(away, Held(hold, False))
    assert effects == (START_LEAVE,)
    assert step(freed, TimerDue(Timer.LEAVE))[0].mode is Mode.PEEK


def test_a_hold_that_begins_late_still_keeps() -> None:
    held, effects = step(LEAVING, Held(Hold.DRAFT, True))
    assert effects == (StopTimer(Timer.LEAVE),)
    assert step(held, TimerDue(Timer.LEAVE))[0].mode is Mode.OPEN


def test_click_only() -> None:
    assert step(PEEK, Act.POINTER_ON_PILL, hover_opens=False)[1] == ()


def test_a_second_veil_outlives_the_first() -> None:
    state, _ = step(PEEK, Veiled(Veil.PRESENTING, True))
    state, effects = step(state, Veiled(Veil.FULL_SCREEN, True))
    assert effects == ()
    state, effects = step(state, Veiled(Veil.PRESENTING, False))
    assert (state.mode, effects) == (Mode.HIDDEN, ())
    assert step(state, Veiled(Veil.FULL_SCREEN, False))[1] == (ShowPill(),)


def test_what_was_opened_under_a_veil_hides_again() -> None:
    state, _ = step(PEEK, Veiled(Veil.PRESENTING, True))
    state, _ = step(state, Act.TOGGLED)
    assert state.mode is Mode.OPENED
    state, effects = step(state, Act.ESCAPED)
    assert (state.mode, effects) == (Mode.HIDDEN, (HidePanel(), HidePill()))


OWNERS_ACTS = {Act.PILL_CLICKED, Act.PANEL_CLICKED, Act.TOGGLED, Act.OPEN_ASKED, Act.DRAG_ENDED}
EVENTS = st.one_of(
    st.sampled_from(Act),
    st.builds(Held, st.sampled_from(Hold), st.booleans()),
    st.builds(Veiled, st.sampled_from(Veil), st.booleans()),
    st.builds(TimerDue, st.sampled_from(Timer)),
)


@given(st.lists(EVENTS, max_size=40), st.booleans())
def test_windows_and_timers_follow_the_effects(events: list[Event], hover: bool) -> None:
    """Played on a screen of two booleans and one timer, the effects always agree with the state."""
    state = HIDDEN
    pill = panel = False
    running: Timer | None = None
    for event in events:
        if isinstance(event, TimerDue):
            if running is not event.timer:
                continue
            running = None
        state, effects = step(state, event, hover)
        for effect in effects:
            match effect:
                case ShowPill():
                    assert not pill
                    pill = True
                case HidePill():
                    assert pill and not panel
                    pill = False
                case ShowPanel(activate=activate):
                    assert pill and not panel
                    assert not activate or event in OWNERS_ACTS
                    panel = True
                case HidePanel():
                    assert panel
                    panel = False
                case Activate():
                    assert panel and event in OWNERS_ACTS
                case StartTimer(timer=timer):
                    running = timer
                case StopTimer(timer=timer):
                    assert running is timer
                    running = None
        assert pill == (state.mode is not Mode.HIDDEN)
        assert panel == state.is_showing
        assert running is state.timer
        assert state.mode is not Mode.HIDDEN or state.veils
        # The idle rule: a pill that nobody is near runs nothing.
        assert running is None or state.pointer or state.mode is Mode.OPEN
