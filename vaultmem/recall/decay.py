"""How much a memory has faded: a weight that halves, read from its dates and never stored.

Decay ranks; it never changes what is true or what is answered. Algorithms.md 2.6: exponential by a
half-life that belongs to the stream, from the moment at which a memory last counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp2, isfinite

from vaultmem.base import BadInputError, replace
from vaultmem.language import DAY_MS
from vaultmem.model import STREAMS, Hit, LateParts, NoteRow, Part
from vaultmem.recall.enough import order

HalfLives = Mapping[str, float | None]  # stream -> days; None, or no entry: it never fades


def decay_weight(weight: float, elapsed_ms: float, half_life_ms: float | None) -> float:
    """The weight after some time: one half of it at the half-life, one quarter at twice that.

    weight        0..1
    elapsed_ms    below zero (clock skew, a start in the future) counts as zero
    half_life_ms  > 0; None: it never fades
    raises        BadInputError for anything else
    """
    if not 0 <= weight <= 1:
        raise BadInputError(f"a weight lies between 0 and 1, not at {weight}")
    if half_life_ms is None:
        return weight
    if not (isfinite(half_life_ms) and half_life_ms > 0):
        raise BadInputError(
            f"a half-life is longer than nothing, not {half_life_ms} ms",
            hint="what never fades has none",
        )
    return weight * exp2(-max(0.0, elapsed_ms) / half_life_ms)


def reference(
    *,
    now: int,
    valid_from: int | None,
    valid_until: int | None = None,
    last_confirmed: int | None = None,
    recorded_at: int | None = None,
) -> int | None:
    """The instant (UTC ms) from which a memory fades; None when nothing says one.

    What is over fades from its end. Anything else from its beginning, or from when it was last
    confirmed if that is later; what has no beginning, from when it was recorded. An end that is
    still to come says nothing.
    """
    if valid_until is not None and valid_until <= now:
        return valid_until
    began = valid_from if valid_from is not None else recorded_at
    known = [each for each in (began, last_confirmed) if each is not None]
    return max(known, default=None)


def half_lives(settings_days: Mapping[str, int], asked: HalfLives | None) -> HalfLives:
    """Half-lives of the streams in days: those of the settings, with what a call asks instead.

    settings_days  stream -> days; 0: it never fades
    asked          stream -> days > 0, or None: it never fades
    raises         BadInputError for an unknown stream, or days that are not more than 0
    """
    days: dict[str, float | None] = {name: each or None for name, each in settings_days.items()}
    for stream, wanted in (asked or {}).items():
        if stream not in STREAMS:
            raise BadInputError(
                f"no stream is called '{stream}'", hint=f"streams: {', '.join(STREAMS)}"
            )
        if wanted is not None and not (isfinite(wanted) and wanted > 0):
            raise BadInputError(
                f"a half-life is more than 0 days, not {wanted:g} ('{stream}')",
                hint="`never` for a stream that does not fade",
            )
        days[stream] = wanted
    return days


def weight_of(note: NoteRow, days: HalfLives, *, now: int) -> tuple[float, float]:
    """(weight in (0, 1], age in days) of a note; (1, 0) for what does not fade.

    A pinned note, a hard exception and a note without a date do not.
    """
    life = days.get(note.stream)
    if life is None or note.pinned or note.hard:
        return 1.0, 0.0
    since = reference(
        now=now,
        valid_from=note.valid_from,
        valid_until=note.valid_until,
        last_confirmed=note.confidence_at,
        recorded_at=note.date,
    )
    if since is None:
        return 1.0, 0.0
    age = max(0, now - since)
    return decay_weight(1.0, age, life * DAY_MS), age / DAY_MS


def fade_hits(hits: Sequence[Hit], days: HalfLives, *, now: int, share: float) -> tuple[Hit, ...]:
    """The same hits with what age takes from their scores, best first.

    share  0..1: what a memory that has faded away loses of its score. It is small: words decide
           what answers, age only which of two that fit alike stands first (measurements.md).
    """
    aged = []
    for hit in hits:
        weight, age = weight_of(hit.note, days, now=now)
        # LoCoMo, 760 questions, first note right: .596 without age, .596 to .599 with 2 % of the
        # score, .592 to .595 from 5 % on.
        lost = hit.score * share * (1 - weight)
        if lost > 0:
            life = days[hit.note.stream]
            why = f"{hit.note.stream}: {age:.0f} days old, half-life {life:g}"
            part = Part(name="decay", value=-lost, note=why)
            hit = _with_part(hit, part, score=hit.score - lost)
        aged.append(hit)
    return tuple(sorted(aged, key=order))


def _with_part(hit: Hit, part: Part, *, score: float) -> Hit:
    """The hit with another score, and what made it so; the parts before are worked out later."""
    return replace(hit, score=score, parts=LateParts(lambda: (*hit.parts, part)))
