"""What new words of an item mean for its slot, when a person wrote them by hand.

The keys follow the words; dates stay, since nobody can tell whether the person meant them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from vaultmem import vault
from vaultmem.base import TYPE_CHECKING, dataclass, replace
from vaultmem.extract import entities_of, is_of_words, with_statement
from vaultmem.language import format_minute
from vaultmem.model import Item, Oid
from vaultmem.storage import files, notes
from vaultmem.vault import same

if TYPE_CHECKING:
    from vaultmem.extract import Drafting
    from vaultmem.vault import Parts

# Beyond it somebody moved a vault in, or a script rewrote it; nobody edits so many notes.
MOST_REREAD = 500

Keys = dict[str, str | tuple[str, ...] | float | bool | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reread:
    """An item with the slot that its words give, the keys that change, and what to say of it."""

    item: Item
    keys: Keys
    said: tuple[str, ...]


def reread(before: Item, now: Item, drafting: Drafting, *, at: int, zone: str) -> Reread:
    """The item, whose words are new, with the slot that they give.

    before  as it was with the former words; keys that differ since are the person's
    """
    draft = drafting.statement(now.statement, source=now.id, at=at)
    former = drafting.statement(before.statement, source=now.id, at=at)
    said = _dates(now, former.valid_from != draft.valid_from, "valid_from", now.valid_from, zone)
    said += _dates(
        now, former.valid_until != draft.valid_until, "valid_until", now.valid_until, zone
    )
    said += _dates(now, former.due != draft.due, "due", now.due, zone)
    old = now.subject, now.predicate, now.object
    is_theirs = old != (before.subject, before.predicate, before.object)
    # A note without a slot gains none, it may be one that somebody wrote by hand; and a value that
    # the former words did not hold either is not made wrong by the new ones.
    if is_theirs or not is_of_words(before, former):
        return Reread(item=now, keys={}, said=said)
    new = with_statement(before, now.statement, draft, former).slot
    if new == old:
        return Reread(item=now, keys={}, said=said)
    subject, predicate, value = new
    after = replace(now, subject=subject, predicate=predicate, object=value)
    keys: Keys = {
        name: there or None
        for name, there, was in zip(("subject", "predicate", "object"), new, old, strict=True)
        if there != was
    }
    entities = entities_of(before, now.entities, value, now.statement)
    if entities != now.entities:
        keys["entities"] = entities or None
        after = replace(after, entities=entities)
    return Reread(item=after, keys=keys, said=(_describe_slot_change(now.id, old, new), *said))


def _describe_slot_change(id_: str, old: tuple[str, str, str], new: tuple[str, str, str]) -> str:
    was, now = (" / ".join(part for part in each if part) for each in (old, new))
    if not now:
        return f"- {id_}: {was} is no longer in its words"
    return f"- {id_}: {was} is {now} now" if was else f"- {id_}: its words say {now}"


def _dates(item: Item, differs: bool, key: str, at: int | None, zone: str) -> tuple[str, ...]:
    """That a date stays although the words that it may be of changed."""
    if not differs or at is None:
        return ()
    when = format_minute(at, zone).removesuffix(" 00:00")
    return (f"- {item.id}: {key} stays {when}, its words said so before",)


def reworded_items(parts: Parts, *, without: frozenset[str]) -> Mapping[str, Item]:
    """Items that say something else than when all was last settled, as they were then, by id.

    without  files that stay uncommitted
    An edit that somebody committed with a Git of their own counts too, here or on another device:
    nobody has read its words since.
    """

    paths = sorted(
        path
        for path in vault.unsettled_paths(parts) - without
        if path.startswith(f"{files.ITEMS}/")
    )
    if len(paths) > MOST_REREAD:
        return {}
    settled = vault.settled_at(parts)
    rows = parts.index.notes([PurePosixPath(path) for path in paths])
    items = {path: row for path, row in rows.items() if row.type == "item" and row.id}
    # By a git process each a sync of 500 edited notes took 1.5 s for this.
    texts = parts.history.texts_at(settled, [str(path) for path in items]) if settled else {}
    found: dict[str, Item] = {}
    for path, row in sorted(items.items()):
        before = _item_in(parts, path, texts.get(str(path)))
        if before is not None and before.id == row.id and not same(before.statement, row.statement):
            found[row.id] = before
    return found


def _item_in(parts: Parts, path: PurePosixPath, data: bytes | None) -> Item | None:
    """The item that a note of these bytes is."""
    if data is None:
        return None
    record = notes.decode(path, data, Oid(""), zone=parts.settings.timezone).record
    return record if isinstance(record, Item) else None
