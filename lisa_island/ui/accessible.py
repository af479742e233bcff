"""What assistive technology is told of widgets whose role Qt cannot know: the pill, cards, sections.

    install()          once; from then on a widget's own words count:
        told_as        class attribute, a QAccessible.Role
        told_states()  states beyond Qt's own, such as {"expanded": True}
        told_press()   what "press" does; without it there is no such action
    changed(widget, *states)   some of told_states have changed

Nothing here runs where no assistive technology asks. Lists of rows need none of it: a QListView tells them.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleInterface,
    QAccessibleStateChangeEvent,
)
from PySide6.QtWidgets import QAccessibleWidget, QWidget

_installed = False


class _Told(QAccessibleWidget):
    """A widget by its own words, else as Qt tells of any widget."""

    def _press(self) -> Callable[[], None] | None:
        return getattr(self.widget(), "told_press", None)

    def state(self) -> QAccessible.State:
        state = QAccessibleWidget.state(self)
        for name, on in getattr(self.widget(), "told_states", dict)().items():
            setattr(state, name, on)
        return state

    def actionNames(self) -> list[str]:
        names = QAccessibleWidget.actionNames(self)
        press = QAccessibleActionInterface.pressAction()
        return [press, *names] if self._press() else names

    def doAction(self, name: str) -> None:
        press = self._press()
        if press is not None and name == QAccessibleActionInterface.pressAction():
            if self.widget().isEnabled():
                press()
            return
        QAccessibleWidget.doAction(self, name)


def _tell(kind: str, asked: QObject) -> QAccessibleInterface | None:
    if not isinstance(asked, QWidget):
        return None
    role = getattr(type(asked), "told_as", None)
    if role is None and kind == "QWidget" and asked.accessibleName() and not asked.isWindow():
        role = QAccessible.Role.Grouping  # a box with a name
    return _Told(asked, role) if role is not None else None


def install() -> None:
    """Let the widgets' own words count."""
    global _installed
    if not _installed:
        _installed = True
        QAccessible.installFactory(_tell)


def changed(widget: QWidget, *states: str) -> None:
    """Tell who listens that these states of a widget are others now."""
    if QAccessible.isActive():
        which = QAccessible.State()
        for name in states:
            setattr(which, name, True)
        QAccessible.updateAccessibility(QAccessibleStateChangeEvent(widget, which))
