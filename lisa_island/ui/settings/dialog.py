"""The settings window: pages at the side, one open. Non-modal, made once, shown when asked for."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from lisa_island.core.preferences import Preferences
from lisa_island.core.roster import Roster
from lisa_island.core.words import say
from lisa_island.ui import theme
from lisa_island.ui.controls import PlainLabel
from lisa_island.ui.settings.about import AboutPage
from lisa_island.ui.settings.agents import AgentsPage
from lisa_island.ui.settings.general import GeneralPage
from lisa_island.ui.settings.nav import NavList
from lisa_island.ui.settings.notifications import NotificationsPage
from lisa_island.ui.settings.page import Page
from lisa_island.ui.settings.privacy import PrivacyPage
from lisa_island.ui.settings.remote import RemotePage
from lisa_island.ui.shell import Shell

PAGES: tuple[type[Page], ...] = (
    GeneralPage, AgentsPage, RemotePage, NotificationsPage, PrivacyPage, AboutPage,
)  # fmt: skip


class Sidebar(QWidget):
    """The surface under the list of pages."""

    def __init__(self, title: str, nav: NavList) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 18, 9, 8)
        column.setSpacing(10)
        heading = PlainLabel(title, "lead.600")
        heading.setContentsMargins(10, 0, 0, 0)
        column.addWidget(heading)
        column.addWidget(nav, 1)
        self._nav = nav
        theme.watcher().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        """As wide as the design says, or as its longest word needs at the OS font size."""
        self.setFixedWidth(max(theme.current().metrics.nav_width, self._nav.needed_width() + 17))
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        t = theme.current()
        painter = QPainter(self)
        painter.fillRect(self.rect(), t.color("surface.inset"))
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = 0 if mirrored else self.width() - t.line_width
        painter.fillRect(left, 0, t.line_width, self.height(), t.color("line.subtle"))


class SettingsDialog(QDialog):
    """`open_page(name)`: general, agents, remote, notifications, privacy, about.

    `welcome_requested`: About asks for the first-run steps.
    """

    welcome_requested = Signal()

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._lang = ""
        self._root: QWidget | None = None
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        m = theme.current().metrics
        self.setMinimumSize(m.settings_min_width, m.settings_min_height)
        self.resize(m.settings_width, m.settings_height)
        self.pages: dict[str, Page] = {}
        self._build()
        ends = (
            shell.on_preferences(self._preferences_changed),
            shell.store.subscribe(self._roster_changed),
        )
        self.destroyed.connect(lambda: [end() for end in ends])
        theme.watcher().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        m = theme.current().metrics
        return QSize(m.settings_width, m.settings_height)

    # --- pages ---

    def open_page(self, name: str) -> None:
        """Show the window with this page, in front. KeyError for a page that does not exist."""
        self.pages[name]  # a wrong name is a bug, not an empty window
        self.nav.show_name(name)
        self.show()
        self.raise_()
        self.activateWindow()

    @property
    def page(self) -> str:
        """Name of the page that is open."""
        return self._current().NAME

    def _current(self) -> Page:
        page = self.stack.currentWidget()
        assert isinstance(page, Page)
        return page

    def refresh(self) -> None:
        """Look again at what tells of no change: facts, the key's prefix, a mute that ended."""
        self._current().shown()

    def _build(self, page: str = "general") -> None:
        shell = self._shell
        self._lang = lang = shell.lang
        self.setWindowTitle(say(lang, "settings.window"))
        self.stack = QStackedWidget()
        self.pages = {kind.NAME: kind(shell) for kind in PAGES}
        for made in self.pages.values():
            self.stack.addWidget(made)
        about = self.pages["about"]
        assert isinstance(about, AboutPage)
        about.welcome_requested.connect(self.welcome_requested)
        titles = [(k.NAME, say(lang, f"settings.page.{k.NAME}"), k.ICON) for k in PAGES]
        self.nav = NavList(say(lang, "settings.pages"), titles)
        self.nav.chosen.connect(self._turn_to)
        self._root = QWidget()
        line = QHBoxLayout(self._root)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(Sidebar(say(lang, "settings.title"), self.nav))
        line.addWidget(self.stack, 1)
        self._outer.addWidget(self._root)
        self.nav.show_name(page)

    def _turn_to(self, name: str) -> None:
        page = self.pages[name]
        self.stack.setCurrentWidget(page)
        page.shown()

    def _rebuild(self) -> None:
        """Another language: all texts anew, same page, the keyboard where it was."""
        page, focus = self.page, self.focusWidget()
        name = focus.objectName() if focus else ""
        old = self._root
        self._build(page)
        if old is not None:
            old.hide()
            self._outer.removeWidget(old)
            old.deleteLater()
        again = self._current().findChild(QWidget, name) if name else None
        (again or self.nav).setFocus(Qt.FocusReason.OtherFocusReason)

    # --- what changes elsewhere ---

    def _preferences_changed(self, preferences: Preferences) -> None:
        if not shiboken6.isValid(self):
            return
        if self._shell.lang != self._lang:
            self._rebuild()
            return
        for page in self.pages.values():
            page.show_preferences(preferences)

    def _roster_changed(self, _old: Roster, new: Roster) -> None:
        remote = self.pages["remote"]
        assert isinstance(remote, RemotePage)
        remote.show_roster(new)

    def setVisible(self, visible: bool) -> None:
        """Opened, the window has the keyboard on its list of pages; no ring before a key is pressed."""
        opens = visible and not self.isVisible()
        if opens:
            self.nav.setFocus(Qt.FocusReason.OtherFocusReason)
        super().setVisible(visible)
        if opens:  # QDialog tells whoever has the focus that Tab brought it
            self.nav.by_keyboard(False)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def paintEvent(self, _: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme.current().color("surface.panel"))
