"""A kind of agent is a file, a line in KINDS, a tape and a contract test; this falls when one is missing."""

import ast

from lisa_island import agents
from tests.law.source import ROOT, modules

TAPES = ROOT / "tests" / "agents" / "tapes"

# The protocol that a gateway's agents and direct ones speak; what else begins so is the direct kind's own.
PROTOCOL = frozenset(
    {
        "_a2a_wire", "_a2a_output", "_a2a_exchange", "_a2a_restore", "_a2a_task", "_a2a_question",
        "_a2a_follow", "_a2a_seen", "_a2a_raw", "_a2a_cancel", "_a2a_client", "_a2a_card", "_a2a_dialect",
        "_a2a_fault", "_a2a_discovery",
    }
)  # fmt: skip


def contracted() -> set[str]:
    """Ids that a subclass of the source contract in tests/agents names as its kind: `kind = "takoapi"`."""
    return {
        statement.value.value
        for tree in modules("tests/agents").values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and any(ast.unparse(base).endswith("SourceContract") for base in node.bases)
        for statement in node.body
        if isinstance(statement, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "kind" for target in statement.targets)
        and isinstance(statement.value, ast.Constant)
    }


def test_every_kind_is_proven() -> None:
    ids = [kind.id for kind in agents.KINDS]
    assert len(ids) == len(set(ids))
    assert not [i for i in ids if i not in contracted()], "no subclass of the source contract"
    assert not [i for i in ids if not any((TAPES / i).glob("*"))], "no tape in tests/agents/tapes/<id>/"


def test_kinds_do_not_know_one_another() -> None:
    """Also those that pyproject's contract does not name; shared and own underscore files are free."""
    files = {kind.file for kind in agents.KINDS}
    for path, tree in modules("lisa_island/agents").items():
        name = path.stem if hasattr(path, "stem") else str(path).rpartition("/")[2].removesuffix(".py")
        named = {
            alias
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lisa_island.agents")
            for alias in ((node.module or "").split(".")[2:3] or [a.name for a in node.names])
        }
        others = {n for n in named if n in files and n != name}
        assert not others, f"{name} imports {others}"
        owners = {
            f
            for f in files
            for n in named - PROTOCOL
            if n.startswith(f"_{f}") and not name.lstrip("_").startswith(f)
        }
        assert not owners, f"{name} imports what belongs to {owners}"
