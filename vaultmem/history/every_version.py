"""Every version of a note or of a slot: what it said, since when that was known, and by whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath

from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, BadInputError, UnknownNoteError, replace
from vaultmem.history import versions as past
from vaultmem.history.later import CAME_BACK, changes
from vaultmem.model import (
    UNDOES,
    HistoryVersion,
    Operation,
    Version,
    VersionHistory,
    id_in_name,
    part_key,
    said_by,
    undoes,
)
from vaultmem.vault import find_note
from vaultmem.vault import fresh_index as answering

if TYPE_CHECKING:
    from vaultmem.model import NoteRow, Progress
    from vaultmem.storage.git import LogEntry
    from vaultmem.storage.index import Past
    from vaultmem.vault import Vault


def history(
    vault: Vault,
    about: str,
    predicate: str = "",
    *,
    value: str = "",
    progress: Progress | None = None,
) -> VersionHistory:
    """All versions of a note, or of the items in a slot, superseded ones included.

    about      a note (id, path, file name), also one that is gone; or the subject of a slot
    predicate  of the slot; '': all slots of the subject
    value      only versions with this object
    returns    by record time, then start of validity (none first), then id; what is on disk and
               not committed yet comes last
    raises     UnknownNoteError, also for a slot that no item ever had
    """
    return answering.reading(vault, lambda: _history(vault, about, predicate, value, progress))


def _history(
    vault: Vault, about: str, predicate: str, value: str, progress: Progress | None
) -> VersionHistory:
    if predicate and not (part_key(about) and part_key(predicate)):
        raise BadInputError(
            f"no slot: '{about}' '{predicate}'", hint="name a subject and a predicate"
        )
    known = past.level(vault, progress=progress)
    with known.snapshot():
        return _versions_of(vault, known, about, predicate, value)


def _versions_of(
    vault: Vault, known: Past, about: str, predicate: str, value: str
) -> VersionHistory:
    name = f"{about} {predicate}".strip()
    row = None if predicate else _note(vault, about)
    if row is not None and row.type == "item":
        return _of_note(vault, known, row)
    of_slot = known.versions_about(about, predicate)
    rows = (
        vault.index.items_in_slot(about, predicate) if predicate else vault.index.items_about(about)
    )
    found = _all(vault, known, of_slot, rows)
    if not found and row is not None:
        return _of_note(vault, known, row)
    if not found and not predicate:
        former = _former(vault, known, about)
        versions = _all(vault, known, former, ())
        return VersionHistory(about=former[-1].id or about, versions=tuple(versions))
    if value:
        found = [each for each in found if part_key(each.object) == part_key(value)]
    if not found:
        raise UnknownNoteError(
            f"nothing was ever said in the slot '{name}'" + (f" about '{value}'" if value else ""),
            hint="`vaultmem list --type item --json` shows the subjects and predicates of items",
        )
    return VersionHistory(about=name, versions=tuple(found))


def _of_note(vault: Vault, known: Past, row: NoteRow) -> VersionHistory:
    versions = known.versions(id=row.id, path="" if row.id else row.path.as_posix())
    found = _all(vault, known, versions, [row])
    return VersionHistory(about=row.id or str(row.path), versions=tuple(found))


def _note(vault: Vault, about: str) -> NoteRow | None:
    try:
        return find_note(vault, about)
    except UnknownNoteError:
        return None


def _former(vault: Vault, known: Past, about: str) -> tuple[Version, ...]:
    """Versions of a note that is gone; raises UnknownNoteError."""
    versions = known.versions(id=about) or known.versions(path=about)
    if not versions:
        with suppress(UnknownNoteError):  # it looks at the last commits, and names only those
            versions = known.versions(path=former_path(vault, about))
    if not versions:
        raise UnknownNoteError(
            f"no note, no subject and nothing in the history is called '{about}'",
            hint="`vaultmem log` lists what was done",
        )
    return versions


def _all(
    vault: Vault, known: Past, versions: Sequence[Version], rows: Sequence[NoteRow]
) -> list[HistoryVersion]:
    """The versions with what they changed, and what is on disk but not committed."""
    ids = sorted(({each.id for each in versions} | {row.id for row in rows}) - {""})
    nameless = [version for version in versions if not version.id]
    wanted = {(each.id, each.commit, each.path) for each in versions}
    latest: dict[str | PurePosixPath, Version] = {}
    found = []
    # All versions of each note, those in another slot too: what a version changed is seen there.
    for version in (*nameless, *(each for id_ in ids for each in known.versions(id=id_))):
        key = version.id or version.path
        # A note that was given an id is still the one that was known by its path.
        before = latest.get(key) or latest.get(version.path)
        latest[key] = version
        if version.id and (version.id, version.commit, version.path) not in wanted:
            continue
        found.append(
            to_history_version(version, _describe_changes(before, version, vault.settings.timezone))
        )
    found.sort(key=_order)
    return [*found, *_pending(vault, latest, rows)]


def _describe_changes(before: Version | None, version: Version, zone: str) -> tuple[str, ...]:
    """What the version changed; one that was gone for a while first of all came back."""
    if before is None or not (before.is_gone or before.retired_at_ms is not None):
        return changes(before, version, zone)
    if before.oid == version.oid and before.path == version.path:
        return (CAME_BACK,)
    return (CAME_BACK, *changes(before, version, zone))


def to_history_version(version: Version, said: tuple[str, ...]) -> HistoryVersion:
    """A version as it is answered, with the sentences about it."""
    return HistoryVersion(
        id=version.id,
        path=version.path,
        type=version.type,
        kind=version.kind,
        status=version.status,
        stream=version.stream,
        statement=version.statement if version.type == "item" else version.title,
        subject=version.subject,
        predicate=version.predicate,
        object=version.object,
        valid_from=version.valid_from,
        valid_until=version.valid_until,
        recorded_at=version.recorded_at_ms,
        superseded_at=version.superseded_at_ms,
        commit=version.commit,
        superseded_by_commit=version.superseded_by_commit,
        is_gone=version.is_gone,
        retired_at=version.retired_at_ms,
        op=version.op or "git",
        actor=version.actor or "person",
        commit_subject=version.commit_subject,
        commit_source=version.commit_source,
        session=version.commit_session,
        source=version.source,
        changes=said,
    )


def _order(version: HistoryVersion) -> tuple[int, bool, int, str]:
    return (
        version.recorded_at or 0,
        version.valid_from is not None,
        version.valid_from or 0,
        version.id,
    )


def _pending(
    vault: Vault, latest: Mapping[str | PurePosixPath, Version], rows: Iterable[NoteRow]
) -> list[HistoryVersion]:
    """What is on disk but not committed, of these notes; by start of validity and id."""
    paths = {state.path: state.oid for state in vault.index.pending()}
    found = []
    for row in rows:
        if row.path.as_posix() in paths:
            before = latest.get(row.id or row.path) or latest.get(row.path)
            now = _as_version(row)
            told = changes(before, now, vault.settings.timezone)
            found.append(
                replace(to_history_version(now, told), recorded_at=None, pending=True, op="")
            )
    there = {row.id or row.path for row in rows}
    for key, version in latest.items():
        is_there = version.superseded_at_ms is None and version.retired_at_ms is None
        is_gone = is_there and paths.get(version.path.as_posix()) == ""
        if is_gone and key not in there:
            gone = to_history_version(version, ("the file is gone",))
            found.append(replace(gone, recorded_at=None, pending=True, is_gone=True, commit=""))
    return sorted(found, key=_order)


def _as_version(row: NoteRow) -> Version:
    return Version(
        path=row.path,
        oid=row.oid,
        commit="",
        recorded_at_ms=0,
        superseded_at_ms=None,
        id=row.id,
        **said_by(row),
    )


COMPACT = "compact"  # the operation that retires items for good
# Commits looked through for the last operation that can be undone, or for an old version.
LOOK_BACK = 500


def log(vault: Vault, ref: str | None = None, *, limit: int = 20) -> tuple[Operation, ...]:
    """Operations, newest first; of one note (across renames) when `ref` names it."""
    history = vault.history
    if history.head() is None:
        return ()
    entries = (
        history.log(limit=limit) if ref is None else history.versions(path_of(vault, ref))[:limit]
    )
    undone = undone_by(history.log(limit=max(limit, LOOK_BACK)))
    return tuple(_operation(entry, undone) for entry in entries)


def path_of(vault: Vault, ref: str) -> str:
    """Vault path of a note that exists, or of one that the history remembers."""
    try:
        return vaults.find_note(vault, ref).path.as_posix()
    except UnknownNoteError:
        return former_path(vault, ref)


def former_path(vault: Vault, ref: str) -> str:
    """Path at which the history last knew a note that is gone; raises UnknownNoteError."""
    wanted = ref.removesuffix(".md")
    for entry in vault.history.log(limit=LOOK_BACK):
        for path in entry.paths:
            if wanted in (path.with_suffix("").as_posix(), path.stem, id_in_name(path.stem)):
                return path.as_posix()
    raise UnknownNoteError(
        f"neither the vault nor its last {LOOK_BACK} commits know '{ref}'",
        hint="`vaultmem log` lists what was done",
    )


def undone_by(entries: Sequence[LogEntry]) -> dict[str, str]:
    """Commits that were taken back, each with the commit that did it."""
    return {
        commit: entry.commit
        for entry in entries
        for commit in undoes(entry.trailers.get(UNDOES, ""))
    }


def _operation(entry: LogEntry, undone: dict[str, str]) -> Operation:
    return Operation(
        commit=entry.commit,
        at=entry.at_ms,
        op=entry.trailers.get("Vaultmem-Op", "git"),
        actor=entry.trailers.get("Vaultmem-Actor", "person"),
        subject=entry.subject,
        items=tuple(entry.trailers.get("Vaultmem-Items", "").replace(",", " ").split()),
        paths=tuple(entry.paths),
        undone_by=undone.get(entry.commit, ""),
    )


def next_undone(vault: Vault) -> LogEntry | None:
    """What `undo` would take back if it were not told what; None: nothing."""
    found = newest_standing(vault.history.log(limit=LOOK_BACK), 1) if vault.history.head() else ()
    return found[0] if found else None


# The block of a daily note is written anew by the next sync, so taking it back would do nothing.
_NOT_UNDONE = ("", "init", "undo", "edit", "purge", "daily-note")


def newest_standing(entries: Sequence[LogEntry], count: int) -> tuple[LogEntry, ...]:
    """The last operations that stand. A person's own edits are undone only when named."""
    undone = undone_by(entries)
    standing = (
        entry
        for entry in entries
        if entry.trailers.get("Vaultmem-Op", "") not in _NOT_UNDONE
        and entry.commit not in undone
        and entry.changed  # what it did may have been erased since
    )
    return tuple(entry for entry, _ in zip(standing, range(count), strict=False))


def retired_ids(vault: Vault) -> frozenset[str]:
    """Ids of the items that the history says were retired; some may be back."""
    head = vault.history.head()
    if head is None:
        return frozenset()
    paths = vault.history.lineage().removed_by(COMPACT, head, since="")
    named = (id_in_name(PurePosixPath(path).stem) for path in paths)
    return frozenset(id_ for id_ in named if id_)
