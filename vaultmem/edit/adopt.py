"""What a person's own words make of an item: a new bullet, other words, another slot or value."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import language
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, PatchRefusedError, dataclass, replace
from vaultmem.extract import Drafting, confidence_of, entities_of, is_of_words, with_statement
from vaultmem.facts import keys_of, ticked_at
from vaultmem.language import format_minute
from vaultmem.model import Bullet, Item, Oid, item_id
from vaultmem.storage import files, notes
from vaultmem.vault import (
    NO_OID,
    Adopt,
    bullets_by_id,
    day_of,
    item_path,
    one_line,
    same,
    streams_on_disk,
    trust_of_item,
    unreadable_items,
)

if TYPE_CHECKING:
    from vaultmem.facts import Contradictions
    from vaultmem.model import Draft, FileState
    from vaultmem.vault import Listings, Vault


class Adopting:
    """Items for new bullets, each with an id that no note and no bullet has."""

    def __init__(self, vault: Vault, drafting: Drafting, *, now: int) -> None:
        self._vault = vault
        self._drafting = drafting
        self._now = now
        self._taken: set[str] | None = None  # None: not asked for yet

    def item_of(self, effect: Adopt) -> tuple[Item, Draft]:
        """The item that a bullet becomes, and the draft that its words gave."""
        path, stream, done = effect.path, effect.stream, effect.bullet.checked is True
        statement = one_line(effect.bullet.text)
        # Under the id that it has: a device that changed the old note meanwhile merges with it, and
        # links by id hold.
        id_ = effect.bullet.block_id or self._free_id(path, statement)
        draft = self._drafting.statement(statement, source=path.as_posix(), at=self._now)
        zone = self._vault.settings.timezone
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
            confidence=confidence_of(self._vault, draft),
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
                *unreadable_items(self._vault),
                *bullets_by_id(streams_on_disk(self._vault)),
            }
        source = path.as_posix()
        for attempt in range(1, 1000):
            salt = source if attempt == 1 else f"{source}#{attempt}"
            id_ = item_id(salt, language.canonical(statement))
            if id_ not in self._taken and not self._vault.index.notes_with_id(id_):
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


# --- items that an edit of a note restated ---

# What they mean for the others is decided when the edit is settled, as for `remember`. An edit that
# is in a commit of the person's own, or came from another device, is not decided here: `check`
# lists what it brought.
# Beyond it somebody moved a vault in, or a script rewrote it; nobody edits so many notes.
MOST_COMPARED = 500


def restated_items(vault: Vault, *, without: frozenset[str]) -> tuple[str, ...]:
    """Ids of active items that say something else than in the last commit, or are new; by path.

    without  files that stay uncommitted
    """
    waiting = [
        state
        for state in vault.index.pending()
        if state.oid and state.path not in without and state.path.startswith(f"{files.ITEMS}/")
    ]
    if len(waiting) > MOST_COMPARED:
        return ()
    before = dict(vault.history.blobs({Oid(state.head_oid) for state in waiting if state.head_oid}))
    found = (_restated_id(vault, state, before.get(state.head_oid)) for state in waiting)
    return tuple(dict.fromkeys(id_ for id_ in found if id_))


def _restated_id(vault: Vault, state: FileState, before: bytes | None) -> str:
    """The id of the item at a path when it says something else than before; else ''."""
    row = vault.index.note(PurePosixPath(state.path))
    if row is None or row.type != "item" or row.status != "active":
        return ""
    if before is None:
        return row.id

    zone = vault.settings.timezone
    old = notes.decode(row.path, before, Oid(state.head_oid), zone=zone).record
    if not isinstance(old, Item):
        return row.id
    is_same = (old.statement, old.subject, old.predicate, old.object, old.status) == (
        *(row.statement, row.subject, row.predicate, row.object, row.status),
    )
    return "" if is_same else row.id


def compare(
    listings: Listings,
    items: Sequence[Item],
    against: Contradictions,
    drafting: Drafting,
    *,
    now: int,
) -> list[Item]:
    """Hold reworded items against what is known, in the listings; those that end, as they are then.

    items  as they are worded now; of those, keys that we own may change and nothing else
    """
    ended: list[Item] = []
    over: set[str] = set()
    # What an item before it in this edit has ended ends nothing itself.
    for item in items:
        if item.status != "active" or item.id in over:
            continue
        valued = replace(item, trust=trust_of_item(listings.vault, item))
        draft = drafting.statement(item.statement, source=item.id, at=now)
        verdict = against.settle(valued, at=now, now=now, is_edit=True, ends=draft.ends)
        keys = keys_of(valued, verdict.item, zone=listings.vault.settings.timezone)
        if keys:
            listings.patch_item(item, keys)
        ended += verdict.ended
        over.update(each.id for each in verdict.ended)
    return ended


# --- slot of reworded items ---

# The keys follow the words; dates stay, since nobody can tell whether the person meant them.
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
    # 'I live in Graz', rewritten as 'I live in Linz', went on with `object: Graz`, by which recall
    # and the search for contradictions went.
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


def reworded_items(vault: Vault, unsettled: Collection[str]) -> Mapping[str, Item]:
    """Items that say something else than when all was last settled, as they were then, by id.

    unsettled  paths that differ since, but for those of files that stay uncommitted
    An edit that somebody committed with a Git of their own counts too, here or on another device:
    nobody has read its words since.
    """
    paths = sorted(path for path in unsettled if path.startswith(f"{files.ITEMS}/"))
    if len(paths) > MOST_COMPARED:
        return {}
    settled = vaults.settled_at(vault)
    rows = vault.index.notes([PurePosixPath(path) for path in paths])
    items = {path: row for path, row in rows.items() if row.type == "item" and row.id}
    # By a git process each a sync of 500 edited notes took 1.5 s for this.
    texts = vault.history.texts_at(settled, [str(path) for path in items]) if settled else {}
    found: dict[str, Item] = {}
    for path, row in sorted(items.items()):
        before = _item_in(vault, path, texts.get(str(path)))
        if before is not None and before.id == row.id and not same(before.statement, row.statement):
            found[row.id] = before
    return found


def _item_in(vault: Vault, path: PurePosixPath, data: bytes | None) -> Item | None:
    """The item that a note of these bytes is."""
    if data is None:
        return None
    record = notes.decode(path, data, Oid(""), zone=vault.settings.timezone).record
    return record if isinstance(record, Item) else None
