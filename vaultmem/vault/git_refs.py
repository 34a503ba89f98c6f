"""HEAD and branches, read as files: no process, and no setting of the vault, is involved."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import NamedTuple

from vaultmem.errors import HistoryError, MissingFileError, VaultmemError
from vaultmem.vault.git_repository import LOCK, Repository
from vaultmem.vault.reading import read

HEAD = "HEAD"
_REF_LIMIT = 4096
_PACKED_LIMIT = 1 << 28
_LONGEST_CHAIN = 5  # as git: MAXDEPTH of symbolic references
_FORBIDDEN = frozenset("\\ ~^:?*[\x7f") | {chr(code) for code in range(32)}


class Head(NamedTuple):
    """Where HEAD is."""

    ref: str  # the reference that a commit moves: a branch, or HEAD itself when detached
    oid: str | None  # None: no commit yet (unborn)

    @property
    def branch(self) -> str | None:
        """Name of the branch; None when HEAD is detached."""
        return self.ref.removeprefix("refs/heads/") if self.ref != HEAD else None


def read_head(repository: Repository) -> Head:
    """Where HEAD is now; raises HistoryError when that cannot be read."""
    name = HEAD
    for _ in range(_LONGEST_CHAIN):
        text = _loose(repository, name)
        if text is None:
            if name == HEAD:
                raise _damaged(HEAD, "it is missing")
            return Head(ref=name, oid=_packed(repository, name))
        if not text.startswith("ref:"):
            return Head(ref=name, oid=_oid(repository, name, text))
        name = text[4:].strip()
        require_ref_name(name)
    raise _damaged(HEAD, "it points to itself")


def read_ref(repository: Repository, name: str) -> str | None:
    """Object id of a full reference name; None when there is none. Not through other names."""
    require_ref_name(name)
    text = _loose(repository, name)
    if text is None:
        return _packed(repository, name)
    return None if text.startswith("ref:") else _oid(repository, name, text)


def require_ref_name(name: str) -> None:
    """Refuse what is no full reference name (git-check-ref-format), such as a path outside."""
    parts = name.split("/")
    if (
        parts[0] != "refs"
        or len(parts) < 3
        or any(not part or part[0] == "." or part.endswith(LOCK) for part in parts)
        or ".." in name
        or "@{" in name
        or not _FORBIDDEN.isdisjoint(name)
    ):
        raise _damaged(HEAD, f"'{name}' is not the name of a branch")


def _loose(repository: Repository, name: str) -> str | None:
    try:
        data = read(repository.git_dir, PurePosixPath(name), limit=_REF_LIMIT)
    except MissingFileError:
        return None
    except VaultmemError as error:
        # A folder of that name means that the reference itself is only in packed-refs.
        if name != HEAD and (repository.git_dir / name).is_dir():
            return None
        raise _damaged(name, error.message) from error
    return data.decode("utf-8", "surrogateescape").strip()


def _oid(repository: Repository, name: str, text: str) -> str:
    if len(text) != len(repository.zero) or not set(text) <= set("0123456789abcdef"):
        raise _damaged(name, "it is empty" if not text else "it holds no object id")
    return text


def _packed(repository: Repository, name: str) -> str | None:
    try:
        data = read(repository.git_dir, PurePosixPath("packed-refs"), limit=_PACKED_LIMIT)
    except MissingFileError:
        return None
    digits = len(repository.zero)
    at = data.find(b" " + name.encode("utf-8", "surrogateescape") + b"\n")
    if at < digits or (at > digits and data[at - digits - 1 : at - digits] != b"\n"):
        return None
    return _oid(repository, name, data[at - digits : at].decode("ascii", "replace"))


def _damaged(name: str, why: str) -> HistoryError:
    return HistoryError(
        f"the reference '{name}' of the repository cannot be used: {why}",
        hint="your notes are safe; `git reflog` and `git fsck` help to find the last commit",
    )
