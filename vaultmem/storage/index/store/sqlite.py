"""SQLite as this package uses it: the module in C, without what Python adds to it.

`sqlite3` loads `datetime` to convert columns that hold dates. No column here does, and a cold
command would wait for it as long as for a question to a small vault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vaultmem.base import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import sqlite3
else:
    import _sqlite3 as sqlite3

__all__ = ["sqlite3"]

# Lists of values in SQL, in few sizes: a statement of a known size need not be prepared again.

T = TypeVar("T")

# SQLite before 3.32 takes 999 values. A process that asks once pays for each mark.
_SIZES = (1, 4, 16, 32, 64, 128, 256, 512)


def in_lists(values: Sequence[T]) -> Iterator[tuple[list[T | None], str]]:
    """Runs of the values with as many question marks, filled up with NULL, which IN never meets."""
    most = _SIZES[-1]
    for start in range(0, len(values), most):
        some: list[T | None] = list(values[start : start + most])
        size = next(size for size in _SIZES if size >= len(some))
        some += [None] * (size - len(some))
        yield some, ", ".join("?" * size)
