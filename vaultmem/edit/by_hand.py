"""Which items the person gave other words, another slot or another value, by an edit of a note.

What they mean for the others is decided when the edit is settled, as for `remember`. An edit that
is in a commit of the person's own, or came from another device, is not decided here: `check`
lists what it brought.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.records import replace
from vaultmem.facts.settle import keys_of
from vaultmem.model.ids import Oid
from vaultmem.model.notes import Item
from vaultmem.vault.provenance import trust_of_item

if TYPE_CHECKING:
    from vaultmem.extract.extractor import Drafting
    from vaultmem.facts.settle import Contradictions
    from vaultmem.model.notes import FileState
    from vaultmem.vault.lists.lists import Shelf
    from vaultmem.vault.vault import Parts

# Beyond it somebody moved a vault in, or a script rewrote it; nobody edits so many notes.
MOST_COMPARED = 500


def restated_items(parts: Parts, *, without: frozenset[str]) -> tuple[str, ...]:
    """Ids of active items that say something else than in the last commit, or are new; by path.

    without  files that stay uncommitted
    """
    from vaultmem.storage.files.layout import ITEMS

    waiting = [
        state
        for state in parts.index.pending()
        if state.oid and state.path not in without and state.path.startswith(f"{ITEMS}/")
    ]
    if len(waiting) > MOST_COMPARED:
        return ()
    before = dict(parts.history.blobs({Oid(state.head_oid) for state in waiting if state.head_oid}))
    found = (_restated(parts, state, before.get(state.head_oid)) for state in waiting)
    return tuple(dict.fromkeys(id_ for id_ in found if id_))


def _restated(parts: Parts, state: FileState, before: bytes | None) -> str:
    """The id of the item at a path when it says something else than before; else ''."""
    row = parts.index.note(PurePosixPath(state.path))
    if row is None or row.type != "item" or row.status != "active":
        return ""
    if before is None:
        return row.id
    from vaultmem.storage.notes.schema import decode

    zone = parts.settings.timezone
    old = decode(row.path, before, Oid(state.head_oid), zone=zone).record
    if not isinstance(old, Item):
        return row.id
    is_same = (old.statement, old.subject, old.predicate, old.object, old.status) == (
        *(row.statement, row.subject, row.predicate, row.object, row.status),
    )
    return "" if is_same else row.id


def compare(
    shelf: Shelf, items: Sequence[Item], against: Contradictions, drafting: Drafting, *, now: int
) -> list[Item]:
    """Hold reworded items against what is known, on the shelf; those that end, as they are then.

    items  as they are worded now; of those, keys that we own may change and nothing else
    """
    ended: list[Item] = []
    over: set[str] = set()
    for item in items:
        if item.status != "active" or item.id in over:
            continue
        valued = replace(item, trust=trust_of_item(shelf.parts, item))
        draft = drafting.statement(item.statement, source=item.id, at=now)
        verdict = against.settle(valued, at=now, now=now, is_edit=True, ends=draft.ends)
        keys = keys_of(valued, verdict.item, zone=shelf.parts.settings.timezone)
        if keys:
            shelf.patch_item(item, keys)
        ended += verdict.ended
        over.update(each.id for each in verdict.ended)
    return ended
