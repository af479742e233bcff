"""`try.sh --install` and `--remove`: a command, a launcher and icons, in a home that is not the maker's."""

import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lisa_island.system import desktop_entry
from tests.law.source import ROOT

PATIENCE = 100.0
# Steps that fetch or build are not what these tests are about; the slow ones take the real ones.
STANDING_IN = """
source packaging/_bootstrap.sh; source packaging/_install.sh
bootstrap() { :; }
environment() {
    mkdir -p "$1/bin"
    printf '#!/bin/sh\\n' >"$1/bin/lisa-island"
    chmod +x "$1/bin/lisa-island"
}
place() {
    echo "$*" >>"$HOME/asked"
    [[ $* != autostart ]] || echo "${SAYS:-}"
}
"""


@dataclass
class Person:
    """A user with a home of their own and the system's usual PATH."""

    home: Path

    @property
    def environ(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if k.startswith(("UV_", "PIP_", "SSL_"))}
        python = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
        kept |= {"LISA_PYTHON": python, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        return kept | {"HOME": str(self.home)}

    @property
    def app(self) -> Path:
        return self.home / ".local/share/lisa-island"

    @property
    def link(self) -> Path:
        return self.home / ".local/bin/lisa-island"

    @property
    def launcher(self) -> Path:
        return self.home / ".local/share/applications/lisa-island.desktop"

    @property
    def login(self) -> Path:
        return self.home / ".config/autostart/lisa-island.desktop"

    def files(self) -> set[str]:
        """Everything but the environment, the caches of uv, and what the stand-in wrote down."""
        found = (p for p in self.home.rglob("*") if not p.is_dir() or p.is_symlink())
        names = {p.relative_to(self.home).as_posix() for p in found}
        return {n for n in names - {"asked"} if "/venv/" not in n and not n.startswith(".cache/")}

    def run(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=ROOT,
            env=self.environ | more,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )

    def try_sh(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.run("bash", "packaging/try.sh", *words)

    def script(self, code: str, **more: str) -> subprocess.CompletedProcess[str]:
        return self.run("bash", "-c", STANDING_IN + code, **more)

    def answers(self, command: list[str], question: str, answer: bytes) -> str:
        """Run at a terminal, answer when asked; everything that stood on the screen."""
        ours, theirs = pty.openpty()
        child = subprocess.Popen(
            command, cwd=ROOT, env=self.environ, stdin=theirs, stdout=theirs, stderr=theirs
        )
        os.close(theirs)
        seen = b""
        try:
            while select.select([ours], [], [], PATIENCE)[0]:
                try:
                    data = os.read(ours, 4096)
                except OSError:  # the terminal's other side is gone
                    break
                seen += data
                if answer and question.encode() in seen:
                    os.write(ours, answer)
                    answer = b""
        finally:
            os.close(ours)
            child.wait(PATIENCE)
        assert child.returncode == 0 and not answer, seen
        return seen.decode()


@pytest.fixture
def person(tmp_path: Path) -> Person:
    home = tmp_path / "a $home"
    home.mkdir()
    return Person(home)


def keys(path: Path) -> dict[str, str]:
    return desktop_entry.read(path.read_text("utf-8"))


@pytest.mark.slow
def test_installed_used_and_removed_again(person: Person) -> None:
    done = person.try_sh("--install")
    assert done.returncode == 0, done.stderr
    assert "not start at login" in done.stderr and not person.login.exists()
    assert person.run(str(person.link), "--version").stdout.startswith("lisa-island ")
    program = desktop_entry.arguments(keys(person.launcher)["Exec"])
    assert person.run(*program, "--version").returncode == 0
    icons = person.home / ".local/share/icons/hicolor"
    assert (icons / "scalable/apps/lisa-island.svg").read_bytes().startswith(b"<svg")
    png = (icons / "48x48/apps/lisa-island.png").read_bytes()
    assert png.startswith(b"\x89PNG") and int.from_bytes(png[16:20]) == 48
    # It is whole by itself: nothing in it leads back to this folder of code.
    where = "import lisa_island; print(lisa_island.__file__)"
    told = person.run(str(person.app / "venv/bin/python"), "-I", "-c", where).stdout
    assert told.startswith(str(person.app))

    once = person.files()
    assert person.try_sh("--install").returncode == 0
    assert person.files() == once

    assert person.run(str(person.link), "status").returncode == 0
    gone = person.try_sh("--remove")
    assert gone.returncode == 0, gone.stderr
    left = person.files()
    assert left and all(name.startswith(".lisa/") for name in left)
    assert all(str(person.home / name) in gone.stderr for name in left)
    again = person.try_sh("--remove")
    assert again.returncode == 0 and "not installed here" in again.stderr
    assert all(str(person.home / name) in again.stderr for name in left)


@pytest.mark.slow
def test_start_at_login_is_asked_and_leaves_with_the_rest(person: Person) -> None:
    install = ["bash", "packaging/try.sh", "--install"]
    assert "starts at login from now on" in person.answers(install, "log in? [y/N]", b"y\n")
    [program] = desktop_entry.arguments(keys(person.login)["Exec"])
    assert Path(program) == person.app / "venv/bin/lisa-island"
    assert "as before" in person.answers(install, "", b"")
    assert person.try_sh("--remove").returncode == 0
    assert not person.files()


@pytest.mark.parametrize("answer", [b"\n", b"n\n", b"\x04"])
def test_anything_but_yes_leaves_it_off(person: Person, answer: bytes) -> None:
    person.answers(["bash", "-c", STANDING_IN + "install_island"], "[y/N]", answer)
    assert "autostart on" not in (person.home / "asked").read_text()


def test_without_a_terminal_nobody_is_asked(person: Person) -> None:
    assert person.script("install_island").returncode == 0
    assert "autostart on" not in (person.home / "asked").read_text()
    assert person.link.resolve() == person.app / "venv/bin/lisa-island"


@pytest.mark.parametrize("kind", ["file", "link", "broken"])
def test_somebody_elses_command_is_left_alone(person: Person, kind: str) -> None:
    person.link.parent.mkdir(parents=True)
    if kind == "file":
        person.link.write_text("mine")
    else:
        person.link.symlink_to("/bin/sh" if kind == "link" else "/gone")
    before = person.files()
    done = person.script("install_island")
    assert done.returncode == 1 and "is not ours" in done.stderr
    assert person.files() == before
    assert person.script("remove_island").returncode == 0
    assert person.files() == before


def test_another_islands_login_entry_is_named_and_left_alone(person: Person) -> None:
    person.login.parent.mkdir(parents=True)
    person.login.write_text(desktop_entry.entry(["/bin/sh"]))
    done = person.script("install_island", SAYS="another")
    assert "Another LISA Island starts at login" in done.stderr and str(person.login) in done.stderr
    assert person.script("remove_island").returncode == 0
    assert person.login.exists() and not person.app.exists()


def test_what_is_not_ours_beside_it_stays(person: Person) -> None:
    mine = person.home / ".local/share/applications/mine.desktop"
    person.script("install_island")
    mine.parent.mkdir(parents=True, exist_ok=True)
    mine.touch()
    (person.app / "notes").touch()
    person.script("remove_island")
    assert person.files() == {".local/share/applications/mine.desktop", ".local/share/lisa-island/notes"}


@pytest.fixture
def running(person: Person) -> Iterator[None]:
    """A process that was started from the installation's own environment."""
    (person.app / "venv/bin").mkdir(parents=True)
    python = person.app / "venv/bin/python"
    python.symlink_to(sys.executable)
    # Whatever it reads ends it, so it ends with this test at the latest.
    child = subprocess.Popen([str(python), "-I", "-c", "input()"], stdin=subprocess.PIPE)
    yield
    child.communicate(b"\n", timeout=PATIENCE)


@pytest.mark.usefixtures("running")
@pytest.mark.parametrize("what", ["install_island", "remove_island"])
def test_a_running_island_keeps_its_files(person: Person, what: str) -> None:
    before = person.files()
    done = person.script(what)
    assert done.returncode == 1 and "Quit it first" in done.stderr
    assert person.files() == before and (person.app / "venv/bin/python").exists()


@pytest.mark.parametrize("words", [("--install", "x"), ("--remove", "--install")])
def test_more_words_change_nothing(person: Person, words: tuple[str, ...]) -> None:
    done = person.try_sh(*words)
    assert done.returncode == 1 and "nothing more" in done.stderr
    assert not person.files()
