"""Make files durable that somebody else wrote."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from vaultmem.errors import MissingFileError
from vaultmem.vault.folders import OpenFolders, open_file, refusal

# Beyond this one flush of everything is faster than one of each file.
_MANY = 64


def make_durable(root: Path, paths: Sequence[PurePosixPath]) -> None:
    """Sync these files of the vault and the folders they are in; one that is gone is passed over.

    raises  DiskError when the disk refuses
    """
    if len(paths) > _MANY and hasattr(os, "sync"):
        os.sync()
        return
    with contextlib.closing(OpenFolders(root)) as folders:
        for path in paths:
            try:
                _sync(folders, path)
            except MissingFileError:
                continue
        for folder in sorted({path.parent for path in paths}):
            with contextlib.suppress(MissingFileError):
                folders.get(folder).fsync()


def _sync(folders: OpenFolders, path: PurePosixPath) -> None:
    folder = folders.get(path.parent)
    try:
        fd, _ = open_file(folder, path.name)
        try:
            if os.name != "nt":  # Windows flushes only what was opened for writing
                os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        raise refusal(path, error, doing="write") from error
