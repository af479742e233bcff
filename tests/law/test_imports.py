"""The import law of pyproject.toml, run with the tests."""

import subprocess
import sys
from pathlib import Path

from tests.law.source import ROOT


def test_contracts_are_kept() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    found = subprocess.run(
        [linter, "--no-cache", "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr
