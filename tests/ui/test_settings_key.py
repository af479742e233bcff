"""The key's line: typed blind, shown as a prefix, saved where the owner means, and the rest is nowhere."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QWidget

from lisa_island.core import words
from lisa_island.core.agent import KeyState
from lisa_island.core.origin import check_key, origin_of
from lisa_island.ui.controls import IconButton
from lisa_island.ui.settings import SettingsDialog
from lisa_island.ui.settings.key_face import DOTS, key_face, masked
from tests.fakes.shell import FakeShell

PREFIX = "tako_live_Ab3xQ9"
ONE = PREFIX + "A" * 26
TWO = PREFIX + "z_-7" * 6 + "qq"
LEFT = Qt.MouseButton.LeftButton
STATES = [*KeyState, None]


@pytest.fixture
def opened(qtbot):
    """A dialog on its Remote page, with the shell's key in a state."""

    def make(state=KeyState.NONE, *, detail="", preview="", shell=None, **preferences):
        shell = shell or FakeShell(takoapi_enabled=True, **preferences)
        shell.preview = preview
        if state is not None:
            shell.report(key_state=state, detail=detail)
        dialog = SettingsDialog(shell)
        qtbot.addWidget(dialog)
        dialog.open_page("remote")
        qtbot.waitExposed(dialog)
        return shell, dialog, dialog.pages["remote"].key

    return make


def picture(widget: QWidget) -> QImage:
    image = QImage(widget.size(), QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    widget.render(painter, QPoint())
    painter.end()
    return image


def everything_said(window: QWidget) -> str:
    """All that a person or a screen reader could get out of the window."""
    found = []
    for widget in [window, *window.findChildren(QWidget)]:
        found += [widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()]
        if isinstance(widget, QLabel | QLineEdit):
            found.append(widget.text())
        face = QAccessible.queryAccessibleInterface(widget)
        found += [face.text(t) for t in (QAccessible.Text.Name, QAccessible.Text.Value)]
    return "\n".join(found)


# --- the table ---


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("source", ["keyring", "run", "environment", "file"])
def test_each_state_has_a_sentence(state, source) -> None:
    face = key_face(state, "", PREFIX if state is KeyState.READY else "", source, "https://takoapi.com")
    assert words.has(face.word)
    assert not face.box_word or words.has(face.box_word)


def test_the_faces_of_the_states_differ() -> None:
    faces = [key_face(s, "", PREFIX, "keyring", "https://takoapi.com") for s in KeyState]
    assert len({f.word for f in faces}) == len(KeyState)


def test_a_locked_key_offers_only_to_unlock() -> None:
    face = key_face(KeyState.LOCKED, "", "", "keyring", "https://takoapi.com")
    assert face.unlock_word and not (face.can_type or face.can_replace or face.can_remove or face.sources)


def test_without_a_keyring_the_backend_is_named_and_a_place_can_be_chosen() -> None:
    face = key_face(KeyState.ABSENT, "keyrings.alt.file", "", "keyring", "https://takoapi.com")
    assert dict(face.values)["name"] == "keyrings.alt.file"
    assert face.sources == ("run", "environment", "file")


def test_another_address_has_no_key_by_name() -> None:
    face = key_face(KeyState.NONE, "", "", "keyring", "https://gw.example.org:8443")
    assert face.word == "secrets.no-key-for"
    assert dict(face.values) == {"origin": "https://gw.example.org:8443"}


def test_why_a_file_was_not_read_is_said() -> None:
    face = key_face(KeyState.NONE, "secrets.file-open", "", "file", "https://takoapi.com")
    assert words.say("en", face.word, **dict(face.values)).startswith("config.env was not read")


def test_a_mask_holds_sixteen_characters_and_the_same_dots() -> None:
    assert masked(ONE) == masked(TWO) == PREFIX + DOTS


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("", "secrets.empty"),
        ("sk-1234", "secrets.bad-prefix"),
        (ONE[:-1], "secrets.bad-length"),
        (ONE + "A", "secrets.bad-length"),
        (ONE[:-1] + "é", "secrets.bad-length"),
        (ONE, ""),
        (TWO, ""),
    ],
)
def test_the_format_is_checked_before_a_key_goes_anywhere(value, word) -> None:
    assert check_key(value) == word


def test_an_origin_is_scheme_host_and_port() -> None:
    assert origin_of("https://Gw.example.org:8443/api/x") == "https://gw.example.org:8443"
    assert origin_of("https://takoapi.com:443") == "https://takoapi.com"
    assert origin_of("http://127.0.0.1:8080") == "http://127.0.0.1:8080"
    assert origin_of("") == ""


# --- typing and saving ---


def test_a_pasted_key_loses_its_white_space_and_goes_to_the_keyring_once(opened, qtbot) -> None:
    shell, _dialog, key = opened()
    QGuiApplication.clipboard().setText(f"  {ONE}\n")
    key.field.setFocus()
    key.field.paste()
    assert key.field.text() == ONE
    shell.preview = PREFIX
    QTest.keyClick(key.field, Qt.Key.Key_Return)
    assert shell.keys == [("keyring", ONE)]
    QGuiApplication.clipboard().clear()


def test_the_field_is_empty_right_after_and_undo_brings_nothing_back(opened) -> None:
    shell, dialog, key = opened()
    shell.preview = PREFIX
    QTest.keyClicks(key.field, ONE)
    key.save.click()
    key.field.undo()
    assert key.field.text() == ""
    assert ONE[16:] not in everything_said(dialog)
    assert key.shown.text() == PREFIX + DOTS


def test_the_field_shows_dots_and_hides_its_text_from_screen_readers(opened) -> None:
    _shell, _dialog, key = opened()
    QTest.keyClicks(key.field, ONE)
    assert key.field.echoMode() == QLineEdit.EchoMode.Password
    face = QAccessible.queryAccessibleInterface(key.field)
    assert ONE[10:] not in face.text(QAccessible.Text.Value)
    assert face.state().passwordEdit
    key.field.selectAll()
    key.field.copy()
    assert ONE not in QGuiApplication.clipboard().text()


def test_a_wrong_key_is_told_and_goes_nowhere(opened) -> None:
    shell, _dialog, key = opened()
    QTest.keyClicks(key.field, "sk-nothing")
    key.save.click()
    assert shell.keys == []
    assert key.sentence.text() == words.say("en", "secrets.bad-prefix")
    QTest.keyClicks(key.field, "x")
    assert key.sentence.text() != words.say("en", "secrets.bad-prefix")


def test_two_keys_with_one_prefix_give_identical_pictures(opened, look) -> None:
    shots = []
    for value in (ONE, TWO):
        shell, dialog, key = opened()
        QTest.keyClicks(key.field, value)
        dialog.nav.setFocus()  # a caret blinks
        typed = picture(dialog)
        shell.preview = value[:16]
        shell.report(key_state=KeyState.READY)
        key.save.click()
        QApplication.sendPostedEvents()
        shots.append((typed, picture(dialog)))
        dialog.hide()
    assert shots[0][0] == shots[1][0]
    assert shots[0][1] == shots[1][1]
    assert shots[0][0] != shots[0][1]


def test_a_shell_that_hands_out_too_much_shows_no_more(opened) -> None:
    _shell, dialog, key = opened(KeyState.READY, preview=ONE)
    assert key.shown.text() == PREFIX + DOTS
    assert ONE[16:] not in everything_said(dialog)


def test_without_a_keyring_a_key_is_kept_for_this_run(opened) -> None:
    shell, _dialog, key = opened(KeyState.ABSENT, detail="keyrings.alt.file")
    shell.key_answer = (KeyState.MEMORY, "")
    assert "keyrings.alt.file" in key.sentence.text()
    QTest.keyClicks(key.field, ONE)
    key.save.click()
    assert shell.keys == [("run", ONE)]
    assert key.sentence.text() == words.say("en", "secrets.state.memory")


def test_the_place_of_the_key_is_a_preference(opened) -> None:
    shell, _dialog, key = opened(KeyState.ABSENT)
    assert key.source.currentData() == "run"
    key.source.setFocus()
    QTest.keyClick(key.source, Qt.Key.Key_Down)
    assert shell.preferences.key_source == "environment"
    assert not key.field.isVisible()  # nothing can be typed where it is read at each start


def test_a_refusal_of_the_keyring_is_said(opened) -> None:
    shell, _dialog, key = opened()
    shell.key_answer = (KeyState.NONE, "secrets.not-saved")
    QTest.keyClicks(key.field, ONE)
    key.save.click()
    assert key.sentence.text() == words.say("en", "secrets.not-saved")
    assert key.sentence.icon == "error"
    assert key.field.text() == ""


class SlowShell(FakeShell):
    """Answers about the key when the test says so."""

    def save_key(self, value, source, done):
        self.keys.append((source, value))
        self.late = done


def test_nothing_is_saved_twice_while_the_keyring_thinks(opened) -> None:
    shell, _dialog, key = opened(shell=SlowShell(takoapi_enabled=True))
    QTest.keyClicks(key.field, ONE)
    key.save.click()
    assert key.sentence.text() == words.say("en", "settings.key.saving")
    key.save.click()
    key._save()
    assert len(shell.keys) == 1
    shell.late(KeyState.READY, "")
    assert key.state is KeyState.READY


def test_an_answer_after_the_window_is_gone_does_no_harm(opened) -> None:
    shell, dialog, key = opened(shell=SlowShell(takoapi_enabled=True))
    QTest.keyClicks(key.field, ONE)
    key.save.click()
    shiboken6.delete(dialog)
    shell.late(KeyState.READY, "")
    shell.report(key_state=KeyState.LOCKED)
    shell.prefer(compact_rows=True)


# --- what is there ---


def test_a_locked_keyring_is_opened_only_by_the_click(opened) -> None:
    shell, _dialog, key = opened(KeyState.LOCKED)
    assert shell.keys == []
    shell.preview = PREFIX
    QTest.mouseClick(key.unlock, LEFT)
    assert shell.keys == [("unlock", "")]
    assert key.shown.text() == PREFIX + DOTS


def test_removing_asks_first_and_the_focus_is_on_keep(opened, qtbot) -> None:
    shell, dialog, key = opened(KeyState.READY, preview=PREFIX)
    key.remove.click()
    assert dialog.focusWidget() is key.confirm.no
    QTest.keyClick(key.confirm.no, Qt.Key.Key_Return)
    assert shell.keys == [] and key.confirm.isHidden()
    key.remove.click()
    assert key.confirm.yes.is_inert()  # the second click of a double click must not land on it
    with qtbot.waitSignal(key.confirm.yes.ready):
        pass
    shell.key_answer = (KeyState.NONE, "")
    key.confirm.yes.click()
    assert shell.keys == [("drop", "")]
    assert key.field.isVisible()


def test_escape_takes_the_question_away_and_leaves_the_window(opened) -> None:
    _shell, dialog, key = opened(KeyState.READY, preview=PREFIX)
    key.remove.click()
    QTest.keyClick(key.confirm.no, Qt.Key.Key_Escape)
    assert key.confirm.isHidden() and dialog.isVisible()


def test_importing_says_that_lisas_copy_stays(opened) -> None:
    shell, _dialog, key = opened()
    assert "LISA's own copy stays" in key.import_note.text()
    shell.key_answer = (KeyState.READY, "secrets.imported")
    shell.preview = PREFIX
    key.take_over.click()
    assert shell.keys == [("import", "")]
    assert key.sentence.text() == words.say("en", "secrets.imported")
    assert key.sentence.icon == "done"


def test_a_key_of_another_address_is_not_named_wrongly(opened) -> None:
    shell, _dialog, key = opened()
    shell.key_answer = (KeyState.NONE, "secrets.other-origin")
    key.take_over.click()
    assert "{" not in key.sentence.text()


def test_replacing_keeps_the_old_key_until_the_new_one_is_saved(opened) -> None:
    shell, dialog, key = opened(KeyState.READY, preview=PREFIX)
    key.replace.click()
    assert dialog.focusWidget() is key.field
    QTest.keyClicks(key.field, "tako_live_")
    key.cancel.click()
    assert shell.keys == [] and key.field.text() == ""
    assert key.shown.text() == PREFIX + DOTS
    assert dialog.focusWidget() is key.replace


def test_the_source_is_believed_when_it_reports_again(opened) -> None:
    shell, _dialog, key = opened(KeyState.READY, preview=PREFIX)
    shell.clock.advance(0.2)
    shell.report(key_state=KeyState.LOCKED)
    assert key.unlock.isVisible() and not key.replace.isVisible()


def test_a_key_nobody_has_looked_for_is_not_called_missing(opened) -> None:
    _shell, _dialog, key = opened(None)
    assert key.sentence.text() == words.say("en", "settings.key.unasked")


def test_there_is_no_eye_to_reveal_a_key(opened) -> None:
    _shell, dialog, _key = opened(KeyState.READY, preview=PREFIX)
    assert not dialog.findChildren(IconButton)


def test_a_key_typed_and_not_saved_does_not_stay_in_a_closed_window(opened) -> None:
    shell, dialog, key = opened()
    QTest.keyClicks(key.field, ONE)
    QTest.keyClick(key.field, Qt.Key.Key_Escape)
    assert not dialog.isVisible() and key.field.text() == "" and shell.keys == []


def test_the_state_of_one_address_is_not_told_of_another(opened) -> None:
    shell, _dialog, key = opened(None, preview=PREFIX)
    assert key.shown.text() == PREFIX + DOTS
    shell.prefer(base_url="https://gw.example.org")
    assert key.state is None and key.sentence.text() == words.say("en", "settings.key.unasked")
    assert not key.box.isVisible()
    shell.report(key_state=KeyState.NONE, origin="https://gw.example.org")
    assert key.sentence.text() == "No key for https://gw.example.org."


def test_what_came_of_it_is_announced(opened) -> None:
    shell, dialog, key = opened()
    shell.key_answer = (KeyState.NONE, "secrets.not-saved")
    QTest.keyClicks(key.field, ONE)
    key.save.click()
    assert dialog.pages["remote"]._announcer.said == [words.say("en", "secrets.not-saved")]


def test_the_note_on_lisas_copy_stays_when_the_source_reports_what_we_know(opened) -> None:
    shell, _dialog, key = opened()
    shell.key_answer = (KeyState.READY, "secrets.imported")
    key.take_over.click()
    shell.report(key_state=KeyState.READY)
    assert key.sentence.text() == words.say("en", "secrets.imported")
