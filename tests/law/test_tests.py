"""Tests wait for what happens, never for time to pass, and none is skipped in disguise."""

import ast

from tests.law.source import calls, modules

# Skipping is for another platform alone; desktop tests are run in the rig, not skipped without it.
SKIPS = {"pytest.skip", "pytest.importorskip", "pytest.xfail", "pytest.mark.skip", "pytest.mark.xfail"}


def is_zero(call: ast.Call) -> bool:
    return bool(call.args) and isinstance(call.args[0], ast.Constant) and call.args[0].value == 0


def suite() -> dict[str, ast.Module]:
    return {
        path: tree for path, tree in modules("tests").items() if path.rpartition("/")[2].startswith("test_")
    }


def test_nothing_sleeps() -> None:
    assert not [
        f"{path}:{call.lineno}: {name}"
        for path, tree in suite().items()
        for name, call in calls(tree)
        if name == "time.sleep"
        or name.endswith(("QTest.qSleep", "qtbot.wait"))
        or (name == "asyncio.sleep" and not is_zero(call))
    ]


def test_nothing_is_skipped() -> None:
    found = []
    for path, tree in suite().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute | ast.Call):
                name = ast.unparse(node.func if isinstance(node, ast.Call) else node)
                if name in SKIPS:
                    found.append(f"{path}:{node.lineno}: {name}")
    assert not found


def test_no_folder_changes_the_environment_of_the_others() -> None:
    """All conftests are read whatever is run: a platform that one sets would be everybody's."""
    found = [
        f"{path}:{node.lineno}"
        for path, tree in modules("tests").items()
        for node in ast.iter_child_nodes(tree)
        if isinstance(node, ast.Assign) and "os.environ" in ast.unparse(node.targets[0])
    ]
    assert not found
