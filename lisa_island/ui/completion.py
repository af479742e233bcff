"""The list above the command bar's field: agents that may be named, one of them chosen.

    Completion(lang)
        .offer(choices)      show these; () hides the list
        .choose(step)        up or down, around the ends
        .current -> str      the chosen slug, "" when nothing is offered
        picked(str)          a row was clicked

The keyboard stays in the field; the list is painted and readable for assistive technology.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from lisa_island.core.agent import RequestKind
from lisa_island.core.bar import NO_PLACES
from lisa_island.core.naming import DIRECT, GATEWAY
from lisa_island.core.roster import Roster
from lisa_island.core.summary import needs, title
from lisa_island.core.text import clean
from lisa_island.core.words import count, say
from lisa_island.ui import assets, price, theme
from lisa_island.ui.page_parts import is_stacked
from lisa_island.ui.paint import rounded

ABOUT_LIMIT = 120
MOST_STACKED = 3
_REPLIES = (RequestKind.INPUT, RequestKind.AUTH, RequestKind.QUESTION)

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Choice:
    """An agent that can be named: `about` is one line of foreign or own words, cleaned; `cost` its price."""

    slug: str
    about: str = ""
    cost: str = ""
    name: str = ""


def choices(
    slugs: tuple[str, ...],
    known: Mapping[str, tuple[str, str]],
    roster: Roster,
    lang: str,
    places: Mapping[str, str] = NO_PLACES,
) -> tuple[Choice, ...]:
    """Rows for these slugs; `known` gives (price word, line about it), `places` where direct agents are."""
    found = []
    for slug in slugs:
        cost, about = known.get(slug, ("", ""))
        is_direct = slug in places
        line = _waits(slug, roster, lang, DIRECT if is_direct else GATEWAY)
        if not line:
            line = say(lang, "complete.at", host=places[slug]) if is_direct else clean(about, ABOUT_LIMIT)
        cost = "" if is_direct else price.word(lang, cost)
        parts = (f"@{slug}", line, cost)
        found.append(Choice(slug, line, cost, say(lang, "row.name-comma").join(p for p in parts if p)))
    return tuple(found)


def _waits(slug: str, roster: Roster, lang: str, agent: str) -> str:
    waiting = [
        n
        for n in needs(roster)
        if n.session.key.agent == agent
        and n.session.task is not None
        and n.session.task.target == slug
        and n.request.kind in _REPLIES
    ]
    if not waiting:
        return ""
    if len(waiting) > 1:
        return count(lang, "complete.waits", len(waiting))
    return say(lang, "complete.waits.one", title=clean(title(waiting[0].session), 60))


class _Model(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.choices: tuple[Choice, ...] = ()

    def show(self, found: tuple[Choice, ...]) -> None:
        self.beginResetModel()
        self.choices = found
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.choices)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.choices):
            return None
        choice = self.choices[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return choice
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.DisplayRole):
            return choice.name
        return None


def _row_height() -> int:
    """Room for both lines, whatever the font."""
    t = theme.current()
    lines = t.line_height("body.600") + t.line_height("small")
    return max(t.height(t.metrics.completion_row), lines + 4)


class _Delegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(option.rect.width(), _row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        choice: Choice | None = index.data(Qt.ItemDataRole.UserRole)
        if choice is None:
            return
        painter.save()
        t, rect = theme.current(), QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hot = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if chosen or hot:
            line = t.color("line.control") if t.name == "contrast" else None
            fill = t.color("surface.select" if chosen else "surface.hover")
            rounded(painter, rect.adjusted(6, 0, -6, 0), t.radius("r.control"), fill, line, t.line_width)
        side = t.metrics.badge
        device = painter.device()
        dpr = device.devicePixelRatioF() if device else 1.0
        badge = assets.remote_badge(choice.slug, side, dpr, t)
        painter.drawPixmap(int(rect.left()) + 16, int(rect.center().y() - side / 2 + 1), badge)
        self._words(painter, rect, choice)
        painter.restore()

    def _words(self, painter: QPainter, rect: QRectF, choice: Choice) -> None:
        t = theme.current()
        small, bold = t.font("small"), t.font("body.600")
        cost = QFontMetrics(small).horizontalAdvance(choice.cost)
        area = rect.adjusted(16 + t.metrics.badge + 10, 0, -16, 0)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        _line(painter, area, choice.cost, small, t.color("text.2"), right)
        area.setRight(area.right() - cost - 10)
        high, low = t.line_height("body.600"), t.line_height("small")
        top = area.top() + (area.height() - high - (low if choice.about else 0)) / 2
        first = QRectF(area.left(), top, area.width(), high)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        _line(painter, first, f"@{choice.slug}", bold, t.color("text.1"), left)
        below = QRectF(area.left(), top + high, area.width(), low)
        _line(painter, below, choice.about, small, t.color("text.2"), left)


def _line(
    painter: QPainter, area: QRectF, text: str, font: QFont, ink: QColor, align: Qt.AlignmentFlag
) -> None:
    painter.setFont(font)
    painter.setPen(ink)
    cut = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(area.width()) + 1)
    painter.drawText(area, align | Qt.TextFlag.TextSingleLine, cut)


class Completion(QListView):
    """The rows; hidden while nothing is offered."""

    picked = Signal(str)

    def __init__(self, lang: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = _Model(self)
        self.setModel(self._model)
        self.setItemDelegate(_Delegate(self))
        self.setAccessibleName(say(lang, "complete.agents"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QListView.SelectionMode.SingleSelection)
        for set_policy in (self.setVerticalScrollBarPolicy, self.setHorizontalScrollBarPolicy):
            set_policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda index: self.picked.emit(index.data(Qt.ItemDataRole.UserRole).slug))
        theme.watcher().changed.connect(self._fit)
        self.hide()

    @property
    def current(self) -> str:
        index = self.currentIndex()
        return self._model.choices[index.row()].slug if index.isValid() and not self.isHidden() else ""

    @property
    def current_name(self) -> str:
        """The chosen row in words: the keyboard stays in the field, so nobody else would tell."""
        index = self.currentIndex()
        return self._model.choices[index.row()].name if index.isValid() else ""

    @property
    def offered(self) -> tuple[Choice, ...]:
        return self._model.choices

    def offer(self, found: tuple[Choice, ...]) -> None:
        if found != self._model.choices:
            kept = self.current
            self._model.show(found)
            slugs = [c.slug for c in found]
            at = slugs.index(kept) if kept in slugs else 0
            self.setCurrentIndex(self._model.index(at, 0))
        self.setVisible(bool(found))
        self._fit()

    def choose(self, step: int) -> None:
        n = len(self._model.choices)
        if n:
            self.setCurrentIndex(self._model.index((self.currentIndex().row() + step) % n, 0))

    def _fit(self) -> None:
        # Where letters are very large the rest scrolls: the field has to stay in sight.
        shown = min(len(self._model.choices), MOST_STACKED) if is_stacked() else len(self._model.choices)
        self.setFixedHeight(max(1, shown * _row_height()))
