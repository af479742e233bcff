"""Claude Code itself: what the island shows at each step of its life."""

import json
from pathlib import Path

from tests.real.house import MODULES, House
from tests.real.terminal import ENTER, ESCAPE, terminal

CLAUDE = str(MODULES / "@anthropic-ai" / "claude-code-linux-x64" / "claude")
ASKS = ["--permission-mode", "default"]
READY = "for agents"
KEY = "sk-ant-dummy-key-of-nobody-0000000000"


def house(home: Path) -> House:
    made = House("claude-code", home)
    trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    made.write(
        ".claude.json",
        json.dumps(
            {
                "hasCompletedOnboarding": True, "theme": "dark", "numStartups": 3,
                "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
                "projects": {str(made.work): trusted},
            }
        ),
    )  # fmt: skip
    return made


def environ(made: House) -> dict[str, str]:
    return made.environ | {
        "ANTHROPIC_BASE_URL": made.model.url, "ANTHROPIC_API_KEY": KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_MAX_RETRIES": "0",
    }  # fmt: skip


async def test_its_life(tmp_path: Path) -> None:
    async with house(tmp_path).followed() as made:
        async with terminal([CLAUDE, *ASKS], made.work, environ(made)) as claude:
            await made.is_("idle", "not-started")
            await claude.shows(READY)

            await made.says(claude, "text")
            await made.is_("waiting", "your-turn")

            await made.says(claude, "slow")
            await made.is_("working")
            claude.press(ESCAPE)
            await made.is_("waiting", "interrupted")

            await made.says(claude, "tool")
            row = await made.is_("waiting", "permission")
            assert [request.kind for request in row.requests] == ["permission"]
            assert not (made.work / "made.txt").exists()
            await claude.shows("Do you want to proceed")
            await claude.rests()
            claude.press(ENTER)
            await made.until(lambda row: not row.requests)
            await made.is_("waiting", "your-turn")
            assert (made.work / "made.txt").exists()

            await made.says(claude, "fail")
            await made.is_("error")

            await made.says(claude, "slow")
            await made.is_("working", "working")
            claude.kill()
            await made.is_("done", "ended-mid-turn")

        (session,) = {row.key.session_id for row in made.rows}
        async with terminal([CLAUDE, *ASKS, "--resume", session], made.work, environ(made)) as claude:
            await made.until(lambda row: str(row.state) != "done")
            assert made.told[-1][0] != "working"
            await claude.shows(READY)
            await made.says(claude, "text")
            await made.is_("waiting", "your-turn")
            assert {row.key.session_id for row in made.rows} == {session}
