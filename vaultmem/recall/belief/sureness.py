"""How far a memory is believed today, and whether that is enough to give it to an assistant.

What the person states is believed less as time goes by and nobody says it again (algorithms 6.4).
That is worked out on read, never stored. What is no longer believed enough is not given to an
assistant; a search finds it as before, and so does the text that it was taken from.
"""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.base import TYPE_CHECKING
from vaultmem.language import DAY_MS
from vaultmem.model import USER

if TYPE_CHECKING:
    from vaultmem.config import Settings
    from vaultmem.model import Item, NoteRow


# How far a semantic memory is believed as time goes by, on read (algorithms 6.4). Pure.

HALF_LIFE_DAYS = {"belief": 60.0}
USUAL_HALF_LIFE_DAYS = 180.0
USABLE = 0.6  # below it a memory is not brought in unasked, but found by a search
GAIN = 0.3  # share of what is missing to 1 that a confirmation adds
LOSS = 0.6  # what a contradiction leaves


def current_confidence(
    confidence: float,
    days: float,
    *,
    kind: str = "fact",
    half_lives: Mapping[str, float] | None = None,
) -> float:
    """What a confidence is worth so many days after the last confirmation, in [0, 1].

    Halves every 180 days, of a belief every 60. Days below zero count as none.
    half_lives  kind -> days in place of these, 0: it does not fade; kinds that it does not name
                fade as facts do
    """
    known = HALF_LIFE_DAYS if half_lives is None else half_lives
    half_life = known.get(kind, known.get("fact", USUAL_HALF_LIFE_DAYS))
    if not half_life:
        return confidence
    return float(confidence * 2.0 ** (-max(days, 0.0) / half_life))


def is_usable(worth: float, *, least: float = USABLE) -> bool:
    """Whether a memory may be brought in without being searched for."""
    return worth >= least


def after_confirmation(worth: float, *, gain: float = GAIN) -> float:
    """After one more session says the same."""
    return worth + gain * (1.0 - worth)


def after_doubt(worth: float, *, left: float = LOSS) -> float:
    """After something was said against it."""
    return left * worth


FADING = ("fact", "preference", "belief")  # kinds; a decision was taken, an event has happened
_OF_OTHERS = 0.6 / 0.7  # what an assistant says starts at 0.6, what the person says at 0.7
LASTING = "identity"  # the stream of who the person is, which does not fade


class Sureness:
    """What memories are worth at one instant (UTC ms)."""

    def __init__(self, settings: Settings, now: int) -> None:
        self._least = settings.facts_usable_from
        self._said_once = settings.facts_confidence
        self._gain, self._left = settings.facts_reinforce, settings.facts_contradict
        self._half_lives = {
            "fact": settings.half_life_fact_days,
            "belief": settings.half_life_belief_days,
        }
        self._now = now

    def worth(self, note: NoteRow | Item) -> float:
        """0..1: the confidence of a memory, faded since it was set; 1 for what has none.

        Pinned notes, hard exceptions, what is critical, the stream identity and other kinds keep
        what they have; so does a confidence that does not say of when it is.
        """
        if note.confidence is None:
            return 1.0
        if note.confidence_at is None or not fades(note):
            return note.confidence
        days = (self._now - note.confidence_at) / DAY_MS
        return current_confidence(
            note.confidence, days, kind=note.kind, half_lives=self._half_lives
        )

    def after_confirmation(self, note: NoteRow | Item, before: float | None = None) -> float:
        """After one more text says the same; `before`: what it is worth, None: as of today.

        However long ago it was said: no less than what is said for the first time.
        """
        # What was worth .9 and is said again after 90 days comes to .75; by its old worth, to .93.
        worth = self.worth(note) if before is None else before
        return max(after_confirmation(worth, gain=self._gain), self._said_once)

    def after_doubt(self, note: NoteRow | Item) -> float:
        """After something was said against it."""
        return after_doubt(self.worth(note), left=self._left)

    def is_enough(self, note: NoteRow) -> bool:
        """Whether a memory may be given to an assistant: by `facts.usable_from`.

        What is not the person's starts with less, and has to keep less by the same share.
        """
        return not fades(note) or is_usable(self.worth(note), least=self._least_of(note))

    def was_enough(self, note: NoteRow) -> bool:
        """Whether it was believed enough when it was said, whatever time has made of it."""
        return note.confidence is None or is_usable(note.confidence, least=self._least_of(note))

    def _least_of(self, note: NoteRow) -> float:
        # Others start at .6: on the person's bar that was too little from the first second on.
        return self._least if note.trust in ("", USER) else self._least * _OF_OTHERS


def fades(note: NoteRow | Item) -> bool:
    """Whether a memory is one that has to be confirmed now and then."""
    return (
        note.kind in FADING  # only items have one
        and note.stream != LASTING
        and not (note.pinned or note.hard or note.critical)  # an allergy is not outgrown unsaid
    )
