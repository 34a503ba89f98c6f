"""From what git says about a remote to an error that says what to do."""

from __future__ import annotations

import re

from vaultmem.base.errors import (
    DiskError,
    HistoryError,
    RemoteDeniedError,
    RemoteMovedError,
    RemoteProtocolError,
    RemoteUnreachableError,
    VaultmemError,
)
from vaultmem.config.remotes import shown_url
from vaultmem.storage.git.process import Finished

_LONGEST = 300
_DENIED = re.compile(
    r"Authentication failed|could not read (?:Username|Password)|terminal prompts disabled|"
    r"Permission denied|returned error: 40[13]|HTTP 40[13]|Access denied|access denied|"
    r"invalid credentials|not authorized",
    re.IGNORECASE,
)
_REDIRECT = re.compile(r"redirect|returned error: 30[1278]", re.IGNORECASE)
_HOST_KEY = re.compile(r"Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED")
_NOT_THERE = re.compile(
    r"does not appear to be a git repository|repository '[^']*' not found|not a git repository|"
    r"Repository not found|returned error: 404|does not exist|dubious ownership",
    re.IGNORECASE,
)
_HOSTILE = re.compile(
    r"fsck error|error in object|index-pack (?:failed|died)|invalid index-pack output|"
    r"bad object|unresolved deltas|did not send all necessary objects|remote did not send|"
    r"mismatched algorithms|bad pack|packfile|hash mismatch|corrupt",
    re.IGNORECASE,
)
_BROKEN_OFF = re.compile(
    r"early EOF|unexpected disconnect|hung up|Connection reset|transfer closed"
)
_STALE = (
    "stale info",
    "fetch first",
    "non-fast-forward",
    "cannot lock ref",
    "failed to update ref",
)


def failure(finished: Finished, url: str) -> VaultmemError:
    """The error for a transfer that failed. A remote's words are shown, but never believed."""
    text = shown_url(finished.err.decode("utf-8", "replace"))
    said = _said(text)
    where = shown_url(url)
    if "No space left on device" in text:
        return DiskError("no space is left for what the remote sends", hint="free some space")
    if _REDIRECT.search(text):
        return RemoteDeniedError(
            f"'{where}' leads to another address, and is not followed there: {said}",
            hint="`vaultmem remote set URL` with the new address, if it is right",
        )
    if _HOST_KEY.search(text):
        return RemoteDeniedError(
            f"ssh does not know the host of '{where}'",
            hint="connect once with ssh yourself, and compare its key",
        )
    if _DENIED.search(text):
        return RemoteDeniedError(
            f"'{where}' does not let you in: {said}",
            hint="set up git's credential helper or your ssh agent, or run this in a terminal",
        )
    if _NOT_THERE.search(text):
        return RemoteUnreachableError(
            f"there is no repository at '{where}': {said}",
            hint="`vaultmem remote show` says what is set; make the repository there first",
        )
    if _HOSTILE.search(text) and not _BROKEN_OFF.search(text):
        return RemoteProtocolError(
            f"what '{where}' sends cannot be used: {said}",
            hint="nothing of it was taken in; look at the repository there with `git fsck`",
        )
    if finished.code < 0:
        return HistoryError(f"git was ended by signal {-finished.code} while it talked to a remote")
    return RemoteUnreachableError(
        f"'{where}' cannot be reached: {said}",
        hint="everything here is kept; run the command again when it can be",
    )


def rejection(finished: Finished, url: str) -> VaultmemError | None:
    """The error for a push that was answered with no; None: it was not answered."""
    for line in finished.out.decode("utf-8", "replace").splitlines():
        flag, _, rest = line.partition("\t")
        if flag != "!":
            continue
        why = rest.rpartition("\t")[2]
        if any(word in why for word in _STALE):
            return RemoteMovedError(
                f"another device was faster: the branch of '{shown_url(url)}' has moved",
                hint="run the command again",
            )
        return RemoteDeniedError(
            f"'{shown_url(url)}' does not take the commits: {_said(why)}",
            hint="its rules decide that: a protected branch, a hook, or a branch checked out there",
        )
    return None


def _said(text: str) -> str:
    """The line that matters most: git's last `fatal:` or `error:`, else the first line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    marked = [line for line in lines if line.startswith(("fatal:", "error:", "ERROR:"))]
    chosen = (marked or lines or ["git gave no reason"])[0]
    return chosen.removeprefix("fatal: ").removeprefix("error: ")[:_LONGEST]
