"""Modules by the names that they had: each can be imported by it for one version more."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import ModuleType

_NEW_NAMES = {
    "vaultmem.errors": "vaultmem.base.errors",
    "vaultmem.memory": "vaultmem.api.memory",
    "vaultmem.model.recall": "vaultmem.model.answers",
    "vaultmem.model.records": "vaultmem.model.notes",
    "vaultmem.ports": "vaultmem.model.ports",
    "vaultmem.text": "vaultmem.language.text",
    "vaultmem.text_inert": "vaultmem.safety.inert",
}


class _Loader(Loader):
    """Puts the module of today in the place of the one that Python made for the former name."""

    def create_module(self, spec: ModuleSpec) -> None:
        """Python shall make one: to the module of today it would tell the former name."""

    def exec_module(self, module: ModuleType) -> None:
        """Warns whoever imports it."""
        former = module.__name__
        new = _NEW_NAMES[former]
        warnings.warn(f"'{former}' is '{new}' now", DeprecationWarning, stacklevel=2)
        sys.modules[former] = import_module(new)


def spec_of(name: str) -> ModuleSpec | None:
    """How the module of a former name is loaded; None: no module had the name."""
    return ModuleSpec(name, _Loader()) if name in _NEW_NAMES else None
