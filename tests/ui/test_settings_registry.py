"""Pins and the live search of the registry: asked only while the owner types, hosted only, plain text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from lisa_island.core import words
from lisa_island.core.intents import AgentInfo, Discover, Outcome, Result, refused
from lisa_island.core.preferences import Pin
from lisa_island.ui.settings import SettingsDialog
from lisa_island.ui.settings.agent_list import AgentDelegate, AgentRow, pin_rect
from tests.fakes.shell import FakeShell

HOSTILE = '<img src="http://x"> & <b>bold</b>'
LEGAL = AgentInfo("legal-lens", "Legal Lens", "Reads contracts, asks back", "0.10 USD")
TONE = AgentInfo("tone-check", "tone-check", "", "free")
PROJECT = AgentInfo("some-repo", "A repository", callable=False)


def found(*agents: AgentInfo, total: int = 0) -> Outcome:
    return Outcome(Result.DONE, agents=agents, total=total)


@pytest.fixture
def opened(qtbot):
    def make(*pins: Pin, **preferences: object):
        shell = FakeShell(takoapi_enabled=True, pins=pins, **preferences)
        shell.outcome = found(LEGAL, TONE, PROJECT, total=47)
        dialog = SettingsDialog(shell)
        qtbot.addWidget(dialog)
        dialog.open_page("remote")
        qtbot.waitExposed(dialog)
        return shell, dialog, dialog.pages["remote"].agents

    return make


def typed(qtbot, box, text: str) -> None:
    """Type and let the pause pass after which the registry is asked."""
    with qtbot.waitSignal(box._debounce.timeout):
        QTest.keyClicks(box.search, text)


def test_nothing_is_asked_before_the_owner_types(opened) -> None:
    shell, dialog, _box = opened(Pin("acme-research"))
    for page in dialog.pages:
        dialog.open_page(page)
    shell.prefer(pins=())
    assert shell.performed == []


def test_a_word_typed_in_one_go_is_one_question(opened, qtbot) -> None:
    shell, _dialog, box = opened()
    typed(qtbot, box, "legal")
    assert shell.performed == [Discover("takoapi", "legal", limit=200)]
    assert [r.target for r in box.found.rows] == ["legal-lens", "tone-check"]
    assert box.count.text() == "2 of 47 hosted"


def test_what_cannot_be_called_is_not_offered(opened, qtbot) -> None:
    _shell, _dialog, box = opened()
    typed(qtbot, box, "s")
    assert "some-repo" not in [r.target for r in box.found.rows]


def test_enter_asks_at_once(opened) -> None:
    shell, _dialog, box = opened()
    QTest.keyClicks(box.search, "x")
    QTest.keyClick(box.search, Qt.Key.Key_Return)
    assert len(shell.performed) == 1 and not box._debounce.isActive()


def test_progress_stands_still_until_the_answer(opened, qtbot) -> None:
    shell, _dialog, box = opened()
    shell.hold = True
    typed(qtbot, box, "legal")
    assert box.progress.text() == words.say("en", "settings.registry.asking")
    shell.finish()
    assert box.progress.text() == ""


def test_an_answer_to_an_older_question_is_ignored(opened, qtbot) -> None:
    shell, _dialog, box = opened()
    shell.hold = True
    typed(qtbot, box, "l")
    typed(qtbot, box, "eg")
    shell.finish(found(TONE, total=9))
    assert box.found.rows == ()
    assert box.progress.text() == words.say("en", "settings.registry.asking")
    shell.finish(found(LEGAL, total=9))
    assert [r.target for r in box.found.rows] == ["legal-lens"]


def test_the_last_good_list_is_kept_and_said_to_be_the_last(opened, qtbot) -> None:
    shell, _dialog, box = opened()
    typed(qtbot, box, "legal")
    shell.outcome = refused("outcome.unreachable", origin="https://takoapi.com")
    typed(qtbot, box, "x")
    assert [r.target for r in box.found.rows] == ["legal-lens", "tone-check"]
    assert "https://takoapi.com does not answer" in box.progress.text()
    assert words.say("en", "settings.registry.kept") in box.progress.text()
    assert box.progress.icon == "error"


def test_no_match_is_said(opened, qtbot) -> None:
    shell, _dialog, box = opened()
    shell.outcome = found(total=47)
    typed(qtbot, box, "zzz")
    assert box.progress.text() == words.say("en", "settings.registry.nothing")
    assert box.found.isHidden() and box.count.isHidden()


def test_an_emptied_field_asks_nothing_and_shows_nothing(opened, qtbot) -> None:
    shell, _dialog, box = opened()
    typed(qtbot, box, "l")
    QTest.keyClick(box.search, Qt.Key.Key_Backspace)
    assert len(shell.performed) == 1 and not box._debounce.isActive()
    assert box.found.isHidden()


def test_a_closed_window_asks_nothing(opened) -> None:
    shell, dialog, box = opened()
    QTest.keyClicks(box.search, "legal")
    dialog.close()
    assert not box._debounce.isActive() and shell.performed == []


def test_the_pin_pins_and_unpins_with_the_price_that_was_seen(opened, qtbot) -> None:
    shell, _dialog, box = opened()
    typed(qtbot, box, "legal")
    QApplication.processEvents()
    row = box.found.visualRect(box.found.model().index(0, 0))
    pin = pin_rect(row, Qt.LayoutDirection.LeftToRight).center()
    QTest.mouseClick(box.found.viewport(), Qt.MouseButton.LeftButton, pos=pin)
    assert shell.preferences.pins == (Pin("legal-lens", "0.10 USD", "Legal Lens"),)
    assert box.found.rows[0].pinned and box.pins.rows[0].target == "legal-lens"
    QTest.mouseClick(box.found.viewport(), Qt.MouseButton.LeftButton, pos=pin)
    assert shell.preferences.pins == ()


def test_a_click_beside_the_pin_changes_nothing(opened, qtbot) -> None:
    shell, _dialog, box = opened()
    typed(qtbot, box, "legal")
    QTest.mouseClick(box.found.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, 20))
    assert shell.preferences.pins == ()


def test_pinning_by_keyboard(opened, qtbot) -> None:
    shell, _dialog, box = opened(Pin("acme-research", "0.02 USD"))
    typed(qtbot, box, "legal")
    box.found.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(box.found, Qt.Key.Key_Down)
    QTest.keyClick(box.found, Qt.Key.Key_Return)
    assert [p.target for p in shell.preferences.pins] == ["acme-research", "tone-check"]
    assert box.found.currentIndex().row() == 1
    box.pins.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(box.pins, Qt.Key.Key_Space)
    assert [p.target for p in shell.preferences.pins] == ["tone-check"]


def test_a_pin_that_could_not_be_saved_is_told(opened, qtbot) -> None:
    shell, dialog, box = opened()
    typed(qtbot, box, "legal")
    shell.refuse_preferences = "storage.read-only"
    box.found.toggled.emit(box.found.rows[0])
    assert "agents.json cannot be written" in dialog.pages["remote"].problem.text()
    assert not box.found.rows[0].pinned


def test_a_screen_reader_hears_price_and_pin(opened) -> None:
    _shell, _dialog, box = opened(Pin("acme-research", "unknown", "Acme"))
    face = QAccessible.queryAccessibleInterface(box.pins)
    assert face.child(0).text(QAccessible.Text.Name) == "acme-research, Acme, price unknown, pinned"


def test_two_hundred_rows_paint_only_what_is_in_sight(opened, qtbot, monkeypatch) -> None:
    shell, _dialog, box = opened()
    shell.outcome = found(*(AgentInfo(f"agent-{n}", "", "x" * 300, "free") for n in range(200)), total=200)
    painted: list[int] = []
    paint = AgentDelegate.paint
    monkeypatch.setattr(
        AgentDelegate, "paint", lambda self, p, o, i: (painted.append(i.row()), paint(self, p, o, i))[1]
    )
    typed(qtbot, box, "agent")
    QApplication.processEvents()
    box.found.grab()
    assert len(box.found.rows) == 200
    assert painted and len(set(painted)) <= 8


def test_foreign_text_is_shown_as_it_is(opened, qtbot) -> None:
    shell, _dialog, box = opened()
    shell.outcome = found(AgentInfo("x", HOSTILE, f"a\u202eb\n{HOSTILE}", "free"), total=1)
    typed(qtbot, box, "x")
    row: AgentRow = box.found.rows[0]
    assert row.note == f"ab {HOSTILE}"
    assert words.say("en", "settings.registry.plain") in [
        label.text() for label in box.findChildren(type(box.none))
    ]


def test_pins_made_elsewhere_appear(opened) -> None:
    shell, _dialog, box = opened()
    assert box.none.isVisible()
    shell.prefer(pins=(Pin("acme-research", "free"),))
    assert [r.target for r in box.pins.rows] == ["acme-research"] and box.none.isHidden()
