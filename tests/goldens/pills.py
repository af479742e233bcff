"""The pill in every state of the design, its words and counts made as the app makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QFocusEvent, QImage
from PySide6.QtWidgets import QApplication

from lisa_island.core.agent import AgentSession, Origin, SessionKey, State
from lisa_island.core.pill import PillView, pill_view
from lisa_island.core.preferences import Preferences
from lisa_island.core.summary import Summary
from lisa_island.ui import theme
from lisa_island.ui.pill import Pill
from tests.fakes.sessions import remote
from tests.goldens.sheet import Subject, picture
from tests.goldens.stage import Stage

_LOCAL = AgentSession(SessionKey("codex", "c"), "tray-icons", State.WORKING, origin=Origin.LOCAL)


def _views(lang: str) -> Iterator[tuple[str, PillView]]:
    def view(shrinks: bool = False, **counts: object) -> PillView:
        choices = Preferences(shrink_when_quiet=shrinks)
        more = {k: counts.pop(k) for k in ("flash", "starting", "only", "urgent") if k in counts}
        return pill_view(Summary(**counts), choices, lang, **more)  # type: ignore[arg-type]

    yield "quiet", view()
    yield "quiet, shrunk", view(shrinks=True)
    yield "quiet, muted", replace(view(), muted=True)
    yield "working", view(working=4)
    yield "one session", view(working=1, only=_LOCAL)
    yield "one remote session", view(working=1, only=remote("acme-research"))
    yield "one with a long name", view(working=1, only=remote("annual-report-translator-and-checker"))
    yield "needs you", view(needs_you=3, failed=1, working=4)
    yield "one need", view(needs_you=1, working=4)
    yield "needs you, urgent", view(needs_you=1, urgent="Codex")
    yield "urgent, with counts", view(needs_you=1, failed=2, working=3, urgent="Codex")
    yield "urgent, muted", replace(view(needs_you=1, urgent="Codex"), muted=True)
    yield "failed", view(failed=1, working=3)
    yield "finished, shown 4 s", view(flash="aider")
    yield "finished, others work", view(flash="aider", working=2, queued=1)
    yield "sent, not confirmed", view(queued=1, queued_name="acme-research")
    yield "several sent", view(queued=3)
    yield "your turn", view(your_turn=1)
    yield "your turn, many", view(your_turn=2, not_reporting=1)
    yield "not reporting", view(not_reporting=2)
    yield "remote offline", view(offline=("takoapi",), working=3, not_reporting=2)
    yield "muted", replace(view(needs_you=3), muted=True)
    yield "starting", view(starting=True)
    yield "99+ of everything", view(needs_you=120, failed=100, working=1234)


def _needs(lang: str) -> PillView:
    return pill_view(Summary(needs_you=3, working=4), Preferences(), lang)


def _hover(pill: Pill) -> None:
    pill.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    QApplication.sendEvent(pill, QEnterEvent(*[QPointF(3, 3)] * 3))


def _focus(pill: Pill) -> None:
    QApplication.sendEvent(pill, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))


_IN_HAND: dict[str, Callable[[Pill], None]] = {
    "hover": _hover,
    "keyboard focus": _focus,
    "dragging": lambda pill: pill.set_dragging(True),
    "a new need, reduced motion": lambda pill: pill.pulse(),
}


def states(stage: Stage) -> Iterator[Subject]:
    lang = stage.look.lang
    for words, view in _views(lang):
        yield words, _pictured(stage, view)
    for words, act in _IN_HAND.items():
        yield words, _pictured(stage, _needs(lang), act)
    yield "the ring turns: one step", _pictured(stage, _needs(lang), step=1)
    theme.watcher().set_scale(1.5)
    yield "letters at 150 %", _pictured(stage, _needs(lang))
    theme.watcher().set_scale(1.0)


def _pictured(
    stage: Stage, view: PillView, act: Callable[[Pill], None] | None = None, step: int = 0
) -> QImage:
    """Never shown: a window that is shown is under the pointer."""
    pill = Pill(stage.mode)
    pill.set_view(view, step)
    if act is not None:
        act(pill)
    made = picture(pill)
    pill.deleteLater()
    return made
