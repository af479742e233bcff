"""The house law that no import contract can hold: one owner for each dangerous call, one home for colours."""

import ast
import re
from fnmatch import fnmatch

import pytest

from tests.law.source import PACKAGE, ROOT, calls, modules, our_calls, strings

# Last part of a called name -> the only files that may call it.
OWNERS: dict[str, tuple[str, ...]] = {
    # Tasks have an owner that awaits them (I5).
    "create_task": ("runtime/nursery.py",),
    "ensure_future": (),
    "run_coroutine_threadsafe": ("system/worker.py",),
    # One thread; what blocks runs behind the worker with a limit (I4).
    "to_thread": ("system/worker.py",),
    "run_in_executor": ("system/worker.py",),
    "Thread": ("system/worker.py", "sandbox/__main__.py"),
    "ThreadPoolExecutor": ("system/worker.py",),
    # No nested event loop (I6).
    "exec": (),
    "exec_": (),
    # The first pill is painted before there is a loop to nest in.
    "processEvents": ("app/desktop/first.py",),
    # One runner a process.
    "run_until_complete": (),
    "run_forever": (),
    "asyncio.run": ("app/client.py", "app/headless.py", "app/loop.py", "sandbox/__main__.py"),
    "asyncio.Runner": ("app/client.py", "app/headless.py", "app/loop.py"),
    "Runner": ("app/client.py", "app/headless.py", "app/loop.py"),
    # Output belongs to the commands.
    "print": ("cli/*", "sandbox/*", "app/headless.py"),
    # No shell between us and a program (I10).
    "os.system": (),
    "os.popen": (),
    "create_subprocess_shell": (),
    # Foreign bytes are never code or objects.
    "eval": (),
    "pickle.loads": (),
    "pickle.load": (),
}
COLOUR_HOME = ("ui/tokens.py", "ui/theme.py")
COLOUR = re.compile(r"#(?:[0-9a-f]{8}|[0-9a-f]{6})\b|^#[0-9a-f]{3}$", re.I)
MAX_LINES = 400
BANNED_NAMES = {"manager", "helper", "helpers", "util", "utils", "common", "misc", "base"}


def owned(name: str) -> str | None:
    """The key of OWNERS that a called name falls under."""
    last = name.rpartition(".")[2]
    return next((key for key in (name, last) if key in OWNERS), None)


@pytest.mark.parametrize("key", OWNERS)
def test_only_its_owner_calls(key: str) -> None:
    strangers = [
        f"{path}:{call.lineno}: {name}("
        for path, name, call in our_calls()
        if owned(name) == key and not any(fnmatch(path, owner) for owner in OWNERS[key])
    ]
    assert not strangers


def test_colours_live_in_one_place() -> None:
    strays = [
        f"{path}:{line}: {text[:60]!r}"
        for path, tree in modules().items()
        if path not in COLOUR_HOME
        for text, line in strings(tree)
        if COLOUR.search(text)
    ]
    strays += [
        f"{path}:{call.lineno}: {ast.unparse(call)}"
        for path, name, call in our_calls()
        if path not in COLOUR_HOME
        and name.rpartition(".")[2] == "QColor"
        and call.args
        and all(isinstance(arg, ast.Constant) for arg in call.args)
        and not (len(call.args) == 4 and ast.unparse(call.args[3]) == "0")  # transparent is no colour
    ]
    assert not strays


def test_no_file_is_too_long() -> None:
    long = {
        path.relative_to(ROOT).as_posix(): count
        for path in PACKAGE.rglob("*.py")
        if (count := len(path.read_text("utf-8").splitlines())) > MAX_LINES
    }
    assert not long, f"split these (over {MAX_LINES} lines)"


def test_modules_say_what_they_are() -> None:
    silent = [path for path, tree in modules().items() if tree.body and not ast.get_docstring(tree)]
    assert not silent, "a module's docstring is missing"


def test_names_say_what_they_are() -> None:
    vague = [path for path in modules() if BANNED_NAMES & set(re.split(r"[/_.]", path.removesuffix(".py")))]
    vague += [
        f"{path}: class {node.name}"
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and re.search(r"(Manager|Helper|Utils?)$", node.name)
    ]
    assert not vague


def test_the_table_of_owners_names_files_that_exist() -> None:
    """A row whose owner is gone would allow a file that somebody may create again for another purpose."""
    gone = [
        f"{key}: {owner}"
        for key, owners in OWNERS.items()
        for owner in owners
        if not any(fnmatch(path, owner) for path in modules())
    ]
    assert not gone


# Where a face takes words from; a literal there is a sentence outside the catalogue.
SPEAKING = {
    "setText",
    "setWindowTitle",
    "setToolTip",
    "setPlaceholderText",
    "setAccessibleName",
    "setAccessibleDescription",
    "setStatusTip",
    "setTitle",
    "addAction",
    "addMenu",
    "addTab",
    "QLabel",
    "QPushButton",
    "QCheckBox",
    "QRadioButton",
    "QAction",
    "QMenu",
}
PRODUCT = "LISA Island"  # The same in every language.
CHINESE = re.compile(r"[\u3400-\u9fff]")
# The grammar knows two Chinese verbs; a hostile agent of the sandbox may speak any language.
CHINESE_ALLOWED = ("core/words/*", "core/routing.py", "sandbox/*")


def test_a_face_speaks_through_the_catalogue() -> None:
    literal = [
        f"{path}:{call.lineno}: {ast.unparse(call)}"
        for path, tree in modules("lisa_island/ui").items()
        for name, call in calls(tree)
        if name.rpartition(".")[2] in SPEAKING
        and PRODUCT not in [text for text, _ in strings(call)]
        and any(
            re.search(r"[^\W\d_]{2}", text) for arg in call.args for text, _ in strings(arg) if _is_said(arg)
        )
    ]
    assert not literal


def _is_said(arg: ast.expr) -> bool:
    """A literal or an f-string; what a call inside gets is that call's own business."""
    return isinstance(arg, ast.Constant | ast.JoinedStr | ast.BinOp) and not any(
        isinstance(node, ast.Call) for node in ast.walk(arg)
    )


def test_chinese_lives_in_the_catalogue() -> None:
    assert not [
        f"{path}:{line}: {text[:40]}"
        for path, tree in modules().items()
        if not any(fnmatch(path, allowed) for allowed in CHINESE_ALLOWED)
        for text, line in strings(tree)
        if CHINESE.search(text)
    ]
