"""Of two memories of which the newer may have put an end to the older, the newer is given first.

Both are kept, linked by `may_replace` (`contradicting.py`); who asks is to meet what was said last
before what may be over. A vault without such a link pays one look into an index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.model.recall import Hit
    from vaultmem.operations.parts import Parts

_AS_GOOD = 0.4
"""Share of the older one's score from which the newer goes first: many links are only likely, and
what hardly answers is no better for being new."""


def newest_first(parts: Parts, hits: Sequence[Hit]) -> Sequence[Hit]:
    """The hits, each that may be over behind what may have replaced it, where both were found."""
    links = parts.index.typed_links("may_replace") if len(hits) > 1 else ()
    if not links:
        return hits
    from vaultmem.index.entries import link_key

    by_key = {key: hit for hit in hits for key in (hit.note.id, link_key(hit.note.path.stem))}
    by_path = {hit.note.path: hit for hit in hits}
    found = list(hits)
    for path, key in links:
        newer, older = by_path.get(path), by_key.get(key)
        if newer is None or older is None or newer is older:
            continue
        at, before = found.index(newer), found.index(older)
        if at > before and newer.score >= _AS_GOOD * older.score:
            found.insert(before, found.pop(at))
    return found
