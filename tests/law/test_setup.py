"""The set-up scripts, with a stand-in for every program that would change the machine."""

import os
import pty
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.law.source import ROOT

SCRIPTS = sorted([*(ROOT / "packaging").glob("*.sh"), ROOT / ".ci" / "run"])


@dataclass
class Machine:
    """A PATH on which `id`, `dpkg-query`, `apt-get` and `sudo` only write down what they were asked."""

    folder: Path
    installed: tuple[str, ...] = ()
    root: bool = False
    journal: Path = field(init=False)

    def __post_init__(self) -> None:
        self.journal = self.folder / "journal"
        self.journal.touch()
        note = f'echo "$(basename "$0") $*" >> {self.journal}'
        known = " | ".join(self.installed) or "nothing"
        self.program("id", f"echo {0 if self.root else 1000}")
        self.program("apt-get", note)
        self.program("sudo", f'{note}; exec "$@"')
        # Like the real one: fails when it knows one of the names not, and still says what it knows.
        self.program(
            "dpkg-query",
            f"shift 2; code=0\n"
            f"for p; do case $p in {known}) echo installed ;; *) code=1 ;; esac; done\n"
            "exit $code",
        )

    def program(self, name: str, body: str) -> None:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def run(self, code: str, answer: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run code after sourcing the bootstrap; with an answer it is typed on a terminal."""
        ours, theirs = pty.openpty() if answer is not None else (-1, subprocess.DEVNULL)
        try:
            if answer is not None:
                os.write(ours, answer.encode())
            return subprocess.run(
                ["bash", "-c", f"source packaging/_bootstrap.sh; {code}"],
                cwd=ROOT,
                env={"PATH": f"{self.folder}:/usr/bin:/bin", "HOME": str(self.folder)},
                stdin=theirs,
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            if answer is not None:
                os.close(ours)
                os.close(theirs)

    @property
    def asked(self) -> list[str]:
        return self.journal.read_text().splitlines()


def test_nothing_is_asked_of_apt_where_everything_is_there(tmp_path: Path) -> None:
    machine = Machine(tmp_path, installed=("liba", "libbt64"), root=True)
    assert machine.run("need_packages liba libb").returncode == 0
    assert machine.asked == []


def test_root_installs_what_is_missing_and_no_more(tmp_path: Path) -> None:
    machine = Machine(tmp_path, installed=("liba",), root=True)
    assert machine.run("need_packages liba libb libc6").returncode == 0
    assert machine.asked[0].startswith("apt-get -qq update")
    install = machine.asked[1]
    assert " install -y --no-install-recommends libb libc6 " in install
    assert "liba" not in install
    assert len(machine.asked) == 2


def test_without_root_and_terminal_the_line_is_printed_and_nothing_run(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    done = machine.run("need_packages liba libb")
    assert done.returncode == 1
    assert "sudo apt-get install --no-install-recommends liba libb\n" in done.stderr
    assert "Nothing was installed" in done.stderr
    assert machine.asked == []


@pytest.mark.parametrize("answer", ["\n", "n\n", "whatever\n"])
def test_without_root_anything_but_yes_is_no(tmp_path: Path, answer: str) -> None:
    machine = Machine(tmp_path)
    assert machine.run("need_packages liba", answer).returncode == 1
    assert machine.asked == []


def test_without_root_yes_runs_the_line_with_sudo(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    assert machine.run("need_packages liba", "y\n").returncode == 0
    assert [line.split()[0] for line in machine.asked] == ["sudo", "apt-get"]
    assert machine.asked[1].endswith("--no-install-recommends liba")


def test_a_failing_apt_is_said_and_ends_the_run(tmp_path: Path) -> None:
    machine = Machine(tmp_path, root=True)
    machine.program("apt-get", "exit 100")
    done = machine.run("need_packages liba; echo went on")
    assert done.returncode == 1
    assert "went on" not in done.stdout
    assert "apt-get could not install" in done.stderr


def test_python_without_pip_asks_for_pip(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.program("python3.11", 'case $* in *pip*) exit 1 ;; *) echo "$0" ;; esac')
    done = machine.run("UV=/nowhere; listed() { :; }; bootstrap run")
    assert done.returncode == 1
    assert "sudo apt-get install --no-install-recommends python3-pip\n" in done.stderr


def test_an_old_python_is_passed_over(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for name in ("python3.11", "python3.12", "python3.13", "python3.14", "python3"):
        machine.program(name, "exit 1")
    machine.program("python3.13", "echo found")
    assert machine.run("find_python").stdout == "found\n"


@pytest.mark.parametrize("section", ["run", "tests"])
def test_packages_have_their_reason(section: str) -> None:
    text = (ROOT / "packaging" / "apt.txt").read_text()
    lines = [
        line
        for line in re.split(r"^\[\w+\]$", text, flags=re.M)[["run", "tests"].index(section) + 1].split("\n")
        if line
    ]
    assert lines
    assert not [line for line in lines if not re.fullmatch(r"[a-z0-9.+-]+ +# \S.*", line)]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.name)
def test_no_script_fetches_by_itself_or_pipes_into_a_shell(path: Path) -> None:
    text = path.read_text()
    assert not re.search(r"\b(curl|wget|urlopen)\b", text)
    assert not re.search(r"\|\s*(sudo\s+)?(ba|da|z)?sh\b", text)
    assert not re.search(r"\bpython[\d.]*\s+-\s*<", text)


def test_uv_is_pinned_by_hash() -> None:
    text = (ROOT / "packaging" / "uv.txt").read_text()
    assert len(re.findall(r"^uv==[\d.]+ ", text, re.M)) == 1
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", text)) > 1
