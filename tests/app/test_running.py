"""Whether an island runs, asked of its lock."""

import pytest

from lisa_island.app import running
from lisa_island.system.door_place import AlreadyRunningError


def test_gone_is_when_the_lock_is_free(tmp_path, monkeypatch):
    assert running.wait_until_gone(tmp_path)
    monkeypatch.setattr(running, "LEAVE_SECONDS", 0.01)
    with running.nobody_else(tmp_path):
        assert not running.wait_until_gone(tmp_path)
        with pytest.raises(AlreadyRunningError), running.nobody_else(tmp_path):
            pass
    assert running.wait_until_gone(tmp_path)


def test_a_home_that_went_with_its_island_is_not_made_again(tmp_path):
    gone = tmp_path / "demo"
    assert running.wait_until_gone(gone)
    assert not gone.exists()
