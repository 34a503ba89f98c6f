"""`check --deep`: nothing is believed that was believed before; everything is read again.

Files against the index whatever their times say, the index against one built anew, the last
commit against what the index knows of it, and every object of the repository by its hash.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.base.errors import HistoryDamagedError
from vaultmem.check.repository import lost, to_mend
from vaultmem.model.notes import Problem, Severity
from vaultmem.vault import level

if TYPE_CHECKING:
    from vaultmem.model.ports import Progress
    from vaultmem.vault.vault import Parts

_INDEX = PurePosixPath("index.sqlite")
# Problems of the whole vault are found anew by each refresh, and some wait for a command.
_NOT_OF_NOTES = "problems"


def deep_problems(parts: Parts, progress: Progress | None) -> Iterator[Problem]:
    """What only reading everything again can find; the parts must be a copy (scratch.py)."""
    if progress is not None:
        progress("reading objects", 0, 1)
    try:
        yield from _forged_indexes(parts)
        yield from lost(parts.history.damage(deep=True))
    except HistoryDamagedError as error:
        yield from lost((error.message,))
    if progress is not None:
        progress("reading objects", 1, 1)
    yield from _unseen(parts, progress)
    yield from _head(parts)
    yield from _index(parts, progress)


def _forged_indexes(parts: Parts) -> Iterator[Problem]:
    """Indexes of packs that name other objects than they hold: what a plain check believes."""
    from vaultmem.check.repair import repair_of

    plain = {step.path for step in repair_of(parts).plan()}
    for step in repair_of(parts, deep=True).plan():
        if step.path not in plain and step.kind == "pack-index":
            yield to_mend(step)


def _unseen(parts: Parts, progress: Progress | None) -> Iterator[Problem]:
    """Files that are other than the index believes, though size and times say that they are not."""
    refreshed = level.refresh(parts, rehash=True, progress=progress)
    for path in (*refreshed.changed, *refreshed.removed):
        yield Problem(
            path=path,
            code="changed-unseen",
            message="the file changed, but neither its size nor its times did",
            hint="`vaultmem sync --rehash` takes it in",
            severity=Severity.WARNING,
        )


def _head(parts: Parts) -> Iterator[Problem]:
    """Files of which the index holds another state in the last commit than the commit does."""
    from vaultmem.storage.git.log import tracked_paths

    try:
        head = parts.history.head()
        found = parts.history.tree(head, ()) if head is not None else {}
    except HistoryDamagedError:
        return  # told already
    is_tracked = tracked_paths(parts.settings.include)
    tree = {path: oid for path, oid in found.items() if is_tracked(path)}
    known = {path: state.head_oid for path, state in parts.index.files(None).items()}
    for path in sorted({*tree, *known}):
        if tree.get(path, "") != known.get(path, ""):
            yield Problem(
                path=PurePosixPath(path),
                code="index-differs",
                message="the index holds another state of the last commit than the commit does",
                hint="`vaultmem reindex` builds it anew",
            )


def _index(parts: Parts, progress: Progress | None) -> Iterator[Problem]:
    """Where the index, level with the files now, is not what one built from them would be."""
    updated = parts.index.dump()
    level.rebuild(parts)
    level.refresh(parts, rehash=True, progress=progress)
    built = parts.index.dump()
    wrong = [name for name in built if name != _NOT_OF_NOTES and built[name] != updated.get(name)]
    if wrong:
        yield Problem(
            path=_INDEX,
            code="index-differs",
            message=f"the index is not what the files come to ({', '.join(wrong)})",
            hint="`vaultmem reindex` builds it anew",
        )
