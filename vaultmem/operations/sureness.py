"""How far a memory is believed today, and whether that is enough to give it to an assistant.

What the person states is believed less as time goes by and nobody says it again (algorithms 6.4).
That is worked out on read, never stored. What is no longer believed enough is not given to an
assistant; a search finds it as before, and so does the text that it was taken from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.consolidation.beliefs import believed, is_usable
from vaultmem.model.time import DAY_MS

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.model.recall import NoteRow

FADING = ("fact", "preference", "belief")  # kinds; a decision was taken, an event has happened
LASTING = "identity"  # the stream of who the person is, which does not fade


class Sureness:
    """What memories are worth at one instant (UTC ms)."""

    def __init__(self, settings: Settings, now: int) -> None:
        self._least = settings.facts_usable_from
        self._now = now

    def worth(self, note: NoteRow) -> float:
        """0..1: the confidence of a memory, faded since it was set; 1 for what has none.

        Pinned notes, hard exceptions, the stream identity and other kinds keep what they have; so
        does a confidence that does not say of when it is.
        """
        if note.confidence is None:
            return 1.0
        if note.confidence_at is None or not fades(note):
            return note.confidence
        days = (self._now - note.confidence_at) / DAY_MS
        return believed(note.confidence, days, kind=note.kind)

    def is_enough(self, note: NoteRow) -> bool:
        """Whether a memory may be given to an assistant: by `facts.usable_from`."""
        return not fades(note) or is_usable(self.worth(note), least=self._least)


def fades(note: NoteRow) -> bool:
    """Whether a memory is one that has to be confirmed now and then."""
    return (
        note.kind in FADING
        and note.type == "item"
        and note.stream != LASTING
        and not (note.pinned or note.hard)
    )
