"""The goldens' fonts have every character that is needed, and no font of the machine stands in for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QRawFont

from lisa_island.core import words
from tests.goldens.studio import FONTS, LOOKS, environment

LATIN = [FONTS / f"IslandTest-{weight}.otf" for weight in (400, 500, 600)]
CHINESE = [FONTS / f"IslandTestCJK-{weight}.otf" for weight in (400, 700)]
ASK = """
from PySide6.QtGui import QTextLayout
from tests.goldens.studio import _application
from lisa_island.ui import theme
_application()
for style in ("body", "row.title", "body.600", "title", "code", "code.600"):
    layout = QTextLayout("Hello 你好 →", theme.current().font(style))
    layout.beginLayout(), layout.createLine(), layout.endLayout()
    used = {f"{r.rawFont().familyName()} {r.rawFont().styleName()}" for r in layout.glyphRuns()}
    print(style, *sorted(used), sep=", ")
"""
USED = """\
body, Island Test CJK Regular, Island Test Regular
row.title, Island Test CJK Regular, Island Test Medium
body.600, Island Test CJK Bold, Island Test SemiBold
title, Island Test CJK Bold, Island Test SemiBold
code, Island Test CJK Regular, Island Test Mono Regular
code.600, Island Test CJK Bold, Island Test Mono Bold
"""


def letters(text: str) -> set[str]:
    return {c for c in text if c.isprintable()}


@pytest.mark.usefixtures("qapp")
def test_every_character_of_the_catalogue_is_there() -> None:
    latin, chinese = ([QRawFont(str(path), 13) for path in paths] for paths in (LATIN, CHINESE))
    assert all(font.isValid() for font in latin + chinese)
    used = set().union(*(letters(en + zh) for en, zh in words.catalogue().values()))
    missing = sorted(
        c
        for c in used
        if not (
            all(f.supportsCharacter(ord(c)) for f in latin)
            or all(f.supportsCharacter(ord(c)) for f in chinese)
        )
    )
    assert missing == [], "add them in packaging/subset_fonts.py and run it"


@pytest.mark.skipif(sys.platform != "linux", reason="the goldens are drawn with fontconfig")
def test_no_other_font_is_ever_used(tmp_path: Path) -> None:
    env = environment(LOOKS["dark"], tmp_path)
    told = subprocess.run(
        [sys.executable, "-c", ASK],
        env=env,
        cwd=FONTS.parents[2],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert told.stdout == USED


def test_licence_and_origin_lie_beside_the_fonts() -> None:
    assert "SIL OPEN FONT LICENSE" in (FONTS / "OFL.txt").read_text()
    told = (FONTS / "ORIGIN.txt").read_text()
    assert all(word in told for word in ("Island Test CJK", "Island Test Mono", "packaging/subset_fonts.py"))
