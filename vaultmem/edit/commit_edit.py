"""What a person saved, as a plan: their bytes exactly, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from vaultmem.base import TYPE_CHECKING, VaultmemError, is_of_some_files, is_refusal
from vaultmem.model import Oid, Plan, Remove, Write, blob_oid, pluralise, subject, trust_trailers
from vaultmem.storage import files
from vaultmem.storage.files import is_markdown

if TYPE_CHECKING:
    from vaultmem.vault import Vault


def plan_edit(vault: Vault, *, without: frozenset[str] = frozenset()) -> Plan | None:
    """The person's uncommitted changes as one plan; None when there are none.

    without  notes that are not to be committed
    What a person has staged is a commit that they are still composing: it is left alone.
    """
    pending = vault.index.pending()
    staged = {*vault.history.staged_paths(()), *without}
    found = (_as_saved(vault, state.path, state.oid) for state in pending)
    changes = [
        change for change in found if change is not None and change.path.as_posix() not in staged
    ]
    if not changes:
        return None
    changes.sort(key=lambda change: change.path)
    return Plan(
        op="edit",
        actor="editor",
        subject=_edit_subject(changes),
        changes=tuple(changes),
        trailers=_believed_less(vault, changes),
    )


def _believed_less(vault: Vault, changes: Sequence[Write | Remove]) -> tuple[tuple[str, str], ...]:
    """Trailers that keep what new notes say of themselves, when that is less than the person's.

    A writer that was killed before its commit leaves such notes: without a record, a later edit
    of their front matter would be believed.
    """
    states = vault.index.files([change.path.as_posix() for change in changes])
    fresh = (c.path for c in changes if not states[c.path.as_posix()].head_oid)
    rows = vault.index.notes(set(fresh)).values()
    return trust_trailers(
        {row.id: row.trust for row in rows if row.id and row.type in ("item", "resource")}
    )


def _as_saved(vault: Vault, name: str, oid: str) -> Write | Remove | None:
    """The file as the index saw it; None when it changed again since (the next sync takes it)."""
    path = PurePosixPath(name)
    if not oid:
        # Too large, unreadable or behind a link now: not in the index, but not gone from disk.
        return Remove(path=path, expects=Oid("")) if files.is_path_gone(vault.root, path) else None
    try:
        data = files.read(vault.root, path, limit=None)
    except VaultmemError as error:
        if is_refusal(error) and not is_of_some_files(error.__cause__):
            raise
        return None
    if blob_oid(data, algorithm=vault.history.algorithm) != oid:
        return None
    return Write(path=path, content=data, expects=Oid(oid))


def _edit_subject(changes: Sequence[Write | Remove]) -> str:
    are_notes = [is_markdown(change.path.name) for change in changes]
    pairs = zip(changes, are_notes, strict=True)
    names = [each.path.stem if is_note else each.path.name for each, is_note in pairs]
    if len(names) == 1:
        verb = "delete " if isinstance(changes[0], Remove) else ""
        return subject("edit", verb + names[0])
    return subject(
        "edit", f"{pluralise(len(names), 'note' if all(are_notes) else 'file')}: {', '.join(names)}"
    )
