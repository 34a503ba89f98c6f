"""SQLite as this package uses it: the module in C, without what Python adds to it.

`sqlite3` loads `datetime` to convert columns that hold dates. No column here does, and a cold
command would wait for it as long as for a question to a small vault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
else:
    import _sqlite3 as sqlite3

__all__ = ["sqlite3"]
