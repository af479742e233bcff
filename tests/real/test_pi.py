"""pi itself: what the island shows at each step of its life. It asks for no approvals."""

import json
from pathlib import Path

from tests.real.house import MODULES, NODE, House
from tests.real.terminal import ESCAPE, terminal

PI = [
    str(NODE),
    str(MODULES / "@earendil-works" / "pi-coding-agent" / "dist" / "cli.js"),
    "--model",
    "demo/m",
]
READY = "escape interrupt"


async def test_its_life(tmp_path: Path) -> None:
    async with House("pi", tmp_path).followed() as made:
        provider = {"baseUrl": f"{made.model.url}/v1", "api": "openai-completions", "apiKey": "x"}
        made.write(
            ".pi/agent/models.json", json.dumps({"providers": {"demo": provider | {"models": [{"id": "m"}]}}})
        )
        made.write(".pi/agent/settings.json", json.dumps({"retry": {"enabled": False}}))
        made.model.command = "sleep 3; touch made.txt"
        environ = made.environ | {"PI_OFFLINE": "1", "PI_SKIP_VERSION_CHECK": "1"}
        async with terminal(PI, made.work, environ) as pi:
            await pi.shows(READY)
            await made.says(pi, "text")
            await made.is_("waiting", "your-turn")

            await made.says(pi, "slow")
            await made.is_("working")
            pi.press(ESCAPE)
            await made.is_("waiting", "interrupted")

            await made.says(pi, "tool")
            await made.until(lambda row: str(row.state) == "working" and row.state_reason == "tool")
            assert not (made.work / "made.txt").exists()
            await made.is_("waiting", "your-turn")
            assert (made.work / "made.txt").exists()

            await made.says(pi, "fail")
            await made.is_("error", "rate-limit")

            await made.says(pi, "slow")
            await made.is_("working")
            pi.kill()
            await made.is_("done", "ended-mid-turn")

        (session,) = {row.key.session_id for row in made.rows}
        async with terminal([*PI, "--session", session], made.work, environ) as pi:
            await pi.shows("/128k")
            await made.until(lambda row: str(row.state) != "done")
            assert made.told[-1] == ("waiting", "interrupted")
            await made.says(pi, "text")
            await made.is_("waiting", "your-turn")
            assert {row.key.session_id for row in made.rows} == {session}
            pi.press("\x04")
            await made.is_("done", "exited")
