"""Offers the last run's crash report to the owner, once: a banner in the panel, and the text behind it."""

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lisa_island.core.words import say
from lisa_island.system.crashlog import Report
from lisa_island.ui.controls import Button, PlainLabel, TextBox
from lisa_island.ui.screens import Banners, Notice
from lisa_island.ui.shell import Shell

WIDTH = 640
LINES = 14


class CrashOffer:
    """Nothing opens by itself: the banner waits where the owner looks anyway."""

    def __init__(self, shell: Shell, banners: Banners, report: Report) -> None:
        self._shell = shell
        self._report = report
        self.window: CrashReport | None = None
        lang = shell.lang
        deeds = (("show", say(lang, "crash.show")), ("dismiss", say(lang, "crash.dismiss")))
        sentence = "crash.ended" if report.fatal else "crash.faulty"
        banners.offer(Notice("error", say(lang, sentence), deeds), self._answered)

    def _answered(self, deed: str) -> None:
        if deed == "show":
            self.window = CrashReport(self._shell, self._report)
            self.window.show()
            self.window.raise_()
            self.window.activateWindow()

    def close(self) -> None:
        """With the rest of the windows."""
        if self.window is not None:
            self.window.close()
            self.window.deleteLater()
            self.window = None


class CrashReport(QWidget):
    """The report as it was written down, to read and to copy."""

    told_as = QAccessible.Role.Dialog

    def __init__(self, shell: Shell, report: Report) -> None:
        super().__init__()
        self._shell = shell
        lang = shell.lang
        self.setWindowTitle(say(lang, "crash.title"))
        self.setMinimumWidth(WIDTH)
        self.text = TextBox(
            say(lang, "crash.text"), min_lines=LINES, max_lines=LINES, mono=True, read_only=True
        )
        self.text.setPlainText(report.text)
        self.copy = Button(say(lang, "crash.copy"), tall=True)
        self.shut = Button(say(lang, "crash.close"), tall=True)
        self.copy.clicked.connect(self._copy)
        self.shut.clicked.connect(self.close)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.copy)
        foot.addWidget(self.shut)
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 24, 24, 16)
        box.setSpacing(12)
        box.addWidget(PlainLabel(say(lang, "crash.title"), "lead.600"))
        about = say(lang, "crash.about", path=report.path)
        box.addWidget(PlainLabel(about, "small", "text.2", wrap=True))
        box.addWidget(self.text)
        box.addLayout(foot)
        box.addStretch(1)
        self.shut.setFocus()

    def _copy(self) -> None:
        self._shell.copy(self.text.toPlainText())
        self.copy.setText(say(self._shell.lang, "crash.copied"))
