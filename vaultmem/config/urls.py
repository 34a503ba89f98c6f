"""Addresses of git remotes: which are used, by which protocol, and how they are shown.

An address that is not plainly one of these is refused: git would take `ext::` for a program to
run, and a host or path that begins with `-` for an option of ssh.
"""

from __future__ import annotations

import os
import re

from vaultmem.base.errors import BadInputError

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
