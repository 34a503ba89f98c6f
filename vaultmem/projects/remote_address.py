"""One spelling for all addresses of a remote: host, then path; never who logs in. Pure."""

from __future__ import annotations

import unicodedata

from vaultmem.base import late
from vaultmem.model import LONGEST_PROJECT

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
