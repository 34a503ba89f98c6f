"""How far a semantic memory is believed as time goes by, on read (algorithms 6.4). Pure."""

from __future__ import annotations

from collections.abc import Mapping

HALF_LIFE_DAYS = {"belief": 60.0}
USUAL_HALF_LIFE_DAYS = 180.0
USABLE = 0.6  # below it a memory is not brought in unasked, but found by a search
GAIN = 0.3  # share of what is missing to 1 that a confirmation adds
LOSS = 0.6  # what a contradiction leaves
COMPETING = 2  # contradictions from which both beliefs are shown


def believed(
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


def confirmed(worth: float, *, gain: float = GAIN) -> float:
    """After one more session says the same."""
    return worth + gain * (1.0 - worth)


def doubted(worth: float, *, left: float = LOSS) -> float:
    """After something was said against it."""
    return left * worth
