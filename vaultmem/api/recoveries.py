"""What a process that was killed had begun is finished, or taken back, by the next writer.

Each leaves a file in the device state first. The order is theirs: a commit that was arriving may
be what a purge then erases from.
"""

from __future__ import annotations

from vaultmem import devices, forget, vault
from vaultmem.base import TYPE_CHECKING
from vaultmem.vault import ARRIVING, COMPACTING, PURGING, Recovery

if TYPE_CHECKING:
    from vaultmem.vault import Parts


def _arrive(parts: Parts) -> None:

    devices.finish(parts)


def _uncompact(parts: Parts) -> None:

    vault.take_back(parts)


def _purge(parts: Parts) -> None:

    forget.finish(parts)


RECOVERIES = (
    Recovery(ARRIVING, _arrive),
    Recovery(COMPACTING, _uncompact),
    Recovery(PURGING, _purge),
)
