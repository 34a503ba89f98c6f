"""The git remote of each vault, pinned in the person's own settings file.

One table a vault, `[remotes.KEY]`, where KEY is the name of its device state: the same vault at
another place is another one. A vault cannot say where it is sent (reliability.md T16): whatever
its `.git/config` names as a remote is at most a suggestion.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from vaultmem.base import (
    Any,
    BadInputError,
    SettingsError,
    VaultmemError,
    dataclass,
    replace,
)
from vaultmem.config.setting import PERSON
from vaultmem.config.state import person_file
from vaultmem.config.values import line_of, read_settings
from vaultmem.config.vaults import open_person_file, replace_text, text_of, with_key

# Addresses of git remotes: which are used, by which protocol, and how they are shown.
#
# An address that is not plainly one of these is refused: git would take `ext::` for a program to
# run, and a host or path that begins with `-` for an option of ssh.

_HELPER = re.compile(r"[A-Za-z0-9+.-]*::")
_WITH_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)
_SERVER = re.compile(
    r"(?:(?P<user>[^@/:]*)(?P<secret>:[^@/]*)?@)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^:/\[\]]+)"
    r"(?::(?P<port>\d{1,5}))?(?P<path>/.*)?"
)
_SCP = re.compile(r"(?:(?P<user>[^@/:]+)@)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^:/\[\]@]+):(?P<path>.+)")
_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?")
_USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_SECRET = re.compile(r"(?<=://)(?P<user>(?<=(?i:ssh)://)[^/@:\s]*)?[^/@\s]*@")
_HERE = ("127.0.0.1", "localhost", "[::1]")
_BRANCH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.+-]*)*")
_LONGEST = 2000
WHICH = "use an https or ssh address, user@host:path, or a folder of this machine"


def transport_of(url: str) -> str:
    """The protocol of an address: https, ssh, file, or http (to this machine only).

    raises BadInputError for every other address
    """
    if not url or len(url) > _LONGEST or not url.isprintable() or url != url.strip():
        raise _bad(url, "it is empty, too long, or holds invisible characters")
    if url.startswith("-"):
        raise _bad(url, "it looks like an option")
    if _HELPER.match(url):
        raise _bad(url, "git would run a program for it")
    split = _WITH_SCHEME.fullmatch(url)
    if split is not None:
        return _of_scheme(url, split[1].lower(), split[2])
    if _DRIVE.match(url) or os.path.isabs(url):
        return "file"
    scp = _SCP.fullmatch(url)
    if scp is None:
        raise _bad(url, "it is neither an address nor a whole path")
    _check_server(url, scp["user"], scp["host"])
    if scp["path"].startswith("-"):
        raise _bad(url, "its path looks like an option")
    return "ssh"


def _of_scheme(url: str, scheme: str, rest: str) -> str:
    if scheme == "file":
        if not rest.startswith("/"):
            raise _bad(url, "a file:// address needs a whole path, as in file:///srv/notes.git")
        return "file"
    if scheme not in ("https", "http", "ssh"):
        raise _bad(url, f"'{scheme}' is not used")
    server = _SERVER.fullmatch(rest)
    if server is None or not (server["path"] or "").strip("/"):
        raise _bad(url, "it names no repository of a server")
    if server["secret"]:
        raise BadInputError(
            f"'{shown_url(url)}' holds a password",
            hint="leave it out: git's credential helper, or a question, gives it when needed",
        )
    _check_server(url, server["user"], server["host"])
    if scheme == "http" and server["host"] not in _HERE:
        raise _bad(url, "http would send your notes in the clear")
    if "?" in rest or "#" in rest or (scheme == "ssh" and "/-" in rest):
        raise _bad(url, "its path has something that no repository needs")
    return scheme


def login_of(url: str) -> str:
    """What an address of a server has before its @: a user, perhaps a token; '' for none."""
    found = re.match(r"[A-Za-z][A-Za-z0-9+.-]*://([^/@]*)@", url)
    return found[1] if found else ""


def _check_server(url: str, user: str | None, host: str) -> None:
    if not (_HOST.fullmatch(host) or host.startswith("[")):
        raise _bad(url, "its host is not the name of one")
    if user and not _USER.fullmatch(user):
        raise _bad(url, "its user is not the name of one")


def check_branch(branch: str) -> str:
    """The name of a branch, if it can be one; raises BadInputError."""
    parts = branch.split("/")
    if not _BRANCH.fullmatch(branch) or ".." in branch or any(p.endswith(".lock") for p in parts):
        raise BadInputError(
            f"'{branch}' cannot be the name of a branch", hint="use letters, digits, - and /"
        )
    return branch


def shown_url(text: str) -> str:
    """A text with every password in an address left out, and every user but those of ssh.

    A user of https may be a token; without the one of ssh the address would be another.
    """
    return _SECRET.sub(lambda found: f"{found['user']}@" if found["user"] else "", text)


def _bad(url: str, why: str) -> BadInputError:
    return BadInputError(f"'{shown_url(url)[:200]}' is not used as a remote: {why}", hint=WHICH)


DEFAULT_BRANCH = "main"


class NoRemoteError(SettingsError):
    """The person has not said where this vault goes."""

    def __init__(self, vault: str) -> None:
        super().__init__(
            f"no remote is set for the vault '{vault}'",
            hint="`vaultmem remote set URL` says where it goes; nothing is sent before",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedRemote:
    """Where a vault goes, as the person wrote it."""

    url: str
    branch: str
    vault: str = ""  # its folder, for whoever reads the file
    origin: str = ""  # what the vault's own .git/config named when this was pinned; '': nothing
    local: str = ""  # the vault's branch that is exchanged; '': whichever is checked out

    def printable(self) -> PinnedRemote:
        """The same with an address that may be printed."""
        return replace(self, url=shown_url(self.url))


def find_remote(key: str, environ: Mapping[str, str]) -> PinnedRemote | None:
    """The remote pinned for the vault with this state key; None: there is none.

    raises SettingsError with file and line for one that cannot be used
    """
    file = Path(person_file(environ))
    table = read_settings(file, PERSON).remotes.get(key)
    if table is None:
        return None
    try:
        transport_of(table.get("url", ""))
        check_branch(table.get("branch", DEFAULT_BRANCH))
    except VaultmemError as error:
        line = line_of(text_of(file), f"remotes.{key}")
        place = f"'{file}'" if line is None else f"'{file}' line {line}"
        raise SettingsError(f"{place}: {error.message}", hint=error.hint) from error
    return PinnedRemote(
        url=table["url"],
        branch=table.get("branch", DEFAULT_BRANCH),
        vault=table.get("vault", ""),
        origin=table.get("origin", ""),
        local=table.get("local", ""),
    )


def set_remote(key: str, remote: PinnedRemote, environ: Mapping[str, str]) -> Path:
    """Pin a remote in place of the one that was; the settings file that now says so."""
    transport_of(remote.url)
    check_branch(remote.branch)
    file, text, _ = open_person_file(environ)
    values = {
        "vault": remote.vault,
        "url": remote.url,
        "branch": remote.branch,
        "origin": remote.origin,
        "local": remote.local,
    }
    after = text
    for name, value in values.items():
        after = with_key(after, f"remotes.{key}", name, value)
    wanted = _tables(text)
    wanted[key] = wanted.get(key, {}) | values
    _replace(file, text, after, wanted)
    return file


def forget_remote(key: str, environ: Mapping[str, str]) -> Path:
    """Send this vault nowhere any more; raises BadInputError when it went nowhere."""
    file, text, _ = open_person_file(environ)
    wanted = _tables(text)
    if key not in wanted:
        raise BadInputError("no remote is set for this vault", hint="there is nothing to remove")
    del wanted[key]
    _replace(file, text, _without_table(text, f"remotes.{key}"), wanted)
    return file


def _tables(text: str) -> dict[str, Any]:
    found = tomllib.loads(text.removeprefix("\ufeff")).get("remotes", {})
    return dict(found) if isinstance(found, dict) else {}


def _without_table(text: str, table: str) -> str:
    """The text without a table: its header and the lines that set its keys.

    Comments and blank lines between them are the person's, and stay.
    """
    lines = text.splitlines(keepends=True)
    opening = line_of(text, table)
    if opening is None:
        return text
    kept = lines[: opening - 1]
    inside = True
    for line in lines[opening:]:
        inside = inside and not line.lstrip().startswith("[")
        if not inside or not line.strip() or line.lstrip().startswith("#"):
            kept.append(line)
    while kept and not kept[-1].strip() and opening - 1 >= len(kept) - 1:
        kept.pop()
    return "".join(kept)


def _replace(file: Path, before: str, after: str, remotes: Mapping[str, Any]) -> None:
    replace_text(
        file,
        before,
        after,
        {"remotes": dict(remotes)},
        hint="write it as [remotes.KEY] with `url` and `branch` below, or edit it yourself",
    )
