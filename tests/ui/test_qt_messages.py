"""Qt's messages reach our log, but for what says nothing to anybody."""

import logging

import pytest
from PySide6.QtCore import QtMsgType

from lisa_island.app.desktop import qt_messages


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("QPainter::begin: Paint device returned engine == 0", True),
        ("This plugin does not support propagateSizeHints()", False),
        ('OpenType support missing for "DejaVu Sans", script 9', False),
    ],
)
def test_what_a_peers_text_can_repeat_without_end_is_left_out(
    caplog: pytest.LogCaptureFixture, text: str, is_kept: bool
) -> None:
    with caplog.at_level(logging.DEBUG, "qt"):
        qt_messages._handle(QtMsgType.QtWarningMsg, None, text)  # type: ignore[arg-type]
    assert [r.getMessage() for r in caplog.records] == ([text] if is_kept else [])
