"""A program in a terminal of its own, as a person has it: what it shows, keys pressed, signals."""

import asyncio
import codecs
import fcntl
import os
import pty
import re
import signal
import struct
import termios
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

ESCAPE = "\x1b"
CTRL_C = "\x03"
CLEAR = "\x15"
ENTER = "\r"
_CODES = re.compile(
    r"\x1b(?:\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_].*?\x1b\\|[@-Z\\-_=>78])", re.S
)
_ANSWERS = (  # what programs ask of a terminal before they show anything
    (b"\x1b[6n", b"\x1b[1;1R"), (b"\x1b[c", b"\x1b[?62;22c"), (b"\x1b[0c", b"\x1b[?62;22c"),
    (b"\x1b[?u", b"\x1b[?0u"),
    (b"\x1b]11;?", b"\x1b]11;rgb:0000/0000/0000\x1b\\"), (b"\x1b]10;?", b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\"),
)  # fmt: skip


class Terminal:
    """A program that runs. `shown` is all it wrote since it started, without the codes."""

    def __init__(self, process: asyncio.subprocess.Process, fd: int) -> None:
        self.process = process
        self._fd = fd
        self._raw = ""
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._more = asyncio.Event()
        asyncio.get_running_loop().add_reader(fd, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._fd, 65536)
        except OSError:
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._fd)
            return
        for asked, answer in _ANSWERS:
            if asked in data:
                os.write(self._fd, answer)
        self._raw += self._decode(data)
        self._more.set()

    @property
    def shown(self) -> str:
        return _CODES.sub("", self._raw)

    @property
    def squeezed(self) -> str:
        """Without blanks: programs draw a blank by moving on."""
        return re.sub(r"\s+", "", self.shown)

    def press(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    async def shows(self, *words: str, since: int = 0, seconds: float = 25) -> None:
        """Wait until one of the texts is on the screen; blanks do not count."""
        wanted = [re.sub(r"\s+", "", word) for word in words]
        try:
            async with asyncio.timeout(seconds):
                while not any(word in self.squeezed[since:] for word in wanted):
                    self._more.clear()
                    await self._more.wait()
        except TimeoutError:
            raise AssertionError(f"none of {words} on the screen:\n{self.shown[-3000:]}") from None

    async def rests(self, seconds: float = 0.4) -> None:
        """Wait until it draws nothing for a moment: what was typed has been taken. Some never rest."""
        until = asyncio.get_running_loop().time() + 4 * seconds
        while asyncio.get_running_loop().time() < until:
            self._more.clear()
            try:
                await asyncio.wait_for(self._more.wait(), seconds)
            except TimeoutError:
                return

    async def say(self, text: str) -> None:
        """Type a line in place of what stood there, and send it."""
        self.press(CLEAR)
        await self.rests()
        self.press(text)
        await self.rests()
        self.press(ENTER)

    def kill(self) -> None:
        """All of it, at once, without a word."""
        if self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)

    async def gone(self) -> None:
        await asyncio.wait_for(self.process.wait(), 15)


@asynccontextmanager
async def terminal(argv: Sequence[str], cwd: Path, environ: Mapping[str, str]) -> AsyncIterator[Terminal]:
    """Start it; whatever happens, it and what it started in its session end with the block."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    process = await asyncio.create_subprocess_exec(
        *argv, cwd=cwd, env=dict(environ), stdin=side, stdout=side, stderr=side, start_new_session=True
    )
    os.close(side)
    shown = Terminal(process, main)
    try:
        yield shown
    finally:
        asyncio.get_running_loop().remove_reader(main)
        shown.kill()
        await shown.gone()
        os.close(main)
