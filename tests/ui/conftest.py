"""Qt for the tests of this room: offscreen, one font, one look to start with, and nothing left over.

Fixtures: `qtbot` (pytest-qt), `look` (dark, light and contrast in turn), `dark`, `light`, `contrast`.
A test that leaves a running timer or animation, a top-level widget or an unfinished asyncio task fails.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Generator, Iterator

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_ACCESSIBILITY", "1")

import shiboken6
from PySide6.QtCore import QAbstractAnimation, QCoreApplication, QEvent, QTimer
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication, QWidget

from lisa_island.ui import announce, modality, theme
from lisa_island.ui.theme import Theme

# Of the first family that this machine has; widths in tests come from metrics, never from numbers.
_FAMILIES = ("Inter", "DejaVu Sans", "Noto Sans", "Liberation Sans")
# The offscreen platform says so at every sized window and every menu; it is no fault of ours.
_PLATFORM_NOISE = r"This plugin does not support (propagateSizeHints\(\)|raise\(\)|grabbing the keyboard)"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Any other warning of Qt fails the test (`qt_log_level_fail`)."""
    here = str(__file__).rsplit("conftest", 1)[0]
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.qt_log_ignore(_PLATFORM_NOISE, extend=True))


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """pytest-qt's application in a known font, before anything asks for the theme."""
    families = set(QFontDatabase.families())
    family = next((f for f in _FAMILIES if f in families), qapp.font().family())
    qapp.setFont(QFont(family, 10))
    theme.watcher()
    return qapp


@pytest.fixture(autouse=True)
def fresh_theme(qapp: QApplication) -> None:
    """Each test starts in the light look at 100 %, in English, with motion; the keyboard was used last."""
    modality.by_keyboard_now()
    announce.hush()
    watcher = theme.watcher()
    watcher.set_language("en")
    watcher.set_reduced_motion(False)
    watcher.set_scale(1.0)
    watcher.choose("light")


@pytest.fixture(params=["dark", "light", "contrast"])
def look(request: pytest.FixtureRequest, fresh_theme: None) -> Theme:
    """The test runs once in each look, which is also the current one."""
    theme.watcher().choose(request.param)
    return theme.current()


@pytest.fixture
def dark(fresh_theme: None) -> Theme:
    theme.watcher().choose("dark")
    return theme.current()


@pytest.fixture
def light(fresh_theme: None) -> Theme:
    return theme.current()


@pytest.fixture
def contrast(fresh_theme: None) -> Theme:
    theme.watcher().choose("contrast")
    return theme.current()


def _born(kinds: tuple[type, ...]) -> list[object]:
    """Objects made since `gc.freeze`: to look through all that live would cost 50 ms a test."""
    return [o for o in gc.get_objects() if issubclass(type(o), kinds)]


def running_qt() -> list[object]:
    """Timers and animations that were made in this test and run now."""
    found = [o for o in _born((QTimer, QAbstractAnimation)) if shiboken6.isValid(o)]
    return [
        o
        for o in found
        if (o.isActive() if isinstance(o, QTimer) else o.state() == QAbstractAnimation.State.Running)
    ]


def pending_tasks() -> set[asyncio.Task]:
    return {o for o in _born((asyncio.Task,)) if not o.done()}


def _windows() -> list[QWidget]:
    """Top-level widgets, without the tip that Qt itself keeps for a while."""
    return [w for w in QApplication.topLevelWidgets() if not w.inherits("QTipLabel")]


def _settle() -> None:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _name(leftover: object) -> str:
    name = leftover.objectName() if hasattr(leftover, "objectName") else ""
    return f"{type(leftover).__name__} {name}".strip()


@pytest.fixture(autouse=True)
def no_leftovers(qapp: QApplication) -> Iterator[None]:
    """Windows, timers and animations that a test made are gone when it ends."""
    before = set(map(id, _windows()))
    gc.freeze()

    def left() -> list[object]:
        return [w for w in _windows() if id(w) not in before] + running_qt()

    yield
    if left():
        _settle()
    leftovers = left()
    gc.unfreeze()
    if leftovers:
        names = ", ".join(sorted(map(_name, leftovers)))
        for o in leftovers:  # so that the next test does not pay for this one
            o.close() if isinstance(o, QWidget) else o.stop()
            o.deleteLater()
        _settle()
        pytest.fail(f"left over: {names}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """An asyncio task that began in the test has an owner who ended it (before the loop is closed for it)."""
    before = pending_tasks()
    result = yield
    if started := pending_tasks() - before:
        pytest.fail(f"unfinished asyncio tasks: {sorted(t.get_name() for t in started)}")
    return result


@pytest.fixture
def closing(qtbot):
    """Open a window that is gone for good once it is closed; whatever is still there is closed at the end."""
    opened = []

    def come(window):
        opened.append(window)
        window.come()
        qtbot.waitUntil(window.isActiveWindow)
        return window

    yield come
    for window in opened:
        if shiboken6.isValid(window):
            window.close()
