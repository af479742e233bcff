"""Every window with large letters and with long words, in both languages: nothing is cut in silence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from lisa_island.ui import theme
from tests.ui.room import clipped, stretch
from tests.ui.windows import WINDOWS, Shop

WAYS = ("200", "150", "longer")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("lang", ["en", "zh-CN"])
@pytest.mark.parametrize("name", WINDOWS)
def test_nothing_is_clipped(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, name: str, lang: str, way: str
) -> None:
    if "longer" in way:
        stretch(monkeypatch)
    theme.watcher().set_scale(int(way[:3]) / 100 if way[0].isdigit() else 1.0)
    shop = Shop(qtbot, lang)
    try:
        window = WINDOWS[name](shop)
        if folder := os.environ.get("LISA_PICTURES"):
            window.grab().save(str(Path(folder) / f"{name}.{lang}.{way}.png"))
        assert clipped(window) == []
    finally:
        shop.close()
