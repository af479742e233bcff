"""What a stranger who clones the project may find in its files, and what not."""

import re

from tests.law.source import ROOT, tracked

# Spelt in pieces, so that this file does not hold what it forbids.
PLACES = re.compile(
    r"(?<![\w.~/-])/(?:" + "|".join(("work", "root", "opt/" + "pypi", "opt/" + "wheels")) + r")(?![\w-])"
)
HOSTS = re.compile(r"\b(?:pypi|pythonhosted|npmjs|deb\.debian|crates)\." + r"(?:org|com|io)\b")
# A lock file is made of addresses; recordings are kept as they were received.
ADDRESSES_ALLOWED = re.compile(r"(?:^|/)uv\.lock$|\.lock$|^tests/data/|^tests/agents/tapes/")


def texts() -> list[tuple[str, str]]:
    found = []
    for path in tracked():
        data = path.read_bytes()
        if b"\0" not in data[:8192]:
            found.append((path.relative_to(ROOT).as_posix(), data.decode("utf-8", "replace")))
    return found


def hits(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
        for name, text in texts()
        if not ADDRESSES_ALLOWED.search(name)
        for match in pattern.finditer(text)
    ]


def test_no_path_of_the_makers_machine() -> None:
    assert not hits(PLACES)


def test_no_registry_host_outside_lock_files() -> None:
    assert not hits(HOSTS)


def test_the_listing_sees_this_file() -> None:
    assert "tests/law/test_files.py" in [name for name, _ in texts()]
