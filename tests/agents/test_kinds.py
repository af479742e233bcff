"""The table of kinds: light to import, free of Qt, lazy about what a kind needs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lisa_island import agents

ROOT = Path(__file__).parents[2]


def loaded_after(code: str) -> set[str]:
    script = f"{code}\nimport json, sys; print(json.dumps(sorted(sys.modules)))"
    found = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    return set(json.loads(found.stdout))


def test_importing_the_kinds_loads_none_of_them() -> None:
    loaded = loaded_after("import lisa_island.agents")
    assert not loaded & {"httpx", "httpx_sse", "pydantic", "lisa_island.agents.takoapi", "PySide6"}


def test_warming_takoapi_loads_no_qt_and_no_other_kind() -> None:
    loaded = loaded_after("from lisa_island import agents; agents.kind('takoapi').warm()")
    assert "httpx" in loaded and "lisa_island.agents.takoapi" in loaded
    assert not loaded & {"PySide6", "shiboken6", "qasync", "lisa_island.agents.scripted", "keyring"}


def test_kinds_have_ids_labels_and_a_known_container() -> None:
    ids = [kind.id for kind in agents.KINDS]
    assert len(set(ids)) == len(ids) and (ids[:2], ids[-1]) == (["takoapi", "a2a"], "scripted")
    assert {kind.badge for kind in agents.KINDS} <= {"square", "hexagon", "circle", "tab"}
    assert all(kind.label for kind in agents.KINDS)
    assert [kind.id for kind in agents.KINDS if kind.demo_only] == ["scripted"]


def test_an_unknown_kind_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        agents.kind("nobody")


def test_warming_a_kind_that_needs_nothing_is_fine() -> None:
    agents.kind("scripted").warm()
