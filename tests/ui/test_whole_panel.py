"""The whole panel with its real parts: a walk by keyboard, names for everything, room for large and long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from lisa_island.core import words
from lisa_island.core.agent import (
    Health,
    KeyState,
    SessionKey,
    State,
    TrailEntry,
)
from lisa_island.ui import modality, theme
from lisa_island.ui.answer import AnswerPage
from lisa_island.ui.buttons import Button
from lisa_island.ui.card import NeedCard
from lisa_island.ui.command_bar import CommandBar
from lisa_island.ui.detail import DetailPage
from lisa_island.ui.island import Island
from lisa_island.ui.labels import PlainLabel
from lisa_island.ui.page_scroll import PageScroll
from lisa_island.ui.requests_view import RequestsView
from lisa_island.ui.screens import Banners
from tests.fakes.desk import fill
from tests.fakes.sessions import key, remote, request_id
from tests.fakes.shell import FakeShell

STOPS = 40


class Whole:
    """Island with everything that the app puts into it."""

    def __init__(self, shell: FakeShell) -> None:
        drafts: dict[str, str] = {}
        self.shell = shell
        self.island = Island(
            shell,
            lambda s: RequestsView(s, drafts),
            lambda s: CommandBar(s, drafts),
            lambda s: Banners(s),
        )
        self.answer, self.detail = AnswerPage(shell, drafts), DetailPage(shell, drafts)
        self.island.add_page("answer", self.answer)
        self.island.add_page("detail", self.detail)
        self.panel = self.island.panel

    def open(self, qtbot: QtBot) -> None:
        self.island.start()
        self.island.show()
        qtbot.waitUntil(self.panel.isActiveWindow)

    def turn(self, page: str, qtbot: QtBot) -> QWidget:
        """Show one of the pages a panel has, settled."""
        match page:
            case "answer":
                self.answer.open(request_id("acme"))
            case "sign-in":
                self.answer.open(request_id("legal"))
            case "detail":
                self.detail.open(key("sheet-wizard"))
            case "local":
                self.detail.open(SessionKey("codex", "c"))
        name = {"sign-in": "answer", "local": "detail"}.get(page, page)
        self.panel.show_page(name)
        for _ in range(5):  # heights that follow from widths that follow from heights
            QApplication.processEvents()
        return self.panel.pages.page(name)


Make = Callable[..., Whole]


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Make]:
    made: list[Whole] = []

    def build(lang: str = "en", scale: float = 1.0, *, by_pointer: bool = False) -> Whole:
        theme.watcher().set_reduced_motion(True)
        theme.watcher().set_language(lang)
        theme.watcher().set_scale(scale)
        shell = FakeShell(lang)
        fill(shell)
        whole = Whole(shell)
        made.append(whole)
        if by_pointer:
            modality.by_pointer_now()
        whole.open(qtbot)
        return whole

    yield build
    for whole in made:
        whole.island.close()


def walk(whole: Whole, back: bool = False) -> list[QWidget]:
    """Every stop of Tab, once around."""
    stops: list[QWidget] = []
    press = Qt.Key.Key_Backtab if back else Qt.Key.Key_Tab
    for _ in range(STOPS):
        at = QApplication.focusWidget()
        assert at is not None and at.window() is whole.panel
        if at in stops:
            return stops
        stops.append(at)
        QTest.keyClick(at, press)
    raise AssertionError(f"no way around: {stops}")


def named(widget: QWidget) -> str:
    told = QAccessible.queryAccessibleInterface(widget)
    return told.text(QAccessible.Text.Name) if told is not None else ""


def test_tab_walks_the_first_page_in_the_order_of_the_design(make: Make) -> None:
    whole = make()
    panel = whole.panel
    main, header = panel.main, panel.header
    requests = main.requests
    assert isinstance(requests, RequestsView) and isinstance(main.command, CommandBar)
    cards = requests.cards()
    assert QApplication.focusWidget() is cards[0]
    stops = walk(whole)
    banner = main.banners.findChildren(Button)
    assert stops == [
        *cards,
        main.roster._search_button,
        main.roster.list,
        main.command.field,
        header.twin,
        header.pin,
        header.bell,
        header.settings,
        *banner,
    ]
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backtab)
    assert set(walk(whole, back=True)) == set(stops)


@pytest.mark.parametrize("page", ["main", "answer", "sign-in", "detail", "local"])
def test_the_keyboard_reaches_every_control_and_each_has_a_name(make: Make, qtbot: QtBot, page: str) -> None:
    whole = make()
    shown = whole.turn(page, qtbot)
    if not shown.isAncestorOf(QApplication.focusWidget()):
        shown.setFocus()
    stops = walk(whole)
    controls = [
        w
        for kind in (QPushButton, QLineEdit, QPlainTextEdit, QAbstractItemView, NeedCard)
        for w in whole.panel.findChildren(kind)
        if w.isVisible() and w.isEnabled()
    ]
    # Of a card Tab knows the card; → leads to its button, and text that does not scroll needs no stop.
    unreached = [
        w
        for w in controls
        if w not in stops
        and not isinstance(w.parentWidget(), NeedCard)
        and not (isinstance(w, QPlainTextEdit) and w.isReadOnly())
    ]
    unreached = [w for w in unreached if w.focusPolicy() != Qt.FocusPolicy.NoFocus]
    assert unreached == []
    assert [w for w in controls if not named(w)] == []
    roles = {QAccessible.queryAccessibleInterface(w).role() for w in stops}
    assert QAccessible.Role.NoRole not in roles and QAccessible.Role.Client not in roles


def test_opened_by_a_key_the_ring_is_there_at_once(make: Make) -> None:
    make()
    card = QApplication.focusWidget()
    assert isinstance(card, NeedCard) and card.has_ring()


def test_a_ring_fits_a_button_that_got_another_word(make: Make, qtbot: QtBot) -> None:
    shell = FakeShell()
    shell.report(health=Health.OK, key_state=KeyState.NONE)
    whole = Whole(shell)
    whole.open(qtbot)
    nothing = whole.panel.main.nothing
    QTest.keyClick(nothing.later, Qt.Key.Key_Space)
    assert nothing.button.has_ring() and nothing.button.text() == "Command bar"
    QApplication.processEvents()
    ring = nothing.button._ring
    assert ring is not None and ring.width() == nothing.button.width() + 8
    whole.island.close()


def test_a_card_leads_to_its_button_and_enter_opens_it(make: Make) -> None:
    whole = make()
    opened: list[str] = []
    whole.island.request_opened.connect(opened.append)
    requests = whole.panel.main.requests
    assert isinstance(requests, RequestsView)
    card = requests.cards()[0]
    QTest.keyClick(card, Qt.Key.Key_Right)
    assert QApplication.focusWidget() is card.button and card.button.has_ring()
    QTest.keyClick(card.button, Qt.Key.Key_Left)
    QTest.keyClick(card, Qt.Key.Key_Return)
    assert opened == [card.view.request_id]


def test_opened_by_the_pointer_no_ring_is_drawn_before_a_key(make: Make) -> None:
    whole = make(by_pointer=True)
    card = QApplication.focusWidget()
    assert isinstance(card, NeedCard) and not card.has_ring()
    QTest.keyClick(whole.panel.windowHandle(), Qt.Key.Key_F5)
    assert card.has_ring()


def test_an_answer_stays_as_it_was_sent_and_its_steps_are_whole(make: Make, qtbot: QtBot) -> None:
    whole = make()
    shell, face = whole.shell, whole.answer.face
    whole.turn("answer", qtbot)
    face.box.setPlainText("Q3, in euros")
    qtbot.waitUntil(lambda: not face.primary.is_inert())
    shell.hold = True
    QTest.mouseClick(face.primary, Qt.MouseButton.LeftButton)
    shell.clock.advance(1)
    trail = (TrailEntry(shell.now(), "state.working", "sending"),)
    shell.put(remote("acme", state_reason="sending", trail=trail))  # it asks nothing and takes nothing now
    shell.clock.advance(1)
    assert face.primary.isVisible() and face.primary.text() == "Sending" and not face.primary.isEnabled()
    assert face.box.isVisible() and "paid call" in face.hint.text()
    shell.finish()
    trail += (
        TrailEntry(shell.now(), "state.working", "working"),
        TrailEntry(shell.now(), "state.done", "completed"),
    )
    shell.put(remote("acme", state=State.DONE, trail=trail))
    shell.clock.advance(1)
    QApplication.processEvents()
    area = whole.answer.findChild(PageScroll)
    assert area is not None and len(face.steps.steps) == 3
    assert area.heightForWidth(438) >= face.steps.sizeHint().height()
    assert area.verticalScrollBar().maximum() == 0, "the panel has grown to show them all"


# --- room for large letters and long words ---


@pytest.fixture
def longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every word of the catalogue as long as other languages make it: +40 %, long sentences +30 %."""

    def stretched(text: str) -> str:
        more = ceil(len(text) * (0.4 if len(text) <= 20 else 0.3))
        return text + (" oe" * more)[:more]

    known = {k: (stretched(en), zh) for k, (en, zh) in words.catalogue().items()}
    monkeypatch.setattr(words, "catalogue", lambda: known)


PAGES = ("main", "answer", "sign-in", "detail", "local")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("lang", ["en", "zh-CN"])
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_nothing_is_clipped_at_any_size(make: Make, qtbot: QtBot, page: str, lang: str, scale: float) -> None:
    assert clipped(make(lang, scale).turn(page, qtbot)) == []


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_clipped_in_longer_languages(make: Make, qtbot: QtBot, longer: None, page: str) -> None:
    assert clipped(make().turn(page, qtbot)) == []


def clipped(page: QWidget) -> list[str]:
    """What of the page is cut without saying so: words that are elided are whole in their tooltip."""
    found = [f"{b.text()!r} is cut" for b in page.findChildren(Button) if b.isVisible() and is_cut(b)]
    for label in page.findChildren(PlainLabel):
        if label.isVisible() and label.text() and not label.is_cut() and not fits(label):
            found.append(f"{label.text()!r} in {label.size()}, needs {label.sizeHint()}")
    found += [f"{w!r} sticks out" for w in page.findChildren(QWidget) if w.isVisible() and sticks_out(w)]
    return found


def is_cut(button: Button) -> bool:
    return QFontMetrics(button._font()).horizontalAdvance(button.text()) > button._room()


def fits(label: PlainLabel) -> bool:
    if label.wordWrap():
        return label.height() >= label.heightForWidth(label.width())
    return label.width() >= label.sizeHint().width() and label.height() >= label.sizeHint().height()


def sticks_out(widget: QWidget) -> bool:
    """Out of its parent sideways; downwards things may scroll."""
    parent = widget.parentWidget()
    if parent is None or widget.isWindow() or widget.inherits("QFocusFrame"):
        return False
    here = QRect(widget.pos(), widget.size())
    return here.left() < 0 or here.right() > parent.rect().right()
