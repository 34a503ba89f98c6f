"""Three versions of a few lines in one, where they do not touch each other (diff3).

Khanna, Kunal and Pierce 2007, section 2: what is unchanged on both sides cuts the text into
chunks; a chunk that both sides changed, differently, is a clash.
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.storage.merging.matching import match


def merge_lines(
    base: Sequence[str], late: Sequence[str], early: Sequence[str], *, keeps_both: bool = False
) -> list[str] | None:
    """The lines with the changes of both sides; None when they clash.

    keeps_both  whether lines that both sides add at one place may follow each other
    """
    if late == base:
        return list(early)
    if early in (base, late):
        return list(late)
    to_late, to_early = dict(match(base, late)), dict(match(base, early))
    merged: list[str] = []
    b = i = j = 0
    stable = [place for place in sorted(to_late) if place in to_early]
    for place in [*stable, len(base)]:
        i1 = to_late.get(place, len(late)) if place < len(base) else len(late)
        j1 = to_early.get(place, len(early)) if place < len(base) else len(early)
        chunk = _chunk(base[b:place], late[i:i1], early[j:j1], keeps_both=keeps_both)
        if chunk is None:
            return None
        merged += chunk
        if place < len(base):
            merged.append(base[place])
        b, i, j = place + 1, i1 + 1, j1 + 1
    return merged


def _chunk(
    base: Sequence[str], late: Sequence[str], early: Sequence[str], *, keeps_both: bool
) -> Sequence[str] | None:
    if early in (base, late):
        return late
    if late == base:
        return early
    if not base and keeps_both:
        if set(early) <= set(late):
            return late
        return early if set(late) <= set(early) else [*early, *late]
    return None
