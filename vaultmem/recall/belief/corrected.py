"""Which sentences of what is shown are not so any more: corrected, changed, ended, retracted, or
of an item that was deleted.

A text is kept as it was said, so it goes on saying what was found wrong since. The items that
quote it know: by their status, and a corrected one by the key that `correct` writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import base, model
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, replace
from vaultmem.model import USER, Found, Hit, NoteRow, Outdated, Passage
from vaultmem.recall.enough import holds
from vaultmem.storage import notes
from vaultmem.vault import by_source

if TYPE_CHECKING:
    from vaultmem.vault import Vault

CORRECTED_AT = "corrected_at"  # key of an item whose statement took the place of a wrong one
_WHAT = {"superseded": "changed", "expired": "ended", "retracted": "retracted"}
_MOST_SUCCESSORS = 20  # that are followed to what holds now
_OF_A_DAY = ("event", "task")  # kinds that are over one day without becoming untrue

QuotedBy = Mapping[tuple[PurePosixPath, int], Sequence[tuple[NoteRow, Passage]]]


def with_outdated(
    vault: Vault,
    hits: Iterable[Hit],
    found: Iterable[Found],
    quoted_by: QuotedBy,
    now: int,
    *,
    of_items: bool = True,
) -> list[Hit]:
    """The hits, each with the sentences in it that are not so any more.

    found, quoted_by  the passages that the hits were made of, and the items that quote them.
                      Files are read only of items that ended for another, or say something else
                      than their quote.
    of_items          False: hits of items are left as they are, whose quotes nobody is shown
    """
    places = {id(one.passage): (one.path, one.passage.seq) for one in found}
    told: dict[PurePosixPath, Outdated | None] = {}
    gone = by_source(vault)

    def since(row: NoteRow) -> Outdated | None:
        if row.path not in told:
            told[row.path] = _since(vault, row, now)
        return told[row.path]

    def of(hit: Hit) -> Iterator[Outdated]:
        if hit.note.type == "item" and not of_items:
            return
        beneath = [quoted_by.get(places.get(id(each), _NOWHERE), ()) for each in hit.passages]
        rows = {row.path: row for items in beneath for row, _ in items}
        if hit.note.type == "item":
            if holds(hit.note, now):
                rows[hit.note.path] = hit.note
            else:
                rows.pop(hit.note.path, None)  # its own line says what became of it
        so = [_quote(row) for row in rows.values() if holds(row, now) and since(row) is None]
        for row in rows.values():
            each = since(row)
            if each is not None and not any(each.quote in quote for quote in so):
                yield each
        for lost in deleted_sentences(hit):
            if not any(lost.quote in quote for quote in so):
                yield lost

    def deleted_sentences(hit: Hit) -> Iterator[Outdated]:
        met: set[str] = set()
        for passage in hit.passages if gone else ():
            text = " ".join(passage.text.split())
            path, _ = places.get(id(passage), _NOWHERE)
            for each in gone.get(path, ()):
                if each.id not in met and (each.quote in text or text in each.quote):
                    met.add(each.id)
                    yield Outdated(what="deleted", quote=each.quote, id=each.id, path=each.path)

    return [replace(hit, outdated=tuple(each)) if (each := [*of(hit)]) else hit for hit in hits]


_NOWHERE = (PurePosixPath(), -1)


def _since(vault: Vault, row: NoteRow, now: int) -> Outdated | None:
    """What became of the sentence that an item quotes; None: it is so, or nobody said otherwise."""
    if holds(row, now):
        if _quote(row).casefold().rstrip(".") in row.statement.casefold():
            return None
        item = _item(vault, row)
        if item is None or CORRECTED_AT not in item.fields:
            return None  # put in other words when it was taken in
        return _outdated_sentence("corrected", row, by=row)
    what = _WHAT.get(row.status, "")
    is_over = row.valid_until is not None and row.valid_until <= now
    if row.status == "active" and is_over:
        what = "ended"
    if not what or (what == "ended" and row.kind in _OF_A_DAY):
        return None  # of a day that is past, to begin yet, or waiting for a review
    by = successor_of(vault, row, now) if what == "changed" else None
    return _outdated_sentence(what, row, by=by)


def _outdated_sentence(what: str, row: NoteRow, *, by: NoteRow | None) -> Outdated:
    says = by or row
    # Words from outside are not carried into an answer that did not weigh them.
    text = by.statement if by is not None and by.trust in ("", USER) else ""
    return Outdated(what=what, quote=_quote(row), text=text, id=says.id, path=says.path)


def _quote(row: NoteRow) -> str:
    return " ".join((row.quote or row.statement).split())


def successor_of(vault: Vault, row: NoteRow, now: int) -> NoteRow | None:
    """What holds in the place of an item; None: what took its place is over, too."""
    seen = {row.path}
    while len(seen) <= _MOST_SUCCESSORS:
        item = _item(vault, row)
        targets = item.superseded_by if item is not None else ()
        following = (each for each in map(vault.index.resolve_link, targets) if each is not None)
        successor = next((each for each in following if each.path not in seen), None)
        if successor is None:
            return None
        if holds(successor, now):
            return successor
        seen.add(successor.path)
        row = successor
    return None


def _item(vault: Vault, row: NoteRow) -> model.Item | None:
    """The item as its file says it; None: it is gone, or no item any more."""
    try:
        data = vaults.text_of(vault, row)
    except (OSError, base.VaultmemError):
        return None
    if CORRECTED_AT.encode() not in data and b"superseded_by" not in data:
        return None  # most of them: what follows takes longer than reading
    record = notes.decode(row.path, data, model.Oid(row.oid), zone=vault.settings.timezone).record
    return record if isinstance(record, model.Item) else None
