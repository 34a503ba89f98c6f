"""Make a repository where there is none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def create(
    root: Path, *, algorithm: str = "sha1", environment: Mapping[str, str] | None = None
) -> None:
    """Make the folder a repository, empty, on branch main; no template of the person's is used.

    raises HistoryError when the folder itself has a `.git` already, or git fails
    """
    from vaultmem.storage.git.create import create as create_repository  # saves 29 modules

    env = os.environ if environment is None else environment
    create_repository(root, algorithm=algorithm, environment=env)
