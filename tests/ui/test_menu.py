"""The menu of tray and pill: what it says, that it says it literally, and what its entries do."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core.agent import (
    AgentSession,
    Blocked,
    Origin,
    RequestKind,
    SessionKey,
    State,
    Task,
)
from lisa_island.core.preferences import Preferences
from lisa_island.core.times import HOUR, MINUTE
from lisa_island.ui import mute
from lisa_island.ui.menu import MenuActions, build_menu
from lisa_island.ui.popup import literal
from tests.fakes.clock import START
from tests.fakes.shell import FakeShell


def waiting(slug: str, kind: RequestKind = RequestKind.INPUT, minutes: int = 0) -> AgentSession:
    request = Blocked(kind, f"r-{slug}", START - minutes * MINUTE, "What?")
    return session(slug, State.WAITING, request)


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


class Heard(list):
    """What was asked of the app."""

    def actions(self) -> MenuActions:
        return MenuActions(
            request=lambda r: self.append(("request", r)),
            show=lambda: self.append(("show",)),
            command=lambda: self.append(("command",)),
            settings=lambda page: self.append(("settings", page)),
            quit=lambda: self.append(("quit",)),
        )


@pytest.fixture
def made(qtbot):
    def make(*sessions: AgentSession, native: bool = False, lang: str = "en", **preferences: object):
        shell, heard = FakeShell(lang, **preferences), Heard()
        shell.put(*sessions)
        shell.clock.advance(0.2)
        menu = build_menu(shell, heard.actions(), native=native)
        qtbot.addWidget(menu)
        return shell, menu, heard

    return make


def said(menu) -> list[str]:
    return [a.text() for a in menu.actions() if a.isVisible() and not a.isSeparator()]


def test_with_nothing_to_do_it_says_so(made) -> None:
    _shell, menu, _heard = made()
    assert said(menu) == [
        "Nothing needs you",
        "Show island",
        "Command bar",
        "Mute notifications",
        "Presenting: hide the island",
        "Settings…",
        "Quit",
    ]


def test_needs_come_first_blocked_agents_before_the_rest_with_their_age(made) -> None:
    _shell, menu, _heard = made(
        waiting("acme-research", minutes=6), waiting("tone-check", RequestKind.AUTH), waiting("b", minutes=14)
    )
    assert said(menu)[:4] == [
        "3 need you\toldest 14 min",
        "tone-check: sign-in\tnow",
        "b: input\t14 min",
        "acme-research: input\t6 min",
    ]


def test_a_native_menu_has_no_times_that_nobody_would_keep_fresh(made) -> None:
    _shell, menu, _heard = made(waiting("acme-research", minutes=6), native=True)
    assert said(menu)[:2] == ["1 needs you", "acme-research: input"]


def test_more_than_three_are_counted(made) -> None:
    _shell, menu, heard = made(*(waiting(f"agent-{n}") for n in range(5)))
    assert said(menu)[4] == "2 more"
    menu.more.trigger()
    assert heard == [("show",)]


def test_counts_stand_in_one_line_that_is_no_entry(made) -> None:
    _shell, menu, _heard = made(
        session("a", State.WORKING), session("b", State.WORKING), session("c", State.ERROR, unread=True)
    )
    assert menu.counts.text() == "2 working, 1 failed"
    assert not menu.counts.isEnabled()


def test_each_entry_does_its_work(made) -> None:
    shell, menu, heard = made(waiting("acme-research"))
    for entry in (menu.needs_head, menu.need_entries[0], menu.show_island, menu.command_bar):
        entry.trigger()
    menu.settings_entry.trigger()
    menu.quit_entry.trigger()
    assert heard == [
        ("show",),
        ("request", "r-acme-research"),
        ("show",),
        ("command",),
        ("settings", "general"),
        ("quit",),
    ]
    assert shell.quits == 0  # the app decides what quitting means


def test_an_entry_whose_request_has_gone_opens_the_queue(made) -> None:
    shell, menu, heard = made(waiting("acme-research"))
    shell.remove(SessionKey("takoapi", "acme-research/1"))
    menu.refresh()
    menu.need_entries[0].trigger()
    assert heard == [("show",)]


def test_refresh_moves_the_requests_with_the_words(made) -> None:
    shell, menu, heard = made(waiting("b", minutes=1))
    shell.put(waiting("a", minutes=9))
    shell.clock.advance(0.2)
    menu.refresh()
    menu.need_entries[0].trigger()
    assert (menu.need_entries[0].text(), heard) == ("a: input\t9 min", [("request", "r-a")])


def test_muting_is_a_preference_and_the_menu_says_until_when(made) -> None:
    shell, menu, _heard = made()
    menu.mute_entries["hour"].trigger()
    end = shell.now() + HOUR
    assert shell.preferences.muted_until == end
    assert menu.mute_menu.title() == f"Notifications muted until {mute.clock_time(end, START)}"
    assert f"{datetime.fromtimestamp(end / 1000, UTC).astimezone():%H:%M}" in menu.mute_menu.title()
    assert not menu.mute_entries["off"].isChecked()
    menu.mute_entries["off"].trigger()
    assert shell.preferences.muted_until == 0
    assert menu.mute_menu.title() == "Mute notifications"


def test_presenting_is_a_check_mark(made) -> None:
    shell, menu, _heard = made()
    menu.presenting.trigger()
    assert shell.preferences.presenting and menu.presenting.isChecked()
    menu.presenting.trigger()
    assert not shell.preferences.presenting and not menu.presenting.isChecked()


def test_a_choice_that_could_not_be_saved_leaves_no_check_mark(made) -> None:
    shell, menu, _heard = made()
    shell.refuse_preferences = "storage.full"
    menu.presenting.trigger()
    menu.mute_entries["off"].trigger()
    assert not menu.presenting.isChecked()
    assert menu.mute_entries["off"].isChecked()


def test_names_of_others_are_shown_literally_and_cut(made) -> None:
    _shell, menu, _heard = made(
        session(
            "x", State.WAITING, Blocked(RequestKind.INPUT, "r", START, "?"), label="R&D <b>\u202e" + "w" * 60
        )
    )
    shown = menu.need_entries[0].text()
    assert shown.startswith("R&&D <b>")
    assert len(shown) < 60 and "\u202e" not in shown


def test_a_refresh_without_news_touches_nothing(made) -> None:
    _shell, menu, _heard = made(waiting("acme-research"))
    touched: list[object] = []
    for action in menu.actions():
        action.changed.connect(lambda a=action: touched.append(a))
    menu.refresh()
    assert touched == []


def test_another_language_is_spoken_from_the_next_refresh(made) -> None:
    shell, menu, _heard = made(waiting("acme-research", minutes=6))
    shell.prefer(language="zh-CN")
    menu.refresh()
    assert said(menu)[:2] == ["1 项待处理\t最早 6 分钟前", "acme-research：输入\t6 分钟"]


def test_every_entry_has_a_name_in_both_languages(made) -> None:
    for lang in ("en", "zh-CN"):
        _shell, menu, _heard = made(waiting("a"), lang=lang, muted_until=START + 1)
        entries = [
            a for m in (menu, menu.mute_menu) for a in m.actions() if not a.isSeparator() and a.isVisible()
        ]
        assert all(a.text().strip() for a in entries)
        assert menu.accessibleName()


def dbusmenu(label: str) -> str:
    """What Qt 6.11 sends for a label, and what a host then draws."""
    at = label.find("&")
    sent = label if at in (-1, len(label) - 1) else f"{label[:at]}_{label[at + 1 :]}"
    drawn, i = "", 0
    while i < len(sent):
        i += sent[i] == "_"  # the sign itself is not drawn, what follows it is
        drawn += sent[i : i + 1]
        i += 1
    return drawn


@given(st.text(alphabet="a_& b", max_size=12))
def test_a_native_label_is_drawn_as_it_was_meant(text: str) -> None:
    assert dbusmenu(literal(text, native=True)) == text


@given(st.text(alphabet="a_& b", max_size=12))
def test_a_label_of_qt_is_drawn_as_it_was_meant(text: str) -> None:
    assert literal(text).replace("&&", "\0").count("&") == 0
    assert literal(text).replace("&&", "&") == text


# --- until when ---


def at(hour: int, minute: int = 0) -> int:
    """Epoch ms of a moment of this machine's day."""
    naive = datetime.fromtimestamp(START / 1000, UTC).astimezone().replace(tzinfo=None)
    return int(
        naive.replace(hour=hour, minute=minute, second=0, microsecond=0).astimezone().timestamp() * 1000
    )


@pytest.mark.parametrize(
    ("now", "hours"), [(at(9), 23), (at(23, 30), 8.5), (at(2), 6), (at(3, 59), 4 + 1 / 60), (at(7), 25)]
)
def test_tomorrow_is_the_next_morning_with_a_night_before_it(now: int, hours: float) -> None:
    assert mute.until("tomorrow", now) - now == round(hours * HOUR)


def test_an_unknown_choice_is_a_bug() -> None:
    with pytest.raises(ValueError, match="for ever"):
        mute.until("for ever", START)


def test_muting_ends_at_its_minute() -> None:
    p = Preferences(muted_until=START)
    assert mute.is_muted(p, START - 1) and not mute.is_muted(p, START)


def test_a_local_agent_has_its_own_badge(made) -> None:
    _shell, menu, _heard = made(
        session("x", State.WAITING, Blocked(RequestKind.PERMISSION, "r", START), origin=Origin.LOCAL)
    )
    assert not menu.need_entries[0].icon().isNull()
