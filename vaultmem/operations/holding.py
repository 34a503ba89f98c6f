"""Secrets that a person saved in a note: kept out of the history until they say otherwise.

The note is theirs and stays as it is. Only a secret that the last commit does not have holds a
note back; what is in the history already is named by `check`, and no reason to hold anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from vaultmem.errors import HeldBackError, VaultmemError
from vaultmem.model.records import Problem, Severity

if TYPE_CHECKING:
    from vaultmem.model.plans import Remove, Write
    from vaultmem.model.scan import FileState
    from vaultmem.operations.parts import Parts
    from vaultmem.privacy.secrets import Secret

ALLOW = "allow"


def held_back(parts: Parts, paths: frozenset[str] | None = None) -> tuple[Problem, ...]:
    """New secrets in uncommitted notes, by path and line; none where the settings allow them.

    paths  look at these only; None: at every uncommitted note
    """
    if parts.settings.secrets_edited == ALLOW:
        return ()
    found: list[Problem] = []
    for state in parts.index.pending():
        if state.oid and (paths is None or state.path in paths):
            found += (_uncommitted(state.path, secret) for secret in _new(parts, state))
    return tuple(found)


def require_free(parts: Parts, changes: Sequence[Write | Remove]) -> None:
    """Refuse to commit a note together with a new secret that a person saved in it."""
    held = held_back(parts, frozenset(change.path.as_posix() for change in changes))
    if held:
        raise HeldBackError(held[0].path, line=held[0].line or 1, what=held[0].message)


def in_history(parts: Parts) -> Iterator[Problem]:
    """Secrets in notes as they were last committed."""
    for state in parts.index.files(None).values():
        if not state.oid or state.oid != state.head_oid:
            continue
        _, secrets = _secrets_of(parts, state.path)
        for secret in secrets:
            yield Problem(
                path=PurePosixPath(state.path),
                line=secret.line,
                code="secret-in-history",
                message=f"what looks like a secret is in the history: {secret.kind}",
                hint="change it where it is used; taking it out of the note leaves it in the past",
                severity=Severity.INFO,
            )


def _uncommitted(path: str, secret: Secret) -> Problem:
    return Problem(
        path=PurePosixPath(path),
        line=secret.line,
        code="secret-uncommitted",
        message=f"what looks like a secret keeps this note out of the history: {secret.kind}",
        hint="take it out, or let it be committed: `vaultmem sync --allow-secrets`",
        severity=Severity.WARNING,
    )


def _new(parts: Parts, state: FileState) -> tuple[Secret, ...]:
    """Secrets on disk that the last commit of the note does not have."""
    text, secrets = _secrets_of(parts, state.path)
    if not secrets or not state.head_oid:
        return secrets
    from vaultmem.privacy.secrets import find_secrets

    head = parts.history.head()
    before = parts.history.text_at(head, state.path) if head is not None else None
    committed = (before or b"").decode("utf-8", "replace")
    known = {committed[one.start : one.end] for one in find_secrets(committed)}
    return tuple(one for one in secrets if text[one.start : one.end] not in known)


def _secrets_of(parts: Parts, path: str) -> tuple[str, tuple[Secret, ...]]:
    """The text of a note on disk and its secrets; nothing of one that cannot be read."""
    from vaultmem.privacy.secrets import find_secrets
    from vaultmem.vault.files import read

    try:
        data = read(parts.root, PurePosixPath(path), limit=None)
    except VaultmemError:
        return "", ()
    text = data.decode("utf-8", "replace")
    return text, find_secrets(text)
