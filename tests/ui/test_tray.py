"""The tray icon, computed whole from one summary; here without a host, which is a state of its own."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QSystemTrayIcon

from lisa_island.core.agent import (
    AgentSession,
    Blocked,
    Freshness,
    Health,
    RequestKind,
    SessionKey,
    State,
    Task,
)
from lisa_island.core.quiet import Quiet, Why
from lisa_island.core.summary import Summary
from lisa_island.ui import assets, theme
from lisa_island.ui import tray as tray_module
from lisa_island.ui.tray import Tray, tooltip, tray_state, variant
from lisa_island.ui.tray_host import TrayHost, has_bus
from tests.fakes.clock import START
from tests.fakes.shell import FakeShell


def session(slug: str, state: State, *requests: Blocked, **more: object) -> AgentSession:
    return AgentSession(
        SessionKey("takoapi", f"{slug}/1"),
        slug,
        state,
        last_activity=START,
        requests=requests,
        task=Task(slug),
        **more,
    )


@pytest.fixture(autouse=True)
def no_bus(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test of this room speaks with a real desktop."""
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)


@pytest.fixture
def made(qtbot):
    trays = []

    def make(shell: FakeShell | None = None, **preferences: object):
        shell = shell or FakeShell(**preferences)
        tray = Tray(shell)
        trays.append(tray)
        return shell, tray

    yield make
    for tray in trays:
        tray.close()
        tray.deleteLater()


# --- the state ---


@pytest.mark.parametrize(
    ("summary", "quiet", "flashing", "state"),
    [
        (Summary(), None, False, "quiet"),
        (Summary(working=2), None, False, "working"),
        (Summary(queued=1), None, False, "working"),
        (Summary(needs_you=1, failed=1, working=1, offline=("takoapi",)), None, True, "needs"),
        (Summary(failed=1, working=3, offline=("takoapi",)), None, True, "error"),
        (Summary(working=1), None, True, "done"),
        (Summary(offline=("takoapi",), working=1), None, False, "offline"),
        *((Summary(working=1), Quiet(why), False, "muted") for why in Why),
        *((Summary(needs_you=1), Quiet(why), False, "needs") for why in Why),
        (Summary(your_turn=2, not_reporting=1, finished=1, idle=4), None, False, "quiet"),
    ],
)
def test_one_state_by_one_order(summary, quiet, flashing, state) -> None:
    assert tray_state(summary, quiet, flashing=flashing) == state
    assert state in assets.TRAY_STATES


def test_the_tooltip_of_the_design() -> None:
    assert tooltip(Summary(needs_you=3, working=4, failed=1), None, "en") == (
        "LISA Island: 3 need you, 4 working, 1 failed"
    )
    assert tooltip(Summary(), None, "en") == "LISA Island: All quiet"
    assert tooltip(Summary(needs_you=1), None, "zh-CN") == "LISA Island：1 项待处理"


def test_the_tooltip_says_why_it_is_quiet() -> None:
    said = [tooltip(Summary(working=1), Quiet(why), "en") for why in Why]
    assert said == [
        "LISA Island: 1 working, hidden while you present",
        "LISA Island: 1 working, notifications muted",
        "LISA Island: 1 working, quiet hours",
        "LISA Island: 1 working, do not disturb",
    ]


def test_an_offline_source_is_said_once_not_with_its_rows() -> None:
    said = tooltip(Summary(not_reporting=3, offline=("takoapi",)), None, "en")
    assert said == "LISA Island: Remote offline"


# --- the object ---


def settle(qtbot, tray) -> None:
    """The pill is painted before the tray says the same."""
    qtbot.waitUntil(lambda: not tray._soon.isActive())


def test_without_a_host_everything_but_the_icon_is_there(made, qtbot) -> None:
    shell, tray = made()
    assert not tray.is_available()
    shell.put(session("a", State.WAITING, Blocked(RequestKind.INPUT, "r-a", START, "?")))
    settle(qtbot, tray)
    assert (tray.state, tray.tooltip) == ("needs", "LISA Island: 1 needs you")
    assert tray.menu.need_entries[0].text() == "a: input\tnow"


def test_a_finish_flashes_and_then_is_over(made, qtbot, monkeypatch) -> None:
    shell, tray = made()
    monkeypatch.setattr(theme.Theme, "motion", lambda *_: 1)
    shell.put(session("a", State.WORKING))
    shell.clock.advance(0.2)
    settle(qtbot, tray)
    assert tray.state == "working"
    shell.put(session("a", State.DONE, unread=True))  # removed and new: no finish that was seen
    settle(qtbot, tray)
    assert tray.state == "quiet"
    done = session("a", State.DONE, unread=True)
    before = shell.store.roster.put(session("a", State.WORKING))
    with qtbot.waitSignal(tray._flash.timeout):
        tray._roster_changed(before, shell.store.roster.put(done))
        tray.refresh()
        assert tray.state == "done"
    assert tray.state == "quiet"


def test_no_timer_runs_while_nothing_ends_by_time(made, qtbot) -> None:
    shell, tray = made()
    shell.put(session("a", State.WORKING), session("b", State.ERROR, unread=True))
    shell.clock.advance(0.2)
    settle(qtbot, tray)
    assert not tray._flash.isActive()


def test_quiet_that_ends_by_time_or_in_the_desktop_is_seen(made) -> None:
    shell, tray = made(muted_until=START + 2)
    assert tray.state == "muted"
    shell.clock.jump(2)
    shell.set_quiet()
    assert tray.state == "quiet"
    shell.set_quiet(desktop=True)
    assert tray.state == "muted" and tray.tooltip.endswith("do not disturb")
    assert tray.menu.mute_menu.title() == "Do not disturb is on in your desktop"
    shell.set_quiet(desktop=False)
    assert tray.state == "quiet" and tray.menu.mute_menu.title() == "Mute notifications"


def test_the_face_of_the_source_reaches_the_icon(made, qtbot) -> None:
    shell, tray = made()
    shell.report(health=Health.OFFLINE)
    shell.put(session("a", State.WORKING, freshness=Freshness.OFFLINE))
    shell.clock.advance(0.2)
    settle(qtbot, tray)
    assert tray.state == "offline"


def test_signals_carry_what_was_chosen(made, qtbot) -> None:
    shell, tray = made()
    shell.put(session("a", State.WAITING, Blocked(RequestKind.INPUT, "r-a", START, "?")))
    settle(qtbot, tray)
    with qtbot.waitSignal(tray.request_opened) as opened:
        tray.menu.need_entries[0].trigger()
    assert opened.args == ["r-a"]
    with qtbot.waitSignal(tray.settings_requested) as page:
        tray.menu.settings_entry.trigger()
    assert page.args == ["general"]
    for signal, entry in (
        (tray.show_requested, tray.menu.show_island),
        (tray.command_requested, tray.menu.command_bar),
        (tray.quit_requested, tray.menu.quit_entry),
    ):
        with qtbot.waitSignal(signal):
            entry.trigger()


def test_only_a_left_click_is_the_owners_act(made) -> None:
    _shell, tray = made()
    heard: list[int] = []
    tray.activated_by_owner.connect(lambda: heard.append(1))
    for reason in QSystemTrayIcon.ActivationReason:
        tray._activated(reason)
    assert heard == [1]


def test_a_closed_tray_hears_nothing_more(made) -> None:
    shell, tray = made()
    tray.close()
    tray.close()
    shell.put(session("a", State.ERROR, unread=True))
    shell.prefer(presenting=True)
    assert tray.state == "quiet"


# --- the host and the panel ---


def test_without_a_bus_nobody_is_asked(monkeypatch) -> None:
    called: list[int] = []
    monkeypatch.setattr("lisa_island.ui.tray_host.QDBusConnection", lambda: called.append(1))
    host = TrayHost(lambda: None)
    assert not has_bus() and not host.is_present and called == []
    host.close()


def test_the_panel_of_plasma_follows_the_scheme_and_others_are_dark(monkeypatch) -> None:
    monkeypatch.setattr(tray_module.sys, "platform", "linux")
    monkeypatch.setattr(theme.ThemeWatcher, "system_look", lambda _self: "light")
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "KDE")
    assert variant() == "onLight"
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "ubuntu:GNOME")
    assert variant() == "onDark"
    monkeypatch.setattr(tray_module.sys, "platform", "darwin")
    assert variant() == "mono"
