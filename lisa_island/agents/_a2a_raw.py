"""The last frames of a task as they came, for "show JSON". Memory only, bounded, foreign."""

from collections import deque

MOST_FRAMES = 50
MOST_CHARACTERS = 256 * 1024
EACH = 64 * 1024


class Ring:
    """Keeps the newest."""

    def __init__(self) -> None:
        self._frames: deque[str] = deque(maxlen=MOST_FRAMES)
        self._size = 0

    def keep(self, frame: str) -> None:
        """One more; the oldest go for it."""
        cut = frame if len(frame) <= EACH else f"{frame[:EACH]}…"
        if len(self._frames) == MOST_FRAMES:
            self._size -= len(self._frames.popleft())
        self._frames.append(cut)
        self._size += len(cut)
        while self._size > MOST_CHARACTERS:
            self._size -= len(self._frames.popleft())

    def text(self) -> str:
        """All of them, oldest first, one below the other."""
        return "\n\n".join(self._frames)
