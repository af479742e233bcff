"""What a desktop app of these libraries weighs that imports them all at once and has used each of them once.

`--bare`: imports them and uses none. `--shows`: also has a window with a line of text, as any such app has.
"""

import asyncio
import sys

import httpx
import keyring
import pydantic
import PySide6
import qasync
from PySide6.QtWidgets import QApplication, QLabel

assert PySide6

app = QApplication(sys.argv)


class Message(pydantic.BaseModel if "--bare" not in sys.argv else object):  # type: ignore[misc]
    """Any model."""

    text: str = ""


async def main() -> None:
    """Idle for ever, with a client whose TLS context is there and a keyring that was found."""
    kept = () if "--bare" in sys.argv else (httpx.AsyncClient(), keyring.get_keyring(), Message())
    label = QLabel("Starting")
    if "--shows" in sys.argv:
        label.show()
    await asyncio.Event().wait()
    del kept


with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
    runner.run(main())
