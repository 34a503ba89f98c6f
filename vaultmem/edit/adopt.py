"""The item that a person's new bullet becomes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from vaultmem import language
from vaultmem.base import TYPE_CHECKING, PatchRefusedError, replace
from vaultmem.extract import Drafting, confidence_of
from vaultmem.facts import keys_of, ticked_at
from vaultmem.model import Bullet, Item, Oid, item_id
from vaultmem.storage import files, notes
from vaultmem.vault import (
    NO_OID,
    Adopt,
    bullets_by_id,
    day_of,
    item_path,
    one_line,
    streams_on_disk,
    trust_of_item,
    unreadable_items,
)

if TYPE_CHECKING:
    from vaultmem.facts import Contradictions
    from vaultmem.model import Draft, FileState
    from vaultmem.vault import Parts, Shelf


class Adopting:
    """Items for new bullets, each with an id that no note and no bullet has."""

    def __init__(self, parts: Parts, drafting: Drafting, *, now: int) -> None:
        self._parts = parts
        self._drafting = drafting
        self._now = now
        self._taken: set[str] | None = None  # None: not asked for yet

    def item_of(self, effect: Adopt) -> tuple[Item, Draft]:
        """The item that a bullet becomes, and the draft that its words gave."""
        path, stream, done = effect.path, effect.stream, effect.bullet.checked is True
        statement = one_line(effect.bullet.text)
        id_ = effect.bullet.block_id or self._free_id(path, statement)
        draft = self._drafting.statement(statement, source=path.as_posix(), at=self._now)
        zone = self._parts.settings.timezone
        since = draft.valid_from if draft.valid_from is not None else day_of(self._now, zone)
        # The person has just written the line: an end that is past by now, as its words may name
        # one, would hide it at once.
        ends = draft.valid_until if (draft.valid_until or 0) > self._now else None
        item = Item(
            path=item_path(id_, statement, at=self._now, zone=zone),
            oid=NO_OID,
            title="",
            body=statement,
            id=id_,
            kind="task" if stream == "tasks" else draft.kind,
            statement=statement,
            stream=stream,
            categories=draft.categories,
            subject=draft.subject,
            predicate=draft.predicate,
            object=draft.object,
            valid_from=since,
            valid_until=ticked_at(since, now=self._now, zone=zone) if done else ends,
            status="expired" if done else "active",
            source=(path.stem,),
            quote=statement,
            importance=draft.importance,
            critical=draft.critical,
            due=draft.due,
            confidence=confidence_of(self._parts, draft),
            confidence_at=self._now,
            writer="person",
            trust="user",
            observed="claimed",
            entities=draft.entities,
        )
        return item, draft

    def _free_id(self, path: PurePosixPath, statement: str) -> str:
        """An id no note has: the same line may have been adopted and retracted before."""

        if self._taken is None:
            # An id may be taken by a note that cannot be read, or stand on a bullet only.
            # A bullet that was written twice took the id of its twin, whose note was broken.
            self._taken = {
                *unreadable_items(self._parts),
                *bullets_by_id(streams_on_disk(self._parts)),
            }
        source = path.as_posix()
        for attempt in range(1, 1000):
            salt = source if attempt == 1 else f"{source}#{attempt}"
            id_ = item_id(salt, language.canonical(statement))
            if id_ not in self._taken and not self._parts.index.notes_with_id(id_):
                self._taken.add(id_)
                return id_
        raise AssertionError(f"no free id for {statement!r} after 1000 attempts")


def too_long(bullet: Bullet) -> PatchRefusedError:
    """A bullet that no note can hold."""
    return PatchRefusedError(
        f"this bullet of {len(bullet.text):,} characters is too long to be a memory",
        line=bullet.line,
        hint="shorten it, or keep the text as a whole with `vaultmem remember`",
    )


# Which items the person gave other words, another slot or another value, by an edit of a note.
#
# What they mean for the others is decided when the edit is settled, as for `remember`. An edit that
# is in a commit of the person's own, or came from another device, is not decided here: `check`
# lists what it brought.

# Beyond it somebody moved a vault in, or a script rewrote it; nobody edits so many notes.
MOST_COMPARED = 500


def restated_items(parts: Parts, *, without: frozenset[str]) -> tuple[str, ...]:
    """Ids of active items that say something else than in the last commit, or are new; by path.

    without  files that stay uncommitted
    """

    waiting = [
        state
        for state in parts.index.pending()
        if state.oid and state.path not in without and state.path.startswith(f"{files.ITEMS}/")
    ]
    if len(waiting) > MOST_COMPARED:
        return ()
    before = dict(parts.history.blobs({Oid(state.head_oid) for state in waiting if state.head_oid}))
    found = (_restated_id(parts, state, before.get(state.head_oid)) for state in waiting)
    return tuple(dict.fromkeys(id_ for id_ in found if id_))


def _restated_id(parts: Parts, state: FileState, before: bytes | None) -> str:
    """The id of the item at a path when it says something else than before; else ''."""
    row = parts.index.note(PurePosixPath(state.path))
    if row is None or row.type != "item" or row.status != "active":
        return ""
    if before is None:
        return row.id

    zone = parts.settings.timezone
    old = notes.decode(row.path, before, Oid(state.head_oid), zone=zone).record
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
    # What an item before it in this edit has ended ends nothing itself.
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
