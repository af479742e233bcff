"""What can be done with one session, as the menu of its row: every entry leads to a page, none acts at once.

    row_menu(session, lang, parent, call) -> QMenu      `call(deed)`: one of DEEDS
    deeds(session) -> tuple[str, …]                     those that this session offers, in order

The words are those of the detail, where the deed is asked once and its refusal is said in place.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu, QWidget

from lisa_island.core.agent import AgentSession, Can
from lisa_island.core.summary import title
from lisa_island.core.text import clean
from lisa_island.core.words import say
from lisa_island.ui.popup import literal, round_off
from lisa_island.ui.said import can_answer

DETAILS, ANSWER, MORE, AGAIN, CANCEL, STOP = "details", "answer", "more", "again", "cancel", "stop"
DEEDS = {
    DETAILS: "row.menu.details",
    ANSWER: "",
    MORE: "deed.more",
    AGAIN: "answer.again",
    CANCEL: "deed.cancel",
    STOP: "detail.stop",
}
_NEEDS = {MORE: Can.CONTINUE, AGAIN: Can.SEND_AGAIN, CANCEL: Can.CANCEL, STOP: Can.STOP_FOLLOWING}
NAME_LIMIT = 60


def deeds(session: AgentSession) -> tuple[str, ...]:
    """What this session offers now. Signing in is a kind of answer: its page says how."""
    offered = {DETAILS} | {deed for deed, can in _NEEDS.items() if can in session.capabilities}
    if session.is_blocked:
        offered.add(ANSWER)
    return tuple(deed for deed in DEEDS if deed in offered)


def row_menu(
    session: AgentSession, lang: str, parent: QWidget | None, call: Callable[[str], object]
) -> QMenu:
    """The menu, not shown yet."""
    menu = QMenu(parent)
    menu.setAccessibleName(say(lang, "row.menu", name=clean(title(session), NAME_LIMIT)))
    round_off(menu)
    for deed in deeds(session):
        if deed == (CANCEL if Can.CANCEL in session.capabilities else STOP):
            menu.addSeparator()  # what ends something stands apart
        entry = menu.addAction(literal(_word(deed, session, lang)))
        entry.triggered.connect(lambda _checked=False, deed=deed: call(deed))
    return menu


def _word(deed: str, session: AgentSession, lang: str) -> str:
    if deed == ANSWER:
        answerable = can_answer(session) or Can.SIGN_IN in session.capabilities
        return say(lang, f"card.button.{session.requests[0].kind}" if answerable else "card.show")
    return say(lang, DEEDS[deed])
