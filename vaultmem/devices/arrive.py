"""Take a commit that came from elsewhere into the folder: files, branch, index.

The commit is durable before the first file is touched, and a note in the device state says which
it is; a process that dies in between leaves that note, and the next writer finishes the job
(`finish`). A file that differs from what the last commit says is the person's, and is never
written over.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import PurePosixPath

from vaultmem import base
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, DiskError, HistoryError, MissingFileError, VaultmemError
from vaultmem.devices.incoming import is_withheld
from vaultmem.model import Oid, Remove, Write, blob_oid
from vaultmem.storage import files
from vaultmem.vault import ARRIVING, publish_files

if TYPE_CHECKING:
    from vaultmem.storage.git import Entry
    from vaultmem.vault import Vault

_SHOWN = 5


class UncommittedError(HistoryError):
    """Files that came have changes here that are in no commit."""

    def __init__(self, paths: list[str], *, hint: str) -> None:
        names = ", ".join(f"'{path}'" for path in paths[:_SHOWN])
        more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
        super().__init__(f"changed here and not committed: {names}{more}", hint=hint)
        self.paths = tuple(paths)


def arrive(vault: Vault, new: str, *, reason: str) -> None:
    """Bring files and branch from HEAD to `new`, which has HEAD below it; under the writer lock.

    raises  UncommittedError, StaleFileError, HeadMovedError; nothing is changed then
    """
    head = vault.history.head()
    changed = vault.history.exchange().changes(head, new)
    plan = _plan(vault, head, changed)
    # The branch moves with the index at these paths, so what the person staged of them would be
    # lost (tests/devices/test_exchange.py::test_what_is_staged_stays_staged).
    staged = sorted(vault.history.staged_paths(()) & changed.keys()) if changed else []
    if plan.dirty or staged:
        raise UncommittedError(
            sorted({*plan.dirty, *staged}),
            hint="`vaultmem check` says so if a secret keeps them out of the history; else commit "
            "or undo the changes with git, then run the command again",
        )
    _note(vault, head or "", new)
    _carry_out(vault, head, new, changed, plan.writes, reason)


def finish(vault: Vault) -> bool:
    """Finish what a process that died had begun; whether there was something to finish.

    Idempotent. A file that the person changed since keeps both: their change is merged.
    """
    file = vault.state / ARRIVING
    try:
        head, _, new = file.read_text(encoding="ascii").strip().partition(" ")
    except FileNotFoundError:
        return False
    history = vault.history
    # A branch that is elsewhere by now had moved before the process died, or was moved by the
    # person: both times there is nothing left to finish.
    if history.head() == head and new and history.exists(new):
        changed = history.exchange().changes(head, new)
        plan = _plan(vault, head, changed)
        mended = (_merge_edited(vault, head, path, changed[path]) for path in plan.dirty)
        writes = [*plan.writes, *(write for writes in mended for write in writes)]
        _carry_out(vault, head, new, changed, writes, "pull: finished after an interruption")
        return True
    _forget(vault)
    return False


class _Plan:
    """What has to be written, and what cannot be."""

    def __init__(self) -> None:
        self.writes: list[Write | Remove] = []
        self.dirty: list[str] = []


def _plan(vault: Vault, head: str | None, changed: Mapping[str, Entry | None]) -> _Plan:
    from vaultmem.devices.combine import regular  # saves 7 modules

    plan = _Plan()
    shown = {path: entry for path, entry in changed.items() if not is_withheld(path)}
    before = _before(vault, head, shown)
    data = dict(vault.history.blobs({entry.oid for _, entry in regular(shown)}))
    for path, entry in sorted(shown.items()):
        place = PurePosixPath(path)
        found = _on_disk(vault, place)
        wanted = None if entry is None else entry.oid
        # A process that died may have published some of the files already.
        if found == wanted:
            continue
        if found != before.get(path):
            plan.dirty.append(path)
        elif wanted is None:
            plan.writes.append(Remove(path=place, expects=Oid(found or "")))
        else:
            content = data[wanted]
            if content is None:
                raise HistoryError(f"the content of '{path}' is missing in the repository")
            expects = None if found is None else Oid(found)
            plan.writes.append(Write(path=place, content=content, expects=expects))
    return plan


def _before(
    vault: Vault, head: str | None, changed: Mapping[str, Entry | None]
) -> dict[str, str | None]:
    """Blob ids of the last commit at these paths."""
    if head is None:
        return {}
    tree = vault.history.exchange().entries(head)
    return {path: tree[path].oid for path in changed if path in tree}


def _on_disk(vault: Vault, path: PurePosixPath) -> str | None:
    """Blob id of the file as it is; None: there is none. A link or the like is no file of ours."""
    data = _read(vault, path)
    return None if data is None else blob_oid(data, algorithm=vault.history.algorithm)


def _read(vault: Vault, path: PurePosixPath) -> bytes | None:
    try:
        return files.read(vault.root, path, limit=None)
    except MissingFileError:
        return None


def _merge_edited(vault: Vault, head: str, path: str, entry: Entry | None) -> list[Write | Remove]:
    """The person changed it while the change of the other side was on its way: both count."""
    from vaultmem.devices.combine import merge_any  # saves 7 modules

    place = PurePosixPath(path)
    ours = _read(vault, place)
    theirs = None if entry is None else _blob(vault, entry.oid)
    base = vault.history.text_at(head, path) if head else None
    now = vault.clock.now()
    merged = merge_any(place, base, ours, theirs, ours_at=now, theirs_at=now)
    expects = None if ours is None else blob_oid(ours, algorithm=vault.history.algorithm)
    if merged.content is None:
        return [Remove(path=place, expects=expects or Oid(""))]
    beside = [(place.with_name(f"{place.stem}{c.suffix}{place.suffix}"), c) for c in merged.copies]
    return [
        Write(path=place, content=merged.content, expects=expects),
        *(
            Write(path=path, content=copy.content, expects=None)
            for path, copy in beside
            # An attempt that died may have written the copy already, and `expects` None refuses a
            # file that is there.
            if _on_disk(vault, path) is None
        ),
    ]


def _blob(vault: Vault, oid: str) -> bytes | None:
    return dict(vault.history.blobs([oid]))[oid]


def _carry_out(
    vault: Vault,
    head: str | None,
    new: str,
    changed: Mapping[str, Entry | None],
    writes: list[Write | Remove],
    reason: str,
) -> None:
    try:
        publish_files(vault, writes)
        try:
            _advance(vault, head, new, changed, reason)
        except VaultmemError:
            with contextlib.suppress(VaultmemError):  # the branch stayed: so do the files
                publish_files(vault, [_taken_back(vault, each) for each in reversed(writes)])
            raise
    except VaultmemError:
        _forget(vault)
        raise
    _forget(vault)


def _advance(
    vault: Vault,
    head: str | None,
    new: str,
    changed: Mapping[str, Entry | None],
    reason: str,
) -> None:
    """Move the branch; the ledger of this device knows of it before and after."""
    exchange = vault.history.exchange()
    vaults.ledger.announce(vault, [vaults.ledger.Making("pull", vault.clock.now())], [new])
    exchange.advance(head, new, changed, reason=reason)
    vaults.ledger.note_pulled(vault, exchange.commits(head, new))


def _taken_back(vault: Vault, change: Write | Remove) -> Write | Remove:
    """The change that undoes one that was just published."""
    before = None if change.expects is None else _blob(vault, change.expects)
    after = (
        blob_oid(change.content, algorithm=vault.history.algorithm)
        if isinstance(change, Write)
        else None
    )
    if before is None:
        return Remove(path=change.path, expects=after or Oid(""))
    return Write(path=change.path, content=before, expects=after)


def _note(vault: Vault, head: str, new: str) -> None:
    """Durable before the first file changes."""
    file = vault.state / ARRIVING
    try:
        base.replace_file(file, f"{head} {new}\n".encode(), is_durable=True)
    except OSError as error:
        raise DiskError(f"cannot write '{file}': {error.strerror}") from error


def _forget(vault: Vault) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(vault.state / ARRIVING)
