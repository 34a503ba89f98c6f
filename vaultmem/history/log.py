"""What was done, as the history tells it: operations, which of them stand, former names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from vaultmem import vault
from vaultmem.base import TYPE_CHECKING, UnknownNoteError
from vaultmem.model import UNDOES, Operation, id_in_name, undoes

if TYPE_CHECKING:
    from vaultmem.storage.git import LogEntry
    from vaultmem.vault import Parts

COMPACT = "compact"  # the operation that retires items for good
# Commits looked through for the last operation that can be undone, or for an old version.
LOOK_BACK = 500


def log(parts: Parts, ref: str | None = None, *, limit: int = 20) -> tuple[Operation, ...]:
    """Operations, newest first; of one note (across renames) when `ref` names it."""
    history = parts.history
    if history.head() is None:
        return ()
    entries = (
        history.log(limit=limit) if ref is None else history.versions(path_of(parts, ref))[:limit]
    )
    undone = undone_by(history.log(limit=max(limit, LOOK_BACK)))
    return tuple(_operation(entry, undone) for entry in entries)


def path_of(parts: Parts, ref: str) -> str:
    """Vault path of a note that exists, or of one that the history remembers."""

    try:
        return vault.find_note(parts, ref).path.as_posix()
    except UnknownNoteError:
        return former_path(parts, ref)


def former_path(parts: Parts, ref: str) -> str:
    """Path at which the history last knew a note that is gone; raises UnknownNoteError."""
    wanted = ref.removesuffix(".md")
    for entry in parts.history.log(limit=LOOK_BACK):
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


def next_undone(parts: Parts) -> LogEntry | None:
    """What `undo` would take back if it were not told what; None: nothing."""
    found = newest_standing(parts.history.log(limit=LOOK_BACK), 1) if parts.history.head() else ()
    return found[0] if found else None


def newest_standing(entries: Sequence[LogEntry], count: int) -> tuple[LogEntry, ...]:
    """The last operations that stand. A person's own edits are undone only when named."""
    undone = undone_by(entries)
    standing = (
        entry
        for entry in entries
        if entry.trailers.get("Vaultmem-Op", "") not in ("", "init", "undo", "edit", "purge")
        and entry.commit not in undone
        and entry.changed  # what it did may have been erased since
    )
    return tuple(entry for entry, _ in zip(standing, range(count), strict=False))


def retired_ids(parts: Parts) -> frozenset[str]:
    """Ids of the items that the history says were retired; some may be back."""
    head = parts.history.head()
    if head is None:
        return frozenset()
    paths = parts.history.lineage().removed_by(COMPACT, head, since="")
    named = (id_in_name(PurePosixPath(path).stem) for path in paths)
    return frozenset(id_ for id_ in named if id_)
