"""The project of a folder, by the root commit of its repository where that has no remote.

Finding the first commit takes git, which walks the history: so it is done once for a repository,
and never while somebody waits for a hook. What is noted of it is a digest of the folder's place.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress

from vaultmem import base, privacy
from vaultmem.base import TYPE_CHECKING, Any, BadInputError, HistoryError
from vaultmem.config import make_state_folder
from vaultmem.model import LONGEST_PROJECT, NO_PROJECT, ROOT_DIGITS
from vaultmem.projects.of_folder import AUTO, Repository, plain_name, repository_around
from vaultmem.projects.remote_address import address_of
from vaultmem.storage.git import find_git, start

if TYPE_CHECKING:
    from vaultmem.config import Settings

FILE = "root-commits.json"  # in the device state
_MOST_NOTED = 500  # repositories
_HOMES = ("home", "users")  # what lies in them is a person's, and no project
_LEAST_PARTS = 2  # of a path: `/tmp` is none either
_SECONDS = 5.0  # that git may take: 1,000,000 commits
# Nothing that the repository says acts: no fetch of commits that are missing, no file that git
# derives from them (storage/git/engine.py), no program.
_CAREFUL = (
    *("-c", "protocol.allow=never", "-c", "core.commitGraph=false"),
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat"),
)


def project_to_ask(
    folder: str, settings: Settings, *, environ: Mapping[str, str] | None = None
) -> str:
    """The project that somebody works in, as far as files tell; '' for none. Starts no process."""
    found = repository_around(folder, vault=str(settings.root), environ=environ)
    if found is None:
        return ""
    return found.address or _with_root(found, _read_roots(settings).get(_key(found), ""))


def project_to_keep(
    folder: str, settings: Settings, *, environ: Mapping[str, str] | None = None
) -> str:
    """The same, for a note: of what has no remote its root commit is found; never a secret."""
    found = repository_around(folder, vault=str(settings.root), environ=environ)
    if found is None:
        return ""
    project = found.address or _with_root(found, _root(found, settings))
    return "" if privacy.find_secrets(project) else project


def told_project(folder: str, remote: str, settings: Settings) -> str:
    """The project that a transcript names, of this machine or another one; '' for none.

    remote  as it has it; else what the folder is here. Of one that is not here any more its name.
    """
    address = address_of(remote)
    if address:
        return "" if privacy.find_secrets(address) else address
    if not folder or os.path.isdir(folder):
        return project_to_keep(folder, settings) if folder else ""
    parts = [part for part in folder.replace("\\", "/").split("/") if part]
    if len(parts) < _LEAST_PARTS or parts[-2].lower() in _HOMES:
        return ""
    name = plain_name(parts[-1])
    return "" if privacy.find_secrets(name) else name


def chosen_project(choice: str, folder: str, settings: Settings) -> str:
    """The project that is asked for by `auto`, `none` or its name; raises BadInputError."""
    if choice == NO_PROJECT:
        return ""
    if choice == AUTO:
        return project_to_keep(folder, settings)
    name = " ".join(choice.split())
    if not name or len(name) > LONGEST_PROJECT or not name.isprintable():
        raise BadInputError(
            f"a project's name has 1 to {LONGEST_PROJECT} characters in one line",
            hint="for example: --project github.com/acme/heron, or --project auto",
        )
    return name


def _with_root(found: Repository, root: str) -> str:
    return f"{found.name}@{root}" if root else found.name


def _root(found: Repository, settings: Settings) -> str:
    """The first letters of the root commit; '' where there is none yet, or none that is sure."""
    if found.is_shallow:
        return ""
    noted = _read_roots(settings)
    key = _key(found)
    if key not in noted:
        root = _ask_git(found)
        if not root:
            return ""
        _write_roots(settings, {**dict([*noted.items()][1 - _MOST_NOTED :]), key: root})
        return root
    return noted[key]


def _ask_git(found: Repository) -> str:
    """Of several root commits that the history has grown together from, the oldest one."""
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.devnull,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }
    if "SYSTEMROOT" in os.environ:
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    command = (f"--git-dir={found.folder}", *_CAREFUL, "rev-list", "--max-parents=0", "HEAD", "--")
    try:
        git = find_git(environment["PATH"])
        done = start((git, *command), environment, seconds=_SECONDS).wait()
    except HistoryError:
        return ""
    lines = done.out.decode("ascii", "replace").split() if done.code == 0 else []
    return lines[-1][:ROOT_DIGITS] if lines else ""


def _key(found: Repository) -> str:
    """Where a repository is, as a digest: the state of this device holds no name of it."""
    try:
        number = os.stat(found.folder).st_ino
    except OSError:
        number = 0
    return hashlib.sha256(f"{found.folder}\n{number}".encode("utf-8", "replace")).hexdigest()[:32]


def _read_roots(settings: Settings) -> dict[str, str]:
    try:
        found: Any = json.loads((settings.state / FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    kept = found.items() if isinstance(found, dict) else ()
    return {str(key): root for key, root in kept if isinstance(root, str)}


def _write_roots(settings: Settings, roots: Mapping[str, str]) -> None:
    with suppress(OSError):  # it is found anew
        folder = make_state_folder(settings.state)
        base.replace_file(folder / FILE, json.dumps(roots).encode())
