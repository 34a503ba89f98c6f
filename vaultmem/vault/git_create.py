"""Make a folder a repository."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from vaultmem.errors import HistoryError
from vaultmem.vault import git_process
from vaultmem.vault.git_engine import inherited, output_of
from vaultmem.vault.git_repository import is_repository

_INIT_SECONDS = 30.0


def create(root: Path, *, environment: Mapping[str, str]) -> None:
    """An empty repository on branch main, no template of the person's; see `History`."""
    if is_repository(root):
        raise HistoryError(f"'{root}' is a Git repository already")
    own = inherited(environment) | {
        "HOME": str(root),
        "LANG": "C",
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "init.defaultBranch",
        "GIT_CONFIG_VALUE_0": "main",
    }
    git = git_process.find_git(environment.get("PATH", os.defpath))
    arguments = ("init", "--quiet", "--template=", "--", str(root))
    finished = git_process.start((git, *arguments), own, seconds=_INIT_SECONDS).wait()
    output_of(arguments, finished)
