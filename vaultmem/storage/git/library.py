"""The history as objects of GitPython, for scripts that read it; for nothing of our own.

Our own plumbing is quicker and bounded; GitPython has the object model that people know. It works
on the engine and in its environment, so no setting, hook or filter of a vault acts in it either.
"""

from __future__ import annotations

import os

from vaultmem.base import TYPE_CHECKING
from vaultmem.storage.git import process

if TYPE_CHECKING:
    from git import Repo

    from vaultmem.storage.git.engine import Engine


def repository(engine: Engine) -> Repo:
    """A repository of GitPython that reads the vault's objects; close it when done.

    Read-only by contract: its references and its index are the engine's and mean nothing, so
    commits are named by their ids (those of `memory.history.log`).
    raises HistoryError  git is not installed
    """
    # GitPython asks for a git program when it is imported, and raises for none by default.
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    import git

    git.refresh(process.find_git(engine.search_path))
    found = git.Repo(engine.folder)
    # It adds to the environment of this process and takes nothing away: where the objects and the
    # settings are is ours, what else a person set for their git (GIT_EXTERNAL_DIFF) is theirs.
    found.git.update_environment(**engine.environment)
    return found
