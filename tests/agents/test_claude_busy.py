"""What the real program showed: a busy process is ahead of what its transcript says."""

from lisa_island.agents._claude_registry import Entered
from lisa_island.agents._claude_turn import Turn
from lisa_island.agents._proc import Life
from tests.agents.claude_rig import NOW, SESSION, dumped, prompt, said, told, verdict

FAILED = said(NOW + 1_000, stop="stop_sequence", isApiErrorMessage=True, error="rate_limit")


def after_failure() -> Turn:
    return told(dumped(prompt(NOW), FAILED).split(b"\n"))


def busy(since: int) -> Entered:
    return Entered(7, SESSION, status="busy", since=since)


def test_a_prompt_after_a_failure_is_work_before_it_is_written_down() -> None:
    turn = after_failure()
    # Busy since the prompt that failed: it tries again. Busy since later: another prompt was sent.
    assert verdict(turn, NOW + 9_000, busy(NOW), Life.ALIVE).reason == "retrying"
    assert verdict(turn, NOW + 9_000, busy(NOW + 8_000), Life.ALIVE).reason == "working"


def test_killed_with_a_prompt_that_was_never_written_down_it_ended_in_mid_turn() -> None:
    turn = after_failure()
    assert verdict(turn, NOW + 9_000, busy(NOW + 8_000), Life.DEAD).reason == "ended-mid-turn"
    assert verdict(turn, NOW + 9_000, busy(NOW), Life.DEAD).reason == "exited"
    assert verdict(turn, NOW + 9_000, None, Life.DEAD).reason == "exited"
