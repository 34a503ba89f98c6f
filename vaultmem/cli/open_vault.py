"""The vault that a command means, opened, and the clock it goes by."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from vaultmem import language
from vaultmem.api import Memory
from vaultmem.base import TYPE_CHECKING, Any, BadInputError, VaultmemError
from vaultmem.cli.output import tell, warn
from vaultmem.model import SystemClock

if TYPE_CHECKING:
    from vaultmem.model import Clock, Problem


NOTHING: Mapping[str, Any] = {}
_MOST_UNREAD = 5


class PretendedClock:
    """A clock that stands at the moment that VAULTMEM_NOW names."""

    def __init__(self, text: str) -> None:

        try:
            self._now = language.parse_instant(text)
        except ValueError as error:
            raise BadInputError(
                f"VAULTMEM_NOW is not a date: '{text}'", hint="write 2026-03-11T09:14:00Z"
            ) from error

    def now(self) -> int:
        """UTC milliseconds since 1970."""
        return self._now


def clock() -> Clock:
    """The clock of this machine, unless VAULTMEM_NOW asks for output that can be reproduced."""
    pretended = os.environ.get("VAULTMEM_NOW")
    return PretendedClock(pretended) if pretended else SystemClock()


@contextmanager
def open_memory(vault: str | None, *, sync: bool = True) -> Iterator[Memory]:
    """The vault that is meant, opened, with warnings about its settings and unread notes told.

    sync  False: answers come from the index without a look at the files
    """
    with Memory(vault, clock=clock(), short_lived=True, sync=sync) as memory:
        warn(memory.settings.warnings)
        try:
            yield memory
        finally:
            tell_unread(memory)


def tell_unread(memory: Memory) -> None:
    """Warn of the notes that could not be read: the answer knows them only as they were."""
    found: tuple[Problem, ...] = ()
    with suppress(VaultmemError):  # a damaged index: the command says so
        found = memory.unreadable
    for problem in found[:_MOST_UNREAD]:
        tell(f"warning: '{problem.path}': {problem.message}")
    if len(found) > _MOST_UNREAD:
        tell(f"warning: {len(found) - _MOST_UNREAD} more cannot be read: `vaultmem check`")
