"""The one voice of all windows: what reaches the bridge, when, through whom; nothing is left running."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from lisa_island.core.agent import State
from lisa_island.core.announcing import About, Spoken
from lisa_island.ui import announce
from lisa_island.ui.announce import Announcer
from lisa_island.ui.island import Island
from lisa_island.ui.roster_view import RosterView
from tests.fakes.sessions import asking, remote
from tests.fakes.shell import FakeShell


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> list[Spoken]:
    """What was handed to the bridge."""
    found: list[Spoken] = []
    monkeypatch.setattr(announce, "announce", lambda _widget, said: found.append(said))
    return found


@pytest.fixture
def island(qtbot: QtBot) -> Iterator[Island]:
    shell = FakeShell()
    made = Island(shell)
    made.start()
    yield made
    made.close()


def widget(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def over() -> None:
    """The pause has passed: its timer is due."""
    timer = announce._mouth._timer
    assert timer is not None and timer.isActive() and 0 < timer.interval() <= 2000
    announce._mouth._voice = announce.Voice(None, announce._mouth._voice.waiting)
    timer.timeout.emit()


@pytest.mark.parametrize("assertive", [False, True])
def test_what_reaches_the_bridge(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, assertive: bool) -> None:
    kinds = QAccessible.AnnouncementPoliteness
    events = []

    class Bridge:
        AnnouncementPoliteness = kinds

        @staticmethod
        def updateAccessibility(event) -> None:
            events.append((event.message(), event.politeness(), event.object()))

    monkeypatch.setattr(announce, "QAccessible", Bridge)
    speaker = widget(qtbot)
    announce.announce(speaker, Spoken("Codex asks", assertive))
    assert events == [("Codex asks", kinds.Assertive if assertive else kinds.Polite, speaker)]


def test_windows_share_one_pause(qtbot: QtBot, spoken: list[Spoken]) -> None:
    one, other = Announcer(widget(qtbot)), Announcer(widget(qtbot))
    one.say("Sent to acme")
    other.say("3 found", About.FOUND)
    other.say("2 found", About.FOUND)
    assert spoken == [Spoken("Sent to acme")]
    over()
    assert spoken[1:] == [Spoken("2 found")] and other.said == ["2 found"]
    assert announce._mouth._timer is None


def test_a_window_that_is_gone_says_nothing_and_leaves_no_timer(qtbot: QtBot, spoken: list[Spoken]) -> None:
    one, gone = Announcer(widget(qtbot)), QWidget()
    one.say("Sent to acme")
    announce._mouth._speakers.clear()
    Announcer(gone).say("2 found", About.FOUND)
    assert announce._mouth._timer is not None
    shiboken6.delete(gone)
    assert announce._mouth._timer is None and spoken == [Spoken("Sent to acme")]


def test_the_island_tells_of_needs_and_failures_only(island: Island, spoken: list[Spoken]) -> None:
    shell = island._shell
    assert isinstance(shell, FakeShell)
    shell.put(remote("busy"), remote("acme"))
    shell.clock.advance(1)
    shell.put(remote("ready", state=State.DONE, unread=True))
    shell.clock.advance(1)
    assert spoken == []
    shell.put(asking("acme", now=shell.now()))
    shell.clock.advance(1)
    assert spoken == [Spoken("acme needs input")]
    shell.put(asking("b", now=shell.now()), asking("c", now=shell.now()))
    shell.clock.advance(1)
    over()
    assert spoken[1:] == [Spoken("2 more need you")]


def test_it_tells_of_them_while_the_panel_is_open_too(island: Island, spoken: list[Spoken]) -> None:
    island.show()
    island._shell.put(asking("acme", now=island._shell.now()))
    assert spoken == [Spoken("acme needs input")]


def test_who_has_muted_the_notices_hears_nothing(island: Island, spoken: list[Spoken]) -> None:
    shell = island._shell
    shell.prefer(muted_until=shell.now() + 60_000)
    shell.put(asking("acme", now=shell.now()))
    assert spoken == [] and announce._mouth._timer is None


def test_a_search_tells_how_many_it_found(qtbot: QtBot, spoken: list[Spoken]) -> None:
    shell = FakeShell()
    shell.put(remote("acme"), remote("legal"))
    shell.clock.advance(1)
    view = RosterView(shell)
    qtbot.addWidget(view)
    view.show()
    view.start_search("ac")
    assert spoken == [Spoken("1 found")]
    view.field.setText("zzz")
    over()
    assert spoken[1:] == [Spoken("Nothing matches.")]
    view.field.setText("")
    assert len(spoken) == 2
    view.hide()
