"""Chinese through a real input method: `nihao` typed on the X server's keyboard becomes 你好 in the island.

`packaging/rig.sh --input ibus` runs Debian's ibus with its Pinyin engine, `--input fcitx5` Debian's fcitx 5
with what its users have in their environment; without `--input` this file is not collected. Keys go the whole
way: X server, Qt's plug-in, bus, engine, and back.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QPlainTextEdit

from lisa_island.core.agent import State
from lisa_island.ui.answering import Phase
from tests.desktop.whole import Whole, button, click, has_button, run
from tests.sandbox.child import running, sandbox

pytestmark = pytest.mark.desktop

# What each shows of `nihao` and `shijie` before they are committed.
NIHAO, SHIJIE = {"ibus": ("你好", "世界"), "fcitx5": ("ni hao", "shi jie")}[os.environ["LISA_RIG_INPUT"]]


@pytest.fixture
def gateway():
    with running(sandbox()) as child:
        yield child


async def hand(*words: str) -> None:
    """A real keyboard. Each key waits for the engine's word on the one before."""
    process = await asyncio.create_subprocess_exec("xdotool", *words)
    assert await process.wait() == 0


class Ear(QObject):
    """What the input method told a box: `composed` what it showed, `committed` what it put in."""

    def __init__(self, box: QPlainTextEdit) -> None:
        super().__init__()
        self.composed: list[str] = []
        self.committed: list[str] = []
        box.installEventFilter(self)

    def eventFilter(self, _box: QObject, event: QEvent) -> bool:
        if isinstance(event, QInputMethodEvent):
            self.composed += [event.preeditString()] if event.preeditString() else []
            self.committed += [event.commitString()] if event.commitString() else []
        return False


def composing(box: QPlainTextEdit) -> str:
    """What stands in the box and is not yet part of its text."""
    return box.textCursor().block().layout().preeditAreaText()


@asynccontextmanager
async def in_box(whole: Whole, box: QPlainTextEdit) -> AsyncIterator[Ear]:
    """The box has the keyboard, and the engine knows it."""
    await whole.until(lambda: whole.panel.isActiveWindow() and box.hasFocus())
    yield Ear(box)


async def compose_nihao(whole: Whole, box: QPlainTextEdit) -> None:
    await hand("type", "--delay", "60", "nihao")
    await whole.until(lambda: composing(box) == NIHAO)


def test_the_command_bar_takes_what_is_composed_and_enter_while_composing_sends_nothing(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        whole.send("sheet-wizard", "one")
        await whole.until(lambda: (s := whole.session("sheet-wizard")) and s.state is State.DONE)
        before = len(gateway.get("calls"))
        whole.face.island.open_command("@sheet-wizard ")
        bar = whole.face._bar
        async with in_box(whole, bar.field) as ear:
            await compose_nihao(whole, bar.field)
            assert bar.text() == "@sheet-wizard ", "what is composed is shown, and no part of the text yet"
            await hand("key", "space")
            await whole.until(lambda: bar.text() == "@sheet-wizard 你好")
            assert ear.committed == ["你好"] and not composing(bar.field)
            await hand("type", "--delay", "60", "shijie")
            await whole.until(lambda: composing(bar.field) == SHIJIE)
            await hand("key", "Return")
            await whole.until(lambda: not composing(bar.field))
            assert bar.text() == "@sheet-wizard 你好shijie", "the engine takes Enter as: the letters as typed"
            assert len(gateway.get("calls")) == before
            await hand("key", "Return")
            await whole.until(lambda: len(gateway.get("calls")) > before)
        assert gateway.get("calls")[-1]["text"] == "你好shijie"

    run(tmp_path, gateway, scenario)


async def asked(whole: Whole) -> QPlainTextEdit:
    """The answer page of a task that asks, its button armed; the box to type into."""
    whole.send("acme-research", "Scan the market", "0.02 USD")
    await whole.until(lambda: (s := whole.session("acme-research")) and s.requests)
    whole.face.open_request(whole.session("acme-research").requests[0].request_id)
    page = whole.face.answer_page
    await whole.until(lambda: whole.panel.page_name == "answer" and has_button(page, "Send reply"))
    await whole.until(lambda: not button(page, "Send reply").is_inert())
    return page.face.box


def test_the_answer_box_takes_it_and_the_agent_reads_it(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        box = await asked(whole)
        async with in_box(whole, box) as ear:
            await compose_nihao(whole, box)
            assert box.toPlainText() == "" and ear.committed == []
            await hand("key", "space")
            await whole.until(lambda: box.toPlainText() == "你好")
        click(whole.face.answer_page, "Send reply")
        await whole.until(lambda: whole.session("acme-research").state is State.DONE)
        assert gateway.get("calls")[-1]["text"] == "你好"

    run(tmp_path, gateway, scenario)


def test_ctrl_enter_while_composing_does_not_send_the_half_of_an_answer(tmp_path, gateway):
    async def scenario(whole: Whole) -> None:
        box = await asked(whole)
        async with in_box(whole, box):
            await compose_nihao(whole, box)
            await hand("key", "space")
            await whole.until(lambda: box.toPlainText() == "你好")
            await hand("type", "--delay", "60", "shijie")
            await whole.until(lambda: composing(box) == SHIJIE)
            # ibus leaves this key to us and goes on composing, fcitx takes it and commits the letters.
            await hand("key", "ctrl+Return", "space")
            await whole.until(lambda: not composing(box) and box.toPlainText() != "你好")
            whole_answer = box.toPlainText()
            assert whole.face.answer_page.phase is Phase.ASK and not box.isReadOnly()
            await hand("key", "ctrl+Return")
            await whole.until(lambda: whole.session("acme-research").state is State.DONE)
        assert gateway.get("calls")[-1]["text"].strip() == whole_answer.strip()
        assert whole_answer.strip() in ("你好世界", "你好shijie")

    run(tmp_path, gateway, scenario)
