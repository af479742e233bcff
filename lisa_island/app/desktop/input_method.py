"""Which input method Qt asks: the owner's, by a plug-in that is there.

PySide6's wheel brings Qt's ibus plug-in and none of fcitx. fcitx 5 speaks the protocol of ibus too, so
those who have QT_IM_MODULE=fcitx are served through that one. On X11 XMODIFIERS names the input method
where nothing else does.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication

_QT = ("QT_IM_MODULE", "QT_IM_MODULES")


def choice(environ: Mapping[str, str], plugins: str) -> dict[str, str]:
    """What to set before Qt starts. `plugins`: the file names of Qt's input plug-ins."""
    if "fcitx" in plugins:
        return {}
    changed = {name: _by_ibus(environ[name]) for name in _QT if environ.get(name)}
    if not changed and _is_x11(environ):
        changed = {"QT_IM_MODULE": _by_ibus(_named(environ.get("XMODIFIERS", "")))}
    return {name: value for name, value in changed.items() if value and value != environ.get(name)}


def _by_ibus(modules: str) -> str:
    """The list (`;` between) with each fcitx in it as ibus."""
    return ";".join("ibus" if one.startswith("fcitx") else one for one in modules.split(";"))


def _named(modifiers: str) -> str:
    """ibus or fcitx out of `@im=ibus`; what Qt has no plug-in for is left to Qt."""
    name = modifiers.partition("@im=")[2].partition("@")[0]
    return name if name == "ibus" or name.startswith("fcitx") else ""


def _is_x11(environ: Mapping[str, str]) -> bool:
    """Wayland has a protocol of its own for input methods; Qt takes it when no variable names a plug-in."""
    return environ.get("QT_QPA_PLATFORM", "").startswith("xcb") or not environ.get("WAYLAND_DISPLAY")


@contextmanager
def chosen() -> Iterator[None]:
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
