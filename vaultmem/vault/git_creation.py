"""Make a repository where there is none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

_INIT_SECONDS = 30.0


def create(root: Path, *, environment: Mapping[str, str] | None = None) -> None:
    """Make the folder a repository, empty, on branch main; no template of the person's is used.

    raises HistoryError when the folder itself has a `.git` already, or git fails
    """
    from vaultmem.vault import git_create

    git_create.create(root, environment=os.environ if environment is None else environment)
