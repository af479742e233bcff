"""Reading LISA's `config.env`."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.core.errors import SecretError
from lisa_island.system import keyfile

KEY = "tako_live_" + "c" * 32


@pytest.fixture
def home(tmp_path: Path) -> Path:
    tmp_path.chmod(0o700)
    return tmp_path


def put(home: Path, text: str, mode: int = 0o600) -> None:
    (home / keyfile.NAME).write_text(text, "utf-8")
    (home / keyfile.NAME).chmod(mode)


def key_in(home: Path) -> str:
    found = keyfile.read(home)
    return found.key.reveal() if found else ""


@pytest.mark.parametrize(
    "line",
    [
        f"TAKO_KEY={KEY}",
        f"export TAKO_KEY={KEY}",
        f'TAKO_KEY="{KEY}"',
        f"TAKO_KEY='{KEY}'",
        f"  export   TAKO_KEY={KEY}   ",
        f"TAKO_KEY={KEY} # mine",
        f'TAKO_KEY="{KEY}" # mine',
        f"\ufeffTAKO_KEY={KEY}",
        f"# a note\r\nLISA_WEB_TOKEN=abc\r\nTAKO_KEY={KEY}\r\n",
        f"TAKO_KEY=old\nTAKO_KEY={KEY}",
    ],
)
def test_every_way_to_write_it(home: Path, line: str) -> None:
    put(home, line)
    assert key_in(home) == KEY


@pytest.mark.parametrize(
    "line", ["", "TAKO_KEY=", "#TAKO_KEY=x", "MY_TAKO_KEY=x", "TAKO_KEY = x", "tako_key=x", "TAKO_KEY=#x"]
)
def test_no_key_is_no_error(home: Path, line: str) -> None:
    put(home, line)
    assert keyfile.read(home) is None


def test_no_file_is_no_error(home: Path) -> None:
    assert keyfile.read(home) is None


def test_nothing_is_expanded(home: Path) -> None:
    put(home, 'TAKO_KEY="$HOME `id` $(id)"')
    assert key_in(home) == "$HOME `id` $(id)"


def test_the_address_beside_it_is_read(home: Path) -> None:
    put(home, f"TAKOAPI_BASE_URL=http://127.0.0.1:9\nTAKO_KEY={KEY}\n")
    found = keyfile.read(home)
    assert found is not None and found.base_url == "http://127.0.0.1:9"
    assert KEY not in repr(found)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o620, 0o604, 0o666])
def test_a_file_that_others_can_reach_is_refused(home: Path, mode: int) -> None:
    put(home, f"TAKO_KEY={KEY}", mode)
    with pytest.raises(SecretError, match=r"secrets\.file-open"):
        keyfile.read(home)


def test_a_stricter_mode_is_fine(home: Path) -> None:
    put(home, f"TAKO_KEY={KEY}", 0o400)
    assert key_in(home) == KEY


def test_a_folder_that_others_can_write_to_is_refused(home: Path) -> None:
    put(home, f"TAKO_KEY={KEY}")
    home.chmod(0o777)
    with pytest.raises(SecretError, match=r"secrets\.file-open"):
        keyfile.read(home)


def test_a_link_is_refused(home: Path) -> None:
    put(home, f"TAKO_KEY={KEY}")
    (home / keyfile.NAME).rename(home / "elsewhere")
    (home / keyfile.NAME).symlink_to(home / "elsewhere")
    with pytest.raises(SecretError, match=r"secrets\.file-unreadable"):
        keyfile.read(home)


def test_a_pipe_in_its_place_does_not_hold_us(home: Path) -> None:
    os.mkfifo(home / keyfile.NAME, 0o600)
    with pytest.raises(SecretError, match=r"secrets\.file-open"):
        keyfile.read(home)


def test_another_owner_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(home, f"TAKO_KEY={KEY}")
    monkeypatch.setattr(os, "getuid", lambda: 4242)
    with pytest.raises(SecretError, match=r"secrets\.file-open"):
        keyfile.read(home)


def test_a_huge_file_is_cut(home: Path) -> None:
    put(home, f"TAKO_KEY={KEY}\n" + "x" * (2 * keyfile.SIZE_LIMIT) + "\nTAKO_KEY=late\n")
    assert key_in(home) == KEY


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    assert all(name.isascii() for name, _ in keyfile.pairs(text))


@given(st.text(st.characters(codec="ascii", exclude_characters="\n\r\x0b\x0c\x1c\x1d\x1e'\\"), min_size=1))
def test_what_is_quoted_comes_out_whole(value: str) -> None:
    assert dict(keyfile.pairs(f"TAKO_KEY='{value}'"))["TAKO_KEY"] == value
