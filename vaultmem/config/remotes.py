"""The git remote of each vault, pinned in the person's own settings file.

One table a vault, `[remotes.KEY]`, where KEY is the name of its device state: the same vault at
another place is another one. A vault cannot say where it is sent (reliability.md T16): whatever
its `.git/config` names as a remote is at most a suggestion.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vaultmem.base.errors import BadInputError, DiskError, SettingsError, VaultmemError
from vaultmem.base.records import dataclass, replace
from vaultmem.config.setting import PERSON
from vaultmem.config.state import person_file
from vaultmem.config.urls import check_branch, shown_url, transport_of
from vaultmem.config.values import line_of, read_settings
from vaultmem.config.vaults import replace_text, with_key

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

    def shown(self) -> PinnedRemote:
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
        line = line_of(_text(file), f"remotes.{key}")
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
    file, text = _open(environ)
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
    file, text = _open(environ)
    wanted = _tables(text)
    if key not in wanted:
        raise BadInputError("no remote is set for this vault", hint="there is nothing to remove")
    del wanted[key]
    _replace(file, text, _without_table(text, f"remotes.{key}"), wanted)
    return file


def _open(environ: Mapping[str, str]) -> tuple[Path, str]:
    """The file that holds the bytes (links followed), and its text; a mistake in it is raised."""
    file = Path(os.path.realpath(person_file(environ)))
    read_settings(file, PERSON)
    return file, _text(file)


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise DiskError(f"cannot read '{file}': {error.strerror}") from error


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
