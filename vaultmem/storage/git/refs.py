"""HEAD and branches, read as files: no process, and no setting of the vault, is involved."""

from __future__ import annotations

import os
import time
from pathlib import PurePosixPath

from vaultmem.base import (
    HistoryDamagedError,
    MissingFileError,
    NamedTuple,
    VaultmemError,
    is_refusal,
)
from vaultmem.storage.files import read
from vaultmem.storage.git.repository import LOCK, Repository

HEAD = "HEAD"
_REF_LIMIT = 4096
_PACKED_LIMIT = 1 << 28
_MOST_LOOKS = 200  # at a branch that is about to get its name, a pause after each
_PAUSE_SECONDS = 0.01
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
    """Where HEAD is now; raises HistoryDamagedError when that cannot be read."""
    repository.require_whole()
    name = HEAD
    for _ in range(_LONGEST_CHAIN):
        text = _loose(repository, name)
        if text is None:
            if name == HEAD:
                raise _damaged_ref_error(HEAD, "it is missing")
            oid = _read_packed_ref(repository, name)
            if oid is None and (lost := last_logged(repository, name)):
                # Git would take this for a branch without commits, and begin anew.
                text, oid = _read_again(repository, name)
                if text is None and oid is None:
                    raise _damaged_ref_error(
                        name, f"it is missing; by its log it was at {lost[:10]}"
                    )
            if text is None:
                return Head(ref=name, oid=oid)
        if not text.startswith("ref:"):
            return Head(ref=name, oid=_oid(repository, name, text))
        name = text[4:].strip()
        require_ref_name(name)
    raise _damaged_ref_error(HEAD, "it points to itself")


def _read_again(repository: Repository, name: str) -> tuple[str | None, str | None]:
    """A reference that was missing, loose and packed, once nobody is making it any more.

    The first commit of a branch is in its log before the branch has its name, under its lock.
    """
    lock = repository.git_dir / (name + LOCK)
    for _ in range(_MOST_LOOKS):
        is_locked = os.path.lexists(lock)
        text, oid = _loose(repository, name), _read_packed_ref(repository, name)
        if text is not None or oid is not None or not is_locked:
            break
        time.sleep(_PAUSE_SECONDS)
    return text, oid


def last_logged(repository: Repository, name: str) -> str:
    """The value that the log of a reference says it got last; '' when nothing says so."""
    return next(iter(read_reflog(repository, name)), "")


def read_reflog(repository: Repository, name: str) -> tuple[str, ...]:
    """Values that a reference had by its log, newest first; lines that are torn say nothing."""
    try:
        data = read(repository.git_dir, PurePosixPath("logs", name), limit=_PACKED_LIMIT)
    except VaultmemError as error:
        if is_refusal(error):
            raise
        return ()
    digits = len(repository.zero)
    found = []
    for line in reversed(data.split(b"\n")):
        new = line[digits + 1 : 2 * digits + 1].decode("ascii", "replace")
        if line[digits : digits + 1] == b" " and is_oid(repository, new) and new not in found:
            found.append(new)
    return tuple(oid for oid in found if oid != repository.zero)


def is_oid(repository: Repository, text: str) -> bool:
    """Whether this is the id of an object, in full."""
    return len(text) == len(repository.zero) and set(text) <= set("0123456789abcdef")


def read_ref(repository: Repository, name: str) -> str | None:
    """Object id of a full reference name; None when there is none. Not through other names."""
    require_ref_name(name)
    text = _loose(repository, name)
    if text is None:
        return _read_packed_ref(repository, name)
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
        raise _damaged_ref_error(HEAD, f"'{name}' is not the name of a branch")


def _loose(repository: Repository, name: str) -> str | None:
    try:
        data = read(repository.git_dir, PurePosixPath(name), limit=_REF_LIMIT)
    except MissingFileError:
        return None
    except VaultmemError as error:
        # A folder of that name means that the reference itself is only in packed-refs.
        if name != HEAD and (repository.git_dir / name).is_dir():
            return None
        if is_refusal(error):
            raise  # no descriptors left, say: the reference is as it was
        repository.require_own()
        raise _damaged_ref_error(name, error.message) from error
    return data.decode("utf-8", "surrogateescape").strip()


def _oid(repository: Repository, name: str, text: str) -> str:
    if not is_oid(repository, text):
        raise _damaged_ref_error(name, "it is empty" if not text else "it holds no object id")
    return text


def _read_packed_ref(repository: Repository, name: str) -> str | None:
    try:
        data = read(repository.git_dir, PurePosixPath("packed-refs"), limit=_PACKED_LIMIT)
    except MissingFileError:
        return None
    digits = len(repository.zero)
    at = data.find(b" " + name.encode("utf-8", "surrogateescape") + b"\n")
    if at < digits or (at > digits and data[at - digits - 1 : at - digits] != b"\n"):
        return None
    return _oid(repository, name, data[at - digits : at].decode("ascii", "replace"))


def _damaged_ref_error(name: str, why: str) -> HistoryDamagedError:
    return HistoryDamagedError(
        f"the reference '{name}' of the repository cannot be used: {why}",
    )
