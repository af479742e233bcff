"""What a session of Claude Code leaves in the journal: its calls by their ids, and how they ended."""

import os
from pathlib import Path

import pytest

from lisa_island.core.journal import ActionBegan, ActionEnded, replayed, tag
from lisa_island.core.journal_lines import exported, imported
from lisa_island.runtime.journal import Journal
from tests.agents.claude_rig import ClaudeRig, call, ended, prompt, result, said
from tests.fakes.records import FakeRecords

SECRET = "sk-ant-PLANTED"


@pytest.fixture
def rig(tmp_path: Path) -> ClaudeRig:
    return ClaudeRig(tmp_path)


async def test_calls_are_paired_and_their_end_is_the_record_s_word(rig: ClaudeRig) -> None:
    records = FakeRecords()
    journal = Journal(rig.store, records, rig.clock, lambda: 7)
    rig.register(os.getpid(), status="busy")
    rig.write(prompt(text=SECRET))
    async with rig.following():
        at = rig.clock.now()
        rig.write(call(at + 10, "Bash", "toolu_1", command=f"echo {SECRET}"))
        rig.write(call(at + 20, "Read", "toolu_2", file_path=f"/{SECRET}/{SECRET}.md"))
        await rig.passes(2)
        rig.write(result(at + 900, "toolu_1", failed=True))
        await rig.passes(2)
        rig.write(result(at + 950, "toolu_2"), call(at + 960, "Task", "toolu_3"), result(at + 990, "toolu_3"))
        await rig.passes(2)
        rig.write(said(at + 2_000), ended(at + 2_010))
        rig.register(os.getpid(), status="idle", statusUpdatedAt=at + 2_010)
        await rig.passes(4)
        await journal.flush()
        stood = rig.words
    kept = list(await records.entries())
    steps = [e.happening for e in kept if isinstance(e.happening, ActionBegan | ActionEnded)]
    one, two, three = (tag(f"toolu_{n}") for n in (1, 2, 3))
    assert steps == [
        ActionBegan("main", "server", one),
        ActionBegan("main", "archive", two),
        ActionEnded("main", one, False),
        ActionEnded("main", two, True),
        ActionBegan("main", "delegate", three),
        ActionEnded("main", three, True),
    ]
    text = "\n".join(exported(kept))
    assert "PLANTED" not in text + repr([e.happening for e in kept])
    *_, (_, _, known) = replayed(imported(text.splitlines()))
    assert (str(known.state), known.reason) == stood == ("waiting", "your-turn")
