"""A kind of agent is a file, a line in KINDS, a tape and a contract test; this falls when one is missing."""

import ast

from lisa_island import agents
from tests.law.source import ROOT, modules

TAPES = ROOT / "tests" / "agents" / "tapes"


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
