"""The item that carries what still holds of one whose other part is over.

It is the older item but for the words that are left out: same text, quotation, dates, lists and
weight. So 'I'm Ananya, 31, an engineer at Kirana' ends with her birthday, and what she does at
Kirana is known since she said it, from where she said it.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from vaultmem import judgement
from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.language import canonical, slugify
from vaultmem.model import Item, item_id
from vaultmem.storage import files
from vaultmem.vault import NO_OID

if TYPE_CHECKING:
    from vaultmem.vault import Shelf

_DEEP = 5  # items/2026/05/03/name.md


def remainder_of(known: Item, rest: str) -> Item:
    """An item with these words of a known one, in the folder of the known one, as it held.

    Its id is of the known one and the words: two devices that end the same make the same note.
    A slot, and names, go with it only where their words are left.
    """

    id_ = item_id(known.id, canonical(rest))
    year, month, day = _day_of(known.path)
    has_slot = bool(known.object) and canonical(known.object) in canonical(rest)
    said = rest.casefold()
    return replace(
        known,
        path=files.layout.item_path(slugify(rest), id_, year=year, month=month, day=day),
        oid=NO_OID,
        title="",
        body=rest,
        aliases=(),
        id=id_,
        statement=rest,
        subject=known.subject if has_slot else "",
        predicate=known.predicate if has_slot else "",
        object=known.object if has_slot else "",
        status="active",
        supersedes=(known.path.stem,),
        superseded_by=(),
        entities=tuple(name for name in known.entities if name.casefold() in said),
    )


def can_be_taken_apart(known: Item) -> bool:
    """Whether an item lies where items of a day do, and says nothing but its statement."""
    is_plain = canonical(known.body) == canonical(known.statement)
    return is_plain and len(known.path.parts) == _DEEP and known.path.parts[1].isdigit()


def is_remainder(item: Item, whole: Item) -> bool:
    """Whether an item says a part of what another said, and nothing else."""

    return whole.path.stem in item.supersedes and judgement.is_rest_of(
        item.statement, whole.statement
    )


def shelve(shelf: Shelf, item: Item) -> bool:
    """Put it on its shelf and in its lists; False where the same is said already."""
    index = shelf.parts.index
    ids = {item.id, *index.items_with_statement(canonical(item.statement))}
    rows = [row for id_ in sorted(ids) for row in index.notes_with_id(id_)]
    is_said = any(row.status == "active" or row.id == item.id for row in rows)
    if is_said or shelf.bench.text(item.path) is not None:
        return False
    shelf.add_note(item)
    shelf.list_item(item)
    return True


def _day_of(path: PurePosixPath) -> tuple[int, int, int]:
    year, month, day = path.parts[1:4]
    return int(year), int(month), int(day)
