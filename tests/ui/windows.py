"""Every window and page that the product can show, made with its real parts and settled.

    WINDOWS: name -> make(shop) -> QWidget       Shop(qtbot, lang) closes all it made
Tests that hold for all of them (names, tab order, room for large letters) walk through this list: whoever
adds a window adds a line here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from lisa_island.app.desktop.crash_offer import CrashReport
from lisa_island.app.desktop.leaving import AskToLeave
from lisa_island.core.agent import Health, KeyState, SessionKey
from lisa_island.core.intents import AgentInfo, Outcome, Result
from lisa_island.core.notices import Note
from lisa_island.core.preferences import Pin
from lisa_island.core.rows import Kind
from lisa_island.system.crashlog import Report
from lisa_island.ui import accessible, theme
from lisa_island.ui.answer import AnswerPage
from lisa_island.ui.command_bar import CommandBar
from lisa_island.ui.detail import DetailPage
from lisa_island.ui.island import Island
from lisa_island.ui.menu import MenuActions, build_menu
from lisa_island.ui.mute_menu import mute_menu
from lisa_island.ui.requests_view import RequestsView
from lisa_island.ui.row_menu import row_menu
from lisa_island.ui.screens import Banners
from lisa_island.ui.settings import SettingsDialog
from lisa_island.ui.settings.direct.add import AddWindow
from lisa_island.ui.settings.direct.added import AddedWindow
from lisa_island.ui.settings.direct.import_pi import ImportWindow
from lisa_island.ui.settings.direct.sign_in import SignInWindow
from lisa_island.ui.toast import Toasts
from lisa_island.ui.welcome import STEPS, Welcome
from lisa_island.ui.window_mode import WindowMode
from tests.fakes.cards import AGENTS, CARD, LISTED, denied
from tests.fakes.desk import fill
from tests.fakes.direct import BOX, direct, direct_key, finished, offering, ready
from tests.fakes.sessions import asking, key, request_id
from tests.fakes.shell import FakeShell

FACTS = (
    ("fact.version", "0.1.0"),
    ("fact.home", "~/.lisa"),
    ("fact.rows", "214"),
    ("fact.size", "312 kB"),
    ("fact.tray", "a host shows icons"),
    ("fact.window", "window-mode.x11"),
)


def settle() -> None:
    """Heights follow from widths that follow from heights."""
    for _ in range(5):
        QApplication.processEvents()


class Shop:
    """Makes windows for one test, and takes them away again."""

    def __init__(self, qtbot: QtBot, lang: str = "en") -> None:
        accessible.install()
        theme.watcher().set_reduced_motion(True)
        theme.watcher().set_language(lang)
        self.lang = lang
        self.qtbot = qtbot
        self._ends: list[Callable[[], None]] = []

    def close(self) -> None:
        while self._ends:
            self._ends.pop()()

    def shell(self, **preferences: object) -> FakeShell:
        return FakeShell(self.lang, **preferences)

    def desk(self) -> FakeShell:
        shell = self.shell()
        fill(shell)
        return shell

    def island(self, shell: FakeShell, mode: WindowMode | None = None) -> Island:
        drafts: dict[str, str] = {}
        made = Island(
            shell,
            lambda s: RequestsView(s, drafts),
            lambda s: CommandBar(s, drafts),
            lambda s: Banners(s),
            mode=mode,
        )
        self._ends.append(made.close)
        made.add_page("answer", AnswerPage(shell, drafts))
        made.add_page("detail", DetailPage(shell, drafts))
        made.start()
        return made

    def panel(self, shell: FakeShell | None = None, mode: WindowMode | None = None) -> Island:
        island = self.island(shell or self.desk(), mode)
        island.show()
        self.qtbot.waitUntil(island.panel.isActiveWindow)
        settle()
        return island

    def shown(self, window: QWidget) -> QWidget:
        self._ends.append(window.deleteLater)
        self._ends.append(window.close)
        window.show()
        window.activateWindow()
        self.qtbot.waitExposed(window)
        settle()
        return window


def _pill(shop: Shop) -> QWidget:
    pill = shop.island(shop.desk()).pill
    settle()
    return pill


def _pill_quiet(shop: Shop) -> QWidget:
    return shop.island(shop.shell()).pill


def _panel(shop: Shop) -> QWidget:
    return shop.panel().panel


def _panel_many(shop: Shop) -> QWidget:
    """More cards than are shown, a receipt among them, and the sessions searched."""
    shell = shop.desk()
    for i in range(3):
        shell.put(asking(f"extra-{i}", "What now?", now=shell.now(), minutes=9 + i))
    shell.clock.advance(1)
    panel = shop.panel(shell).panel
    shell.remove(key("extra-1"))
    shell.clock.advance(1)
    panel.main.roster.start_search("extra")
    settle()
    return panel


def _panel_empty(shop: Shop) -> QWidget:
    shell = shop.shell()
    shell.report(health=Health.OK, key_state=KeyState.NONE)
    return shop.panel(shell).panel


def _panel_bare(shop: Shop) -> QWidget:
    return shop.panel(shop.shell()).panel


def _panel_plain(shop: Shop) -> QWidget:
    """As an ordinary window, where windows cannot float."""
    return shop.panel(mode=WindowMode.WAYLAND).panel


def _completion(shop: Shop) -> QWidget:
    panel = shop.panel().panel
    panel.open_command("@")
    settle()
    return panel


def _route(shop: Shop) -> QWidget:
    panel = shop.panel().panel
    panel.open_command("@sheet-wizard add the totals")
    settle()
    return panel


def _page(shop: Shop, name: str, open_: Callable[[Island, QWidget], None]) -> QWidget:
    island = shop.panel()
    page = island.panel.pages.page(name)
    open_(island, page)
    island.panel.show_page(name)
    settle()
    return island.panel


def _answer(shop: Shop) -> QWidget:
    return _page(shop, "answer", lambda _, page: page.open(request_id("acme")))


def _sign_in(shop: Shop) -> QWidget:
    return _page(shop, "answer", lambda _, page: page.open(request_id("legal")))


def _answer_stop(shop: Shop) -> QWidget:
    def ask(_: Island, page: QWidget) -> None:
        page.open(request_id("acme"))
        page.face.ask_stop()

    return _page(shop, "answer", ask)


def _answer_gone(shop: Shop) -> QWidget:
    return _page(shop, "answer", lambda _, page: page.open("nobody#1"))


def _detail(shop: Shop) -> QWidget:
    return _page(shop, "detail", lambda _, page: page.open(key("sheet-wizard")))


def _detail_local(shop: Shop) -> QWidget:
    return _page(shop, "detail", lambda _, page: page.open(SessionKey("codex", "c")))


def _direct(shop: Shop) -> FakeShell:
    """Agents at their own address: one asks and offers choices, one has many tasks, one has finished."""
    shell = shop.shell(direct_agents=(BOX,))
    now = shell.now()
    shell.report("a2a", health=Health.OK, key_state=KeyState.READY)
    shell.put(
        offering("green", "blue, as the sky", now=now, tag="aaaa0000"),
        *(direct(tag=f"{n}0000000", last_activity=now - n * 60_000) for n in range(1, 4)),
        ready(now, "cccc0000"),
        finished(now, "dddd0000"),
        direct(name="cat", state_reason="stalled", last_activity=now - 7 * 60_000),
    )
    shell.clock.advance(1)
    return shell


def _panel_direct(shop: Shop) -> QWidget:
    """Many tasks of one agent, their group opened."""
    panel = shop.panel(_direct(shop)).panel
    roster = panel.main.roster
    roster._chosen(next(r for r in roster.model.rows if r.kind is Kind.GROUP))
    settle()
    return panel


def _direct_page(shop: Shop, name: str, open_: Callable[[QWidget], None]) -> QWidget:
    island = shop.panel(_direct(shop))
    page = island.panel.pages.page(name)
    open_(page)
    island.panel.show_page(name)
    settle()
    return island.panel


def _options(shop: Shop) -> QWidget:
    def choose(page: QWidget) -> None:
        page.open("box/aaaa0000#1")
        page.face.options.buttons()[1].setChecked(True)

    return _direct_page(shop, "answer", choose)


def _direct_detail(shop: Shop, tag: str, deed: str = "") -> QWidget:
    def open_(page: QWidget) -> None:
        page.open(direct_key(tag))
        page.begin(deed) if deed else None

    return _direct_page(shop, "detail", open_)


def _artifact(shop: Shop) -> QWidget:
    def open_(page: QWidget) -> None:
        page._shell.outcome = Outcome(Result.DONE, text="Hello")
        page.open(direct_key("dddd0000"))
        page._view(0)

    return _direct_page(shop, "detail", open_)


def _row_menu(shop: Shop) -> QWidget:
    return _popped(shop, row_menu(ready(0), shop.lang, None, lambda _: None))


def _cancel_menu(shop: Shop) -> QWidget:
    def nothing(*_: object) -> None: ...

    actions = MenuActions(nothing, nothing, nothing, nothing, nothing)
    menu = build_menu(_direct(shop), actions)
    shop._ends.append(menu.deleteLater)
    return _popped(shop, menu.cancel_menu)


def _toast(shop: Shop) -> QWidget:
    toasts = Toasts(shop.desk())
    shop._ends.append(toasts.close)
    buttons = (("reply", "Reply"), ("later", "Later"))
    toasts.show(Note("n", "acme needs input", "Q3 scan", buttons=buttons), QRect(300, 8, 200, 36))
    made = toasts.toast("n")
    assert made is not None
    settle()
    return made


def _menu(shop: Shop) -> QWidget:
    def nothing(*_: object) -> None: ...

    actions = MenuActions(nothing, nothing, nothing, nothing, nothing)
    return _popped(shop, build_menu(shop.desk(), actions))


def _mute(shop: Shop) -> QWidget:
    return _popped(shop, mute_menu(shop.shell(), None))


def _popped(shop: Shop, menu: QWidget) -> QWidget:
    shop._ends.append(menu.deleteLater)
    shop._ends.append(menu.close)
    menu.popup(QPoint(40, 40))
    settle()
    return menu


def _settings(page: str) -> Callable[[Shop], QWidget]:
    def make(shop: Shop) -> QWidget:
        shell = shop.shell(takoapi_enabled=True, pins=(Pin("acme", "0.02 USD", "Acme"),))
        shell.facts = FACTS
        shell.report(key_state=KeyState.NONE, origin="https://takoapi.com")
        dialog = SettingsDialog(shell)
        dialog.open_page(page)
        return shop.shown(dialog)

    return make


def _settings_key(shop: Shop) -> QWidget:
    """A key is there, and the registry was asked."""
    shell = shop.shell(takoapi_enabled=True)
    shell.preview = "tako_live_Ab3xQ9"
    shell.report(key_state=KeyState.READY, origin="https://takoapi.com")
    found = tuple(AgentInfo(f"agent-{i}", f"Agent {i}", "Does things", "free", True) for i in range(3))
    dialog = SettingsDialog(shell)
    dialog.open_page("remote")
    shop.shown(dialog)
    shell.outcome = Outcome(Result.DONE, agents=found, total=140)
    box = dialog.pages["remote"].agents
    QTest.keyClicks(box.search, "agent")
    box._ask()
    settle()
    return dialog


def _agents(shop: Shop) -> QWidget:
    dialog = SettingsDialog(shop.shell(direct_agents=AGENTS))
    dialog.open_page("agents")
    return shop.shown(dialog)


def _add_agent(shop: Shop) -> QWidget:
    return shop.shown(AddWindow(shop.shell()))


def _add_agent_card(shop: Shop) -> QWidget:
    """The card was asked for and is shown."""
    shell = shop.shell()
    shell.outcome = Outcome(Result.DONE, agents=(CARD,))
    window = AddWindow(shell)
    shop.shown(window)
    QTest.keyClicks(window.field, "box.example")
    QTest.keyClick(window.field, Qt.Key.Key_Return)
    settle()
    return window


def _added(state: KeyState) -> Callable[[Shop], QWidget]:
    def make(shop: Shop) -> QWidget:
        shell = shop.shell(direct_agents=AGENTS)
        shell.outcome = Outcome(Result.DONE, agents=(CARD,))
        shell.credential = (state, "")
        return shop.shown(AddedWindow(shell, AGENTS[0].name))

    return make


def _import(shop: Shop) -> QWidget:
    shell = shop.shell(direct_agents=AGENTS)
    shell.pi = (LISTED, "")
    return shop.shown(ImportWindow(shell))


def _credential(shop: Shop) -> QWidget:
    shell = shop.shell(direct_agents=AGENTS)
    session = denied(shell.now(), "Please sign in: https://login.example/device?code=AB12")
    shell.put(session)
    return shop.shown(SignInWindow(shell, session.requests[0].request_id))


def _answer_denied(shop: Shop) -> QWidget:
    """Nothing can be said to it; a credential can be entered."""

    def open_(island: Island, page: QWidget) -> None:
        session = denied(page._shell.now(), "")
        page._shell.put(session)
        page.open(session.requests[0].request_id)

    return _page(shop, "answer", open_)


def _settings_problem(shop: Shop) -> QWidget:
    dialog = _settings("privacy")(shop)
    assert isinstance(dialog, SettingsDialog)
    dialog.pages["privacy"].complain("Not saved: the disk is full. Free some space and try again.")
    settle()
    return dialog


def _welcome(step: int) -> Callable[[Shop], QWidget]:
    def make(shop: Shop) -> QWidget:
        welcome = Welcome(shop.shell())
        shop.shown(welcome)
        welcome.turn_to(step)
        settle()
        return welcome

    return make


def _leave(shop: Shop) -> QWidget:
    window = AskToLeave(shop.shell())
    window.ask(2, 1)
    return shop.shown(window)


def _crash(shop: Shop) -> QWidget:
    report = Report("Traceback: nothing of yours is in it\n" * 3, True, Path("crash/last.txt"))
    return shop.shown(CrashReport(shop.shell(), report))


WINDOWS: dict[str, Callable[[Shop], QWidget]] = {
    "pill": _pill,
    "pill-quiet": _pill_quiet,
    "panel": _panel,
    "panel-many": _panel_many,
    "panel-empty": _panel_empty,
    "panel-no-agents": _panel_bare,
    "panel-plain-wayland": _panel_plain,
    "command-completion": _completion,
    "command-route": _route,
    "answer": _answer,
    "answer-sign-in": _sign_in,
    "answer-stop-following": _answer_stop,
    "answer-gone": _answer_gone,
    "detail": _detail,
    "detail-local": _detail_local,
    "panel-direct": _panel_direct,
    "answer-options": _options,
    "detail-direct": lambda shop: _direct_detail(shop, "dddd0000"),
    "detail-direct-cancel": lambda shop: _direct_detail(shop, "10000000", "cancel"),
    "detail-direct-more": lambda shop: _direct_detail(shop, "cccc0000", "more"),
    "artifact": _artifact,
    "row-menu": _row_menu,
    "menu-cancel": _cancel_menu,
    "toast": _toast,
    "menu": _menu,
    "menu-mute": _mute,
    "settings-general": _settings("general"),
    "settings-agents": _agents,
    "settings-remote": _settings("remote"),
    "settings-remote-key": _settings_key,
    "settings-notifications": _settings("notifications"),
    "settings-privacy": _settings("privacy"),
    "settings-privacy-problem": _settings_problem,
    "settings-about": _settings("about"),
    **{f"welcome-{step + 1}": _welcome(step) for step in range(len(STEPS))},
    "agent-add": _add_agent,
    "agent-add-card": _add_agent_card,
    "agent-added": _added(KeyState.NONE),
    "agent-added-ready": _added(KeyState.READY),
    "agent-added-locked": _added(KeyState.LOCKED),
    "agent-import": _import,
    "agent-sign-in": _credential,
    "answer-denied": _answer_denied,
    "leave": _leave,
    "crash-report": _crash,
}
