"""Which branch a folder is on."""

from pathlib import Path

import pytest

from lisa_island.agents import _branch
from lisa_island.agents._branch import Branches


def repository(tree: Path, head: str = "ref: refs/heads/main\n") -> Path:
    (tree / ".git").mkdir(parents=True)
    (tree / ".git" / "HEAD").write_text(head)
    return tree


def test_the_branch_of_a_folder_below(tmp_path: Path) -> None:
    tree = repository(tmp_path / "demo", "ref: refs/heads/feature/x\n")
    (tree / "src").mkdir()
    assert Branches().of(str(tree / "src")) == "feature/x"


def test_a_worktree_has_a_head_of_its_own(tmp_path: Path) -> None:
    tree = repository(tmp_path / "demo")
    own = tree / ".git" / "worktrees" / "w"
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/other\n")
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / ".git").write_text(f"gitdir: {own}\n")
    assert Branches().of(str(tmp_path / "w")) == "other"


def test_it_is_read_again_when_it_changed_and_only_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = repository(tmp_path / "demo")
    read: list[Path] = []
    real = _branch.branch
    monkeypatch.setattr(_branch, "branch", lambda head: read.append(head) or real(head))
    branches = Branches()
    assert [branches.of(str(tree)) for _ in range(3)] == ["main"] * 3 and len(read) == 1
    (tree / ".git" / "HEAD").unlink()
    (tree / ".git" / "HEAD").write_text("a" * 40 + "\n")
    assert branches.of(str(tree)) == "a" * 7


@pytest.mark.parametrize("folder", ["", "/no/such/folder", "relative"])
def test_no_repository_is_no_branch(folder: str) -> None:
    assert Branches().of(folder) in ("", Branches().of("."))


def test_a_repository_without_a_head_is_no_branch(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert Branches().of(str(tmp_path)) == ""
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / ".git").write_text("gitdir: /no/such")
    assert Branches().of(str(tmp_path / "x")) == ""
