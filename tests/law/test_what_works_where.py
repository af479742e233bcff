"""README's table of desktops: each line is tested by tests that are there and run, or says that it is not."""

import ast
import re

from tests.law.source import ROOT

CHECK = (ROOT / "packaging/check.sh").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
WINDOWS = "tests/desktop/test_island_windows.py"
WHOLE = "tests/desktop/test_whole_line.py"
MUTTER, SWAY = "tests/wayland/test_mutter.py", "tests/wayland/test_sway.py"

# On every tested desktop: an answer in place until it completes, a notice and its button, a tray.
EVERYWHERE = (
    f"{WHOLE}::test_working_asks_is_answered_in_the_island_and_completes",
    f"{WHOLE}::test_the_same_through_the_notice",
    f"{WHOLE}::test_the_tray_menu_opens_settings_and_quits",
)
POINTER = (
    f"{WINDOWS}::test_a_real_pointer_opens_it_without_the_focus_and_leaving_closes_it",
    f"{WINDOWS}::test_a_drag_with_a_real_pointer",
)
X11 = (
    f"{WINDOWS}::test_it_appears_and_a_need_arrives_without_taking_the_focus",
    f"{WINDOWS}::test_no_taskbar_lists_it_and_the_pill_refuses_the_focus",
    f"{WINDOWS}::test_it_leaves_a_display_that_one_window_fills",
    f"{WHOLE}::test_without_a_notification_server_the_island_shows_its_own_toast",
    f"{WHOLE}::test_without_a_tray_the_pill_has_everything",
)
COMPOSITOR = f"{WINDOWS}::test_a_compositor_that_comes_and_goes"
# First words of the line -> the step of check.sh, and what it must run.
TESTED = {
    "X11 with a compositor": ("tests-desktop", (*EVERYWHERE, *X11, *POINTER, COMPOSITOR)),
    "X11 without one": ("tests-desktop", (*EVERYWHERE, *X11, *POINTER, COMPOSITOR)),
    "GNOME on Wayland": (
        "tests-mutter",
        (
            *EVERYWHERE,
            *X11,
            f"{MUTTER}::test_of_its_own_it_takes_the_platform_on_which_the_pill_floats",
            f"{MUTTER}::test_the_pill_is_placed_and_on_top_and_a_real_click_and_keys_reach_an_agent",
            f"{MUTTER}::test_the_pointer_opens_it_without_the_keyboard_and_leaving_closes_it",
            f"{MUTTER}::test_a_pill_that_comes_where_the_pointer_was_last_seen_stays_closed",
            f"{MUTTER}::test_it_leaves_a_display_that_a_window_of_x11_fills",
            f"{MUTTER}::test_a_full_window_of_waylands_own_is_not_seen_so_the_pill_stays_over_it",
        ),
    ),
    "sway": (
        "tests-sway",
        (
            *EVERYWHERE,
            f"{SWAY}::test_without_a_tray_the_window_is_there_from_the_start_and_has_the_menu",
            f"{SWAY}::test_with_a_tray_it_waits_there",
            f"{SWAY}::test_where_windows_float_it_is_440_wide_and_settings_name_the_mode_and_its_limit",
            f"{SWAY}::test_without_a_notification_server_no_notice_takes_the_keyboard",
            f"{SWAY}::test_a_notice_by_the_desktop_leaves_the_keyboard_and_its_button_opens_the_window",
        ),
    ),
}  # fmt: skip
NAMED = ("X11", "GNOME", "KDE", "sway", "Windows", "macOS")


def lines() -> dict[str, str]:
    """Desktop -> what README says of its tests."""
    section = README.partition("## What works where\n")[2].partition("\n#")[0]
    rows = [[c.strip() for c in row.strip("|").split("|")] for row in section.splitlines() if row[:1] == "|"]
    return {row[0]: row[-1] for row in rows[2:]}


def step(name: str) -> str:
    found = re.search(rf"^step_{name}\(\) \{{(.*?)\}}\n(?:\n|$)", CHECK, re.S | re.M)
    assert found, name
    return found[1]


def test_every_desktop_has_a_line() -> None:
    assert not [name for name in NAMED if not any(name in line for line in lines())]


def test_a_line_is_tested_or_says_that_it_is_not() -> None:
    said = {line for line, proof in lines().items() if proof != "not tested"}
    assert said == set(TESTED)


def test_what_tests_a_line_is_there_and_run() -> None:
    everything = re.search(r"^ALL=\((.*?)\)$", CHECK, re.M)
    assert everything
    for name, proofs in TESTED.values():
        assert name in everything[1].split(), f"{name} is run by nobody"
        body = step(name)
        for proof in proofs:
            path, _, test = proof.partition("::")
            functions = {n.name for n in ast.walk(ast.parse((ROOT / path).read_text("utf-8")))
                         if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}  # fmt: skip
            assert test in functions, proof
            assert f"--deselect {proof}" not in body, f"{name} leaves out {proof}"
            stem = path.partition("test_")[2].removesuffix(".py")
            reached = "-m " in body or path.rpartition("/")[0] + " " in body or stem in body
            assert reached, f"{name} does not reach {path}"
