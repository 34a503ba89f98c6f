"""Secrets that a person saved in a note: kept out of the history until they say otherwise.

The note is theirs and stays as it is. Only a secret that the last commit does not have holds a
note back; what is in the history already is named by `check`, and no reason to hold anything.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from zlib import crc32

from vaultmem import base, model, privacy
from vaultmem.base import (
    TYPE_CHECKING,
    BusyError,
    DiskError,
    HeldBackError,
    VaultmemError,
    is_of_some_files,
    is_refusal,
)
from vaultmem.model import Problem, Remove, Severity, Write
from vaultmem.storage import files
from vaultmem.vault import level

if TYPE_CHECKING:
    from vaultmem.model import FileState
    from vaultmem.privacy import Secret
    from vaultmem.vault.vault import Vault

ALLOW = "allow"
_MANY = 2_000  # notes that are searched in two processes
_MOST_AGAIN = 64  # notes looked through by every command; a transaction costs more than they do


def held_back(vault: Vault, *, keeps: bool = False) -> tuple[Problem, ...]:
    """What keeps uncommitted notes out of the history: new secrets, and erased texts.

    keeps  in the index, in which notes nothing was found; not inside a snapshot of it
    """
    return (
        *_secrets_in(vault, keeps=keeps),
        *(_came_back(path) for path in sorted(_erased_paths(vault))),
    )


def _secrets_in(vault: Vault, *, keeps: bool) -> tuple[Problem, ...]:
    """New secrets in uncommitted notes, by path and line; none where the settings allow them."""
    if vault.settings.secrets_edited == ALLOW:
        return ()
    found: list[Problem] = []
    clean: list[FileState] = []
    for state in _unsearched_files(vault):
        text, named = _as_seen(vault, state), _in_name(state.path)
        secrets = privacy.find_secrets(text or "")
        if text is not None and not (secrets or named):
            clean.append(state)
            continue
        new = _not_committed(vault, state, text or "", secrets)
        each_of = (*(() if state.head_oid else named), *new)
        found += [_uncommitted_problem(state.path, secret) for secret in each_of]
    if keeps and len(clean) > _MOST_AGAIN:
        with suppress(BusyError, DiskError):  # then they are looked through again
            level.keep_clean(vault, clean, by=_stamp())
    return tuple(found)


def _unsearched_files(vault: Vault) -> tuple[FileState, ...]:
    """Uncommitted notes in whose present bytes these detectors may find a secret."""
    by = vault.index.meta(level.SEARCHED_BY)
    # For which bytes nothing was found is kept: a `sync` beside 122,000 uncommitted notes took 19
    # to 24 s, and takes one.
    if by and by != _stamp():
        return tuple(state for state in vault.index.pending() if state.oid)
    return vault.index.unsearched_files()


def _stamp() -> str:
    """Another one for other detectors, which may see what these did not."""
    folder = Path(privacy.__file__).parent
    total = 0
    for file in sorted(folder.iterdir()):
        if file.is_file():
            total = crc32(file.read_bytes(), total)
    return f"{total:08x}"


def held_paths(vault: Vault, *, allow_secrets: bool = False) -> frozenset[str]:
    """Uncommitted notes that are not to be committed now: those with new secrets or texts that
    were erased for good, and those that are being saved this moment, so that nobody has looked at
    what a commit would hold."""
    found = set(_erased_paths(vault))
    if allow_secrets or vault.settings.secrets_edited == ALLOW:
        return frozenset(found)
    # Those that were looked through stay so while they wait: of 122,000 each was read again by each
    # settling. A commit takes the bytes that the index knows, or leaves the file out. Lists are
    # compared by what is on disk now, so they are always looked at.
    lists = [path for path in vault.index.pending_paths() if path.startswith(f"{files.STREAMS}/")]
    states = {state.path: state for state in _unsearched_files(vault)}
    for state in {**vault.index.files(lists), **states}.values():
        text = _as_seen(vault, state) if state.oid else ""
        is_named_so = bool(state.oid and not state.head_oid and _in_name(state.path))
        if text is None or is_named_so or _new(vault, state, text):
            found.add(state.path)
    return frozenset(found)


def withheld(
    vault: Vault, edited: Sequence[Write | Remove], *, is_all: bool
) -> frozenset[PurePosixPath]:
    """Changes of uncommitted notes that would bring a new secret of the person's into a commit.

    is_all  there is nothing else to commit: raises HeldBackError when all are withheld
    """
    if vault.settings.secrets_edited == ALLOW:
        return frozenset()
    held: dict[PurePosixPath, Secret] = {}
    for change in edited:
        # Looked at once more, as a secret that was saved between taking in edits and our commit
        # went into the history.
        if isinstance(change, Write):
            secrets = _carried_secrets(vault, change)
            held.update((change.path, secret) for secret in secrets[:1])
    if is_all and len(held) == len(edited):
        path, secret = next(iter(held.items()))
        what = _uncommitted_problem(path.as_posix(), secret).message
        raise HeldBackError(path, line=secret.line, what=what)
    return frozenset(held)


def _carried_secrets(vault: Vault, change: Write) -> tuple[Secret, ...]:
    """Secrets of the file as it is that the last commit does not have and the change keeps."""
    try:
        before = files.read(vault.root, change.path, limit=None)
    except VaultmemError:
        return ()  # not what was planned against: nothing is published, then
    text, coming = before.decode("utf-8", "replace"), change.content.decode("utf-8", "replace")
    found = [(one, text[one.start : one.end]) for one in privacy.find_secrets(text)]
    # What the change takes out is no secret of the coming commit.
    found = [(one, words) for one, words in found if words in coming]
    path = change.path.as_posix()
    named = _in_name(path)
    if named and not _is_committed(vault, path):
        return named
    known = _committed_secrets(vault, path) if found else ()
    return tuple(one for one, words in found if words not in known)


def _in_name(path: str) -> tuple[Secret, ...]:
    """Secrets in the name of a note or of a folder that it is in; they have no line."""
    # A note called after a key was committed by sync, with the key in the path and in the message.
    names = path.removesuffix(".md").replace("/", "\n")
    return tuple(base.replace(secret, line=0) for secret in privacy.find_secrets(names))


def _is_committed(vault: Vault, path: str) -> bool:
    head = vault.history.head()
    return head is not None and vault.history.text_at(head, path) is not None


def in_history(vault: Vault) -> Iterator[Problem]:
    """Secrets in notes as they were last committed."""
    states = [
        state
        for state in vault.index.files(None).values()
        if state.oid and state.oid == state.head_oid
    ]
    for path, line, what in _committed_with_secrets(vault, states):
        yield Problem(
            path=PurePosixPath(path),
            line=line or None,
            code="secret-in-history",
            message=f"what looks like a secret is in the history: {what}",
            hint="change it where it is used; taking it out of the note leaves it in the past",
            severity=Severity.INFO,
        )


_Place = tuple[str, int, str]  # path, line (0: none), what it is


def _committed_with_secrets(vault: Vault, states: Sequence[FileState]) -> list[_Place]:
    """Where the secrets of these notes are; of many a child reads one half."""
    half = len(states) // 2 if len(states) >= _MANY else len(states)
    child = None
    if half < len(states):
        # Half of a `check` of 100,000 notes, 15 s of one core, while the other had nothing to do.
        vault.history  # noqa: B018 (opened before, and not in the child)
        child = files.scanning.fork(lambda: marshal.dumps(_search_each(vault, states[half:])))
    try:
        found = _search_each(vault, states[:half])
        asked, child = child, None
        answer = asked.answer() if asked is not None else None
    finally:
        if child is not None:
            child.kill()
    if answer is not None:
        more: list[_Place] = marshal.loads(answer)
        return [*found, *more]
    return [*found, *_search_each(vault, states[half:])]


def _search_each(vault: Vault, states: Sequence[FileState]) -> list[_Place]:
    return [
        (state.path, secret.line, _describe_secret(secret))
        for state, text in zip(states, _each_as_seen(vault, states), strict=True)
        for secret in (*_in_name(state.path), *privacy.find_secrets(text or ""))
    ]


def _erased_paths(vault: Vault) -> Iterator[str]:
    """Uncommitted notes that hold a text which was erased for good on this device."""
    if not os.path.exists(vault.settings.state.parent / "erased"):
        return
    from vaultmem.vault.erased import Erased  # saves 15 modules

    erased = Erased(vault.settings)
    for state in vault.index.pending() if erased else ():
        id_ = model.id_in_name(PurePosixPath(state.path).stem)
        text = _as_seen(vault, state) if state.oid else None
        # An editor may save erased words again: the next sync would have committed them.
        if text is not None and erased.holds(text, ids=(id_,) if id_ else ()):
            yield state.path


def _came_back(path: str) -> Problem:
    return Problem(
        path=PurePosixPath(path),
        code="erased-text",
        message="this note holds a text that was erased for good, so it is not committed",
        hint="take it out; `vaultmem forget --lift` lets all erased texts be kept again",
        severity=Severity.WARNING,
    )


def _uncommitted_problem(path: str, secret: Secret) -> Problem:
    return Problem(
        path=PurePosixPath(path),
        line=secret.line or None,
        code="secret-uncommitted",
        message="what looks like a secret keeps this note out of the history: "
        f"{_describe_secret(secret)}",
        hint="take it out, or let it be committed: `vaultmem sync --allow-secrets`",
        severity=Severity.WARNING,
    )


def _describe_secret(secret: Secret) -> str:
    return secret.kind if secret.line else f"{secret.kind}, in its name"


def _new(vault: Vault, state: FileState, text: str) -> tuple[Secret, ...]:
    """Secrets of the text that the last commit of the note does not have."""
    return _not_committed(vault, state, text, privacy.find_secrets(text))


def _not_committed(
    vault: Vault, state: FileState, text: str, secrets: tuple[Secret, ...]
) -> tuple[Secret, ...]:
    """Those of the secrets of a text that the last commit of the note does not have."""
    # A secret that the last commit has is no new one: held back for it the note could never be
    # edited again.
    if not secrets or not state.head_oid:
        return secrets
    known = _committed_secrets(vault, state.path)
    return tuple(one for one in secrets if text[one.start : one.end] not in known)


def _committed_secrets(vault: Vault, path: str) -> frozenset[str]:
    """The secrets of a note as it was last committed."""
    head = vault.history.head()
    data = vault.history.text_at(head, path) if head is not None else None
    text = (data or b"").decode("utf-8", "replace")
    return frozenset(text[one.start : one.end] for one in privacy.find_secrets(text))


def _as_seen(vault: Vault, state: FileState) -> str | None:
    """The note on disk; None when it is gone, or not what the index saw (it is being saved)."""
    [text] = _each_as_seen(vault, [state])
    return text


def _each_as_seen(vault: Vault, states: Sequence[FileState]) -> Iterator[str | None]:
    """Of each note what `_as_seen` says."""
    paths = [PurePosixPath(state.path) for state in states]
    # Neighbours share the opening of their folder: a `check` of 20,000 notes read them in 2 s.
    read = files.read_each(vault.root, paths, limit=None)
    for state, (_, data) in zip(states, read, strict=True):
        if isinstance(data, VaultmemError):
            # EMFILE and the like say nothing of this note: held for gone it would be committed as
            # deleted.
            if is_refusal(data) and not is_of_some_files(data.__cause__):
                raise data
            yield None
        elif model.blob_oid(data, algorithm=vault.history.algorithm) != state.oid:
            yield None
        else:
            yield data.decode("utf-8", "replace")
