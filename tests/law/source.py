"""The project's own files as the law tests see them: parsed once, named by their path in the project."""

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "lisa_island"


@cache
def modules(folder: str = "lisa_island") -> dict[str, ast.Module]:
    """Every Python file below a folder of the project, parsed; keys are like `core/roster.py`."""
    base = ROOT / folder
    return {
        path.relative_to(base).as_posix(): ast.parse(path.read_text("utf-8"), str(path))
        for path in sorted(base.rglob("*.py"))
        if "__pycache__" not in path.parts
    }


def called(call: ast.Call) -> str:
    """The dotted name that a call spells, as far as it is names: `asyncio.run`, `self._loop.create_task`."""
    parts: list[str] = []
    node: ast.expr = call.func
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    # A leading dot stands for what is no name: `dialog().exec` is `.exec`.
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))


def calls(tree: ast.AST) -> list[tuple[str, ast.Call]]:
    """Every call in a tree with the name it spells."""
    return [(called(node), node) for node in ast.walk(tree) if isinstance(node, ast.Call)]


@cache
def our_calls() -> tuple[tuple[str, str, ast.Call], ...]:
    """Every call in the package: the module, the name it spells, the call."""
    return tuple((path, name, call) for path, tree in modules().items() for name, call in calls(tree))


def strings(tree: ast.AST) -> list[tuple[str, int]]:
    """Every string constant that is no docstring, with its line; pieces of f-strings included."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        (node.value, node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    ]


@cache
def tracked() -> tuple[Path, ...]:
    """The files that belong to the project: what git tracks or would track, else all but tools and caches."""
    listing = (
        subprocess.run(
            [
                "git",
                "-c",
                f"safe.directory={ROOT}",
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ],
            cwd=ROOT,
            capture_output=True,
            check=False,
        )
        if (ROOT / ".git").exists()
        else None
    )
    if listing is not None and listing.returncode == 0:
        return tuple(
            p for name in listing.stdout.decode().split("\0") if name and (p := ROOT / name).is_file()
        )
    return tuple(
        p
        for p in sorted(ROOT.rglob("*"))
        if p.is_file()
        and not any(part.startswith(".") or part == "__pycache__" for part in p.relative_to(ROOT).parts)
    )
