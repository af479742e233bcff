"""The island: pill and panel as one thing. Performs what the panel machine says, and nothing else moves them.

    Island(shell, requests_factory=None, command_factory=None, banners_factory=None, *,
           menu_factory=None, mode=None)
        factories: (shell) -> QWidget; menu_factory: () -> QMenu (the tray's menu, for the right click)
        .start()            lift the first veil: the pill appears    .close()  hide and end all
        .toggle()  .show()  .hide()          as the hotkey and the commands ask    .step_aside(on) for a demo
        .open_request(id)  .open_session(key)  .open_command(prefill="")  .open_page(name)
        .add_page(name, widget)   .panel   .pill   .mode -> WindowMode
        .has_attention      pointer or focus is in the panel: notices may wait
        .centre() back to top centre   .wake() after sleep
        session_opened(key)  request_opened(id)  settings_asked(page)
        opened()  the panel has come    mode_changed()  windows are made in another way from now on

The roster never opens, raises or activates anything here: a change of it only repaints.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from lisa_island.core.agent import SessionKey
from lisa_island.core.announcing import news
from lisa_island.core.panel import (
    HIDDEN,
    LEAVE_MS,
    Act,
    Activate,
    Effect,
    Event,
    Held,
    HidePanel,
    HidePill,
    Hold,
    Mode,
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
from lisa_island.core.pill import Turn, finished, has_new_need, only_working, pill_view, turned
from lisa_island.core.preferences import Preferences
from lisa_island.core.roster import Roster
from lisa_island.core.summary import summarize, title
from lisa_island.ui import accessible, theme
from lisa_island.ui.announce import Announcer
from lisa_island.ui.panel import Panel
from lisa_island.ui.panel_parts import Factory, PanelParts
from lisa_island.ui.pill import Pill
from lisa_island.ui.placement import Placement
from lisa_island.ui.shell import Shell
from lisa_island.ui.window_mode import ModeWatcher, WindowMode


class Island(QObject):
    """Owns both windows, their timers and their place."""

    session_opened = Signal(object)
    request_opened = Signal(str)
    settings_asked = Signal(str)
    opened = Signal()
    mode_changed = Signal()

    def __init__(
        self,
        shell: Shell,
        requests_factory: Factory | None = None,
        command_factory: Factory | None = None,
        banners_factory: Factory | None = None,
        *,
        menu_factory: Callable[[], QMenu] | None = None,
        mode: WindowMode | None = None,
    ) -> None:
        super().__init__()
        accessible.install()
        self._shell = shell
        self._menu_factory = menu_factory
        self._watcher = ModeWatcher(self)
        self._fixed_mode = mode
        self.pill = Pill(self.mode)
        self._parts = PanelParts(shell, requests_factory, command_factory, banners_factory)
        self.panel = Panel(shell, self.mode, banners=self._parts.banners())
        self.state = HIDDEN
        self.placement = Placement(shell, self.pill, self.panel, lambda: self.mode, self)
        self._turn = Turn()
        self._flash = ""
        self._starting = False
        self._regains = False
        self._lang = shell.lang
        self._timers = {
            Timer.HOVER: self._single(lambda: self._send(TimerDue(Timer.HOVER))),
            Timer.LEAVE: self._single(self._leave_due),
        }
        self._flash_over = self._single(self._end_flash)
        self._announcer = Announcer(self.pill)
        self._connect()
        self._apply(shell.preferences)
        self._refresh_view()

    def _single(self, call: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(call)
        return timer

    def _connect(self) -> None:
        pill, panel = self.pill, self.panel
        pill.entered.connect(lambda: self._send(Act.POINTER_ON_PILL))
        pill.left.connect(self._pointer_out)
        pill.clicked.connect(lambda: self._send(Act.PILL_CLICKED))
        pill.drag_began.connect(lambda: self._send(Act.DRAG_BEGAN))
        pill.dragged.connect(self.placement.drag)
        pill.drag_ended.connect(lambda: self._send(Act.DRAG_ENDED))
        pill.menu_asked.connect(self._menu)
        pill.nudged.connect(self.placement.nudge)
        pill.centred.connect(self.placement.centre)
        pill.resized.connect(self.placement.place)
        panel.entered.connect(lambda: self._send(Act.POINTER_ON_PANEL))
        panel.left.connect(self._pointer_out)
        panel.pressed.connect(lambda: self._send(Act.PANEL_CLICKED))
        panel.activated.connect(self._activated)
        panel.escaped.connect(lambda: self._send(Act.ESCAPED))
        panel.closed.connect(lambda: self._send(Act.CLOSE_ASKED))
        panel.deactivated.connect(self._deactivated)
        panel.resized.connect(self.placement.place_panel)
        panel.session_opened.connect(self.session_opened)
        panel.request_opened.connect(self.request_opened)
        header = panel.header
        header.pill_clicked.connect(lambda: self._send(Act.PILL_CLICKED))
        header.nudged.connect(self.placement.nudge)
        header.centred.connect(self.placement.centre)
        header.menu_asked.connect(self._menu)
        header.pin_toggled.connect(lambda on: self._send(Act.PINNED if on else Act.UNPINNED))
        header.menu_opened.connect(self._hold_for)
        header.settings_asked.connect(lambda: self.settings_asked.emit("general"))
        panel.settings_asked.connect(self.settings_asked)
        self._watcher.changed.connect(self._mode_changed)
        self._watcher.full_screen_changed.connect(self._full_screen_changed)
        self.placement.display_changed.connect(self._full_screen_changed)
        self._ends = [
            self._shell.store.subscribe(self._roster_changed),
            self._shell.on_preferences(self._apply),
            self._shell.on_quiet(self._refresh_view),
        ]

    # What the app asks.

    @property
    def mode(self) -> WindowMode:
        return self._fixed_mode or self._watcher.mode

    def start(self) -> None:
        self._send(Veiled(Veil.ASKED, False))

    def set_starting(self, starting: bool) -> None:
        """Whether the sources are still being opened: an empty roster is not quiet yet."""
        self._starting = starting
        self._refresh_view()

    def toggle(self) -> None:
        if self._lies_behind:
            self.show()
        else:
            self._send(Act.TOGGLED)

    def show(self) -> None:
        """Open the panel by the owner's act."""
        if self._lies_behind:
            self._send(Act.CLOSE_ASKED)
        self._send(Act.OPEN_ASKED)

    @property
    def _lies_behind(self) -> bool:
        """An ordinary window may be covered; Wayland brings it to the front only as a new one."""
        return not self.mode.has_pill and self.panel.isVisible() and not self.panel.isActiveWindow()

    def hide(self) -> None:
        """Hide all until asked again; nothing that waits is dropped."""
        self._send(Veiled(Veil.ASKED, True))

    def step_aside(self, on: bool) -> None:
        """Make room while the demo's own pill stands there."""
        self._send(Veiled(Veil.DEMO, on))

    def close(self) -> None:
        """End every timer, subscription and window, menus first: they tell the windows when they go."""
        while (menu := QApplication.activePopupWidget()) is not None and menu.close():
            pass
        for end in self._ends:
            end()
        self._ends = []
        for timer in (*self._timers.values(), self._flash_over):
            timer.stop()
        self.placement.close()
        self._watcher.close()
        for window in (self.panel, self.pill):
            window.hide()
            window.deleteLater()

    def open_request(self, request_id: str) -> None:
        self.show()
        self.request_opened.emit(request_id)

    def complete(self) -> None:
        """Have all of the panel, shown or not."""
        self._parts.complete(self.panel)

    def open_session(self, key: SessionKey) -> None:
        self.show()
        self.session_opened.emit(key)

    def open_command(self, prefill: str = "") -> None:
        self.show()
        self.panel.open_command(prefill)

    def open_page(self, name: str) -> None:
        """A page that was added, by the owner's own act."""
        self.show()
        self.panel.show_page(name)

    def add_page(self, name: str, widget: QWidget) -> None:
        self.panel.add_page(name, widget)

    @property
    def has_attention(self) -> bool:
        """Pointer or focus is in the panel (an open or pinned panel alone does not count)."""
        return self.panel.isVisible() and (self.panel.underMouse() or self.panel.isActiveWindow())

    def centre(self) -> None:
        """The pill back to top centre on this display."""
        self.placement.centre()

    def wake(self) -> None:
        """After sleep: displays, compositor and time may be others."""
        self._watcher.refresh()
        self.placement.screens_changed()
        self._refresh_view()

    # The machine.

    def _send(self, event: Event) -> None:
        if event in (Act.TOGGLED, Act.OPEN_ASKED) and not self.state.is_showing:
            self.placement.choose()
        self.placement.dragging = event is Act.DRAG_BEGAN or (
            self.state.mode is Mode.DRAGGING and event is not Act.DRAG_ENDED
        )
        self.state, effects = step(self.state, event, self._shell.preferences.open_on_hover)
        for effect in effects:
            self._perform(effect)
        self.pill.set_open(self.state.is_showing)
        self.panel.header.set_pinned(self.state.mode is Mode.PINNED)

    def _perform(self, effect: Effect) -> None:
        match effect:
            case ShowPill():
                self._watcher.float_window(self.pill)
                self.placement.show_pill()
            case HidePill():
                self.pill.hide()
            case ShowPanel(activate=activate):
                self.complete()
                self.panel.prepare()
                self.placement.place_panel(always=True)
                self._watcher.float_window(self.panel)
                self.panel.appear(activate)
                if activate:
                    self._watcher.activate(self.panel)
                self.opened.emit()
            case HidePanel():
                self.panel.vanish()
            case Activate():
                self.panel.take_focus(first=not self.panel.isActiveWindow())
                self._watcher.activate(self.panel)
            case SavePlace():
                self.placement.save()
            case StartTimer(timer=timer, ms=ms):
                self._timers[timer].start(ms)
            case StopTimer(timer=timer):
                self._timers[timer].stop()

    def _leave_due(self) -> None:
        if self._is_busy():
            self._timers[Timer.LEAVE].start(LEAVE_MS)
            return
        self._hold_draft()
        self._send(TimerDue(Timer.LEAVE))

    def _pointer_out(self) -> None:
        self._hold_draft()
        self._send(Act.POINTER_OUT)

    def _hold_draft(self) -> None:
        drafted = self.panel.has_draft
        if drafted != (Hold.DRAFT in self.state.holds):
            self._send(Held(Hold.DRAFT, drafted))

    def _is_busy(self) -> bool:
        """A menu is open, a button is held, a field is typed in, or the pointer rests on the bridge."""
        return (
            QApplication.activePopupWidget() is not None
            or QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton
            or self.panel.has_field_focus
            or self.placement.is_on_bridge()
        )

    def _hold_for(self, menu: QMenu) -> None:
        self._send(Held(Hold.MENU, True))
        menu.aboutToHide.connect(lambda: self._send(Held(Hold.MENU, False)))

    def _menu(self, at: QPoint) -> None:
        if self._menu_factory is not None:
            menu = self._menu_factory()
            menu.aboutToHide.connect(menu.deleteLater)
            self._hold_for(menu)
            menu.popup(at)

    # What it says.

    def _mode_changed(self) -> None:
        # A window that is made anew loses the activation for a moment: that is not the owner's doing.
        self._regains = self.state.mode is Mode.OPENED or self.panel.isActiveWindow()
        for window in (self.pill, self.panel):
            window.set_mode(self.mode, self._watcher.float_window)
        self.placement.screens_changed()
        if self._regains:
            self.panel.take_focus(first=False)
            self._watcher.activate(self.panel)
        self.mode_changed.emit()

    def _full_screen_changed(self) -> None:
        """Away from a display that one window fills; the tray and the notices stay."""
        display = self.placement.display
        covered = display is not None and self._watcher.is_covered(display)
        if covered != (Veil.FULL_SCREEN in self.state.veils):
            self._send(Veiled(Veil.FULL_SCREEN, covered))

    def _activated(self) -> None:
        self._regains = False
        self._send(Act.PANEL_CLICKED)

    def _deactivated(self) -> None:
        # Without a pill it is an ordinary window, and stays beside the others until it is closed.
        if not self._regains and self.mode.has_pill:
            self._send(Act.FOCUS_LOST)

    def _apply(self, preferences: Preferences) -> None:
        veiled = Veil.PRESENTING in self.state.veils
        if preferences.presenting != veiled:
            self._send(Veiled(Veil.PRESENTING, preferences.presenting))
        if self._shell.lang != self._lang:
            self._lang = self._shell.lang
            self._parts.renew(self.panel)
        self.placement.preferences_changed()
        self._refresh_view()

    def _roster_changed(self, old: Roster, new: Roster) -> None:
        ended = finished(old, new)
        if ended is not None:
            self._flash = title(ended)
            self._flash_over.start(theme.current().motion("m.flash"))
        now = self._shell.now()
        latest = max((s.last_activity or 0 for s in new.sessions.values()), default=0)
        self._turn = turned(self._turn, latest, now)
        self._refresh_view()
        if self.panel.isVisible():
            self.panel.main.refresh(new)
        if has_new_need(old, new) and self._shell.quiet() is None:
            self.pill.pulse()
        self._announce(old, new)

    def _end_flash(self) -> None:
        self._flash = ""
        self._refresh_view()

    def _refresh_view(self) -> None:
        shell, roster = self._shell, self._shell.store.roster
        view = pill_view(
            summarize(roster), shell.preferences, shell.lang, self._flash,
            quiet=shell.quiet(), starting=self._starting, only=only_working(roster),
        )  # fmt: skip
        self.pill.set_view(view, self._turn.step)
        self.panel.set_view(view, self._turn.step)

    def _announce(self, old: Roster, new: Roster) -> None:
        """What the eye is told by the pill; who has muted the notices, has muted this too."""
        for sentence in news(old, new, self._shell.lang):
            if sentence.urgent or not self.pill.view.muted:
                self._announcer.tell(sentence)
