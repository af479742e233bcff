"""What Qt is told of this session before it starts: by which platform it draws, which input method it asks.

Wayland lets no window choose its place. On GNOME and KDE one that comes through XWayland may, so the pill
floats there; other compositors put it where they like. The owner's QT_QPA_PLATFORM counts before all.

PySide6's wheel brings Qt's ibus plug-in and none of fcitx. fcitx 5 speaks the protocol of ibus too, so
those who have QT_IM_MODULE=fcitx are served through that one. On X11 XMODIFIERS names the input method
where nothing else does.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication

FLOATING = frozenset({"GNOME", "KDE"})
_IM = ("QT_IM_MODULE", "QT_IM_MODULES")


def choice(environ: Mapping[str, str], plugins: str) -> dict[str, str]:
    """What to set. `plugins`: the file names of Qt's input plug-ins."""
    changed = _platform(environ)
    return changed | _input_method({**environ, **changed}, plugins)


def _platform(environ: Mapping[str, str]) -> dict[str, str]:
    names = set(environ.get("XDG_CURRENT_DESKTOP", "").split(":"))
    has_both = _is_wayland(environ) and environ.get("DISPLAY")
    if environ.get("QT_QPA_PLATFORM") or not has_both or not names & FLOATING:
        return {}
    return {"QT_QPA_PLATFORM": "xcb;wayland"}


def _is_wayland(environ: Mapping[str, str]) -> bool:
    return bool(environ.get("WAYLAND_DISPLAY")) or environ.get("XDG_SESSION_TYPE") == "wayland"


def _input_method(environ: Mapping[str, str], plugins: str) -> dict[str, str]:
    if "fcitx" in plugins:
        return {}
    changed = {name: _by_ibus(environ[name]) for name in _IM if environ.get(name)}
    # Wayland has a protocol of its own for input methods; Qt takes it when no variable names a plug-in.
    if not changed and (not _is_wayland(environ) or environ.get("QT_QPA_PLATFORM", "").startswith("xcb")):
        changed = {"QT_IM_MODULE": _by_ibus(_named(environ.get("XMODIFIERS", "")))}
    return {name: value for name, value in changed.items() if value and value != environ.get(name)}


def _by_ibus(modules: str) -> str:
    """The list (`;` between) with each fcitx in it as ibus."""
    return ";".join("ibus" if one.startswith("fcitx") else one for one in modules.split(";"))


def _named(modifiers: str) -> str:
    """ibus or fcitx out of `@im=ibus`; what Qt has no plug-in for is left to Qt."""
    name = modifiers.partition("@im=")[2].partition("@")[0]
    return name if name == "ibus" or name.startswith("fcitx") else ""


@contextmanager
def told() -> Iterator[None]:
    """While the application is made; programs that we start get the owner's own variables."""
    changed = choice(os.environ, " ".join(_plugins()))
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _plugins() -> list[str]:
    folders = (Path(path, "platforminputcontexts") for path in QCoreApplication.libraryPaths())
    return [file.name for folder in folders if folder.is_dir() for file in folder.iterdir()]
