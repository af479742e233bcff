"""A card as its owner's words and ours: who, what it can do, where it is, what it asks for, what is odd.

    Addresses(name)    .show_urls([...])    whole addresses in monospace, each host in bold; never links
    Facts()            .show_facts([(title, text), ...])
    CardView(host)     .show_card(info)
Everything but our titles is foreign: plain text, cleaned where it came in.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from lisa_island.core.adding import address
from lisa_island.core.intents import AgentInfo
from lisa_island.core.text import clean, url_parts
from lisa_island.ui import theme
from lisa_island.ui.answer_parts import ForeignText
from lisa_island.ui.controls import Banner, Card, PlainLabel
from lisa_island.ui.page_parts import Badge, clear
from lisa_island.ui.settings.lines import is_stacked
from lisa_island.ui.settings.page import Host

LINE_LIMIT = 400
ADDRESS_LIMIT = 2_100
ABOUT_LIMIT = 1_000
MOST_SKILLS = 8
MOST_INTERFACES = 6
ABOUT_LINES = 6
TITLE_WIDTH = 84


class Addresses(Card):
    """Addresses one below the other, whole, with the host in bold."""

    def __init__(self, accessible_name: str, lines: int = 6) -> None:
        super().__init__("inset")
        self._text = ForeignText(accessible_name, lines, "code")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 8, 6)
        column.addWidget(self._text)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def text(self) -> str:
        return self._text.toPlainText()

    def set_name(self, accessible_name: str) -> None:
        self._text.setAccessibleName(accessible_name)

    def show_lines(self, lines: Sequence[str]) -> None:
        """`lines` may have words before the address, as an interface has."""
        self._text.show_text("\n".join(lines))
        strong = QTextCharFormat()
        strong.setFontWeight(QFont.Weight.DemiBold)
        cursor, start = QTextCursor(self._text.document()), 0
        for line in lines:
            before, host, _ = url_parts(address(line))
            at = start + len(line) - len(address(line)) + len(before)
            cursor.setPosition(at)
            cursor.setPosition(at + len(host), QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(strong)
            start += len(line) + 1

    def bold(self) -> list[str]:
        """What is drawn in bold, for tests."""
        cursor, found = QTextCursor(self._text.document()), [""]
        for at in range(1, len(self.text()) + 1):
            cursor.setPosition(at)
            if cursor.charFormat().fontWeight() > QFont.Weight.Medium:
                found[-1] += self.text()[at - 1]
            elif found[-1]:
                found.append("")
        return [f for f in found if f]


class Facts(QWidget):
    """Titles at the leading edge, what they are of beside them."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 4, 0, 4)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.facts: tuple[tuple[str, str], ...] = ()
        theme.watcher().changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.show_facts(self.facts)

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        self.facts = tuple(facts)
        clear(self._grid)
        stacked = is_stacked()
        self._grid.setColumnMinimumWidth(0, 0 if stacked else TITLE_WIDTH)
        for i, (title, text) in enumerate(self.facts):
            label = PlainLabel(title, "small", "text.3")
            label.setContentsMargins(0, 0 if stacked else 1, 0, 0)
            said = PlainLabel(text, "body", "text.1", wrap=True)
            if stacked:
                self._grid.addWidget(label, 2 * i, 0, 1, 2)
                self._grid.addWidget(said, 2 * i + 1, 0, 1, 2)
            else:
                self._grid.addWidget(label, i, 0, Qt.AlignmentFlag.AlignTop)
                self._grid.addWidget(said, i, 1)


class CardView(QWidget):
    """One card, read whole before anything is added."""

    def __init__(self, host: Host) -> None:
        super().__init__()
        self._host = host
        self.info: AgentInfo | None = None
        self._badge = Badge(22)
        self.name = PlainLabel("", "lead.600", wrap=True)
        self._odd = QWidget()
        self.warnings = QVBoxLayout(self._odd)
        self.warnings.setContentsMargins(0, 0, 0, 0)
        self.warnings.setSpacing(6)
        self.about = ForeignText(host.say("direct.card.about"), ABOUT_LINES, "body")
        self.facts = Facts()
        self.speaks = PlainLabel(host.say("direct.card.interfaces"), "small", "text.3")
        self.interfaces = Addresses(host.say("direct.card.interfaces"))
        self._lay_out()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self.name, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self._odd)
        column.addWidget(self.about)
        column.addWidget(self.facts)
        column.addWidget(self.speaks)
        column.addWidget(self.interfaces)

    def show_card(self, info: AgentInfo, badge: str) -> None:
        """`badge` is what the agent's picture is made from: the owner's name for it."""
        say = self._host.say
        self.info = info
        self._badge.show_badge(("remote", badge))
        self.name.setText(clean(info.name, LINE_LIMIT) or badge)
        self.about.show_text(clean(info.description, ABOUT_LIMIT, newlines=True))
        self.about.setVisible(bool(info.description.strip()))
        self.facts.show_facts(self._facts(info))
        shown = [clean(line, ADDRESS_LIMIT) for line in info.interfaces[:MOST_INTERFACES]]
        self.interfaces.show_lines(shown)
        clear(self.warnings)
        self._odd.setVisible(bool(info.warnings))
        for word, values in info.warnings:
            cleaned = {k: clean(v, LINE_LIMIT) for k, v in values}
            self.warnings.addWidget(Banner("waiting", say(word, **cleaned)))

    def warned(self) -> list[str]:
        """The sentences about what is odd, for tests."""
        items = (self.warnings.itemAt(i) for i in range(self.warnings.count()))
        return [w.text() for item in items if item and isinstance(w := item.widget(), Banner)]

    def _facts(self, info: AgentInfo) -> list[tuple[str, str]]:
        say = self._host.say
        needs = ", ".join(info.needs) or say("direct.card.needs.nothing")
        told = (
            ("provider", info.provider),
            ("version", info.version),
            ("skills", self._skills(info.skills)),
            ("needs", needs),
            ("address", info.card_url),
        )
        return [(say(f"direct.card.{key}"), clean(text, LINE_LIMIT)) for key, text in told if text]

    def _skills(self, skills: Sequence[str]) -> str:
        shown = ", ".join(skills[:MOST_SKILLS])
        more = len(skills) - MOST_SKILLS
        return self._host.say("direct.card.more", shown=shown, n=more) if more > 0 else shown
