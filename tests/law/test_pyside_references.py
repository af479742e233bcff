"""PySide6 6.12.0 on Python < 3.12 loses a reference to None or True on every void call, then aborts.

On 3.12 and later both are immortal, so their counts stand still whatever happens.
"""

import sys
import tomllib

from packaging.requirements import Requirement
from PySide6.QtCore import QObject, Signal

from tests.law.source import ROOT

ROUNDS = 10_000
# Looked at often: a broken pair loses one a round and aborts when the few hundred of True are gone.
EVERY = 100
# What the interpreter itself may take or give meanwhile.
SLACK = 50


class Bell(QObject):
    rang = Signal()
    set_to = Signal(bool)


def counts() -> tuple[int, int]:
    return sys.getrefcount(None), sys.getrefcount(True)


def test_emits_and_void_calls_keep_their_references() -> None:
    bell = Bell()
    heard = 0

    def hear() -> None:
        nonlocal heard
        heard += 1

    bell.rang.connect(hear)
    bell.set_to.connect(lambda on: on)
    before = counts()
    for turn in range(ROUNDS):
        bell.rang.emit()
        bell.set_to.emit(True)
        bell.setObjectName("bell")
        bell.blockSignals(False)
        if turn % EVERY == EVERY - 1:
            assert all(abs(b - a) < SLACK for b, a in zip(before, counts(), strict=True)), turn
    assert heard == ROUNDS


def test_the_broken_pair_cannot_be_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [r for text in project["dependencies"] if (r := Requirement(text)).name == "PySide6-Essentials"]

    def allows(python: str, pyside: str) -> bool:
        environment = {"python_version": python, "python_full_version": f"{python}.0"}
        active = [r for r in asked if r.marker is None or r.marker.evaluate(environment)]
        return bool(active) and all(r.specifier.contains(pyside) for r in active)

    assert allows("3.11", "6.11.3")
    assert not allows("3.11", "6.12.0")
    assert not allows("3.11", "6.13.1")
    assert allows("3.12", "6.12.0")
