"""Pairs of items of which the newer may be right."""

from __future__ import annotations

from vaultmem.api import Memory
from vaultmem.base import NamedTuple
from vaultmem.model import NoteRow

_MOST_PAIRS = 20
_MARKS = ("may_replace", "contradicts")


class Pair(NamedTuple):
    """Two items of which the newer may have put an end to the older."""

    newer: NoteRow
    older: NoteRow
    excludes: bool  # both cannot be true; False: the older may only be over


def pairs_of(memory: Memory) -> list[Pair]:
    """Active items that a newer one may have replaced or contradicts, the newest first."""
    index = memory.opened.index
    found = []
    for mark in _MARKS:
        for path, key in index.typed_links(mark):
            newer, older = index.note(path), index.resolve_link(key)
            if newer is None or older is None or newer.path == older.path:
                continue
            if newer.status == older.status == "active" and older.valid_until is None:
                found.append(Pair(newer, older, mark == "contradicts"))
    found.sort(key=lambda pair: (-(pair.newer.date or 0), pair.newer.id, pair.older.id))
    return found[:_MOST_PAIRS]
