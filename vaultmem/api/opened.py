"""The parts of a `Memory`, for the thread and process that opened them."""

from __future__ import annotations

import os
from _thread import get_ident
from contextlib import suppress

from vaultmem import devices, forget, language
from vaultmem import vault as vaults
from vaultmem.base import (
    TYPE_CHECKING,
    Concatenate,
    ParamSpec,
    TypeVar,
    VaultmemError,
    WrongThreadError,
)
from vaultmem.vault import ARRIVING, COMPACTING, PURGING, Recovery, open_with_recoveries

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.config import Settings
    from vaultmem.model import Clock
    from vaultmem.vault import Vault

F = TypeVar("F")
P = ParamSpec("P")
R = TypeVar("R")

# What a process that was killed had begun is finished, or taken back, by the next writer. Each
# leaves a file in the device state first. The order is theirs: a commit that was arriving may be
# what a purge then erases from.
_RECOVERIES = (
    Recovery(ARRIVING, lambda vault: devices.finish(vault)),
    Recovery(COMPACTING, lambda vault: vaults.take_back(vault)),
    Recovery(PURGING, lambda vault: forget.finish(vault)),
)


def open_vault(
    settings: Settings, clock: Clock, *, short_lived: bool = False, compares: bool = True
) -> Vault:
    """An opened vault whose writers first see to what others left unfinished."""
    return open_with_recoveries(
        settings, clock, short_lived=short_lived, compares=compares, recoveries=_RECOVERIES
    )


class OwnedVault:
    """A vault that nobody else gets: connections of SQLite cannot be shared, nor inherited."""

    def _own(self, vault: Vault, *, is_closed: bool = False) -> None:
        """Keep the vault.

        is_closed  it is closed for certain; else it is done when nobody has this object any
                   more, or the program ends. SQLite would move its log into the index then without
                   a word to the seal, so the index would look damaged, and be built anew.
        """
        self._opened = vault
        self._owner = os.getpid(), get_ident()
        if not is_closed:
            import weakref

            weakref.finalize(self, _close_forgotten, vault, self._owner)

    @property
    def _vault(self) -> Vault:
        """The vault; raises WrongThreadError for another thread or process."""
        process, thread = self._owner
        # Without this look a second thread, or a forked child, met an error of SQLite that names no
        # `Memory`.
        if process != os.getpid():
            raise WrongThreadError("process")
        if thread != get_ident():
            raise WrongThreadError("thread")
        return self._opened

    @property
    def opened(self) -> Vault:
        """What operations work on."""
        return self._vault

    def _instant(self, when: int | str | None) -> int | None:
        """UTC ms of an instant that a caller gives: UTC ms, or a text in the vault's zone.

        raises BadInputError  the text is no time ('2026-02-04', 'last Tuesday', ...)
        """
        # An instant given as a text ended deep inside with a TypeError.
        if not isinstance(when, str):
            return when

        return language.parse_when(when, self._vault.clock.now(), self._vault.settings.timezone)

    def close(self) -> None:
        """Close the index; the object cannot be used afterwards. In a forked copy: nothing."""
        if self._owner[0] == os.getpid():
            self._vault.close()


class Facet:
    """What a memory can do in one room."""

    def __init__(self, memory: OwnedVault) -> None:
        self._memory = memory

    @property
    def _vault(self) -> Vault:
        return self._memory._vault


def deprecated_call(method: Callable[Concatenate[F, P], R]) -> Callable[Concatenate[F, P], R]:
    """A facet called as the method that it was before; for one version more."""

    def call(facet: F, /, *given: P.args, **named: P.kwargs) -> R:
        from warnings import warn

        word = type(facet).__name__.lower()
        new = f"memory.{word}.{method.__name__}"
        warn(f"'memory.{word}(...)' is '{new}(...)' now", DeprecationWarning, stacklevel=2)
        return method(facet, *given, **named)

    return call


def _close_forgotten(vault: Vault, owner: tuple[int, int]) -> None:
    # Left open, SQLite moved its log into the index behind the seal's back, and the next command
    # read the whole vault again.
    if owner == (os.getpid(), get_ident()):
        with suppress(VaultmemError):
            vault.close()
