"""Pin the remote of a vault in the person's settings, and say what is pinned."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vaultmem.base.errors import BadInputError
from vaultmem.config.remotes import PinnedRemote, find_remote, login_of, set_remote, shown_url
from vaultmem.devices.exchanging import warnings

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts


def suggestion(parts: Parts) -> str:
    """What the vault's own `.git/config` names; '' when nothing."""
    return shown_url(parts.history.exchange().origin())


def pin(parts: Parts, url: str, branch: str) -> tuple[PinnedRemote, Path]:
    """Send the vault to this address from now on; raises BadInputError for one not used."""
    pinned = PinnedRemote(
        url=whole_address(url),
        branch=branch,
        vault=str(parts.root),
        origin=suggestion(parts),
        local=parts.history.branch() or "",
    )
    return pinned, set_remote(parts.settings.state.name, pinned, os.environ)


def whole_address(url: str) -> str:
    """The address as it is kept: a folder by its whole path, everything else as it is.

    raises BadInputError for one with a token in place of a user: every process could read it
    """
    from vaultmem.privacy.secrets import find_secrets

    if find_secrets(login_of(url)):
        raise BadInputError(
            f"'{shown_url(url)}' holds a token",
            hint="leave it out: git's credential helper, or a question, gives it when needed",
        )
    looks_local = "://" not in url and "::" not in url and not url.startswith("-")
    if looks_local and (url[:1] in (".", "~", os.sep) or os.path.isdir(url)):
        return os.path.abspath(os.path.expanduser(url))
    return url


def shown(parts: Parts) -> dict[str, Any]:
    """url, branch, suggestion, warnings; url '' when nothing is pinned."""
    pinned = find_remote(parts.settings.state.name, os.environ)
    return {
        "url": shown_url(pinned.url) if pinned else "",
        "branch": pinned.branch if pinned else "",
        "suggestion": suggestion(parts),
        "warnings": list(warnings(parts, pinned)) if pinned else [],
    }
