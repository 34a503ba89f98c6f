"""Gather what two-way editing compares: streams as last settled, streams and items on disk."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath

from vaultmem import base, model
from vaultmem.base import TYPE_CHECKING, late, replace
from vaultmem.model import ITEM_ID, FileState, Item, Oid, Problem, Stream, id_in_name
from vaultmem.storage import files, notes
from vaultmem.vault import unread
from vaultmem.vault.two_way import Comparison, bullets_by_id, changed_among, compare

if TYPE_CHECKING:
    from vaultmem.model import Decoded
    from vaultmem.vault.vault import Vault

STREAMS_FOLDER = "streams/"
ITEM_FOLDERS = ("items", "archive")
HEAD_BYTES = 65_536  # front matter is never read beyond it
_MANY_PATHS = 1_000  # that are looked up one by one; beyond it the lists are the smaller side
_MOST_KEPT = 64  # stream files taken apart, at most; a vault has five and one a device
_ID_LINE = late(rf"^id:[ \t]*[\"']?({ITEM_ID.pattern})", re.MULTILINE)


def settled_at(vault: Vault) -> str:
    """The last commit in which streams and items agreed; '': there is none.

    Between two portions of a long list it is that of the portion before: held against an older
    one, all that was adopted since would be read again by every portion.
    """
    return vault.level.commit if vault.level is not None else vault.index.meta("settled") or ""


def unsettled_paths(vault: Vault) -> frozenset[str]:
    """Files that differ from the last commit in which streams and items agreed."""
    pending, others = _parts_of_unsettled(vault)
    return frozenset(pending.union(others))


def _parts_of_unsettled(vault: Vault) -> tuple[set[str], set[str]]:
    """`unsettled_paths` in two parts: what is not committed, and other files."""
    index, history = vault.index, vault.history
    pending = set(index.pending_paths())
    others = set(vault.level.waiting) if vault.level is not None else set()
    head, settled = index.meta("head") or "", settled_at(vault)
    if head not in ("", settled):
        is_known = bool(settled) and history.exists(settled)
        others.update(history.changed_blobs(settled, head) if is_known else history.tree(head))
    return pending, others - pending


def compare_unsettled(
    vault: Vault, *, confirm_deletions: bool = False, without: frozenset[str] = frozenset()
) -> Comparison | None:
    """What the unsettled edits mean; None when no stream and no item is among them.

    without  files taken to be as they were last settled
    """
    without |= unread.unreadable_paths(vault)
    pending, others = _parts_of_unsettled(vault)
    pending -= without
    others -= without
    if not (pending or others):
        return None
    paths = pending | others
    stream_paths = {path for path in paths if path.startswith(STREAMS_FOLDER)}
    disk = streams_on_disk(vault)
    if without:
        disk = [stream for stream in disk if stream.path.as_posix() not in without]
        disk = settled_streams(vault, disk, without)
    base = settled_streams(vault, disk, stream_paths)
    disk, lost = _with_lost(vault, base, disk, confirm_deletions=confirm_deletions)
    now, before = bullets_by_id(disk), bullets_by_id(base)
    listed = now.keys() | before.keys()
    paths -= stream_paths
    touched = touched_items(vault, paths, listed=listed, committed=others - stream_paths)
    if not stream_paths and not touched:
        return None
    unreadable = unreadable_items(vault)
    # Asked for every id of the lists, one edited bullet among 2,000 took 800 ms of CPU; now 420, of
    # which 250 are imports.
    asked = changed_among(before, now).union(touched)
    items = without_barred(vault, load_items(vault, asked), now)
    found = compare(
        base,
        disk,
        items,
        touched=touched,
        unreadable=unreadable,
        confirm_deletions=confirm_deletions,
        flow_limit=vault.settings.limits_flow_items,
        placed=(before, now),
    )
    return replace(found, problems=(*found.problems, *lost)) if lost else found


def _with_lost(
    vault: Vault, base: Sequence[Stream], disk: Sequence[Stream], *, confirm_deletions: bool
) -> tuple[list[Stream], list[Problem]]:
    """The lists on disk, and as last settled those that are there and say nothing as a list.

    A colon too many in the front matter of a list is no reason to retract what it lists, nor that
    a program was cut off between emptying the file and writing it.
    """
    known = {stream.path for stream in disk}
    listing = [stream for stream in base if stream.bullets]
    lost = [each for each in listing if each.path not in known]
    lost = [each for each in lost if not files.is_path_gone(vault.root, each.path)]
    states = vault.index.files([each.path.as_posix() for each in listing])
    empty = model.blob_oid(b"", algorithm=vault.history.algorithm)
    emptied = [each for each in listing if states.get(str(each.path), _NEVER).oid == empty]
    if confirm_deletions:
        emptied = []
    problems = [*map(_not_understood, lost), *map(_empty_file_problem, emptied)]
    as_settled = {stream.path: stream for stream in (*lost, *emptied)}
    found = {stream.path: stream for stream in disk} | as_settled
    return [found[path] for path in sorted(found)], problems


_NEVER = FileState(path="", oid="", head_oid="")


def _not_understood(stream: Stream) -> Problem:
    return Problem(
        path=stream.path,
        code="list-unreadable",
        message="this list is not understood as it is now, so its lines count as they were, "
        "and nothing follows from it",
        hint=f"mend it, or `vaultmem restore {stream.path}` gives it back the text that it had",
    )


def _empty_file_problem(stream: Stream) -> Problem:
    return Problem(
        path=stream.path,
        code="mass-deletion",
        message="the file is empty, as after a save that was cut off, so nothing was retracted",
        hint="run `vaultmem sync --confirm-deletions` if you meant it, "
        f"or `vaultmem restore {stream.path}` to get its lines back",
    )


def touched_items(
    vault: Vault,
    paths: Collection[str],
    *,
    listed: Collection[str],
    committed: Collection[str] | None = None,
) -> frozenset[str]:
    """Ids of the items at these paths that are in a stream, or have a bullet (`listed`) in one.

    committed  those of them that are as in the last commit; None: the index is asked

    Notes that are gone count with the id they had. Asked of the index are these paths alone: to
    ask for every listed id took 0.3 s of each edit in a list of 2,000 bullets.
    """
    # By a row for each pending note one edit took 5.6 s in a vault of 122,000 of them.
    if len(paths) > _MANY_PATHS:
        if committed is None:
            committed = set(paths).difference(vault.index.pending_paths())
        found, missing = _touched_among_many(vault, paths, listed, committed)
    else:
        rows = vault.index.notes([PurePosixPath(path) for path in paths]).values()
        found = {
            row.id
            for row in rows
            if row.id and (row.id in listed or (row.type == "item" and row.stream in model.STREAMS))
        }
        missing = _missing(vault, paths)
    # A file that cannot be read just now has no fingerprint either, but is not gone.
    gone = (path for path in map(PurePosixPath, missing) if files.is_path_gone(vault.root, path))
    former = (_former_id(vault, path) for path in gone)
    return frozenset(found.union(id_ for id_ in former if id_ is not None))


def _touched_among_many(
    vault: Vault, paths: Collection[str], listed: Collection[str], committed: Collection[str]
) -> tuple[set[str], Iterable[str]]:
    """As `touched_items`: the ids, and the paths that have no bytes; by what the lists hold.

    With a row for each of 122,000 uncommitted notes one edit of a note took 5.6 s.
    """
    of_lists = vault.index.in_streams(model.STREAMS, listed)
    found = {id_ for path, id_ in of_lists if id_ and path in paths}
    gone = (path for path in vault.index.gone_paths() if path in paths)
    return found, [*_missing(vault, committed), *gone]


def _missing(vault: Vault, paths: Collection[str]) -> list[str]:
    """Those of the paths of which the index knows no bytes on disk."""
    states = vault.index.files(paths)
    return [path for path in paths if path not in states or not states[path].oid]


def unreadable_items(vault: Vault) -> frozenset[str]:
    """Ids of items whose notes are there but not understood: by their `id` line, or their name.

    A conflict copy beside its note is only a version of it.
    """
    found: set[str] = set()
    for path in map(PurePosixPath, unread.unreadable_paths(vault)):
        known = vault.index.note(path)
        found.update(each for each in (known and known.id, id_in_name(path.stem)) if each)
    for path in map(PurePosixPath, vault.index.gone_paths()):
        named = id_in_name(path.stem)  # no fingerprint, and still there: not to be read now
        if named is not None and not files.is_path_gone(vault.root, path):
            found.add(named)
    for path in map(PurePosixPath, vault.index.pages_in(ITEM_FOLDERS)):
        note = files.conflict_copy_of(path)
        if note is not None and (vault.root / note).exists():
            continue
        named = id_in_name(path.stem)
        if named is not None:
            found.add(named)
        with suppress(base.VaultmemError):
            data = files.read(vault.root, path, limit=vault.settings.limits_note_bytes)
            found.update(_ID_LINE.findall(data[:HEAD_BYTES].decode("utf-8", "replace")))
    return frozenset(found)


def _former_id(vault: Vault, path: PurePosixPath) -> str | None:
    """The id of the item that was at a path when all was settled."""
    known = id_in_name(path.stem)
    if known is None:
        settled = settled_at(vault)
        record = record_at(vault, settled, path) if settled else None
        known = record.id if isinstance(record, Item) else None
    return known if known is not None and known.startswith("i-") else None


def streams_on_disk(vault: Vault) -> list[Stream]:
    """The stream files as they are now, by path."""
    rows = vault.index.list(model.Filters(types=("stream",)))
    records = (_read_stream(vault, row.path) for row in sorted(rows, key=lambda row: row.path))
    return [record for record in records if isinstance(record, Stream)]


def _read_stream(vault: Vault, path: PurePosixPath) -> object:
    """As `read_record`; bytes that were read before are not taken apart again."""
    data = _bytes_of(vault, path)
    return None if data is None else _decode_cached(vault, path, data)


def _decode_cached(vault: Vault, path: PurePosixPath, data: bytes) -> object:
    """The record in these bytes of a stream file, kept for the next look.

    One sync looks at every list six times: 15 lists were taken apart for one edited bullet.
    """
    oid = model.blob_oid(data, algorithm=vault.history.algorithm)
    known = vault.streams.get((path, oid))
    if known is None:
        known = notes.decode(path, data, oid, zone=vault.settings.timezone)
        _keep(vault, path, oid, known)
    return known.record


def _keep(vault: Vault, path: PurePosixPath, oid: str, decoded: Decoded) -> None:
    """Keep what the object (a blob, or a commit: what it has there) says of a stream file."""
    if len(vault.streams) >= _MOST_KEPT:
        vault.streams.clear()
    vault.streams[path, oid] = decoded


def settled_streams(vault: Vault, disk: list[Stream], changed: Iterable[str]) -> list[Stream]:
    """The stream files of the last settlement; those not in `changed` are as on disk."""
    settled = settled_at(vault)
    differing = set(changed)
    streams = [stream for stream in disk if stream.path.as_posix() not in differing]
    if settled:
        records = (_stream_at(vault, settled, PurePosixPath(path)) for path in sorted(differing))
        streams += [record for record in records if isinstance(record, Stream)]
    return streams


def _stream_at(vault: Vault, commit: str, path: PurePosixPath) -> object:
    """As `record_at`, of a stream file; git is asked once.

    One sync of an edited list asked three times for what one commit has of it, a git process each.
    """
    known = vault.streams.get((path, commit)) or _known_in_head(vault, commit, path)
    if known is not None:
        return known.record
    data = vault.history.text_at(commit, path.as_posix())
    if data is None:
        return None
    oid = model.blob_oid(data, algorithm=vault.history.algorithm)
    _decode_cached(vault, path, data)
    _keep(vault, path, commit, vault.streams[path, oid])
    return vault.streams[path, commit].record


def _known_in_head(vault: Vault, commit: str, path: PurePosixPath) -> Decoded | None:
    """What was read of the blob that the commit has there, if it is the one of the index."""
    # One `sync` of an edited list read the same bytes of one commit three times, a git process
    # each.
    if commit != vault.index.meta("head"):
        return None
    state = vault.index.files([path.as_posix()]).get(path.as_posix(), _NEVER)
    return vault.streams.get((path, state.head_oid))


def load_items(vault: Vault, ids: Iterable[str]) -> dict[str, Item]:
    """Items with these ids, read from their files; ids without a note are left out."""
    found: dict[str, Item] = {}
    for id_ in sorted(ids):
        for row in vault.index.notes_with_id(id_):
            record = read_record(vault, row.path)
            if isinstance(record, Item) and record.id == id_:
                found.setdefault(id_, record)
    return found


def without_barred(
    vault: Vault, items: Mapping[str, Item], listed: Collection[str]
) -> dict[str, Item]:
    """The items, as if of no stream where a list has a bullet of one that it may not take in.

    Somebody lowered its `trust` since it was listed: the bullet goes, and the item stays.
    """
    from vaultmem.vault.provenance import may_be_listed  # saves 4 modules

    barred = {
        item.id: replace(item, stream=None)
        for item in items.values()
        if item.id in listed and item.status == "active" and item.stream is not None
        if not may_be_listed(vault, item, stream=item.stream)
    }
    return {**items, **barred}


def read_record(vault: Vault, path: PurePosixPath) -> object:
    """The record in a file on disk; None when it is gone or holds none.

    Of a file that cannot be read just now, as it was last committed.
    """
    data = _bytes_of(vault, path)
    if data is None:
        return None
    oid = model.blob_oid(data, algorithm=vault.history.algorithm)
    return notes.decode(path, data, oid, zone=vault.settings.timezone).record


def _bytes_of(vault: Vault, path: PurePosixPath) -> bytes | None:
    try:
        return unread.text(vault, path)
    except base.VaultmemError as error:
        if base.is_refusal(error):
            raise  # taken for gone, its bullet would be taken away
        return None


def record_at(vault: Vault, commit: str, path: PurePosixPath) -> object:
    """The record in a file of a commit; None when it has none."""
    data = vault.history.text_at(commit, path.as_posix())
    if data is None:
        return None
    return notes.decode(path, data, Oid(""), zone=vault.settings.timezone).record
