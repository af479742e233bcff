"""The lock among our own processes keeps out others, whichever package they lock with."""

import errno
import fcntl

import filelock
import pytest

from lisa_island.system._lock import FileLock, Timeout


def test_one_holds_and_the_other_waits_in_vain(tmp_path):
    path = tmp_path / "some.lock"
    with FileLock(path):
        with pytest.raises(Timeout):
            FileLock(path).acquire(blocking=False)
        with pytest.raises(Timeout):
            FileLock(path, timeout=0).acquire()
        with pytest.raises(filelock.Timeout):
            filelock.FileLock(path).acquire(blocking=False)
    with filelock.FileLock(path), pytest.raises(Timeout):
        FileLock(path).acquire(blocking=False)
    FileLock(path).acquire(blocking=False)
    assert path.stat().st_mode & 0o777 == 0o600


def test_it_is_let_go_once(tmp_path):
    held = FileLock(tmp_path / "some.lock")
    held.acquire()
    held.release()
    held.release()
    with FileLock(tmp_path / "some.lock", timeout=0):
        pass


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        FileLock(tmp_path / "no" / "some.lock").acquire()


def test_a_link_in_its_place_is_not_followed(tmp_path):
    (tmp_path / "some.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError):
        FileLock(tmp_path / "some.lock").acquire()
    assert not (tmp_path / "elsewhere").exists()


def test_without_flock_the_package_does_it(tmp_path, monkeypatch):
    def none(*_: object) -> None:
        raise OSError(errno.ENOSYS, "no flock here")

    path = tmp_path / "some.lock"
    monkeypatch.setattr(fcntl, "flock", none)
    with FileLock(path), pytest.raises(Timeout):
        FileLock(path).acquire(blocking=False)
