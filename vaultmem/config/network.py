"""Whether a network may be used: asked by everything that would open a connection.

`privacy.local_only`, which wins in either settings file, forbids all of it. What stays on this
device is no network: folders, `file:` addresses of this host, and loopback, where a model server
or a test remote listens. A name is not looked up to find out, since that is a network already.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from vaultmem.base import TYPE_CHECKING, LocalOnlyError
from vaultmem.config.state import effective_settings

if TYPE_CHECKING:
    from vaultmem.config.settings import Settings

LOCAL_ONLY = "privacy.local_only"
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(?:[^/@\s]*@)?(\[[^\]\s]*\]|[^/:\s]*)")
_LOOPBACK = re.compile(r"localhost\.?|127(?:\.\d{1,3}){3}|\[::1\]|::1", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


def require_network(settings: Settings, what: str, *, target: str) -> None:
    """Return when `what` may talk to `target`; raise LocalOnlyError when it may not.

    what    what needs it, as the beginning of a sentence: "pulling from 'origin'"
    target  a URL, a path, or git's `host:path`; '' when it is not known, which counts as elsewhere
    """
    if settings.privacy_local_only and not is_on_this_device(target):
        raise LocalOnlyError(what, where=settings.sources.get(LOCAL_ONLY, "the settings"))


def is_on_this_device(target: str) -> bool:
    """Whether an address names a folder, a `file:` of this host, or loopback by its number or name.

    False for what is not understood: `ext::` helpers of git, `//server/share`, an empty text.
    """
    if not target or "::" in target.split("/", 1)[0].replace("[::1]", ""):
        return False
    url = _URL.match(target)
    if url is not None:
        scheme, host = url[1].lower(), url[2]
        if scheme == "file":
            return host in ("", "localhost")
        return _LOOPBACK.fullmatch(host) is not None
    if target.startswith(("//", "\\\\")):
        return False
    if _DRIVE.match(target):
        return True
    host, colon, _ = target.partition(":")
    if not colon or "/" in host:
        return True
    return _LOOPBACK.fullmatch(host.rpartition("@")[2]) is not None


def open_limits(environ: Mapping[str, str] | None = None) -> tuple[float, int]:
    """(seconds, bytes) of a transfer, before there is a vault: the person's settings alone."""
    values = effective_settings(None, os.environ if environ is None else environ)["values"]
    return float(values["network.deadline"]), int(values["network.max_bytes"])
