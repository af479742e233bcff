"""Every sheet of every look is as it was when a person last looked at it beside the design.

pytest tests/goldens --redraw          after a change that is meant
A failure leaves expected.png, actual.png and difference.png and says where.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from tests.goldens.compare import difference, keep
from tests.goldens.scenes import SHEETS
from tests.goldens.studio import LOOKS, environment

ROOT = Path(__file__).parents[2]
PICTURES = Path(__file__).parent / "pictures"
LIMIT_S = 280
"""On a busy machine; alone it takes five seconds."""
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="other systems draw letters in another way"),
    pytest.mark.timeout(LIMIT_S + 20),
]


# Two runs of a look take half the time on two cores.
HALVES = (
    ("pill", "rows", "cards", "panel", "windows", "direct-tasks"),
    ("answer", "detail", "command-bar", "settings", "direct-agents", "onboarding"),
)
RUNS = [
    pytest.param(look, sheets, id=f"{look}-{sheets[0]}")
    for look, made in LOOKS.items()
    for half in HALVES
    if (sheets := tuple(s for s in half if s in (made.sheets or half)))
]


def draw(look: str, sheets: tuple[str, ...], place: Path) -> dict[str, QImage]:
    """Sheets of a look, by name, from a process of their own."""
    own = place / "own"
    own.mkdir()
    env = environment(LOOKS[look], own)
    command = [sys.executable, "-m", "tests.goldens.studio", look, str(place), *sheets]
    ended = subprocess.run(
        command, cwd=ROOT, env=env, timeout=LIMIT_S, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return {name: QImage(str(place / f"{name}.png")) for name in sheets}


@pytest.mark.parametrize(("look", "sheets"), RUNS)
def test_the_island_looks_as_it_did(
    look: str, sheets: tuple[str, ...], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    drawn, place = draw(look, sheets, tmp_path), PICTURES / look
    if request.config.getoption("--redraw", default=False):
        redraw(place, sheets, tmp_path)
        return
    kept = Path(os.environ.get("ISLAND_GOLDENS", tmp_path / "failed"))
    wrong = []
    for name in sheets:
        before = QImage(str(place / f"{name}.png"))
        found = difference(before, drawn[name])
        if found.text:
            keep(kept / look / name, before, drawn[name])
            wrong.append(f"{look}/{name}: {found.text}")
    assert not wrong, "\n".join([*wrong, f"Look into {kept}; if it is meant: pytest tests/goldens --redraw"])


def redraw(place: Path, sheets: tuple[str, ...], drawn: Path) -> None:
    """A sheet that is the same keeps its file."""
    place.mkdir(parents=True, exist_ok=True)
    for name in sheets:
        old, data = place / f"{name}.png", (drawn / f"{name}.png").read_bytes()
        if not old.is_file() or old.read_bytes() != data:
            old.write_bytes(data)


def test_every_golden_is_drawn_and_every_scene_has_a_run(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--redraw", default=False):
        return  # The others write them now.
    assert sorted(SHEETS) == sorted(s for half in HALVES for s in half)
    there = {str(path.relative_to(PICTURES).with_suffix("")) for path in PICTURES.rglob("*.png")}
    assert there == {f"{run.values[0]}/{name}" for run in RUNS for name in run.values[1]}
