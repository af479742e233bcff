"""Puts the widgets together: pill and panel, tray, pages, notices, dialogs. Decides nothing about agents."""

import asyncio
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QRect
from PySide6.QtGui import QImageWriter
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from lisa_island.app.desktop.hands import open_url, set_clipboard
from lisa_island.app.house import House
from lisa_island.app.notices import Notices
from lisa_island.app.quiet import QuietWatch
from lisa_island.app.shell import TEST, AppShell, Desk
from lisa_island.app.surroundings import Surroundings
from lisa_island.core.agent import SessionKey
from lisa_island.core.notices import Note
from lisa_island.core.preferences import Preferences
from lisa_island.system.crashlog import Report
from lisa_island.system.notifier import DesktopNotifier
from lisa_island.ui import assets, modality, theme
from lisa_island.ui.island import Island
from lisa_island.ui.menu import MenuActions, build_menu
from lisa_island.ui.screens import Banners, Notice
from lisa_island.ui.shell import Shell
from lisa_island.ui.toast import Toasts
from lisa_island.ui.tray import Tray

if TYPE_CHECKING:
    from lisa_island.app.desktop.leaving import AskToLeave
    from lisa_island.ui.answer import AnswerPage
    from lisa_island.ui.command_bar import CommandBar
    from lisa_island.ui.detail import DetailPage
    from lisa_island.ui.settings import SettingsDialog
    from lisa_island.ui.settings.direct.sign_in import SignInWindow
    from lisa_island.ui.welcome import Welcome

ANSWER, DETAIL = "answer", "detail"


class Face:
    """The windows of one house. `over` is set when the owner has left."""

    def __init__(self, house: House, over: asyncio.Event) -> None:
        self._house = house
        self._over = over
        self._drafts: dict[str, str] = {}
        self._base_url = house.preferences.base_url
        self._quiet = QuietWatch(house)
        self._around = Surroundings(
            house, slept=self._slept, quiet=self._quiet.told, motion=lambda: self._restyle(house.preferences)
        )
        desk = Desk(
            open_url, set_clipboard, self._notify, self.ask_to_leave, self._window_mode, self._step_aside
        )
        self.shell: Shell = AppShell(house, desk, self._quiet)
        self._app = QApplication.instance()
        self._dress()
        self._bar: CommandBar | None = None
        self._banners: Banners | None = None
        self.island = Island(self.shell, self._requests, self._command, self._top, menu_factory=self._menu)
        self.toasts = Toasts(self.shell, self.island.mode)
        self.tray = Tray(self.shell)
        self._dialog: SettingsDialog | None = None
        self._welcome: Welcome | None = None
        self._sign_in: SignInWindow | None = None
        self._leaving: AskToLeave | None = None
        self._notices: Notices | None = None
        self._ends = [self._quiet.close, house.settings.subscribe(self._restyle)]
        self._wire()

    # --- life ---

    def start(self) -> None:
        """The pill first: the rest of the world takes a moment longer."""
        self.island.set_starting(True)
        self.island.start()
        self._house.window, self._house.window_mode = self.window, self._window_mode

    def ready(self) -> None:
        """Everything is open: tray, notices, and the first-run steps for a new owner."""
        self._restyle(self._house.preferences)
        self.island.set_starting(False)
        notifier = DesktopNotifier(self._house.plan.environ, self._house.worker)
        self._notices = notices = Notices(
            self._house, self._quiet, notifier,
            self._toast, self.toasts.withdraw, self._pressed, self._is_attended,
        )  # fmt: skip
        self._ends.append(notices.close)
        self.island.opened.connect(notices.seen)
        self._around.watch()
        self.island.opened.connect(self._house.awake.set)
        self.toasts.pressed.connect(self._notices.press)
        if not (self.island.mode.has_pill or self.tray.is_available()):
            self.island.show()  # Plain Wayland without a tray: nothing else of us is on the screen.
        if not self._house.preferences.welcomed:
            self.open_welcome()

    def close(self) -> None:
        """Take every window away; drafts end with the process."""
        while self._ends:
            self._ends.pop()()
        self.toasts.close()
        self.tray.close()
        if self._welcome is not None:
            self._welcome.leave()
        for window in (self._dialog, self._welcome, self._sign_in, self._leaving):
            if window is not None and shiboken6.isValid(window):
                window.hide()
                window.deleteLater()
        # What is on its way back from a worker finds nothing to show it in.
        self._dialog = self._welcome = self._sign_in = self._leaving = None
        self.island.close()
        # What was let go is gone before the loop is: nothing of Qt may outlive what Python holds of it.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def window(self, word: str) -> bool:
        """Carry out show, hide, toggle or quit from the door: a hotkey of the desktop, or a command."""
        modality.by_keyboard_now()
        match word:
            case "show":
                self.island.show()
            case "hide":
                self.island.hide()
            case "toggle":
                self.island.toggle()
            case "quit":
                self._over.set()
            case _:
                return False
        return True

    def ask_to_leave(self) -> None:
        """Quit; once asks when something would be lost."""
        replies, calls = self._house.losses()
        if not (replies or calls):
            self._over.set()
            return
        if self._leaving is None:
            from lisa_island.app.desktop.leaving import AskToLeave

            self._leaving = AskToLeave(self.shell)
            self._leaving.accepted.connect(self._over.set)
        self._leaving.ask(replies, calls)

    def picture(self, path: Path) -> None:
        """Draw pill and panel into one PNG, whether or not a screen is there."""
        from lisa_island.app.desktop.picture import compose

        self.island.complete()
        writer = QImageWriter(str(path), QByteArray(b"png"))
        writer.write(compose(self.island.pill, self.island.panel))

    def offer(self, notice: Notice, answered: Callable[[str], None]) -> None:
        """One more banner in the panel until one of its buttons is pressed."""
        assert self._banners is not None
        self._banners.offer(notice, answered)

    def offer_crash(self, report: Report) -> None:
        """Tell how the last run went wrong, where the owner looks anyway."""
        assert self._banners is not None
        from lisa_island.app.desktop.crash_offer import CrashOffer

        self._ends.append(CrashOffer(self.shell, self._banners, report).close)

    # --- parts ---

    def _dress(self) -> None:
        assert isinstance(self._app, QApplication)
        theme.apply_palette(self._app)
        self._app.setWindowIcon(assets.app_icon())
        self._restyle(self._house.preferences)

    def _restyle(self, preferences: Preferences) -> None:
        if preferences.base_url != self._base_url:
            self._base_url = preferences.base_url
            self._look_again()
        watcher = theme.watcher()
        watcher.choose(preferences.theme)  # type: ignore[arg-type]
        watcher.set_language(self._house.lang)
        watcher.set_reduced_motion(preferences.reduced_motion or self._around.keeps_still)

    def _requests(self, shell: Shell) -> QWidget:
        from lisa_island.ui.requests_view import RequestsView

        return RequestsView(shell, self._drafts)

    def _command(self, shell: Shell) -> QWidget:
        from lisa_island.ui.command_bar import CommandBar

        self._bar = CommandBar(shell, self._drafts)
        return self._bar

    def _top(self, shell: Shell) -> QWidget:
        self._banners = Banners(shell)
        self._banners.settings_requested.connect(self.open_settings)
        return self._banners

    @cached_property
    def answer_page(self) -> "AnswerPage":
        """Made when it is first needed: the pill must not wait for it."""
        from lisa_island.ui.answer import AnswerPage

        page = AnswerPage(self.shell, self._drafts)
        self._add(ANSWER, page)
        page.sign_in_requested.connect(self.open_sign_in)
        return page

    @cached_property
    def detail_page(self) -> "DetailPage":
        """Made when it is first needed."""
        from lisa_island.ui.detail import DetailPage

        page = DetailPage(self.shell, self._drafts)
        self._add(DETAIL, page)
        page.answer.connect(self.open_request)
        page.command_requested.connect(self.island.open_command)
        return page

    def _add(self, name: str, page: "AnswerPage | DetailPage") -> None:
        self.island.add_page(name, page)
        page.back.connect(self.island.panel.back)

    def _wire(self) -> None:
        island, tray = self.island, self.tray
        island.session_opened.connect(self._show_detail)
        island.request_opened.connect(self._show_answer)
        island.settings_asked.connect(self.open_settings)
        island.panel.deed_asked.connect(self.ask_deed)
        # What the panel shows need not be told above it.
        island.opened.connect(self.toasts.close)
        island.mode_changed.connect(lambda: self.toasts.set_mode(island.mode))
        tray.activated_by_owner.connect(self._tray_clicked)
        tray.show_requested.connect(island.show)
        tray.request_opened.connect(self.open_request)
        tray.command_requested.connect(island.open_command)
        tray.settings_requested.connect(self.open_settings)
        tray.quit_requested.connect(self.ask_to_leave)
        tray.cancel_requested.connect(self.ask_to_cancel)

    def _tray_clicked(self) -> None:
        modality.by_pointer_now()
        self.island.toggle()

    def _menu(self) -> QMenu:
        actions = MenuActions(
            show=self.island.show,
            command=self.island.open_command,
            settings=self.open_settings,
            request=self.open_request,
            quit=self.ask_to_leave,
            cancel=self.ask_to_cancel,
        )
        return build_menu(self.shell, actions)

    # --- pages and dialogs ---

    def open_request(self, request_id: str) -> None:
        """Show the panel with one request, by the owner's act."""
        self.island.open_request(request_id)

    def open_session(self, key: SessionKey) -> None:
        """Show the panel with one session, by the owner's act."""
        self.island.open_session(key)

    def ask_deed(self, key: SessionKey, deed: str) -> None:
        """Show the page where a deed is asked once and its outcome is said."""
        session = self._house.store.roster.get(key)
        if deed == "answer" and session is not None and session.requests:
            self.open_request(session.requests[0].request_id)
            return
        self.open_session(key)
        self.detail_page.begin(deed)

    def ask_to_cancel(self, key: SessionKey) -> None:
        """From the tray: the same question on the same page."""
        self.ask_deed(key, "cancel")

    def _show_answer(self, request_id: str) -> None:
        self.answer_page.open(request_id)
        self.island.panel.show_page(ANSWER)

    def _show_detail(self, key: SessionKey) -> None:
        self.detail_page.open(key)
        self.island.panel.show_page(DETAIL)

    def open_settings(self, page: str = "general") -> None:
        """Open the settings at a page."""
        from lisa_island.ui.settings import SettingsDialog

        self._house.awake.set()
        if self._dialog is None:
            self._dialog = dialog = SettingsDialog(self.shell)
            dialog.welcome_requested.connect(self.open_welcome)
        self._look_again()
        self._dialog.open_page(page)

    def open_sign_in(self, request_id: str) -> None:
        """Open the window that takes a credential for one request, by the owner's act."""
        from lisa_island.ui.settings.direct.sign_in import SignInWindow, can_be_met

        if not can_be_met(self.shell.store.roster, request_id):
            return
        if self._sign_in is not None and shiboken6.isValid(self._sign_in):
            self._sign_in.close()
        self._sign_in = window = SignInWindow(self.shell, request_id)
        window.come()

    def open_welcome(self) -> None:
        """Open the first-run steps."""
        from lisa_island.ui.welcome import Welcome

        self._house.awake.set()
        if self._welcome is None:
            self._welcome = Welcome(self.shell)
        self._welcome.show()
        self._house.nursery.start(self._look_for_welcome(), "look at login")

    async def _look_for_welcome(self) -> None:
        assert isinstance(self.shell, AppShell)
        await self.shell.look_at_login()
        if self._welcome is not None:
            self._welcome.refresh()

    def _slept(self) -> None:
        self._house.supervisor.wake()
        self._quiet.look()
        self.island.wake()

    def _look_again(self) -> None:
        """What the settings show of the key and of this machine; asking a keyring loads 18 MB."""
        if self._dialog is not None:
            self._house.nursery.start(self._look_around(), "look around")

    async def _look_around(self) -> None:
        assert isinstance(self.shell, AppShell)
        await self.shell.look_at_key()
        await self.shell.refresh_facts()
        if self._dialog is not None:
            self._dialog.refresh()

    # --- notices ---

    async def _notify(self, note: Note) -> str:
        how = await self._notices.send(note) if self._notices else "notices.by-island"
        by_desktop = how.startswith("notices.by-desktop")
        return how if by_desktop or self.island.mode.has_pill else "notices.nowhere"

    def _toast(self, note: Note) -> None:
        if not self.island.mode.has_pill:
            return  # Plain Wayland gives the keyboard to every new window; the need stays in the queue.
        pill, panel = self.island.pill, self.island.panel
        beside = panel.geometry() if panel.isVisible() else None
        self.toasts.show(note, QRect(pill.pos(), pill.size()), beside)

    def _pressed(self, note: Note, action: str) -> None:
        if action == "later":
            return
        if note.note_id == TEST:
            assert isinstance(self.shell, AppShell)
            self.shell.test_seen()
            return
        if note.request_id and action in ("reply", "default", "show"):
            self.open_request(note.request_id)
        elif note.keys:
            self.open_session(note.keys[0])
        else:
            self.island.show()

    def _is_attended(self) -> bool:
        return self.island.has_attention

    def _step_aside(self, on: bool) -> None:
        if shiboken6.isValid(self.island):
            self.island.step_aside(on)

    def _window_mode(self) -> str:
        return f"window-mode.{self.island.mode}"
