"""The launcher entry: what is written is read back, whatever the path of the program."""

import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from lisa_island.system import desktop_entry

# A program's path may hold anything but NUL; line ends are possible and must not end the line.
ARGUMENTS = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30),
    min_size=1,
    max_size=4,
)


@given(ARGUMENTS)
def test_arguments_survive_the_quoting(argv):
    keys = desktop_entry.read(desktop_entry.entry(argv))
    assert desktop_entry.arguments(keys["Exec"]) == tuple(argv)
    assert keys["TryExec"] == argv[0]


def test_reserved_characters_are_quoted_as_the_specification_says():
    assert desktop_entry.quoted("/usr/bin/x") == "/usr/bin/x"
    assert desktop_entry.quoted('/a b/"$`\\') == '"/a b/\\"\\$\\`\\\\"'
    assert desktop_entry.quoted("100%") == "100%%"


def test_field_codes_are_no_arguments():
    assert desktop_entry.arguments('"/a b/c" --x %U %%d') == ("/a b/c", "--x", "%d")


def test_only_the_main_group_is_read_and_its_first_word_counts():
    text = "# no\nExec=before\n[Desktop Entry]\nExec = /one\nExec=/two\n[Desktop Action x]\nHidden=true\n"
    assert desktop_entry.read(text) == {"Exec": "/one"}


def test_the_entry_says_what_it_is_in_both_languages():
    keys = desktop_entry.read(desktop_entry.entry(["/x"]))
    assert keys["Name"] == "LISA Island" and keys["Icon"] == "lisa-island"
    assert keys["Comment"] and keys["Comment[zh_CN]"]


def test_the_command_is_the_one_beside_this_python(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert desktop_entry.command() == (str(tmp_path / "python"), "-m", "lisa_island")
    (tmp_path / "lisa-island").touch()
    assert desktop_entry.command() == (str(Path(tmp_path / "lisa-island")),)
