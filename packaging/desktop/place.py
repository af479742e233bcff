"""Puts what a desktop needs of an installation into its places; run by that installation's own Python.

place.py launcher DATA_HOME     the launcher entry and the icons
place.py autostart              prints what starts at login: "ours", "another" LISA Island, or nothing
place.py autostart on           start at login from now on
place.py autostart off          not any more
place.py data                   prints the owner's data, a path a line
"""

import os
import sys
from pathlib import Path

from lisa_island.system import autostart, desktop_entry

ICON = "lisa-island"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)


def launcher(data_home: Path) -> None:
    """Icons first: an entry without its icon is shown with a blank one until the next login."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtGui import QGuiApplication

    from lisa_island.ui import assets

    application = QGuiApplication(["lisa-island"])
    icons = data_home / "icons" / "hicolor"
    for size in SIZES:
        path = _made(icons / f"{size}x{size}" / "apps" / f"{ICON}.png")
        if not assets.app_pixmap(size).save(str(path)):
            sys.exit(f"{path} could not be written.")
    for folder, name in (("scalable", ICON), ("symbolic", f"{ICON}-symbolic")):
        path = _made(icons / folder / "apps" / f"{name}.svg")
        path.write_bytes(assets.resource(f"icons/app/{name}.svg"))
    # A desktop that keeps a cache of its icons looks at the age of the folder.
    icons.touch()
    del application
    path = _made(data_home / "applications" / desktop_entry.NAME)
    path.write_text(desktop_entry.entry(desktop_entry.command()), "utf-8")


def login(word: str) -> None:
    """Tell or change it."""
    if word:
        autostart.turn(word == "on")
    elif autostart.is_on():
        print("ours" if _entry_program() == desktop_entry.command()[:1] else "another")


def _entry_program() -> tuple[str, ...]:
    try:
        text = autostart.entries(os.environ)[0].read_text("utf-8", "replace")
    except OSError:
        return ()
    return desktop_entry.arguments(desktop_entry.read(text).get("Exec", ""))[:1]


def data() -> None:
    """What `erase` would delete."""
    from lisa_island.app.erase import data_files
    from lisa_island.system.home import lisa_home

    for path in data_files(lisa_home(os.environ)):
        print(path)


def _made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["launcher", where]:
            launcher(Path(where))
        case ["autostart"]:
            login("")
        case ["autostart", ("on" | "off") as word]:
            login(word)
        case ["data"]:
            data()
        case _:
            sys.exit(__doc__)
