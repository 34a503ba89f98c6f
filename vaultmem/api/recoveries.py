"""What a process that was killed had begun is finished, or taken back, by the next writer.

Each leaves a file in the device state first. The order is theirs: a commit that was arriving may
be what a purge then erases from.
"""

from __future__ import annotations

from vaultmem.base.typed import TYPE_CHECKING
from vaultmem.vault.vault import ARRIVING, COMPACTING, PURGING, Recovery

if TYPE_CHECKING:
    from vaultmem.vault.vault import Parts


def _arrive(parts: Parts) -> None:
    from vaultmem.devices.arrive import finish  # hardly ever needed, like the two below

    finish(parts)


def _uncompact(parts: Parts) -> None:
    from vaultmem.vault.take_back import take_back

    take_back(parts)


def _purge(parts: Parts) -> None:
    from vaultmem.forget.purge.carry_out import finish

    finish(parts)


RECOVERIES = (
    Recovery(ARRIVING, _arrive),
    Recovery(COMPACTING, _uncompact),
    Recovery(PURGING, _purge),
)
