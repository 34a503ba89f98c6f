"""The item that a person's new bullet becomes."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import PatchRefusedError
from vaultmem.extract.extractor import Drafting
from vaultmem.extract.items import confidence_of
from vaultmem.facts.validity import ticked_at
from vaultmem.model.ids import item_id
from vaultmem.model.notes import Bullet, Item
from vaultmem.vault.lists.lists import NO_OID, day_of, item_path
from vaultmem.vault.lists.two_way import Adopt, one_line, placed
from vaultmem.vault.unsettled import streams_on_disk, unreadable_items

if TYPE_CHECKING:
    from vaultmem.model.drafts import Draft
    from vaultmem.vault.vault import Parts


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
        from vaultmem.language.text import canonical

        if self._taken is None:
            # An id may be taken by a note that cannot be read, or stand on a bullet only.
            self._taken = {*unreadable_items(self._parts), *placed(streams_on_disk(self._parts))}
        source = path.as_posix()
        for attempt in range(1, 1000):
            salt = source if attempt == 1 else f"{source}#{attempt}"
            id_ = item_id(salt, canonical(statement))
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
