"""The repository around a folder, as its own files tell: no process is started.

Reading `.git/config` takes 0.2 ms; asking git would take 5 of a hook that has 250.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import unicodedata
from collections.abc import Mapping
from contextlib import suppress

from vaultmem import base, privacy
from vaultmem.base import TYPE_CHECKING, Any, BadInputError, HistoryError, dataclass, late
from vaultmem.config import make_state_folder
from vaultmem.model import LONGEST_PROJECT, NO_PROJECT, ROOT_DIGITS
from vaultmem.storage.git import find_git, parse_config, start

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


AUTO = "auto"  # in place of the name of a project: that of the folder one works in
_MOST_CONFIG = 1 << 20  # bytes that are read: of 4,000 branches; `remote` stands before them
_MOST_POINTER = 4_096  # bytes of a `.git` file or `commondir`, which hold one path
_LONGEST_NAME = 60  # characters of a folder's name
_ODD = late(r"[^\w.+~]+")
_REMOTES = late(r'^[ \t]*\[[ \t]*remote[ \t."].*?(?=^[ \t]*\[|\Z)', re.S | re.M | re.I)
_URL = re.compile(r"remote\.(.+)\.url", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """What tells one repository from others."""

    folder: str  # whole path of what all its working trees share: `.git`, or the bare repository
    name: str  # of its folder, as it may stand in a note
    address: str = ""  # of its remote, as `address_of`; '': none, or only a folder of some machine

    @property
    def is_shallow(self) -> bool:
        """Whether its oldest commits are missing, so that its first one is nobody's root."""
        return os.path.exists(os.path.join(self.folder, "shallow"))


def repository_around(
    folder: str, *, vault: str = "", environ: Mapping[str, str] | None = None
) -> Repository | None:
    """The repository that a folder lies in; None: in none, in the vault's own, or in the home's.

    vault    root of the vault: what is told in its folder is told in no project
    environ  of the person; None: of this process
    A home folder that is a repository (of settings) is around everything else, and no project.
    """
    if "\0" in folder or not os.path.isabs(folder) or folder.startswith(("\\\\", "//")):
        return None
    here = os.path.realpath(folder)
    while True:
        git = _git_folder(here)
        if git:
            break
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above
    home = (
        os.path.expanduser("~")
        if environ is None
        else environ.get("HOME") or environ.get("USERPROFILE", "")
    )
    if home and os.path.dirname(git) == os.path.realpath(home):
        return None
    if vault and (own := _git_folder(os.path.realpath(vault))) and own == git:
        return None
    address, name = _remote(git)
    return Repository(folder=git, name=name or _name_of(git), address=address)


def plain_name(name: str) -> str:
    """The name of a folder as it may stand in a note: one word without marks."""
    text = unicodedata.normalize("NFC", name).removesuffix(".git")
    return _ODD.sub("-", text).strip("-")[:_LONGEST_NAME] or "project"


def _git_folder(here: str) -> str:
    """What all working trees of the repository with this top share; '' where it is none."""
    place = os.path.join(here, ".git")
    try:
        mode = os.stat(place).st_mode
    except (OSError, ValueError):
        return here if _is_repository(here) else ""
    if stat.S_ISDIR(mode):
        return os.path.realpath(place) if _is_repository(place) else ""
    told = _read(place, _MOST_POINTER).decode("utf-8", "replace").strip()
    if not told.startswith("gitdir:") or len(told.splitlines()) != 1:
        return ""
    own = _join(here, told.removeprefix("gitdir:").strip())
    if not own:
        return ""
    shared = _read(os.path.join(own, "commondir"), _MOST_POINTER).decode("utf-8", "replace").strip()
    git = _join(own, shared) if shared else own
    return os.path.realpath(git) if git and _is_repository(git) else ""


def _join(base: str, path: str) -> str:
    """A path that a file names; '' for one that would ask another machine."""
    if not path or "\0" in path or path.startswith(("\\\\", "//")):
        return ""
    return os.path.join(base, path)


def _is_repository(folder: str) -> bool:
    return (
        os.path.lexists(os.path.join(folder, "HEAD"))
        and os.path.isdir(os.path.join(folder, "objects"))
        and os.path.isdir(os.path.join(folder, "refs"))
    )


def _name_of(git: str) -> str:
    last = os.path.basename(git)
    return plain_name(os.path.basename(os.path.dirname(git)) if last == ".git" else last)


def _remote(git: str) -> tuple[str, str]:
    """The address of `origin`, else of the first remote that has one; and a name without any.

    The name is that of the folder it was cloned from, which is the same for each clone.
    """
    text = _read(os.path.join(git, "config"), _MOST_CONFIG).decode("utf-8", "replace")
    urls: dict[str, str] = {}
    with suppress(HistoryError):  # what git refuses names no remote
        sections = "\n".join(_REMOTES.findall(text.replace("\r\n", "\n")))
        for name, value in parse_config(sections).settings:
            found = _URL.fullmatch(name)
            if found is not None:
                urls.setdefault(found[1], value)
    told = [urls[name] for name in ("origin", *urls) if name in urls]
    address = next((address for url in told if (address := address_of(url))), "")
    if address or not told:
        return address, ""
    path = told[0].rstrip("/").removesuffix("/.git")
    last = path.rpartition("/")[2]
    return "", plain_name(last) if last.strip(".") else ""


def _read(file: str, most: int) -> bytes:
    """The first bytes of a plain file; b'' of anything else, which might never answer."""
    try:
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return b""
    try:
        return os.read(descriptor, most) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)


# One spelling for all addresses of a remote: host, then path; never who logs in.

_LONGEST_URL = 2_000  # characters
_WITH_SCHEME = late(r"(https?|ssh|git|git\+ssh|ssh\+git|git\+https)://([^/?#\\]*)/([^?#]*).*")
_SCP = late(r"(?:[^@/:\\]*@)?([^@/:\\]{2,}):(?!//)([^:]+)")  # one letter before `:` is a drive
_PORT = late(r":\d*\Z")
_HOST = late(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\]")
# No blanks, quotes or brackets: a name stands in front matter and before a model.
_SEGMENT = late(r"[\w.~+-]+")
# The same servers on the port of https, and under a name that only forwards.
_OTHER_NAMES = {
    "ssh.github.com": "github.com",
    "www.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}


def address_of(url: str) -> str:
    """`github.com/acme/heron` of every address of that repository; '' for a folder or nonsense.

    The host in small letters without user, password and port; the path as it is spelled, without
    `.git`. What may hold a secret beside a path (`?token=`) is left out.
    """
    url = url.strip()
    if len(url) > _LONGEST_URL or not url.isprintable():
        return ""
    lowered = url[: url.find(":") + 1].lower() + url[url.find(":") + 1 :]
    found = _WITH_SCHEME.fullmatch(lowered)
    if found is not None:
        host, path = found[2].rpartition("@")[2], found[3]
        host = _PORT.sub("", host)
    else:
        split = None if "://" in url or "::" in url else _SCP.fullmatch(url)
        if split is None:
            return ""
        host, path = split[1], split[2]
    host = host.lower().removesuffix(".")
    host = _OTHER_NAMES.get(host, host)
    segments = _segments(path)
    if not segments or _HOST.fullmatch(host) is None:
        return ""
    address = "/".join((host, *segments))
    return address if len(address) <= LONGEST_PROJECT else ""


def _segments(path: str) -> list[str]:
    """The parts of a path as they are kept; [] where one of them cannot be."""
    if "%" in path:
        from urllib.parse import unquote  # saves 3 modules of a hook: hardly any address has one

        path = unquote(path)
    plain = unicodedata.normalize("NFC", path).replace(" ", "-").strip("/").removesuffix(".git")
    parts = [each for each in plain.split("/") if each]
    if any(each in (".", "..") or _SEGMENT.fullmatch(each) is None for each in parts):
        return []
    return parts
