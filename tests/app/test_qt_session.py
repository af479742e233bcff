"""Which platform and which input plug-in Qt is given, by what the owner's session says."""

import os

import pytest

from lisa_island.app.desktop import qt_session
from lisa_island.app.desktop.qt_session import choice

WHEEL = "libcomposeplatforminputcontextplugin.so libibusplatforminputcontextplugin.so"


GNOME = {"XDG_CURRENT_DESKTOP": "ubuntu:GNOME", "WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}
XCB = {"QT_QPA_PLATFORM": "xcb;wayland"}


@pytest.mark.parametrize(
    ("environ", "changed"),
    [
        (GNOME, XCB),
        (GNOME | {"XDG_CURRENT_DESKTOP": "KDE"}, XCB),
        (GNOME | {"WAYLAND_DISPLAY": "", "XDG_SESSION_TYPE": "wayland"}, XCB),
        (GNOME | {"XDG_CURRENT_DESKTOP": "sway"}, {}),
        (GNOME | {"DISPLAY": ""}, {}),
        (GNOME | {"WAYLAND_DISPLAY": ""}, {}),
        (GNOME | {"QT_QPA_PLATFORM": "wayland"}, {}),
        (GNOME | {"XMODIFIERS": "@im=ibus"}, XCB | {"QT_IM_MODULE": "ibus"}),
    ],
)
def test_platforms(environ: dict[str, str], changed: dict[str, str]) -> None:
    assert choice(environ, WHEEL) == changed


@pytest.mark.parametrize(
    ("environ", "changed"),
    [
        ({}, {}),
        ({"QT_IM_MODULE": "ibus"}, {}),
        ({"QT_IM_MODULE": "compose"}, {}),
        ({"QT_IM_MODULE": "fcitx"}, {"QT_IM_MODULE": "ibus"}),
        ({"QT_IM_MODULE": "fcitx5"}, {"QT_IM_MODULE": "ibus"}),
        ({"QT_IM_MODULE": "fcitx", "WAYLAND_DISPLAY": "wayland-0"}, {"QT_IM_MODULE": "ibus"}),
        ({"QT_IM_MODULES": "wayland;fcitx"}, {"QT_IM_MODULES": "wayland;ibus"}),
        ({"QT_IM_MODULES": "wayland;ibus", "XMODIFIERS": "@im=ibus"}, {}),
        ({"XMODIFIERS": "@im=fcitx"}, {"QT_IM_MODULE": "ibus"}),
        ({"XMODIFIERS": "@im=ibus"}, {"QT_IM_MODULE": "ibus"}),
        ({"XMODIFIERS": "@im=none"}, {}),
        ({"XMODIFIERS": "@im=fcitx", "WAYLAND_DISPLAY": "wayland-0"}, {}),
        (
            {"XMODIFIERS": "@im=fcitx", "WAYLAND_DISPLAY": "wayland-0", "QT_QPA_PLATFORM": "xcb"},
            {"QT_IM_MODULE": "ibus"},
        ),
    ],
)
def test_input_methods(environ: dict[str, str], changed: dict[str, str]) -> None:
    assert choice(environ, WHEEL) == changed


def test_a_plug_in_of_fcitx_is_used_where_a_distribution_brings_one() -> None:
    there = WHEEL + " libfcitx5platforminputcontextplugin.so"
    assert choice({"QT_IM_MODULE": "fcitx"}, there) == {}


@pytest.mark.parametrize("owners", ["fcitx", None])
def test_programs_that_we_start_get_the_owners_own(owners: str | None, monkeypatch) -> None:
    monkeypatch.delenv("QT_IM_MODULES", raising=False)
    monkeypatch.delenv("QT_IM_MODULE", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("XMODIFIERS", "@im=fcitx")
    if owners:
        monkeypatch.setenv("QT_IM_MODULE", owners)
    with qt_session.told():
        assert os.environ["QT_IM_MODULE"] == "ibus"
    assert os.environ.get("QT_IM_MODULE") == owners
