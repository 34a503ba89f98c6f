"""Make a repository that is there whole or not at all, and survives a power cut from then on.

`git init` syncs nothing: after a power cut in the seconds that follow, HEAD may be an empty file
and with it the repository of no use (seen at the first cut of tests/faults/powercuts.py).
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from vaultmem.base import HistoryError
from vaultmem.storage.files import TMP, is_process_gone, open_folder, refusal
from vaultmem.storage.git import process
from vaultmem.storage.git.engine import inherited_environment, output_of
from vaultmem.storage.git.refs import sync_file, sync_folder
from vaultmem.storage.git.repository import GIT, is_repository

_SECONDS = 30.0
_PREFIX = "init-"


def create(root: Path, *, algorithm: str, environment: Mapping[str, str]) -> None:
    """An empty repository on branch main, no template of the person's; see `History`.

    It is made in `.vaultmem/tmp`, synced, and takes the name `.git` in one step.
    raises HistoryError when the folder itself has a `.git` already, or git fails
    """
    if is_repository(root):
        raise HistoryError(f"'{root}' is a Git repository already")
    open_folder(root, TMP.parts, create=True).close()
    _clear_dead(root / TMP)
    made = root / TMP / f"{_PREFIX}{os.getpid()}"
    try:
        _init(made, algorithm, environment)
        _sync_below(made / GIT)
        os.rename(made / GIT, root / GIT)
        sync_folder(root)
    except OSError as error:
        raise refusal(PurePosixPath(GIT), error, doing="make") from error
    finally:
        for _ in range(2):  # what is left would stay as long as this process runs
            if made.exists():
                shutil.rmtree(made, ignore_errors=True)


def _init(folder: Path, algorithm: str, environment: Mapping[str, str]) -> None:
    own = inherited_environment(environment) | {
        "HOME": str(folder),
        "LANG": "C",
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "init.defaultBranch",
        "GIT_CONFIG_VALUE_0": "main",
    }
    git = process.find_git(environment.get("PATH", os.defpath))
    options = ("--quiet", "--template=", f"--object-format={algorithm}")
    arguments = ("init", *options, "--", str(folder))
    finished = process.start((git, *arguments), own, seconds=_SECONDS).wait()
    output_of(arguments, finished, folder.parent.parent.parent)


def _sync_below(folder: Path) -> None:
    """Make every file and folder in it durable, what is inside first."""
    for at, _, names in os.walk(folder, topdown=False):
        for name in names:
            sync_file(Path(at, name))
        sync_folder(Path(at))


def _clear_dead(folder: Path) -> None:
    """Repositories that a process which died was about to make."""
    for name in os.listdir(folder):
        number = name.removeprefix(_PREFIX)
        if number == name or not number.isdecimal():
            continue
        with contextlib.suppress(OSError):
            if is_process_gone(int(number), seen_at_ns=os.lstat(folder / name).st_ctime_ns):
                shutil.rmtree(folder / name)
