"""What a person should look at after notes of two devices became one, until they did.

Kept in the device state, not in the vault: each names the bytes it is about, and is over as
soon as the file has others, or is gone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from vaultmem.base.errors import DiskError, VaultmemError
from vaultmem.model.ids import blob_oid
from vaultmem.model.notes import Problem, Severity

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts

FILE = "notices.json"
_MOST = 1000


def open_notices(parts: Parts) -> Iterator[Problem]:
    """Those that nobody has looked after yet, by path."""
    for row in _rows(parts):
        if _fingerprint(parts, PurePosixPath(row["path"])) == row["oid"]:
            yield Problem(
                path=PurePosixPath(row["path"]),
                code=row["code"],
                message=row["message"],
                hint=row["hint"],
                severity=Severity(row["severity"]),
            )


def add_notices(parts: Parts, problems: Iterable[Problem]) -> None:
    """Remember problems until their files change; the newest thousand."""
    rows = [row for row in _rows(parts) if _fingerprint(parts, _path(row)) == row["oid"]]
    for problem in problems:
        if problem.severity is not Severity.INFO:
            rows.append(
                {
                    "path": problem.path.as_posix(),
                    "oid": _fingerprint(parts, problem.path),
                    "code": problem.code,
                    "message": problem.message,
                    "hint": problem.hint,
                    "severity": problem.severity.value,
                }
            )
    unique = {(row["path"], row["code"], row["message"]): row for row in rows}
    file = parts.state / FILE
    new = file.with_name(f"{FILE}.{os.getpid()}")
    try:
        if not unique and not file.exists():
            return
        new.write_text(json.dumps(list(unique.values())[-_MOST:]), encoding="utf-8")
        os.replace(new, file)
    except OSError as error:
        raise DiskError(f"cannot write '{file}': {error.strerror}") from error


def _path(row: dict[str, str]) -> PurePosixPath:
    return PurePosixPath(row["path"])


def _rows(parts: Parts) -> list[dict[str, Any]]:
    """What the file holds; nothing of one that cannot be read: it is only a reminder."""
    file = parts.state / FILE
    if not os.path.exists(file):
        return []
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    keys = {"path", "oid", "code", "message", "hint", "severity"}
    return [row for row in found if isinstance(row, dict) and keys <= row.keys()]


def _fingerprint(parts: Parts, path: PurePosixPath) -> str:
    from vaultmem.storage.files import read

    try:
        data = read(parts.root, path, limit=None)
    except VaultmemError:
        return ""
    return blob_oid(data, algorithm=parts.history.algorithm)
