"""The face of a room: the names that other rooms may import, each loaded on first use (PEP 562).

Imports stand at the top of files, and a command still loads no more than it uses: a room that is
imported is a stand-in until it is asked for a name. A cold `recall` asks nothing of 15 of the
rooms that its modules import.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from os import stat
from types import ModuleType


class _Face(ModuleType):
    """A package whose names lie in its modules; without `_names` one that is not loaded yet."""

    _names: Mapping[str, str]
    _modules: str

    def __getattr__(self, name: str) -> object:
        # A room is loaded when it is asked for a name: a cold recall had loaded 15 that nobody
        # asked for anything (.986 of its processor time, 20 pairs).
        if "_names" not in self.__dict__:
            import_module(self.__name__)
            return getattr(sys.modules[self.__name__], name)  # this one, where it has a face
        home = _home(self, name)
        # Not from `sys.modules`: what another thread is loading stands there before it is whole.
        if home:
            found = getattr(import_module(f"{self.__name__}.{home}"), name)
        else:
            found = import_module(f"{self.__name__}.{_whole(self, name)}")
        self.__dict__[name] = found
        return found

    def __setattr__(self, name: str, value: object) -> None:
        """A module that was loaded does not hide the verb of its name: `recall.recall`."""
        if not isinstance(value, ModuleType) or not _home(self, name):
            super().__setattr__(name, value)


def attach(room: str, names: Mapping[str, str], *, modules: str = "") -> None:
    """Let a package give names of its modules (a list of words by module), and modules whole."""
    loaded = sys.modules[room]
    loaded.__dict__.update(_names=names, _modules=modules)
    # Also where a stand-in takes its place: a thread that waited for the import has this one.
    loaded.__class__ = _Face
    parent, _, last = room.rpartition(".")
    given = sys.modules[parent].__dict__.get(last) if parent else None
    if isinstance(given, _Face) and given is not loaded:
        # What was given out already is the room from now on: Python takes what stands here.
        given.__dict__.update(loaded.__dict__)
        sys.modules[room] = given


def stand_in(parent: ModuleType, name: str) -> ModuleType:
    """A package within another, which is loaded when it is first asked for a name.

    raises AttributeError where there is none: a module is imported then, as ever
    """
    try:
        stat(f"{parent.__path__[0]}/{name}/__init__.py")
    except OSError:
        raise AttributeError(f"module {parent.__name__!r} has no attribute {name!r}") from None
    face = parent.__dict__[name] = _Face(f"{parent.__name__}.{name}")
    return face


def shelf(package: str) -> None:
    """Let a package without a face of its own give the packages within it as stand-ins."""
    parent = sys.modules[package]
    parent.__dict__["__getattr__"] = lambda name: stand_in(parent, name)


def _home(face: _Face, name: str) -> str:
    """The module that has a name of the face; '': none.

    The words are searched as they lie: a table of them took 30 us a room, for three names of it.
    """
    for module, words in face._names.items():
        if name in words and name in words.split():
            return module
    return ""


def _whole(face: _Face, name: str) -> str:
    """The path of a module that the face gives whole; raises AttributeError."""
    if name in face._modules:
        for path in face._modules.split():
            if path.rpartition(".")[2] == name:
                return path
    raise AttributeError(f"module {face.__name__!r} has no attribute {name!r}")
