"""The files of a vault: read them, publish changes to them, recover from a crash.

One name for three modules, so that callers need not know how the work is split.
"""

from vaultmem.vault.leftovers import is_cut_off, is_due, recover, seconds_until_due
from vaultmem.vault.publishing import publish, take_back
from vaultmem.vault.reading import read, read_each

__all__ = [
    "is_cut_off",
    "is_due",
    "publish",
    "read",
    "read_each",
    "recover",
    "seconds_until_due",
    "take_back",
]
