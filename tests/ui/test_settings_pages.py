"""The settings window: every control writes, shows what is true, and is reached by keyboard."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QFileDialog, QLineEdit, QWidget

from lisa_island.core import words
from lisa_island.core.agent import KeyState
from lisa_island.core.intents import CheckKey, Outcome, Result, refused
from lisa_island.core.preferences import LOCAL_KINDS, Pin
from lisa_island.core.times import HOUR
from lisa_island.ui import theme
from lisa_island.ui.controls import Button, PlainLabel, Switch
from lisa_island.ui.settings import SettingsDialog
from lisa_island.ui.settings.dialog import PAGES
from lisa_island.ui.settings.rows import Choice
from tests.fakes.clock import START
from tests.fakes.shell import FakeShell

FACTS = (
    ("fact.version", "0.1.0"),
    ("fact.home", "/home/ada/.lisa"),
    ("fact.rows", "214"),
    ("fact.size", "312 kB"),
    ("fact.tray", "a host shows icons"),
    ("fact.window", "window-mode.x11"),
)


@pytest.fixture
def opened(qtbot):
    def make(page: str = "general", lang: str = "en", **preferences: object):
        shell = FakeShell(lang, **preferences)
        shell.facts = FACTS
        dialog = SettingsDialog(shell)
        qtbot.addWidget(dialog)
        dialog.open_page(page)
        qtbot.waitExposed(dialog)
        return shell, dialog, dialog.pages[page]

    return make


def control(page: QWidget, name: str):
    found = page.findChild(QWidget, name)
    assert found is not None, name
    return found


def stops(dialog: QWidget, page: QWidget) -> list[str]:
    """Where Tab goes in a page, by object names, starting at the list of pages."""
    dialog.nav.setFocus(Qt.FocusReason.TabFocusReason)
    found = []
    for _ in range(60):
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        at = dialog.focusWidget()
        if at is dialog.nav:
            return found
        found.append(at.objectName())
    raise AssertionError(f"Tab never comes back: {found}")


# --- what each control writes ---

SWITCHES = [
    ("general", "open_on_hover"),
    ("general", "shrink_when_quiet"),
    ("general", "reduced_motion"),
    ("general", "presenting"),
    ("remote", "takoapi_enabled"),
    ("notifications", "notify_input"),
    ("notifications", "notify_auth"),
    ("notifications", "notify_failed"),
    ("notifications", "notify_finished"),
    ("notifications", "quiet_hours"),
]


@pytest.mark.parametrize(("page", "field"), SWITCHES)
def test_a_switch_writes_and_follows(opened, page: str, field: str) -> None:
    shell, _dialog, shown = opened(page)
    switch = control(shown, field)
    before = getattr(shell.preferences, field)
    assert switch.isChecked() is before
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert getattr(shell.preferences, field) is not before
    shell.prefer(**{field: before})
    assert switch.isChecked() is before


@pytest.mark.parametrize(("page", "field"), SWITCHES)
def test_a_switch_that_could_not_be_saved_jumps_back_and_says_why(opened, page: str, field: str) -> None:
    shell, _dialog, shown = opened(page)
    shell.refuse_preferences = "storage.full"
    switch = control(shown, field)
    before = switch.isChecked()
    switch.click()
    assert switch.isChecked() is before
    place = "agents.json" if field == "takoapi_enabled" else "island.json"
    assert shown.problem.isVisible() and place in shown.problem.text()
    shell.refuse_preferences = ""
    switch.click()
    assert shown.problem.isHidden()


@pytest.mark.parametrize(
    ("page", "field", "values"),
    [
        ("general", "theme", ["system", "dark", "light", "contrast"]),
        ("general", "screen", ["pointer", "primary"]),
        ("privacy", "agent_calls", ["deny", "allow"]),
    ],
)
def test_a_choice_writes_each_of_its_values_and_follows(opened, page, field, values) -> None:
    shell, _dialog, shown = opened(page)
    choice = control(shown, field)
    assert [choice.itemData(i) for i in range(choice.count())] == values
    for _ in values[1:]:
        QTest.keyClick(choice, Qt.Key.Key_Down)
        assert getattr(shell.preferences, field) == choice.currentData()
    assert getattr(shell.preferences, field) == values[-1]
    shell.prefer(**{field: values[0]})
    assert choice.currentData() == values[0]


def test_the_wheel_scrolls_the_page_and_changes_no_choice(opened) -> None:
    shell, _dialog, shown = opened("privacy")
    choice = control(shown, "agent_calls")
    choice.setFocus()
    wheel = QWheelEvent(
        QPointF(5, 5), choice.mapToGlobal(QPointF(5, 5)), QPoint(), QPoint(0, -120),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(choice, wheel)
    assert shell.preferences.agent_calls == "deny"


def test_row_height_is_a_choice_over_one_switch(opened) -> None:
    shell, _dialog, page = opened()
    QTest.keyClick(page.rows, Qt.Key.Key_Down)
    assert shell.preferences.compact_rows
    shell.prefer(compact_rows=False)
    assert page.rows.currentData() == "comfortable"


def test_back_to_the_top_centre_is_offered_only_where_it_does_something(opened) -> None:
    shell, _dialog, page = opened(positions=(("eDP-1", 10, 8),))
    assert page.back.isEnabled()
    page.back.setFocus()
    page.back.click()
    assert shell.preferences.positions == () and not page.back.isEnabled()
    assert words.say("en", "settings.position.centred") in page.back.accessibleDescription()
    assert page.back.hasFocus() is False


def test_the_window_mode_is_named_with_what_it_cannot_do(opened) -> None:
    shell, dialog, page = opened()
    assert page.mode.text() == "X11 with a compositor"
    shell.facts = (("fact.window", "window-mode.wayland"),)
    dialog.open_page("about")
    dialog.open_page("general")
    assert page.mode.text() == "Wayland"
    assert page.mode_row.hint.text() == words.say("en", "window-mode.wayland.limit")


# --- language ---


def test_another_language_is_spoken_at_once_and_the_keyboard_stays_where_it_was(opened) -> None:
    shell, dialog, page = opened()
    page.language.setFocus()
    for _ in range(2):
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Down)
    assert shell.preferences.language == "zh-CN"
    assert dialog.page == "general" and dialog.windowTitle() == "LISA Island 设置"
    assert dialog.focusWidget().objectName() == "language"
    assert dialog.focusWidget().currentData() == "zh-CN"
    assert dialog.nav.item(2).text() == "远程"


def test_a_language_that_the_environment_overrules_is_told(opened) -> None:
    shell, _dialog, page = opened()
    prefer = shell.prefer
    shell.prefer = lambda done=None, **changes: prefer(done)  # saved, but this run keeps its own
    QTest.keyClick(page.language, Qt.Key.Key_Down)
    assert "LISA_ISLAND_LANG" in page.problem.text()


# --- address ---


def test_an_address_is_saved_by_its_button_and_not_while_typing(opened) -> None:
    shell, _dialog, page = opened("remote")
    box = page.address
    box.field.selectAll()
    QTest.keyClicks(box.field, "https://gw.example.org/")
    assert shell.preferences.base_url == "https://takoapi.com"
    assert box.button.text() == "Save"
    QTest.keyClick(box.field, Qt.Key.Key_Return)
    assert shell.preferences.base_url == "https://gw.example.org"
    assert box.button.text() == "Check"
    assert "goes only to the address" in box.sentence.text()


def test_an_address_that_is_refused_stays_to_be_mended(opened) -> None:
    shell, _dialog, page = opened("remote")
    box = page.address
    shell.refuse_preferences = "settings-file.insecure-url"
    box.field.selectAll()
    QTest.keyClicks(box.field, "http://gw.example.org")
    box.button.click()
    assert box.field.text() == "http://gw.example.org"
    assert "http://gw.example.org" in box.sentence.text() and "not encrypted" in box.sentence.text()
    assert box.sentence.icon == "error" and page.problem.isHidden()


def test_an_address_of_the_environment_wins_and_that_is_said(opened) -> None:
    shell, _dialog, page = opened("remote")
    prefer = shell.prefer
    shell.prefer = lambda done=None, **changes: prefer(done)
    page.address.field.selectAll()
    QTest.keyClicks(page.address.field, "https://gw.example.org")
    page.address.button.click()
    assert "TAKOAPI_BASE_URL" in page.address.sentence.text()
    assert page.address.field.text() == "https://takoapi.com"


def test_an_address_that_must_not_be_used_is_an_error_from_the_start(opened) -> None:
    _shell, _dialog, page = opened("remote", base_url="")
    assert page.address.sentence.text() == words.say("en", "settings.address.refused")


def test_check_is_one_free_question_with_its_answer(opened) -> None:
    shell, _dialog, page = opened("remote")
    assert page.address.sentence.text() == "Check is free. It sends no message to any agent."
    shell.outcome = Outcome(Result.DONE, "outcome.key-good")
    page.address.button.click()
    assert shell.performed == [CheckKey("takoapi")]
    assert page.address.sentence.text() == words.say("en", "outcome.key-good")
    shell.outcome = refused("outcome.unreachable", origin="https://takoapi.com")
    page.address.button.click()
    assert page.address.sentence.text().startswith("https://takoapi.com does not answer")
    assert page.address.sentence.icon == "error"


def test_a_check_of_the_old_address_says_nothing_of_the_new(opened) -> None:
    shell, _dialog, page = opened("remote")
    shell.hold = True
    page.address.button.click()
    assert page.address.sentence.text() == words.say("en", "settings.address.checking")
    shell.prefer(base_url="https://gw.example.org")
    shell.finish(Outcome(Result.DONE, "outcome.key-good"))
    assert page.address.sentence.text() == words.say("en", "settings.address.free")


# --- notifications ---


def test_muting_until_and_unmuting(opened) -> None:
    shell, _dialog, page = opened("notifications")
    off = control(page, "mute-off")
    assert off.isHidden()
    control(page, "mute-hour").click()
    assert shell.preferences.muted_until == START + HOUR
    assert "muted until" in page.mute_row.hint.text() and off.isVisible()
    off.setFocus()
    off.click()
    assert shell.preferences.muted_until == 0 and off.isHidden()
    assert page.window().focusWidget() is control(page, "mute-hour")


def test_a_mute_that_ended_is_not_shown_as_one(opened) -> None:
    shell, dialog, page = opened("notifications", muted_until=START + HOUR)
    shell.clock.jump(HOUR + 1)
    dialog.open_page("about")
    dialog.open_page("notifications")
    assert control(page, "mute-off").isHidden()


def test_a_time_is_saved_when_the_keyboard_leaves_it(opened) -> None:
    shell, _dialog, page = opened("notifications")
    begins = control(page, "quiet_from")
    begins.setText("2130")
    assert shell.preferences.quiet_from == "22:00", "not while it is typed"
    QTest.keyClick(begins, Qt.Key.Key_Return)
    assert shell.preferences.quiet_from == "21:30" == begins.text()
    assert page.problem.isHidden()


def test_what_is_no_time_jumps_back_with_a_reason(opened) -> None:
    shell, _dialog, page = opened("notifications")
    ends = control(page, "quiet_to")
    ends.setText("late")
    QTest.keyClick(ends, Qt.Key.Key_Return)
    assert shell.preferences.quiet_to == "08:00" == ends.text()
    assert page.problem.text() == words.say("en", "settings.quiet.no-time") and page.problem.isVisible()
    ends.setText("7")
    QTest.keyClick(ends, Qt.Key.Key_Return)
    assert shell.preferences.quiet_to == "07:00" and page.problem.isHidden()


def test_quiet_hours_say_until_when_and_when_they_are_none(opened) -> None:
    shell, _dialog, page = opened("notifications", quiet_hours=True)
    hint = page.quiet.row.hint
    assert hint.text() == words.say("en", "settings.quiet.hint")
    shell.set_quiet(minute=23 * 60)
    assert hint.text() == "Quiet hours until 08:00"
    shell.prefer(quiet_from="08:00")
    assert hint.text() == words.say("en", "settings.quiet.never")


@pytest.mark.parametrize(("state", "said"), [(None, "Not known"), (True, "On"), (False, "Off")])
def test_what_is_known_of_the_desktops_do_not_disturb(opened, state, said) -> None:
    shell, _dialog, page = opened("notifications")
    shell.set_quiet(desktop=state)
    assert page.desktop.text() == said and page.desktop_row.hint.text()


def test_a_test_notice_says_how_it_came_out(opened) -> None:
    shell, _dialog, page = opened("notifications")
    page.test.click()
    assert shell.notices == 1 and page.test_row.hint.text() == words.say("en", "settings.test.sent")
    shell.notice_answer = "storage.busy"
    page.test.click()
    assert page.test_row.hint.text() == words.say("en", "storage.busy")


# --- privacy ---


def test_the_journal_is_kept_for_as_long_as_chosen(opened) -> None:
    shell, _dialog, page = opened("privacy")
    days = control(page, "journal_days")
    assert [days.itemText(i) for i in range(days.count())] == ["Keep none", "1 day", "7 days", "30 days"]
    assert days.currentText() == "7 days"
    QTest.keyClick(days, Qt.Key.Key_Home)
    assert shell.preferences.journal_days == 0
    shell.prefer(journal_days=14)
    assert days.currentText() == "14 days", "a number from the file is shown as it is"


def test_hosts_that_may_report_are_named_and_can_be_taken_back(opened) -> None:
    shell, _dialog, page = opened("agents", reporters=("my-host", "build"))
    assert page.reporters.hint.text() == "my-host, build" and page.forbid.isVisible()
    page.forbid.click()
    assert shell.preferences.reporters == () and not page.forbid.isVisible()
    assert "--allow" in page.reporters.hint.text()


def test_a_file_that_asks_for_a_looser_gate_is_confirmed_or_refused_here(opened, qtbot) -> None:
    shell, _dialog, page = opened("privacy", agent_calls_wanted="allow")
    assert page.wanted.isVisible() and page.allow.is_inert()
    page.keep.click()
    assert shell.preferences.agent_calls == "deny"
    with qtbot.waitSignal(page.allow.ready):
        pass
    page.allow.click()
    assert shell.preferences.agent_calls == "allow" and page.wanted.isHidden()


def test_the_question_of_the_file_is_asked_only_when_there_is_one(opened) -> None:
    _shell, _dialog, page = opened("privacy")
    assert page.wanted.isHidden()


def test_the_gate_says_that_it_is_no_wall(opened) -> None:
    _shell, _dialog, page = opened("privacy")
    said = control(page, "agent_calls").accessibleDescription()
    assert "accident and habit" in said and "no wall between programs of one user" in said


def test_what_leaves_names_the_address(opened) -> None:
    shell, _dialog, page = opened("privacy")
    shell.prefer(base_url="https://gw.example.org")
    assert "https://gw.example.org" in page.leaves.hint.text()


def test_stored_data_in_numbers(opened) -> None:
    _shell, _dialog, page = opened("privacy")
    assert page.stored.hint.text().startswith("214 tasks, 312 kB · /home/ada/.lisa")


def test_deleting_asks_in_place_and_the_focus_is_on_keep(opened, qtbot) -> None:
    shell, dialog, page = opened("privacy")
    page.delete.click()
    assert dialog.focusWidget() is page.confirm.no
    page.confirm.no.click()
    assert shell.forgotten == 0 and dialog.focusWidget() is page.delete
    page.delete.click()
    with qtbot.waitSignal(page.confirm.yes.ready):
        pass
    page.confirm.yes.click()
    assert shell.forgotten == 1
    assert page.result.text() == words.say("en", "settings.delete.done")


def test_a_deletion_that_failed_is_told(opened, qtbot) -> None:
    shell, _dialog, page = opened("privacy")
    shell.file_answer = "storage.read-only"
    page.delete.click()
    with qtbot.waitSignal(page.confirm.yes.ready):
        pass
    page.confirm.yes.click()
    assert page.result.icon == "error" and page.delete.isEnabled()


# --- about ---


def test_about_names_versions_and_facts_and_offers_the_welcome_again(opened, qtbot) -> None:
    from lisa_island import __version__

    _shell, dialog, page = opened("about")
    said = [label.text() for label in page.findChildren(PlainLabel)]
    assert f"Version {__version__}" in said
    assert "Tray" in said and "a host shows icons" in said and "X11 with a compositor" in said
    assert "312 kB" not in said  # that is said on Privacy
    with qtbot.waitSignal(dialog.welcome_requested):
        control(page, "welcome").click()


def test_a_self_check_without_facts_says_where_to_look(opened) -> None:
    shell, dialog, page = opened("about")
    shell.facts = ()
    dialog.open_page("general")
    dialog.open_page("about")
    QApplication.sendPostedEvents(None, 52)  # DeferredDelete
    said = [label.text() for label in page.findChildren(PlainLabel)]
    assert words.say("en", "settings.check.none") in said and "Tray" not in said


# --- the window ---


def test_only_pages_whose_function_exists_are_drawn(opened) -> None:
    _shell, dialog, _page = opened()
    assert [k.NAME for k in PAGES] == ["general", "agents", "remote", "notifications", "privacy", "about"]
    with pytest.raises(KeyError):
        dialog.open_page("shortcuts")


def test_the_window_is_not_modal_and_has_the_size_of_the_design(opened) -> None:
    _shell, dialog, _page = opened()
    assert not dialog.isModal()
    assert (dialog.width(), dialog.height()) == (720, 520)
    assert (dialog.minimumWidth(), dialog.minimumHeight()) == (640, 440)


def test_the_pages_are_turned_by_arrows(opened) -> None:
    _shell, dialog, _page = opened()
    assert dialog.focusWidget() is dialog.nav
    QTest.keyClick(dialog.nav, Qt.Key.Key_Down)
    assert dialog.page == "agents"
    QTest.keyClick(dialog.nav, Qt.Key.Key_End)
    assert dialog.page == "about"


def test_escape_closes_and_reopening_starts_on_the_list(opened) -> None:
    _shell, dialog, page = opened("privacy")
    page.delete.setFocus()
    QTest.keyClick(page.delete, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    dialog.open_page("privacy")
    assert dialog.focusWidget() is dialog.nav
    assert not dialog.nav._delegate.keyboard  # no ring before a key is pressed


TAB_ORDER = {
    "general": [
        "theme", "language", "screen", "positions", "open_on_hover", "shrink_when_quiet", "compact_rows",
        "reduced_motion", "presenting", "autostart",
    ],
    "remote": [
        "takoapi_enabled", "key-replace", "key-remove", "base_url", "address-check", "pins", "registry",
        "followAtAgent",
    ],
    "agents": [*(f"local-{kind}" for kind in LOCAL_KINDS), "add-agent", "import-agents"],
    "notifications": [
        "notify_input", "notify_auth", "notify_failed", "notify_finished",
        "mute-hour", "mute-tomorrow", "quiet_from", "quiet_to", "quiet_hours", "test",
    ],
    "privacy": ["agent_calls", "journal_days", "export", "delete"],
    "about": ["welcome"],
}  # fmt: skip


@pytest.mark.parametrize("name", TAB_ORDER)
def test_tab_goes_down_the_page(opened, name: str) -> None:
    shell, dialog, page = opened(name, pins=(Pin("acme-research"),), positions=(("a", 1, 2),))
    if name == "remote":
        shell.preview = "tako_live_Ab3xQ9"
        shell.report(key_state=KeyState.READY)
    assert stops(dialog, page) == TAB_ORDER[name]


@pytest.mark.parametrize("lang", words.LANGUAGES)
@pytest.mark.parametrize("name", TAB_ORDER)
def test_every_control_has_a_name_and_a_target(opened, name: str, lang: str) -> None:
    _shell, _dialog, page = opened(name, lang)
    for widget in page.findChildren(QWidget):
        if not isinstance(widget, QAbstractButton | QComboBox | QLineEdit) or not widget.isVisible():
            continue
        face = QAccessible.queryAccessibleInterface(widget)
        assert face.text(QAccessible.Text.Name).strip(), widget
        assert min(widget.width(), widget.height()) >= 28, widget


@pytest.mark.parametrize("name", TAB_ORDER)
def test_no_page_starts_on_a_dangerous_button(opened, name: str) -> None:
    _shell, dialog, _page = opened(name)
    at = dialog.focusWidget()
    assert not isinstance(at, Button) or at.kind != "danger"


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("lang", words.LANGUAGES)
@pytest.mark.parametrize("name", TAB_ORDER)
def test_nothing_sticks_out_at_the_smallest_size(opened, name: str, lang: str, scale: float) -> None:
    theme.watcher().set_language(lang)
    theme.watcher().set_scale(scale)
    _shell, dialog, page = opened(name, lang, pins=(Pin("acme-research", "0.02 USD"),))
    dialog.resize(dialog.minimumSize())
    for _ in range(4):  # wrapped labels claim their height step by step
        QApplication.processEvents()
    body = page.widget()
    assert body.width() <= page.viewport().width()
    for widget in body.findChildren(QWidget):
        if isinstance(widget, PlainLabel | Button | Choice | Switch) and widget.isVisibleTo(body):
            right = widget.mapTo(body, QPoint(widget.width(), 0)).x()
            assert right <= body.width(), (widget, widget.accessibleName())
        if isinstance(widget, PlainLabel) and widget.isVisibleTo(body) and widget.wordWrap():
            assert widget.height() >= widget.heightForWidth(widget.width()), widget.text()
            parts = re.findall(r"[\w'-]+", widget.text(), re.A)
            longest = max(map(widget.fontMetrics().horizontalAdvance, parts), default=0)
            assert widget.width() >= longest, widget.text()


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_the_names_of_the_pages_are_whole_at_any_font_size(opened, lang: str) -> None:
    _shell, dialog, _page = opened("general", lang)
    assert dialog.nav.parentWidget().width() == 172
    theme.watcher().set_scale(2.0)
    assert dialog.nav.parentWidget().width() >= dialog.nav.needed_width()


# --- start at login ---


def test_start_at_login_shows_what_is_real_and_jumps_back_when_refused(opened):
    shell, dialog, page = opened("general")
    switch = control(page, "autostart")
    assert not switch.isChecked()
    switch.click()
    assert shell.login is True and switch.isChecked()
    shell.login = False  # by the desktop's own tool
    dialog.refresh()
    assert not switch.isChecked()
    shell.login_answer = "autostart.not-changed"
    switch.click()
    assert not switch.isChecked() and "autostart folder" in page.problem.text()
    shell.login_answer = ""
    switch.click()
    assert switch.isChecked() and page.problem.isHidden()


def test_where_nothing_starts_at_login_it_is_not_offered(opened):
    shell, dialog, page = opened("general")
    shell.login = None
    dialog.refresh()
    assert not control(page, "autostart").isVisible()


# --- diagnostics ---


def test_diagnostics_are_saved_where_the_owner_says(opened):
    shell, _dialog, page = opened("privacy")
    button = control(page, "export")
    button.click()
    where = page.findChild(QFileDialog)
    assert where is not None and where.acceptMode() is QFileDialog.AcceptMode.AcceptSave
    button.click()
    assert len(page.findChildren(QFileDialog)) == 1
    assert shell.saved == []
    where.fileSelected.emit("/chosen/by/owner.txt")
    assert shell.saved == [("/chosen/by/owner.txt", "diagnostics")]
    assert page.exported.text() == words.say("en", "settings.diagnostics.done")
    shell.file_answer = "storage.not-saved"
    where.fileSelected.emit("/no/such/place")
    assert page.exported.text() == words.say("en", "settings.diagnostics.failed")
    where.reject()


def test_an_agent_on_this_machine_is_off_until_it_is_chosen(opened, qtbot) -> None:
    shell, _dialog, page = opened("agents", agents_on=("other",))
    switch = control(page, "local-claude-code")
    assert not switch.isChecked() and "never kept" in switch.accessibleDescription()
    switch.click()
    assert shell.preferences.agents_on == ("other", "claude-code")
    switch.click()
    assert shell.preferences.agents_on == ("other",) and not switch.isChecked()
