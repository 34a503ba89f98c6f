"""What a vault needs to be searched, by how many facts it holds (algorithms.md 5.11)."""

from __future__ import annotations

from vaultmem.base import Literal

Scale = Literal["flat", "fts", "hybrid", "linked"]

FLAT_BELOW, WORDS_BELOW, HYBRID_BELOW = 100, 500, 2000


def scale_of(
    facts: int,
    *,
    flat_below: int = FLAT_BELOW,
    words_below: int = WORDS_BELOW,
    hybrid_below: int = HYBRID_BELOW,
) -> Scale:
    """The tier of so many facts; a bound belongs to the tier above it.

    flat    every fact could be read
    fts     words alone are enough
    hybrid  several rankings together
    linked  links and summaries too
    """
    if facts < flat_below:
        return "flat"
    if facts < words_below:
        return "fts"
    return "hybrid" if facts < hybrid_below else "linked"
