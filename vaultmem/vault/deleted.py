"""Items whose notes a person deleted: the sentences of texts that nobody vouches for any more.

A text is kept as it was said, so it goes on saying what its deleted item said. The item is in no
file by then: what it quoted is noted when its note is missed, and read from the commits where the
index is new, as in a clone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import model
from vaultmem.base import TYPE_CHECKING, dataclass
from vaultmem.storage import git

if TYPE_CHECKING:
    from vaultmem.model import Item, NoteRow
    from vaultmem.vault.vault import Vault

_NOTED = "deleted"  # key in the index: JSON rows of `Deleted`, the last one the newest
_MOST = 1_000  # the newest: it is read by each answer once anything was deleted
_FOLDERS = ("items/", "archive/")
_NEAR = 100  # commits looked through before the whole history is
_WHOLE_HISTORY = 10_000_000
# By whom a note is taken out that was somebody's memory: a person's own edit or commit, also one
# that came from another device. What our operations take out lives on in another note.
_BY_HAND = ("", "edit", "pull")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """An item that a person deleted."""

    id: str
    path: PurePosixPath
    quote: str  # the sentence that it was made of, else what it stated
    source: tuple[str, ...]  # link targets


def by_source(vault: Vault) -> Mapping[PurePosixPath, Sequence[Deleted]]:
    """What was deleted and is not back, by the text that it came from; mostly {}, by one look."""
    found: dict[PurePosixPath, list[Deleted]] = {}
    for each in _read_noted(vault):
        if not vault.index.notes_with_id(each.id):
            rows = (vault.index.resolve_link(target) for target in each.source)
            for path in {row.path for row in rows if row is not None}:
                found.setdefault(path, []).append(each)
    return found


def note_deleted(vault: Vault, paths: Iterable[str]) -> None:
    """Note these items, whose files are gone, while the index still has their rows."""
    rows = (vault.index.note(PurePosixPath(p)) for p in paths if p.startswith(_FOLDERS))
    _add(vault, [_of_note(row) for row in rows if row is not None and row.type == "item"])


def follow(vault: Vault, before: str, head: str, changed: Mapping[str, str]) -> None:
    """Learn what the commits after `before` deleted.

    changed  path -> blob of what differs between the two; '' where it is gone
    """
    if vault.index.meta(_NOTED) is None:  # an index of before this was noted
        learn(vault)
        return
    if not any(not oid and path.startswith(_FOLDERS) for path, oid in changed.items()):
        return
    entries = vault.history.log(limit=_NEAR)
    place = next((n for n, entry in enumerate(entries) if entry.commit == before), None)
    if place is None:
        learn(vault)
    else:
        _add(vault, _in_commits(vault, entries[:place]))


def learn(vault: Vault) -> None:
    """Read it from all commits, for an index that is new; and from what is not committed.

    It takes the place of what was noted: after an erasure that may be what was erased.
    """
    entries = vault.history.log(limit=_WHOLE_HISTORY, paths=[f[:-1] for f in _FOLDERS])
    found = _in_commits(vault, entries)
    head = vault.history.head()
    waiting = [path for path in vault.index.gone_paths() if path.startswith(_FOLDERS)]
    if head is not None:
        items = (_item_at(vault, head, path) for path in waiting)
        found += [_of_note(item) for item in items if item is not None]
    vault.index.set_meta(_NOTED, "")
    _add(vault, found)


def begin(vault: Vault) -> None:
    """The history begins now, so nothing was deleted in it: no need to read it."""
    vault.index.set_meta(_NOTED, "")


def _in_commits(vault: Vault, entries: Iterable[object]) -> list[Deleted]:
    """What commits, newest first, took out by hand; the newest last, no more than are kept."""
    found: list[Deleted] = []
    for entry in entries:
        assert isinstance(entry, git.LogEntry)
        op = entry.trailers.get("Vaultmem-Op", "")
        gone = [path for path, how in entry.changed.items() if how == "D"]
        for path in gone if op in _BY_HAND and entry.parent else ():
            item = _item_at(vault, entry.parent, path) if path.startswith(_FOLDERS) else None
            # Of a pull only what still held: what other operations take out lives on in another
            # note.
            if item is not None and (op != "pull" or item.status == "active"):
                found.append(_of_note(item))
        if len(found) >= _MOST:
            break
    return found[::-1]


def _item_at(vault: Vault, commit: str, path: str) -> model.Item | None:
    from vaultmem.vault.unsettled import record_at  # saves 15 modules

    record = record_at(vault, commit, PurePosixPath(path))
    return record if isinstance(record, model.Item) and record.id else None


def _of_note(note: Item | NoteRow) -> Deleted:
    quote = " ".join((note.quote or note.statement).split())
    return Deleted(id=note.id, path=note.path, quote=quote, source=note.source)


def _read_noted(vault: Vault) -> list[Deleted]:
    text = vault.index.meta(_NOTED)
    if not text:
        return []
    import json

    return [
        Deleted(id=id_, path=PurePosixPath(path), quote=quote, source=tuple(source))
        for id_, path, quote, source in json.loads(text)
    ]


def _add(vault: Vault, found: Sequence[Deleted]) -> None:
    fresh = {each.id: each for each in found if each.id and each.quote and each.source}
    if not fresh:
        return
    import json

    kept = [each for each in _read_noted(vault) if each.id not in fresh]
    rows = [
        (each.id, each.path.as_posix(), each.quote, each.source)
        for each in (*kept, *fresh.values())
    ]
    vault.index.set_meta(_NOTED, json.dumps(rows[-_MOST:], ensure_ascii=False))
