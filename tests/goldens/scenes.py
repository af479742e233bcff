"""What is pictured: each sheet is a number of columns and a maker of subjects for a look.

A scene that is added needs a line in SHEETS, and `pytest tests/goldens --redraw`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.goldens import direct, lists, pages, pills, tasks, windows
from tests.goldens.sheet import Subject
from tests.goldens.stage import Stage

__all__ = ["SHEETS", "Stage"]

SHEETS: dict[str, tuple[int, Callable[[Stage], Iterator[Subject]]]] = {
    "pill": (3, pills.states),
    "rows": (3, lists.rows),
    "cards": (3, lists.cards),
    "panel": (3, lists.panels),
    "answer": (4, pages.answers),
    "detail": (4, pages.details),
    "command-bar": (3, pages.command_bars),
    "windows": (3, windows.small),
    "settings": (2, windows.settings),
    "direct-agents": (3, direct.windows),
    "direct-tasks": (4, tasks.direct_tasks),
    "onboarding": (2, windows.onboarding),
}
