"""Fontconfig keeps what it once read, so each question is a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="fontconfig is Linux's")

ASK = "from lisa_island.system.fonts import has_chinese; print(has_chinese())"
CONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{cache}</cachedir></fontconfig>
"""


def asked(tmp_path: Path, *fonts: Path) -> str:
    folder = tmp_path / "fonts"
    folder.mkdir()
    for font in fonts:
        (folder / font.name).symlink_to(font)
    config = tmp_path / "fonts.conf"
    config.write_text(CONFIG.format(folder=folder, cache=tmp_path / "cache"))
    environ = os.environ | {"FONTCONFIG_FILE": str(config)}
    done = subprocess.run(
        [sys.executable, "-c", ASK], env=environ, capture_output=True, text=True, check=True, timeout=30
    )
    return done.stdout.strip()


def test_none_where_no_font_has_chinese(tmp_path: Path) -> None:
    assert asked(tmp_path) == "False"


def test_the_one_that_readme_names_is_found(tmp_path: Path) -> None:
    noto = sorted(Path("/usr/share/fonts").rglob("NotoSansCJK-Regular.ttc"))
    assert noto, "fonts-noto-cjk is missing; packaging/check.sh brings it"
    assert asked(tmp_path, noto[0]) == "True"
