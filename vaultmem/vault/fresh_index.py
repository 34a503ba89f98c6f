"""Answer from an index that is level with the files, or, when told so, from it as it is."""

from __future__ import annotations

from collections.abc import Callable

from vaultmem.base import TYPE_CHECKING, IndexDamagedError, disk_error, replace
from vaultmem.vault.vault import SYNCED_AT

if TYPE_CHECKING:
    from typing import TypeVar

    from vaultmem.model import Answer, Pack, Shown
    from vaultmem.vault.vault import Vault

    T = TypeVar("T")
    Told = TypeVar("Told", Answer, Shown, Pack)  # at run time it would compile each name: 1 ms


def reading(vault: Vault, read: Callable[[], T]) -> T:
    """What `read` finds: as `level.reading`, unless the parts were opened not to compare files.

    An index that was never filled, or that cannot be trusted, is brought level all the same,
    since 'no memory found' would be no answer. `parts.is_lagging` says which of the two it was.
    """
    vault.is_lagging = False
    if vault.compares or vault.index_damage:
        from vaultmem.vault import level  # saves 11 modules

        return level.reading(vault, read)
    try:
        vault.is_lagging = synced_at(vault) is not None
        if vault.is_lagging:
            with vault.index.snapshot():
                return read()
    except IndexDamagedError as error:
        vault.index_damage, vault.is_lagging = error.reason, False
        vault.index = vault.index.reopen_empty()
    except OSError as error:
        raise disk_error(error, doing="read") from error
    from vaultmem.vault import level  # saves 11 modules

    return level.reading(vault, read)


def mark_if_lagging(vault: Vault, found: Told) -> Told:
    """What `reading` found, with a word of it when the files were not compared."""
    if not vault.is_lagging:
        return found
    return replace(found, is_level=False, synced_at=synced_at(vault))


def synced_at(vault: Vault) -> int | None:
    """When the index last took in what had changed (UTC ms); None: never."""
    at = vault.index.meta(SYNCED_AT)
    return int(at) if at else None
