"""Real repositories in a temporary home; git's own clock is the test's."""

import subprocess
from pathlib import Path

from tests.fakes.clock import START

SECRET = "canary-9f3b1c"


def run(tree: Path, *args: str, at: int = START, check: bool = True) -> str:
    """The real git, with dates of the test and no settings of this machine."""
    date = f"{at // 1000} +0000"
    environ = {
        "PATH": __import__("os").environ["PATH"], "HOME": str(tree.parent), "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": f"Name {SECRET}", "GIT_AUTHOR_EMAIL": f"{SECRET}@example.org",
        "GIT_COMMITTER_NAME": f"Name {SECRET}", "GIT_COMMITTER_EMAIL": f"{SECRET}@example.org",
        "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "LC_ALL": "C",
    }  # fmt: skip
    command = ["git", "-c", "init.defaultBranch=main", *args]
    return subprocess.run(
        command, cwd=tree, env=environ, check=check, capture_output=True, text=True, timeout=60
    ).stdout


def repository(home: Path, name: str = "demo", at: int = START) -> Path:
    """One with a single commit."""
    tree = home / name
    tree.mkdir(parents=True)
    run(tree, "init", "-q", at=at)
    (tree / "a.txt").write_text("one\n")
    commit(tree, at=at)
    return tree


def commit(tree: Path, message: str = f"a message with {SECRET}", at: int = START) -> None:
    run(tree, "add", "-A", at=at)
    run(tree, "commit", "-q", "-m", message, at=at)
