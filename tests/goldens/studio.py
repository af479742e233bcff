"""Draws every sheet of one look into a folder, in a process of its own.

python -m tests.goldens.studio LOOK FOLDER [SHEET…]

The process sees nothing of the machine that changes a picture: fonts, hinting and the monospace family come
from tests/data/fonts through a fontconfig file of its own, time and zone stand still, the style is Fusion,
scale and resolution are fixed. A warning of Qt ends it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

FONTS = Path(__file__).parents[1] / "data" / "fonts"
_NOISE = ("propagateSizeHints", "does not support raise", "does not support grabbing", "setting window masks")


@dataclass(frozen=True, slots=True)
class Look:
    """One way the island can look. `sheets` () are all; not `full` leaves out what only has other words."""

    theme: str
    lang: str = "en"
    dpr: int = 1
    masked: bool = False
    full: bool = True
    sheets: tuple[str, ...] = ()


LOOKS = {
    "dark": Look("dark"),
    "light": Look("light", full=False),
    "contrast": Look("contrast", full=False),
    "zh-CN": Look("dark", "zh-CN"),
    # What has a window of its own is cut there; what lies in one looks as it does in dark.
    "no-compositor": Look("dark", masked=True, sheets=("pill", "panel", "windows")),
    "dark-2x": Look("dark", dpr=2, sheets=("pill", "rows")),
}

_FONTCONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
  <alias binding="same"><family>sans-serif</family><prefer>{sans}</prefer></alias>
  <alias binding="same"><family>monospace</family><prefer>{mono}</prefer></alias>
  <match target="pattern">{drawing}</match>
  <match target="font">{drawing}</match>
</fontconfig>
"""
_DRAWING = "".join(
    f'<edit name="{name}" mode="assign">{value}</edit>'
    for name, value in (
        ("antialias", "<bool>true</bool>"),
        ("hinting", "<bool>false</bool>"),
        ("autohint", "<bool>false</bool>"),
        ("hintstyle", "<const>hintnone</const>"),
        ("rgba", "<const>none</const>"),
    )
)


def _families(*names: str) -> str:
    return "".join(f"<family>Island Test{name}</family>" for name in names)


def environment(look: Look, folder: Path) -> dict[str, str]:
    """What the drawing process runs with; `folder` takes its font cache."""
    conf = folder / "fonts.conf"
    sans, mono = _families("", " CJK"), _families(" Mono", " CJK")
    conf.write_text(_FONTCONFIG.format(fonts=FONTS, cache=folder, sans=sans, mono=mono, drawing=_DRAWING))
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LD_PRELOAD") if name in os.environ}
    return kept | {
        "FONTCONFIG_FILE": str(conf),
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "LISA_HOME": str(folder / "lisa"),
        "QT_FONT_DPI": "96",
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": str(look.dpr),
        "TZ": "UTC",
    }


def _application() -> None:
    from PySide6.QtCore import QtMsgType, qInstallMessageHandler
    from PySide6.QtGui import QFont, QFontDatabase
    from PySide6.QtWidgets import QApplication

    def told(kind: QtMsgType, _context: object, text: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and not any(word in text for word in _NOISE):
            sys.exit(f"Qt says: {text}")

    qInstallMessageHandler(told)
    app = QApplication(["goldens"])
    if "Island Test" not in QFontDatabase.families():
        sys.exit(f"no fonts in {FONTS}")
    QFont.insertSubstitutions("Island Test", ["Island Test CJK"])
    font = QFont("Island Test")
    font.setPixelSize(13)
    app.setFont(font)
    app.setStyle("Fusion")
    app.setCursorFlashTime(0)  # A caret that blinks is there in every second picture.


def _stand_still(look: Look) -> None:
    """Everything that moves by time is at its end at once."""
    from PySide6.QtWidgets import QApplication

    from lisa_island.ui import answer_face, card, modality, page_parts, route_line, screens, theme, toast
    from lisa_island.ui.settings import about, privacy, rows
    from lisa_island.ui.settings.direct import add, sign_in

    about.__version__, about.qVersion = "0.1.0", lambda: "6.11"
    about.platform = SimpleNamespace(python_version=lambda: "3.11")  # type: ignore[assignment]
    for module in (add, answer_face, card, page_parts, privacy, route_line, rows, screens, sign_in, toast):
        module.ARM_MS = 0  # type: ignore[attr-defined]
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    modality.by_pointer_now()
    watcher = theme.watcher()
    watcher.set_scale(1.0)
    watcher.set_reduced_motion(True)
    watcher.set_language(look.lang)
    watcher.choose(look.theme)  # type: ignore[arg-type]
    theme.apply_palette(app)


def draw(name: str, folder: Path, wanted: tuple[str, ...] = ()) -> None:
    """Write the sheets of a look as PNG files."""
    look = LOOKS[name]
    _application()
    _stand_still(look)
    from lisa_island.ui import theme
    from tests.goldens import colours, scenes, sheet

    for title in wanted or look.sheets or tuple(scenes.SHEETS):
        columns, subjects = scenes.SHEETS[title]
        drawn = sheet.compose(subjects(scenes.Stage(look)), columns, look.dpr)
        if not colours.settled(drawn, theme.current()).save(str(folder / f"{title}.png"), "PNG", 0):
            sys.exit(f"could not write {title}.png")


def main(arguments: list[str]) -> None:
    if "FONTCONFIG_FILE" in os.environ:
        draw(arguments[0], Path(arguments[1]), tuple(arguments[2:]))
        return
    with tempfile.TemporaryDirectory() as own:
        env = environment(LOOKS[arguments[0]], Path(own))
        subprocess.run([sys.executable, "-m", "tests.goldens.studio", *arguments], env=env, check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
