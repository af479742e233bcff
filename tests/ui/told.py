"""What assistive technology is told of a window, as lines a person can read.

    tree(window)  -> lines: role "name" (states) = value -- description, children below
    stops(window) -> what Tab comes to, in order, by real key presses
    Told(interface) .role .name .states .children

Boxes without a name, which only hold others, are left out, as a screen reader leaves them out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

Role = QAccessible.Role
BOXES = (Role.Client, Role.Border, Role.Grouping, Role.Pane, Role.LayeredPane)
CONTROLS = (
    Role.Button,
    Role.CheckBox,
    Role.RadioButton,
    Role.ComboBox,
    Role.EditableText,
    Role.List,
    Role.ListItem,
    Role.MenuItem,
    Role.Switch,
    Role.Link,
)
STATES = (
    "expandable", "expanded", "collapsed", "hasPopup", "checkable", "checked", "selectable", "selected",
    "disabled", "editable", "readOnly", "multiLine", "passwordEdit", "focusable", "modal",
)  # fmt: skip
MOST_STOPS = 60


class Told:
    """One element."""

    def __init__(self, face: QAccessibleInterface) -> None:
        self.face = face
        self.role = face.role()
        self.name = face.text(QAccessible.Text.Name)
        self.description = face.text(QAccessible.Text.Description)
        self.value = face.text(QAccessible.Text.Value)
        state = face.state()
        self.is_hidden = bool(state.invisible)
        labels = face.relations(QAccessible.RelationFlag.Label)
        self.label = " ".join(other.text(QAccessible.Text.Name) for other, _ in labels)
        self.states = [s for s in STATES if getattr(state, s)]

    @property
    def is_control(self) -> bool:
        return self.role in CONTROLS

    @property
    def word(self) -> str:
        """The role in words: "list item"."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", self.role.name).lower()

    @property
    def is_box(self) -> bool:
        return self.role in BOXES and not self.name and "focusable" not in self.states

    def children(self) -> Iterator[Told]:
        if self.role is Role.EditableText:  # its viewport and scroll bars
            inner = (w for w in [self.face.object()] if isinstance(w, QWidget))
            for widget in inner:
                for child in widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
                    told = Told(QAccessible.queryAccessibleInterface(child))
                    if not told.is_hidden and not told.is_box and told.role is not Role.ScrollBar:
                        yield told
            return
        for i in range(self.face.childCount()):
            child = self.face.child(i)
            if child is None or not child.isValid():
                continue
            told = Told(child)
            if told.is_hidden or told.role is Role.ScrollBar:
                continue
            if told.is_box or (told.role is Role.StaticText and not told.name):
                yield from told.children()
            else:
                yield told

    def line(self) -> str:
        parts = [f'{self.word} "{self.name}"']
        if self.label:
            parts.append(f'of "{self.label}"')
        if self.states:
            parts.append(f"({', '.join(self.states)})")
        if self.value and self.value != self.name:
            parts.append(f'= "{self.value}"')
        if self.description and self.description != self.name:
            parts.append(f"-- {self.description}")
        return " ".join(parts).replace("\n", " / ")


def told(widget: QWidget) -> Told:
    return Told(QAccessible.queryAccessibleInterface(widget))


def walk(element: Told) -> Iterator[Told]:
    yield element
    for child in element.children():
        yield from walk(child)


def tree(window: QWidget) -> list[str]:
    """The window and all that is in it."""

    def lines(element: Told, depth: int) -> Iterator[str]:
        yield "  " * depth + element.line()
        for child in element.children():
            yield from lines(child, depth + 1)

    return list(lines(told(window), 0))


def stops(window: QWidget) -> list[Told]:
    """Every stop of Tab once around, from where the focus is when the window opens."""
    found: list[QWidget] = []
    if isinstance(window, QMenu) or window.windowFlags() & Qt.WindowType.WindowDoesNotAcceptFocus:
        return []
    for _ in range(MOST_STOPS):
        at = QApplication.focusWidget()
        assert at is not None and at.window() is window, f"no focus in the window after {found[-1:]}"
        if at in found:
            return [told(w) for w in found]
        found.append(at)
        QTest.keyClick(at, Qt.Key.Key_Tab)
    raise AssertionError(f"Tab never comes back: {found}")
