"""Which windows a desktop allows: one table, every mode with a name in both languages."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from lisa_island.app.doctor import _windows
from lisa_island.core.words import LANGUAGES, has, say
from lisa_island.ui import window_mode
from lisa_island.ui.popup import round_off
from lisa_island.ui.settings.general import GeneralPage
from lisa_island.ui.window_mode import ModeWatcher, WindowMode, detect
from tests.fakes.shell import FakeShell

X = {"DISPLAY": ":0"}
W = X | {"WAYLAND_DISPLAY": "wayland-0", "XDG_SESSION_TYPE": "wayland"}


@pytest.mark.parametrize(
    ("platform", "environ", "compositor", "mode"),
    [
        ("xcb", X, True, WindowMode.X11),
        ("xcb", X, False, WindowMode.X11_PLAIN),
        ("xcb", X, None, WindowMode.X11),
        ("xcb", W, False, WindowMode.XWAYLAND),
        ("wayland", W, None, WindowMode.WAYLAND),
        ("wayland-egl", W, None, WindowMode.WAYLAND),
        ("cocoa", {}, None, WindowMode.MAC),
        ("windows", {}, None, WindowMode.WINDOWS),
        ("offscreen", W, None, WindowMode.OFFSCREEN),
        ("vnc", {}, None, WindowMode.OFFSCREEN),
    ],
)
def test_table(platform: str, environ: dict[str, str], compositor: bool | None, mode: WindowMode) -> None:
    assert detect(platform, environ, compositor) is mode


def test_what_a_mode_may_do() -> None:
    assert [m for m in WindowMode if m.is_masked] == [WindowMode.X11_PLAIN]
    assert [m for m in WindowMode if not m.has_pill] == [WindowMode.WAYLAND]
    assert [m for m in WindowMode if m.has_shadow] == [WindowMode.MAC]


@pytest.mark.parametrize("mode", WindowMode)
def test_each_mode_has_a_name(mode: WindowMode) -> None:
    assert all(say(lang, f"window-mode.{mode}") for lang in LANGUAGES)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("mode", WindowMode)
def test_the_settings_and_doctor_say_the_same_of_it(qtbot, mode: WindowMode, lang: str) -> None:
    shell = FakeShell(lang)
    shell.facts = (("fact.window", f"window-mode.{mode}"),)
    page = GeneralPage(shell)
    qtbot.addWidget(page)
    [(_, told)] = _windows(f"window-mode.{mode}", lang)
    assert page.mode.text() and page.mode.text() in told and page.mode_row.hint.text() in told
    limits = {"x11-plain", "xwayland", "wayland", "mac"}
    assert (page.mode_row.hint.text() == say(lang, "settings.mode.full")) is (mode not in limits)


def test_a_mode_that_cannot_do_all_says_so() -> None:
    limited = [m for m in WindowMode if has(f"window-mode.{m}.limit")]
    assert limited == [WindowMode.X11_PLAIN, WindowMode.XWAYLAND, WindowMode.WAYLAND, WindowMode.MAC]


def test_offscreen_asks_no_server(qapp: object) -> None:
    watcher = ModeWatcher()
    assert watcher.mode is WindowMode.OFFSCREEN
    watcher.refresh()
    watcher.close()
    watcher.close()


@pytest.mark.qt_log_ignore("does not support (setting window masks|raise|grabbing the keyboard)", extend=True)
@pytest.mark.parametrize("mode", [WindowMode.X11, WindowMode.X11_PLAIN])
def test_a_menu_has_round_corners_in_every_mode(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, mode: WindowMode
) -> None:
    monkeypatch.setattr(window_mode, "_latest", mode)
    menu = QMenu()
    qtbot.addWidget(menu)
    menu.addAction("Settings")
    round_off(menu)
    for _ in range(2):  # made anew for a mode, and shown again
        menu.popup(QPoint(0, 0))
        corner, middle = QPoint(0, 0), menu.rect().center()
        if mode.is_masked:
            assert not menu.mask().contains(corner) and menu.mask().contains(middle)
        else:
            assert menu.mask().isEmpty() and menu.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        menu.hide()


def test_a_watcher_tells_what_it_saw_last(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_mode, "_latest", WindowMode.WAYLAND)
    ModeWatcher().close()
    assert window_mode.latest() is WindowMode.OFFSCREEN
