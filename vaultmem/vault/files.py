"""The files of a vault: read them, publish changes to them, recover from a crash.

One name for three modules, so that callers need not know how the work is split. What is asked for
is loaded then: who lists a folder does not wait for what writes (PEP 562).
"""

from __future__ import annotations

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
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
_HOMES = {
    "is_cut_off": "vaultmem.vault.leftovers",
    "is_due": "vaultmem.vault.leftovers",
    "publish": "vaultmem.vault.publishing",
    "read": "vaultmem.vault.reading",
    "read_each": "vaultmem.vault.reading",
    "recover": "vaultmem.vault.leftovers",
    "seconds_until_due": "vaultmem.vault.leftovers",
    "take_back": "vaultmem.vault.publishing",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found
