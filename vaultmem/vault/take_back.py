"""A change whose process died between its files and its commit: the files come back.

What is missing without a commit counts as a person's deletion, and what they delete did not only
end: that is why a compaction does this. Files of our own folder are nobody's edit, so no other
writer would commit them. So a durable note in the device state says what is about to change, and
the next writer puts back what did without getting into the history.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePosixPath

from vaultmem import base
from vaultmem.base import TYPE_CHECKING, DiskError
from vaultmem.model import Oid, Remove, Write, blob_oid
from vaultmem.vault.apply import publish_files
from vaultmem.vault.vault import COMPACTING
from vaultmem.vault.working_copy import WorkingCopy

if TYPE_CHECKING:
    from vaultmem.vault.vault import Vault


@contextmanager
def journal_changes(vault: Vault, changes: Sequence[Write | Remove]) -> Iterator[None]:
    """While these changes are carried out, a note tells the next writer of them."""
    algorithm = vault.history.algorithm
    told = [
        [
            change.path.as_posix(),
            change.expects or "",
            blob_oid(change.content, algorithm=algorithm) if isinstance(change, Write) else "",
        ]
        for change in changes
    ]
    file = vault.state / COMPACTING
    try:
        base.replace_file(file, json.dumps(told).encode(), is_durable=True)
    except OSError as error:
        raise DiskError(f"cannot write '{file}': {error.strerror}") from error
    yield
    _forget(vault)


def take_back(vault: Vault) -> None:
    """Give the files back that went without a commit, unless somebody changed them since.

    Idempotent; under the writer lock.
    """
    try:
        told = json.loads((vault.state / COMPACTING).read_bytes())
        entries = [(str(path), str(before), str(after)) for path, before, after in told]
    except (OSError, ValueError, TypeError):
        entries = []  # nothing that can be read: the files are as they are
    changes = list(_changes(vault, entries))
    if changes:
        publish_files(vault, changes)
    _forget(vault)


def _changes(vault: Vault, entries: Sequence[tuple[str, str, str]]) -> Iterator[Write | Remove]:
    head = vault.history.head()
    if head is None or not entries:
        return
    committed = vault.history.tree(head, [path for path, _, _ in entries])
    working_copy = WorkingCopy(vault)
    texts = dict(vault.history.blobs(sorted({before for _, before, _ in entries if before})))
    for path, before, after in entries:
        data = working_copy.text(PurePosixPath(path))
        now = "" if data is None else blob_oid(data, algorithm=vault.history.algorithm)
        if now != after or committed.get(path, "") != before:
            continue
        text = texts.get(before)
        if not before and after:
            yield Remove(path=PurePosixPath(path), expects=Oid(after))
        elif text is not None:
            expects = Oid(after) if after else None
            yield Write(path=PurePosixPath(path), content=text, expects=expects)


def _forget(vault: Vault) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(vault.state / COMPACTING)
