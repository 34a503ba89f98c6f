"""Files that an assistant had elsewhere come into its folder, in one commit; none is replaced."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from vaultmem import edit, model, privacy
from vaultmem import vault as vaults
from vaultmem.base import TYPE_CHECKING, UnsafePathError, VaultmemError, dataclass
from vaultmem.model import Plan, pluralise
from vaultmem.storage import files

if TYPE_CHECKING:
    from vaultmem.vault import Vault

_ALLOW = "allow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What came in, and what did not."""

    paths: tuple[PurePosixPath, ...]  # that are new, sorted
    left: tuple[tuple[PurePosixPath, str], ...] = ()  # and why
    commit: str | None = None  # None: nothing is new


def bring(vault: Vault, client: str, found: Mapping[PurePosixPath, bytes]) -> Brought:
    """Take files into the folder of an assistant; what is there already stays as it is.

    client  the name of its folder
    found   bytes by path below that folder
    """
    with edit.writer(vault):
        working_copy = vaults.WorkingCopy(vault)
        left: list[tuple[PurePosixPath, str]] = []
        for inside, data in sorted(found.items()):
            path = PurePosixPath(files.AGENTS, client, inside)
            why = _wrong_with(vault, path, data) or _put(working_copy, path, data)
            if why:
                left.append((path, why))
        changes = working_copy.step()
        plan = Plan(
            op="import",
            actor="agent",
            subject=model.subject("import", f"{pluralise(len(changes), 'file')} of {client}"),
            changes=changes,
        )
        done = vaults.apply(vault, [plan]) if changes else ()
    return Brought(
        paths=tuple(sorted(change.path for change in changes)),
        left=tuple(left),
        commit=done[-1].commit if done else None,
    )


def _put(working_copy: vaults.WorkingCopy, path: PurePosixPath, data: bytes) -> str:
    try:
        there = working_copy.text(path)
    except VaultmemError as error:
        return error.message
    if there is None:
        working_copy.put(path, data)
    return "" if there in (None, data) else "another file of this name is there"


def _wrong_with(vault: Vault, path: PurePosixPath, data: bytes) -> str:
    """Why a file is not to come in; '' when it may."""
    try:
        files.check_path(path)
        text = data.decode("utf-8")
    except UnsafePathError as error:
        return error.message
    except UnicodeDecodeError:
        return "it is no text (UTF-8)"
    for name in path.parts:
        why = files.ignored_by(name) or files.unportable(name)
        if why:
            return f"its name is not for every system: {why}"
    if len(data) > vault.settings.limits_note_bytes:
        return f"it has {len(data):,} bytes"
    if vault.settings.secrets_imported != _ALLOW:
        for secret in privacy.find_secrets(text):
            return f"line {secret.line} holds what looks like a secret ({secret.kind})"
    if vaults.Erased(vault.settings).holds(text):
        return "it holds a text that was erased for good"
    return ""
