"""The tray icon: state by shape, tooltip and menu, computed whole from one summary of the roster.

    Tray(shell, parent=None)
        .activated_by_owner()  left click          .show_requested()  .command_requested()  .quit_requested()
        .request_opened(request id)                .settings_requested(page)   .cancel_requested(SessionKey)
        .is_available() -> bool   whether a host shows it     .availability_changed()
        .menu   the IslandMenu    .state   one of assets.TRAY_STATES     .tooltip    .close()

No host is a state, not an error: the object waits for one without a timer (the bus tells), and everything in
the menu is reachable from the pill. One single-shot timer runs only after a finish.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSystemTrayIcon

from lisa_island.core.pill import finished
from lisa_island.core.quiet import Quiet, aside
from lisa_island.core.roster import Roster
from lisa_island.core.summary import Summary, summarize
from lisa_island.core.words import say
from lisa_island.ui import assets, theme
from lisa_island.ui.menu import MenuActions, build_menu, counts_line
from lisa_island.ui.shell import Shell
from lisa_island.ui.tray_host import TrayHost


def tray_state(summary: Summary, quiet: Quiet | None = None, *, flashing: bool = False) -> str:
    """The shape. What needs the owner is never hidden by quiet; a finish only flashes over calm things."""
    if summary.needs_you:
        return "needs"
    if summary.failed:
        return "error"
    if flashing:
        return "done"
    if summary.offline:
        return "offline"
    if quiet is not None:
        return "muted"
    return "working" if summary.working or summary.queued else "quiet"


def tooltip(summary: Summary, quiet: Quiet | None, lang: str) -> str:
    """ "LISA Island: 3 need you, 4 working, 1 failed"."""
    parts = [counts_line(summary, lang, with_needs=True) or say(lang, "pill.quiet")]
    if quiet is not None:
        parts.append(aside(quiet, lang))
    return say(lang, "tray.tooltip", parts=say(lang, "row.comma").join(parts))


def variant() -> str:
    """Which drawing suits the panel: its luminance where it is known, else the one for dark panels."""
    if sys.platform == "darwin":
        return "mono"
    # Plasma's panel follows the colour scheme; GNOME's is always dark, others do not tell.
    if "KDE" in os.environ.get("XDG_CURRENT_DESKTOP", "").split(":"):
        return "onLight" if theme.watcher().system_look() == "light" else "onDark"
    return "onDark"


class Tray(QObject):
    """See the module."""

    activated_by_owner = Signal()
    request_opened = Signal(str)
    show_requested = Signal()
    command_requested = Signal()
    settings_requested = Signal(str)
    quit_requested = Signal()
    cancel_requested = Signal(object)
    availability_changed = Signal()

    def __init__(self, shell: Shell, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._icon: QSystemTrayIcon | None = None
        self._shown: tuple[str, str] = ("", "")
        self.state, self.tooltip = "quiet", ""
        # At the loop's next turn: what is seen at once, the pill, is painted first.
        self._soon = self._single_shot()
        self._flash = self._single_shot()
        self.menu = build_menu(shell, self._actions())
        self._ends: list[Callable[[], object]] = [
            shell.store.subscribe(self._roster_changed),
            shell.on_preferences(lambda _: self.refresh()),
            shell.on_quiet(self.refresh),
        ]
        watcher = theme.watcher()
        watcher.changed.connect(self._look_changed)
        self._ends.append(lambda: watcher.changed.disconnect(self._look_changed))
        self._host = TrayHost(self._host_changed)
        self._open()
        self.refresh()

    def _single_shot(self) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(self.refresh)
        return timer

    def _actions(self) -> MenuActions:
        return MenuActions(
            request=self.request_opened.emit,
            show=self.show_requested.emit,
            command=self.command_requested.emit,
            settings=self.settings_requested.emit,
            quit=self.quit_requested.emit,
            cancel=self.cancel_requested.emit,
        )

    # --- the host ---

    def is_available(self) -> bool:
        """Whether somebody shows the icon now."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    def _host_changed(self) -> None:
        """A host has come, gone or been replaced: only a fresh item is sure to be registered with it."""
        self._shut()
        self._open()
        self.refresh()
        self.availability_changed.emit()

    def _open(self) -> None:
        # On X11 an icon without a host waits for one of the older kind by itself.
        if not self.is_available() and QGuiApplication.platformName() != "xcb":
            return
        self.menu.set_native(self._host.is_present)
        icon = QSystemTrayIcon(self)
        icon.setIcon(assets.tray_icon(self.state, variant()))
        icon.setContextMenu(self.menu)
        icon.activated.connect(self._activated)
        self._icon, self._shown = icon, ("", "")
        icon.show()

    def _shut(self) -> None:
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason == QSystemTrayIcon.ActivationReason.Trigger:
            self.activated_by_owner.emit()

    # --- what it shows ---

    def _roster_changed(self, old: Roster, new: Roster) -> None:
        if finished(old, new) is not None:
            self._flash.start(theme.current().motion("m.flash"))
        self._soon.start(0)

    def refresh(self) -> None:
        """Compute icon, tooltip and menu from the roster of this moment."""
        shell = self._shell
        summary, quiet = summarize(shell.store.roster), shell.quiet()
        self.state = tray_state(summary, quiet, flashing=self._flash.isActive())
        self.tooltip = tooltip(summary, quiet, shell.lang)
        self.menu.refresh()
        if self._icon is None or self._shown == (self.state, self.tooltip):
            return
        if self._shown[0] != self.state:
            self._icon.setIcon(assets.tray_icon(self.state, variant()))
        self._icon.setToolTip(self.tooltip)
        self._shown = (self.state, self.tooltip)

    def _look_changed(self) -> None:
        self._shown = ("", "")
        self.refresh()

    def close(self) -> None:
        """Take the icon away and stop listening; calling it again is fine."""
        for end in self._ends:
            end()
        self._ends = []
        self._host.close()
        for timer in (self._soon, self._flash):
            timer.stop()
        self._shut()
        self.menu.close()
        self.menu.deleteLater()
