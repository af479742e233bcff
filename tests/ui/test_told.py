"""Names, roles, states and tab order of everything in every window, beside what they were.

The texts in `told/` are for reading: after a change that is meant, draw them anew and look at the difference:

    LISA_REDRAW=told python -m pytest tests/ui/test_told.py
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from lisa_island.ui.settings import about
from tests.ui.told import Role, stops, told, tree, walk
from tests.ui.windows import WINDOWS, Shop

KEPT = Path(__file__).parent / "told"
CASES = [(name, "en") for name in WINDOWS] + [("panel", "zh-CN"), ("answer", "zh-CN"), ("detail", "zh-CN")]
CASES += [("panel-direct", "zh-CN"), ("detail-direct", "zh-CN")]


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Clock times are the owner's; here they are the same everywhere."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(autouse=True)
def versions(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this machine happens to have is no news."""
    monkeypatch.setattr(about, "__version__", "0.1.0")
    monkeypatch.setattr(about, "qVersion", lambda: "6.11")
    monkeypatch.setattr(about.platform, "python_version", lambda: "3.11")


@pytest.fixture
def shop(qtbot: QtBot) -> Iterator[Shop]:
    made = Shop(qtbot)
    yield made
    made.close()


def read(name: str, shop: Shop) -> str:
    window = WINDOWS[name](shop)
    lines = tree(window)
    tabs = stops(window)
    if tabs:
        lines += ["", "tab order"] + [f"  {i}. {at.word} {at.name!r}" for i, at in enumerate(tabs, 1)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("name", "lang"), CASES)
def test_it_is_told_as_before(qtbot: QtBot, name: str, lang: str) -> None:
    shop = Shop(qtbot, lang)
    try:
        now = read(name, shop)
    finally:
        shop.close()
    kept = KEPT / f"{name}{'' if lang == 'en' else '.' + lang}.txt"
    if os.environ.get("LISA_REDRAW") == "told":
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(now, "utf-8")
    assert kept.read_text("utf-8").splitlines() == now.splitlines()


def test_nothing_is_kept_of_a_window_that_is_gone() -> None:
    expected = {f"{name}{'' if lang == 'en' else '.' + lang}.txt" for name, lang in CASES}
    assert {p.name for p in KEPT.iterdir()} == expected


@pytest.mark.parametrize("name", WINDOWS)
def test_every_control_has_a_name_and_tab_stops_differ(shop: Shop, name: str) -> None:
    window = WINDOWS[name](shop)
    for at in walk(told(window)):
        if at.is_control:
            assert at.name.strip(), at.line()
        if at.role is Role.ComboBox:
            assert at.label or at.description, f"{at.line()}: of what?"
        assert at.role not in (Role.NoRole, Role.Client), at.line()
        assert "<" not in at.description, "markup would be read aloud"
    found = stops(window)
    places = (Role.StaticText, Role.Dialog)  # a text or a page that is read as a whole
    odd = [t.line() for t in found if not (t.name.strip() and (t.is_control or t.role in places))]
    assert odd == []
    twice = {k: n for k, n in Counter((t.role, t.name) for t in found).items() if n > 1}
    assert twice == {}
