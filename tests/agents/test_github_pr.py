"""Pull requests by a `gh` on the PATH: a fake one that says anything, and the real one before a loopback."""

import json
import os
import socketserver
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lisa_island.agents import _github_pulls as pulls
from lisa_island.agents.github_pr import judge
from lisa_island.core.agent import Freshness, Health
from lisa_island.core.words import has
from tests.agents.kind_rig import KindRig
from tests.fakes.clock import START

SECRET = "canary-9f3b1c"
AT = "2025-06-15T15:00:00Z"  # some minutes before START
DAY = 24 * 60 * 60


def pull(number: int = 12, **more: Any) -> dict[str, Any]:
    return {
        "number": number, "state": "OPEN", "isDraft": False, "mergeable": "MERGEABLE", "reviewDecision": None,
        "updatedAt": AT, "createdAt": AT, "headRefName": "fix/ring",
        "repository": {"nameWithOwner": "acme/widgets"}, "title": SECRET, "body": SECRET,
        "author": {"login": SECRET}, **more,
    }  # fmt: skip


def checks(word: str) -> dict[str, Any]:
    return {"nodes": [{"commit": {"statusCheckRollup": {"state": word}}}]}


def answer(*nodes: Any) -> str:
    return json.dumps({"data": {"viewer": {"pullRequests": {"nodes": nodes}}}})


class Desk(KindRig):
    """A home with a gh whose answer the test writes."""

    def __init__(self, home: Path) -> None:
        self.folder = home / ".bin"
        self.folder.mkdir()
        super().__init__(
            "github-pr", home, {"PATH": str(self.folder), "GH_TOKEN": SECRET, "TAKO_KEY": SECRET}
        )

    def says(self, output: str = "", code: int = 0, then: str = "") -> None:
        asked = self.home / ".asked"
        program = self.folder / "gh"
        program.write_text(
            f"#!{sys.executable}\nimport os, sys\n"
            f"open({str(asked)!r}, 'a').write(repr([sys.argv[1:], dict(os.environ)]) + '\\n')\n"
            f"sys.stdout.buffer.write({output.encode('utf-8', 'surrogatepass')!r}); sys.stdout.flush()\n"
            f"sys.stderr.write({SECRET!r})\n{then}\nraise SystemExit({code})\n"
        )
        program.chmod(0o755)

    @property
    def asked(self) -> list[str]:
        path = self.home / ".asked"
        return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, ("waiting", "review")),
        ({"commits": checks("SUCCESS")}, ("waiting", "review")),
        ({"commits": checks("SUCCESS"), "reviewDecision": "APPROVED"}, ("waiting", "approved")),
        ({"reviewDecision": "CHANGES_REQUESTED"}, ("waiting", "changes-requested")),
        ({"reviewDecision": "REVIEW_REQUIRED"}, ("waiting", "review")),
        ({"mergeable": "CONFLICTING", "reviewDecision": "APPROVED"}, ("waiting", "merge-conflicts")),
        ({"commits": checks("FAILURE"), "reviewDecision": "APPROVED"}, ("error", "checks-failed")),
        ({"commits": checks("ERROR")}, ("error", "checks-failed")),
        ({"commits": checks("PENDING")}, ("working", "checks-running")),
        ({"commits": checks("EXPECTED")}, ("working", "checks-running")),
        ({"isDraft": True, "commits": checks("FAILURE")}, ("working", "draft")),
        ({"state": "MERGED", "commits": checks("FAILURE")}, ("done", "merged")),
        ({"state": "CLOSED"}, ("done", "closed")),
        ({"state": "PONDERED"}, ("unknown", "new-status")),
        ({"commits": checks("\x1b[31mred")}, ("unknown", "new-status")),
    ],
)
async def test_what_a_pull_request_is(desk: Desk, more: dict[str, Any], expected: tuple[str, str]) -> None:
    desk.says(answer(pull(**more)))
    async with desk.following():
        assert desk.words == expected and not desk.row.requests
        assert has(f"why.{desk.rule}") and has(f"row.local.{expected[1]}")
        assert desk.row.project == "widgets#12" and desk.row.key.session_id == "acme/widgets#12"


async def test_it_asks_every_ninety_seconds_and_tells_what_changed(desk: Desk) -> None:
    desk.says(answer(pull(commits=checks("PENDING"))))
    async with desk.following():
        await desk.passes(80)
        assert len(desk.asked) == 1
        desk.says(answer(pull(commits=checks("SUCCESS"), updatedAt="2025-06-15T15:06:00Z")))
        await desk.passes(20)
        assert len(desk.asked) == 2 and desk.words == ("waiting", "review")


async def test_failed_checks_are_news_and_a_merge_ends_it(desk: Desk) -> None:
    desk.says(answer(pull()))
    async with desk.following():
        desk.says(answer(pull(commits=checks("FAILURE"))))
        await desk.passes(95)
        assert desk.words == ("error", "checks-failed") and desk.row.unread
        desk.says(answer(pull(state="MERGED")))
        await desk.passes(95)
        assert desk.words == ("done", "merged")


async def test_one_that_is_no_longer_listed_is_not_called_merged(desk: Desk) -> None:
    desk.says(answer(pull(1), pull(2)))
    async with desk.following():
        desk.says(answer(pull(1)))
        await desk.passes(95)
        assert [row.key.session_id for row in desk.rows] == ["acme/widgets#1"]
        assert not any(getattr(event, "state", None) == "done" for event in desk.told)


async def test_old_ones_are_not_shown(desk: Desk) -> None:
    desk.says(
        answer(
            pull(1, updatedAt="2025-05-20T00:00:00Z"),
            pull(2, state="MERGED", updatedAt="2025-06-15T02:00:00Z"),
        )
    )
    async with desk.following():
        assert not desk.rows and desk.face.health is Health.OK


async def test_twins_are_told_apart(desk: Desk) -> None:
    other = {"nameWithOwner": "other/widgets"}
    desk.says(answer(pull(1), pull(1, repository=other), pull(1)))
    async with desk.following():
        assert {row.key.session_id for row in desk.rows} == {"acme/widgets#1", "other/widgets#1"}


# --- no answer ---


@pytest.mark.parametrize(
    ("output", "code", "word"),
    [
        ("", 4, "signed-out"),
        ('{"message":"Bad credentials","status":"401"}', 1, "signed-out"),
        ("", 1, "failed"),
        ("no json", 0, "failed"),
        ("[" * 100_000, 0, "failed"),
        ("[]", 0, "failed"),
        ('{"data":null,"errors":[{"type":"RATE_LIMITED"}]}', 1, "failed"),
    ],
)
async def test_why_there_is_no_answer(desk: Desk, output: str, code: int, word: str) -> None:
    desk.says(output, code)
    async with desk.following():
        assert (desk.face.health, desk.face.detail) == (Health.OFFLINE, word) and not desk.rows
        assert has(f"fact.local.github-pr.{word}")


async def test_without_gh_it_says_so(desk: Desk) -> None:
    async with desk.following():
        assert desk.face.detail == "absent"
        desk.says(answer(pull()))
        await desk.passes(95)
        assert desk.face.health is Health.OK and desk.rows


async def test_a_gh_that_hangs_is_ended(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulls, "LIMIT", 0.5)
    desk.says(then="import time; time.sleep(3600)")
    async with desk.following():
        assert desk.face.detail == "late"


async def test_what_was_known_goes_grey_and_comes_back(desk: Desk) -> None:
    desk.says(answer(pull()))
    async with desk.following():
        desk.says("", 1)
        await desk.passes(95)
        assert desk.row.freshness is Freshness.OFFLINE and desk.words == ("waiting", "review")
        desk.says(answer(pull()))
        await desk.passes(200)
        assert desk.row.freshness is Freshness.LIVE


async def test_after_failures_it_asks_less_often(desk: Desk) -> None:
    desk.says("", 1)
    async with desk.following():
        await desk.passes(3600)
        assert 4 <= len(desk.asked) <= 8


async def test_a_part_that_is_closed_to_it_hides_no_other(desk: Desk) -> None:
    """gh answers and fails, where one organisation asks for another sign-in."""
    desk.says(answer(pull(), None, {"number": 1}, "x"), 1)
    async with desk.following():
        assert desk.words == ("waiting", "review") and desk.face.health is Health.OK


# --- what is kept back ---


async def test_gh_gets_no_token_of_anybody(desk: Desk) -> None:
    desk.says(answer(pull()))
    async with desk.following():
        (asked,) = desk.asked
        assert SECRET not in asked and "graphql" in asked and "GH_PROMPT_DISABLED" in asked


async def test_no_title_text_or_name_is_asked_for_or_told(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    desk.says(answer(pull()))
    async with desk.following():
        told = repr(desk.told) + repr(vars(desk.source)) + caplog.text
        assert SECRET not in told and not {"title", "body", "login"} & set(pulls.QUERY.split())


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from([*pull(), "commits"]), inner, max_size=12)
        ),
        max_leaves=20,
    )
)
def test_any_node_is_read_or_left_out(node: Any) -> None:
    found = pulls.read(answer(node, pull(7)).encode("utf-8", "surrogatepass"))
    assert found is not None and found[-1].number == 7
    for one in found:
        assert len(one.id) < 220 and judge(one, 0).reason


@given(st.binary(max_size=200))
def test_any_output_is_read(output: bytes) -> None:
    pulls.read(output)
    pulls._is_unauthorized(output)


# --- the real one ---


class _Site(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    asked: list[Any]


class _Page(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append((self.path, body, self.headers.get("authorization")))  # type: ignore[attr-defined]
        said = answer(pull(commits=checks("SUCCESS"))).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def address_string(self) -> str:
        return "loopback"

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[_Site]:
    server = _Site(str(tmp_path / "s"), _Page)
    server.asked = []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


async def test_the_real_gh_before_a_loopback(tmp_path: Path, site: _Site) -> None:
    config = tmp_path / "gh"
    config.mkdir()
    (config / "config.yml").write_text(f"http_unix_socket: {tmp_path / 's'}\n")
    (config / "hosts.yml").write_text("github.com:\n  oauth_token: of-the-owner\n  user: someone\n")
    rig = KindRig("github-pr", tmp_path, {"GH_CONFIG_DIR": str(config), "PATH": os.environ["PATH"]})
    async with rig.following():
        assert rig.words == ("waiting", "review") and rig.face.health is Health.OK
    ((path, body, token),) = site.asked
    assert path == "/graphql" and body["query"] == pulls.QUERY and token == "token of-the-owner"


async def test_the_real_gh_signed_out(tmp_path: Path) -> None:
    rig = KindRig("github-pr", tmp_path, {"GH_CONFIG_DIR": str(tmp_path), "GH_TOKEN": "x"})
    async with rig.following():
        assert rig.face.detail == "signed-out" and rig.told[-1].at == START
