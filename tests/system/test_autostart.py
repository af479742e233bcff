"""Start at login: the file on the disk is the truth, whoever wrote it."""

import plistlib
import stat

import pytest

from lisa_island.core.errors import StorageError
from lisa_island.system import _login_items, autostart, desktop_entry

ENTRY = "[Desktop Entry]\nType=Application\nName=x\nExec=/bin/sh\n"


@pytest.fixture
def environ(tmp_path):
    return {
        "HOME": str(tmp_path / "home"),
        "XDG_CONFIG_HOME": str(tmp_path / "conf"),
        "XDG_CONFIG_DIRS": str(tmp_path / "etc"),
    }


@pytest.fixture
def own(tmp_path):
    return tmp_path / "conf" / "autostart" / "lisa-island.desktop"


@pytest.fixture
def shared(tmp_path):
    path = tmp_path / "etc" / "autostart" / "lisa-island.desktop"
    path.parent.mkdir(parents=True)
    return path


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_off_until_chosen_and_looking_creates_nothing(environ, tmp_path):
    assert autostart.is_on(environ) is False
    assert list(tmp_path.iterdir()) == []


def test_on_and_off_are_a_file_that_comes_and_goes(environ, own):
    autostart.turn(True, environ)
    assert autostart.is_on(environ) is True
    assert desktop_entry.arguments(desktop_entry.read(own.read_text())["Exec"]) == desktop_entry.command()
    assert stat.S_IMODE(own.stat().st_mode) == 0o644
    autostart.turn(True, environ)
    autostart.turn(False, environ)
    assert autostart.is_on(environ) is False and not own.exists()
    autostart.turn(False, environ)


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false", "TryExec=/no/such"])
def test_an_entry_that_was_switched_off_elsewhere_is_off(environ, own, line):
    put(own, ENTRY)
    assert autostart.is_on(environ) is True
    put(own, ENTRY + line + "\n")
    assert autostart.is_on(environ) is False
    autostart.turn(True, environ)
    assert autostart.is_on(environ) is True


@pytest.mark.parametrize(
    "text", ["", "no entry", "[Desktop Entry]\nExec=\n", "[Desktop Entry]\nExec=/gone\n"]
)
def test_an_entry_that_starts_nothing_is_off(environ, own, text):
    put(own, text)
    assert autostart.is_on(environ) is False


def test_what_is_no_entry_at_all_is_off(environ, own):
    own.mkdir(parents=True)
    assert autostart.is_on(environ) is False
    with pytest.raises(StorageError):
        autostart.turn(False, environ)


def test_the_systems_own_entry_counts_and_is_overruled_not_deleted(environ, own, shared):
    shared.write_text(ENTRY)
    assert autostart.is_on(environ) is True
    autostart.turn(False, environ)
    assert autostart.is_on(environ) is False and shared.read_text() == ENTRY
    assert "Hidden=true" in own.read_text()


def test_relative_folders_are_ignored_as_the_specification_says(environ, tmp_path):
    environ |= {"XDG_CONFIG_HOME": "conf", "XDG_CONFIG_DIRS": "etc:/a"}
    names = [str(path.parent.parent) for path in autostart.entries(environ)]
    assert names == [str(tmp_path / "home" / ".config"), "/a"]


def test_a_folder_that_cannot_be_written_is_said(environ, tmp_path):
    (tmp_path / "conf").write_text("a file in the way")
    with pytest.raises(StorageError):
        autostart.turn(True, environ)


def test_a_link_of_the_owners_stays_a_link(environ, own, tmp_path):
    dotfile = tmp_path / "dotfile"
    dotfile.write_text(ENTRY)
    own.parent.mkdir(parents=True)
    own.symlink_to(dotfile)
    autostart.turn(True, environ)
    assert own.is_symlink() and "TryExec=" in dotfile.read_text()


def test_the_launch_agent_starts_once_at_login(tmp_path):
    """Its file alone: no Mac has run it."""
    path = _login_items.agent_file(tmp_path)
    assert _login_items._reads_on(path) is False
    path.parent.mkdir(parents=True)
    path.write_bytes(_login_items.agent(["/bin/sh", "-c", "x"]))
    assert _login_items._reads_on(path) is True
    path.write_bytes(plistlib.dumps(plistlib.loads(path.read_bytes()) | {"Disabled": True}))
    assert _login_items._reads_on(path) is False


def test_what_the_task_manager_switched_off_is_off():
    """The registry's form alone: no Windows has run it."""
    assert _login_items._is_disapproved(b"\x03" + bytes(11))
    assert not _login_items._is_disapproved(b"\x02" + bytes(11))
    assert not _login_items._is_disapproved(None)
