"""A value that must not show: no repr, no format, no pickle, no copy into another process."""

from typing import NoReturn


class Hidden:
    """Holds a secret. Only `reveal` hands it out; everything that prints objects sees dots."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value itself, for the one place that needs it."""
        return self._value

    def __repr__(self) -> str:
        return "Hidden(…)"

    def __bool__(self) -> bool:
        return bool(self._value)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a hidden value is not serialised")
