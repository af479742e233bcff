"""When the first pill is shown at all, and what it is told. Its picture is tested with the widgets."""

import json
import os
import threading

import pytest
from filelock import FileLock

from lisa_island.app.desktop import first
from lisa_island.system.door_place import LOCK


@pytest.fixture
def made(monkeypatch, tmp_path):
    """What would have been shown."""
    found = []

    class Pill:
        is_drawn = True

        def __init__(self, *arguments):
            found.append(arguments)

        def show(self):
            pass

    monkeypatch.setattr(first, "FirstPill", Pill)
    monkeypatch.setattr(first, "bare_application", lambda: None)
    monkeypatch.setattr(first, "_shown", None)
    monkeypatch.setenv("LISA_HOME", str(tmp_path))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    for name in ("LISA_ISLAND_LANG", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    return found


def write(tmp_path, **choices):
    (tmp_path / "island.json").write_text(json.dumps(choices))


def test_a_new_owner_sees_it_with_nothing_chosen(made):
    first.show()
    [(text, _, positions, screen)] = made
    assert (text, positions, screen) == ("Starting…", (), "pointer")


def test_what_the_owner_chose(made, tmp_path):
    write(
        tmp_path, theme="dark", language="zh-CN", screen="primary", positions=[["A", 1, 2], ["B", "x", 3], 7]
    )
    first.show()
    assert made == [("正在启动…", "dark", (("A", 1, 2),), "primary")]


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "[" * 100_000, '{"positions": 3, "language": 4, "theme": {}}']
)
def test_a_broken_file_costs_nothing(made, tmp_path, text):
    (tmp_path / "island.json").write_text(text)
    first.show()
    assert made[0][0] == "Starting…"


def test_a_place_far_from_every_screen_is_none(made, tmp_path):
    write(tmp_path, positions=[["A", 10**30, 2], ["B", 3, -(2**25)], ["C", 2**24, 4], [5, 1, 2]])
    first.show()
    assert made[0][2] == (("C", 2**24, 4),)


@pytest.mark.parametrize("name", ["island.json", LOCK])
def test_a_pipe_in_place_of_a_file_is_not_waited_for(made, tmp_path, name):
    os.mkfifo(tmp_path / name)
    shown = threading.Thread(target=first.show, daemon=True)
    shown.start()
    shown.join(20)
    assert made and not shown.is_alive()


def test_a_file_without_end_is_not_read(made, tmp_path):
    chinese = '{"language": "zh-CN"}'
    (tmp_path / "island.json").write_text(chinese + " " * 2_000_000)
    first.show()
    (tmp_path / "island.json").write_text(chinese)
    first.show()
    assert [text for text, *_ in made] == ["Starting…", "正在启动…"]


def test_none_while_presenting(made, tmp_path):
    write(tmp_path, presenting=True)
    first.show()
    assert not made


def test_none_without_a_display(made, monkeypatch):
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    first.show()
    assert not made


def test_none_while_another_island_runs(made, tmp_path):
    with FileLock(tmp_path / LOCK):
        first.show()
        assert not made
    first.show()
    assert made


def test_the_language_of_the_run_counts_before_the_chosen_one(made, tmp_path, monkeypatch):
    write(tmp_path, language="zh-CN")
    monkeypatch.setenv("LISA_ISLAND_LANG", "en")
    first.show()
    assert made[0][0] == "Starting…"


def test_handing_over_lets_go_of_it(made):
    told = []
    first.show()
    first._shown.hand_over = told.append
    first.hand_over("pill")
    first.hand_over("again")
    first.take_away()
    assert told == ["pill"]
