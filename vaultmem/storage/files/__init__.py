"""The files of a vault: read them, publish changes to them, recover from a crash.

One name for three modules, so that callers need not know how the work is split. What is asked for
is loaded then: who lists a folder does not wait for what writes (PEP 562).
"""

from __future__ import annotations

TYPE_CHECKING = False  # of `typing`
if TYPE_CHECKING:
    from vaultmem.storage.files.publishing import publish, take_back
    from vaultmem.storage.files.reading import read, read_each
    from vaultmem.storage.files.recovery import is_cut_off, is_due, recover, seconds_until_due

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
    "is_cut_off": "vaultmem.storage.files.recovery",
    "is_due": "vaultmem.storage.files.recovery",
    "publish": "vaultmem.storage.files.publishing",
    "read": "vaultmem.storage.files.reading",
    "read_each": "vaultmem.storage.files.reading",
    "recover": "vaultmem.storage.files.recovery",
    "seconds_until_due": "vaultmem.storage.files.recovery",
    "take_back": "vaultmem.storage.files.publishing",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found
