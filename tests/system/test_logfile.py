"""The log: private, bounded, without a key."""

import logging
import stat

import pytest

from lisa_island.system import logfile

KEY = "tako_live_" + "S" * 32


@pytest.fixture
def log(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield root
    for handler in set(root.handlers) - set(before):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


def test_warnings_go_to_a_file_of_the_owner_alone(log, tmp_path):
    logfile.begin(to_file=True)
    logging.getLogger("x").warning("something odd")
    [path] = logfile.files()
    assert path.is_relative_to(tmp_path / "state")
    assert "something odd" in path.read_text() and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_key_never_reaches_it_whole(log):
    logfile.begin(to_file=True)
    logging.getLogger("x").error("header %s", KEY)
    try:
        raise ValueError(KEY)
    except ValueError:
        logging.getLogger("x").exception("broke")
    text = logfile.files()[0].read_text()
    assert KEY not in text and KEY[:16] in text


def test_it_stays_small(log):
    logfile.begin(to_file=True)
    for _ in range(400):
        logging.getLogger("x").error("y" * 5000)
    assert sum(p.stat().st_size for p in logfile.files()) <= 2 * logfile.SIZE + logfile.LINE_LIMIT * 2


def test_a_place_that_cannot_be_written_is_no_reason_not_to_run(log, tmp_path, capsys):
    (tmp_path / "state").write_text("a file in the way")
    logfile.begin(to_file=True)
    logging.getLogger("x").warning("told elsewhere")
    assert logfile.files() == []
