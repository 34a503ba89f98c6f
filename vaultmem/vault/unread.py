"""What lies in the vault and cannot be read just now: kept as last known, and told.

A file that its owner locked, that another program holds, or that a disk does not give up is not
gone: taken for gone, a list of the person's would have its memories retracted. So its rows stay as
they were, or are those of the last commit where the index is new; nothing that it may have become
is committed or settled; and each command says so, until it can be read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from vaultmem import model
from vaultmem.base import TYPE_CHECKING, DiskError, MissingFileError, VaultmemError, dataclass
from vaultmem.model import FileState, Problem
from vaultmem.storage import files, index, notes

if TYPE_CHECKING:
    from vaultmem.vault.vault import Vault

CODE = "unreadable"  # of the problem
FOLDER_CODE = "folder-unreadable"
_NOTED = "unread"  # key in the index, and origin of the problems
_BREAK = "\0"  # not in any file name
_FOLDER = "/"  # ends the name of a folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """Files that could not be read when they were last looked at, and folders not listed."""

    files: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.files or self.folders)

    def holds(self, path: str) -> bool:
        """Whether a file is among them, or in one of the folders."""
        return path in self.files or any(path.startswith(f"{each}/") for each in self.folders)


def read_noted(vault: Vault) -> Unread:
    """What could not be read at the last refresh; one look into the index."""
    words = [word for word in (vault.index.meta(_NOTED) or "").split(_BREAK) if word]
    return Unread(
        files=frozenset(word for word in words if not word.endswith(_FOLDER)),
        folders=tuple(word[:-1] for word in words if word.endswith(_FOLDER)),
    )


def problems(vault: Vault) -> tuple[Problem, ...]:
    """What there is to say of it, by path; () mostly, after one look into the index.

    () too where the index was closed to be made anew and that failed: then it knows nothing.
    """
    if not vault.index.is_open or not vault.index.meta(_NOTED):
        return ()
    codes = (CODE, FOLDER_CODE)
    return tuple(problem for problem in vault.index.problems() if problem.code in codes)


def folders_of(problems: Iterable[Problem]) -> tuple[str, ...]:
    """The folders that a scan could not list, by its problems."""
    return tuple(each.path.as_posix() for each in problems if each.code == FOLDER_CODE)


def require_none(vault: Vault, *, doing: str) -> None:
    """Raise DiskError where something cannot be read and `doing` has to look into every note."""
    found = problems(vault)
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        raise DiskError(
            f"cannot {doing}: '{found[0].path}'{more} cannot be read now, and may hold it",
            hint="`vaultmem check` names what cannot be read; nothing was changed",
        )


def still(vault: Vault, paths: Iterable[str]) -> dict[str, str]:
    """Those of the paths at which something lies that is not read, and why."""
    limit = min(files.NOTE_LIMIT, vault.settings.limits_note_bytes)
    found = {path: files.why_unread(vault.root, PurePosixPath(path), limit=limit) for path in paths}
    return {path: why for path, why in found.items() if why}


def keep(vault: Vault, refused: Mapping[str, str], seen: Sequence[Problem]) -> None:
    """Remember what could not be read, and give what the index does not know its last rows.

    refused  path -> why; in a transaction of the index, once it knows the last commit
    seen     the problems of the scan
    raises   HistoryDamagedError when the last commit cannot be read either
    """
    folders = folders_of(seen)
    files = [path for path in refused if not any(path.startswith(f"{f}/") for f in folders)]
    words = (*sorted(files), *(each + _FOLDER for each in sorted(folders)))
    if _BREAK.join(words) != (vault.index.meta(_NOTED) or ""):
        vault.index.set_meta(_NOTED, _BREAK.join(words))
    told = [_problem(path, refused[path]) for path in sorted(files)]
    told += [each for each in seen if each.code == FOLDER_CODE]
    vault.index.set_problems(_NOTED, told)
    _take_from_head(vault, refused)


def _problem(path: str, why: str) -> Problem:
    return Problem(
        path=PurePosixPath(path),
        code=CODE,
        message=f"this note cannot be read now, and is kept as it was last known: {why}",
        hint="once it can be read again, all is as before; to be rid of it, delete it",
    )


def _take_from_head(vault: Vault, refused: Iterable[str]) -> None:
    """Rows as of the last commit for files of which the index has none."""
    states = vault.index.files(refused)
    asked = [state for state in states.values() if state.head_oid and not state.oid]
    if not asked:
        return

    zone = vault.settings.timezone
    data = dict(vault.history.blobs({model.Oid(state.head_oid) for state in asked}))
    preparer = index.Preparer(zone=vault.index.zone)
    for state in asked:
        text, oid = data.get(model.Oid(state.head_oid)), model.Oid(state.head_oid)
        if text is not None:
            # The bytes of the commit count as those on disk, or the file would wait to be committed
            # as it was.
            record = notes.decode(PurePosixPath(state.path), text, oid, zone=zone)
            vault.index.put_prepared(preparer.prepare([record]))
            vault.index.set_files([FileState(path=state.path, oid=oid, head_oid=oid)])


def unreadable_paths(vault: Vault) -> frozenset[str]:
    """Paths that are neither committed nor settled now: those files, and all in those folders."""
    now = read_noted(vault)
    if not now:
        return frozenset()
    inside = (path for path in vault.index.files(None) if now.holds(path)) if now.folders else ()
    return now.files.union(inside)


def last_text(vault: Vault, path: PurePosixPath) -> bytes | None:
    """As `text`, for those that only look at many notes; None where there is none."""
    try:
        return text(vault, path)
    except MissingFileError:
        return None


def text(vault: Vault, path: PurePosixPath) -> bytes:
    """A note as it is; one that cannot be read just now as the last commit has it.

    raises  as `vault.files.read`
    """
    try:
        return files.read(vault.root, path, limit=vault.settings.limits_note_bytes)
    except VaultmemError:
        if not read_noted(vault).holds(path.as_posix()):
            raise
        head = vault.history.head()
        data = vault.history.text_at(head, path.as_posix()) if head is not None else None
        if data is None:
            raise
        return data
