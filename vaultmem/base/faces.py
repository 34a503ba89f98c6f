"""The face of a room: the names that other rooms may import, each loaded on first use (PEP 562).

Imports stand at the top of files, and a command still loads no more than it uses.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType


class _Face(ModuleType):
    """A package whose names lie in its modules."""

    _names: Mapping[str, str]
    _modules: str

    def __getattr__(self, name: str) -> object:
        if name not in _homes(self):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        home, is_whole = _homes(self)[name]
        module = sys.modules.get(home) or import_module(home)
        found = self.__dict__[name] = module if is_whole else getattr(module, name)
        return found

    def __setattr__(self, name: str, value: object) -> None:
        """A module that was loaded does not hide the verb of its name: `recall.recall`."""
        if not isinstance(value, ModuleType) or name not in _homes(self):
            super().__setattr__(name, value)


def attach(room: str, names: Mapping[str, str], *, modules: str = "") -> None:
    """Let a package give names of its modules (a list of words by module), and modules whole."""
    face = sys.modules[room]
    face.__dict__.update(_names=names, _modules=modules)
    face.__class__ = _Face


def _homes(face: _Face) -> Mapping[str, tuple[str, bool]]:
    """The module of each name, and whether it is the module itself; made up on first use.

    A command touches a third of the rooms that its modules import: half a millisecond.
    """
    homes: dict[str, tuple[str, bool]] | None = face.__dict__.get("_homes")
    if homes is None:
        room = face.__name__
        homes = {
            name: (f"{room}.{home}", False)
            for home, words in face._names.items()
            for name in words.split()
        }
        for path in face._modules.split():
            homes[path.rpartition(".")[2]] = (f"{room}.{path}", True)
        face.__dict__["_homes"] = homes
    return homes
