"""WORKAROUND PySide6 6.11: Qt for Python reads the source of every module that is imported after it.

It looks whether the module names PySide6, to know whether its optional spellings, those of
`from __feature__ import …`, may hold there; and Python keeps each source that was read. That is 13 MB and a
tenth of a second for this program, where nobody uses them.
"""

import linecache
import sys


def read_no_sources() -> None:
    """Answer "the usual spelling" for every module, unread. Call it once Qt for Python is imported."""
    linecache.clearcache()  # What it has read on its own way in.
    features = sys.modules.get("shibokensupport.feature")
    if features is not None and hasattr(features, "_mod_uses_pyside"):
        setattr(features, "_mod_uses_pyside", _usual_spelling)  # noqa: B010 (mypy knows no such name)


def _usual_spelling(_module: object) -> bool:
    return True
