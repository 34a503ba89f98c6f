"""How far a found passage is believed changes what it is worth, and how much room it gets.

Pure functions over what the index found. Whoever writes a web page can repeat the words of every
question in it; so text from outside counts for a little less, and for a share of an answer only.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil
from pathlib import PurePosixPath

from vaultmem.frozen import replace
from vaultmem.model.recall import Found, Hit, NoteRow, Part
from vaultmem.model.trust import UNTRUSTED

Place = tuple[PurePosixPath, int]  # a passage: the path of its note, and its order there


def weighed(
    found: Sequence[Found],
    notes: Mapping[PurePosixPath, NoteRow],
    *,
    weight: float,
    withheld: Collection[Place] = (),
) -> list[Found]:
    """Passages that may answer, best first; those of untrusted notes with `weight` of their score.

    weight    in (0, 1]; below 1 an untrusted passage never equals a trusted one as good as it
    withheld  passages that are left out
    """
    kept = []
    for one in found:
        if (one.path, one.passage.seq) in withheld:
            continue
        note = notes.get(one.path)
        if note is not None and note.trust == UNTRUSTED and weight < 1:
            lost = Part(name="trust", value=one.score * (weight - 1), note="it is from outside")
            one = replace(one, score=one.score * weight, parts=(*one.parts, lost))
        kept.append(one)
    kept.sort(key=lambda one: -one.score)  # stable: ties stay in the order found
    return kept


def capped(hits: Sequence[Hit], *, limit: int, share: float) -> tuple[Hit, ...]:
    """At most `limit` hits in their order, at most `share` of the limit (rounded up) untrusted."""
    room = ceil(limit * share)
    kept: list[Hit] = []
    for hit in hits:
        if len(kept) == limit:
            break
        if hit.note.trust == UNTRUSTED:
            if room == 0:
                continue
            room -= 1
        kept.append(hit)
    return tuple(kept)
