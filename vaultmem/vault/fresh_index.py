"""Answer from an index that is level with the files, or, when told so, from it as it is."""

from __future__ import annotations

from collections.abc import Callable

from vaultmem.base import TYPE_CHECKING, IndexDamagedError, disk_error, replace
from vaultmem.vault.vault import SYNCED_AT

if TYPE_CHECKING:
    from typing import TypeVar

    from vaultmem.model import Answer, Pack, Shown
    from vaultmem.vault.vault import Parts

    T = TypeVar("T")
    Told = TypeVar("Told", Answer, Shown, Pack)  # at run time it would compile each name: 1 ms


def reading(parts: Parts, read: Callable[[], T]) -> T:
    """What `read` finds: as `level.reading`, unless the parts were opened not to compare files.

    An index that was never filled, or that cannot be trusted, is brought level all the same,
    since 'no memory found' would be no answer. `parts.is_lagging` says which of the two it was.
    """
    parts.is_lagging = False
    if parts.compares or parts.index_damage:
        from vaultmem.vault import level  # saves 11 modules

        return level.reading(parts, read)
    try:
        parts.is_lagging = synced_at(parts) is not None
        if parts.is_lagging:
            with parts.index.snapshot():
                return read()
    except IndexDamagedError as error:
        parts.index_damage, parts.is_lagging = error.reason, False
        parts.index = parts.index.reopen_empty()
    except OSError as error:
        raise disk_error(error, doing="read") from error
    from vaultmem.vault import level  # saves 11 modules

    return level.reading(parts, read)


def mark_if_lagging(parts: Parts, found: Told) -> Told:
    """What `reading` found, with a word of it when the files were not compared."""
    if not parts.is_lagging:
        return found
    return replace(found, is_level=False, synced_at=synced_at(parts))


def synced_at(parts: Parts) -> int | None:
    """When the index last took in what had changed (UTC ms); None: never."""
    at = parts.index.meta(SYNCED_AT)
    return int(at) if at else None
