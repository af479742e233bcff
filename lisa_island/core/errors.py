"""What can go wrong on our side of a border.

IslandError
├── StorageError      a file or database could not be read or written; nothing was lost
├── SecretError       the keyring did not answer, is locked, or is not one that counts
├── NotAllowedError        the owner's gate is shut for this caller
└── NotRunningError        no island listens on the door

Each carries one sentence of the catalogue as `word`, its arguments as `values`.
"""


class IslandError(Exception):
    """Base of all; `word` is a catalogue key, `values` fills its placeholders."""

    def __init__(self, word: str, **values: object) -> None:
        super().__init__(word)
        self.word = word
        self.values = values


class StorageError(IslandError):
    """A file or database could not be used."""


class SecretError(IslandError):
    """The keyring could not be used."""


class NotAllowedError(IslandError):
    """The owner's gate refused the caller."""


class NotRunningError(IslandError):
    """Nobody listens on the door."""
