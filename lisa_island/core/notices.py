"""What deserves a notice, decided from two rosters; the notices are data.

Skeleton of the values; the policy stands below them.
"""

from dataclasses import dataclass

from lisa_island.core.agent import SessionKey


@dataclass(frozen=True, slots=True)
class Note:
    """One notice in the owner's language. `buttons` are (action, label); actions: reply, later, show."""

    note_id: str
    title: str
    body: str = ""
    urgent: bool = False
    buttons: tuple[tuple[str, str], ...] = ()
    keys: tuple[SessionKey, ...] = ()
    request_id: str = ""
