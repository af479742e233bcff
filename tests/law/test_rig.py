"""The desktop rig: what a command finds inside, and that nothing stays behind."""

import os
import subprocess
from pathlib import Path

import psutil
import pytest

from tests.law.source import ROOT

pytestmark = pytest.mark.desktop
RIG = ROOT / "packaging" / "rig.sh"


def rig(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [RIG, *command], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def test_it_passes_the_exit_code_on() -> None:
    assert rig("sh", "-c", "exit 7").returncode == 7


def test_nothing_of_the_callers_session_comes_in() -> None:
    done = rig("env", TAKO_KEY="a", SSH_AUTH_SOCK="b", WAYLAND_DISPLAY="c", LISA_HOME="/nowhere")
    inside = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert not {"TAKO_KEY", "SSH_AUTH_SOCK", "WAYLAND_DISPLAY"} & inside.keys()
    own = inside["RIG"]
    folders = ("HOME", "LISA_HOME", "TMPDIR", *(name for name in inside if name.startswith("XDG_")))
    assert all(inside[name].startswith(own + "/") for name in folders)
    assert inside["DBUS_SESSION_BUS_ADDRESS"].startswith(f"unix:path={own}/")
    assert inside["DISPLAY"] != os.environ.get("DISPLAY")


def test_nothing_stays_behind() -> None:
    own, server, was_up = rig(
        "sh", "-c", "echo $RIG $LISA_RIG_SERVER_PID; test -d /proc/$LISA_RIG_SERVER_PID && echo up"
    ).stdout.split()
    assert was_up == "up"
    assert not Path(own).exists()
    assert not Path("/proc", server).exists()


def test_what_the_command_left_running_is_ended() -> None:
    left = int(rig("sh", "-c", "sleep 1000 >/dev/null 2>&1 & echo $!").stdout)
    assert not psutil.pid_exists(left) or psutil.Process(left).status() == psutil.STATUS_ZOMBIE


def test_there_is_a_window_manager() -> None:
    assert "Name: Openbox" in rig("wmctrl", "-m").stdout


def test_the_keyring_takes_and_gives() -> None:
    keep = "printf hush | secret-tool store --label=x service rig && secret-tool lookup service rig"
    assert rig("sh", "-c", keep).stdout == "hush"


def test_the_bus_starts_nothing_by_itself() -> None:
    ask = "dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus."
    names = rig("sh", "-c", f"{ask}ListActivatableNames; {ask}ListNames").stdout
    assert "org.freedesktop.secrets" in names
    assert "Notifications" not in names
    assert "StatusNotifierWatcher" not in names
