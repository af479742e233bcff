"""What a desktop app of these libraries weighs that imports them all at once and does nothing."""

import asyncio
import sys

import httpx
import keyring
import pydantic
import PySide6
import qasync
from PySide6.QtWidgets import QApplication

assert all((httpx, keyring, pydantic, PySide6))

app = QApplication(sys.argv)


async def main() -> None:
    await asyncio.Event().wait()


with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
    runner.run(main())
