"""The source of LISA's sessions before a server on the loopback."""

from pathlib import Path
from typing import Any

from lisa_island.core.agent import SessionKey
from tests.agents.kind_rig import KindRig
from tests.agents.lisa_server import LisaServer


class Desk(KindRig):
    """The source before a server; `shown` is what other kinds show here."""

    def __init__(self, home: Path, server: LisaServer, **variables: str) -> None:
        self.shown: set[SessionKey] = set()
        self.settings_now: dict[str, Any] = {"enabled": True, "on": []}
        self.calls: list[Any] = []

        def on_others(call: Any) -> Any:
            self.calls.append(call)
            return lambda: self.calls.remove(call)

        super().__init__(
            "lisa", home, {"LISA_URL": server.origin, **variables},
            more={"others": lambda: self.shown, "on_others": on_others}, settings=self.settings_now,
        )  # fmt: skip

    def shows(self, *keys: SessionKey) -> None:
        self.shown = set(keys)
        for call in self.calls:
            call()

    @property
    def ids(self) -> set[str]:
        return {row.key.session_id for row in self.rows}


async def heard(desk: Desk, lisa: LisaServer) -> None:
    """Until her events flow."""
    await desk.until(lambda: "lisa" in desk.store.roster.sources and desk.face.mode == "live")
