"""Modules of this program are found by their names alone, when one command is run.

A cold `recall` is mostly importing 150 modules, a cold `remember` 250. For each of them Python
asks the finder of a folder, looks for five kinds of files and makes the name of the compiled file
twice: .04 of the .1 ms that a module takes, a twentieth of a command. Here the place follows from
the name. The compiled file is the one that Python writes, and has to be of the same time and size
of the source; whatever is not as usual is left to Python.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import MAGIC_NUMBER
from marshal import loads
from os import stat
from types import ModuleType

from vaultmem.base.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType

_PROGRAM = "vaultmem"
_ADDRESSES = "urllib.parse"
_HEAD = 16  # bytes before the code of a compiled file: Python, flags, time and size of the source
_USUAL = MAGIC_NUMBER + bytes(4)  # flags: it is by time and size that a change is seen


class _Loader(SourceFileLoader):
    """Of one module, whose source was looked at a moment ago."""

    def __init__(self, name: str, file: str, cached: str, head: bytes) -> None:
        super().__init__(name, file)
        self._cached, self._head = cached, head

    def get_code(self, fullname: str) -> CodeType | None:
        """From the compiled file if it is of this source, else as Python does."""
        try:
            with open(self._cached, "rb", buffering=0) as file:
                content = file.read()
        except OSError:
            return super().get_code(fullname)
        if content[:_HEAD] != self._head:
            return super().get_code(fullname)
        code: CodeType = loads(memoryview(content)[_HEAD:])
        return code


class ByName:
    """A finder of the modules of the program; `root` is the folder of its package."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._ending = f".{sys.implementation.cache_tag}.pyc"

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where a module lies; None: Python shall look."""
        program, _, within = name.partition(".")
        if program != _PROGRAM or not within:
            return None
        place = f"{self._root}/{within.replace('.', '/')}"
        for is_package, file in enumerate((f"{place}.py", f"{place}/__init__.py")):
            try:
                found = stat(file)
            except OSError:
                continue
            folder, _, last = file[: -len(".py")].rpartition("/")
            cached = f"{folder}/__pycache__/{last}{self._ending}"
            head = _USUAL + _word(int(found.st_mtime)) + _word(found.st_size)
            loader = _Loader(name, file, cached, head)
            spec = ModuleSpec(name, loader, origin=file, is_package=bool(is_package))
            spec.has_location = True
            spec.cached = cached
            if is_package:
                spec.submodule_search_locations = [place]
            return spec
        return None


def _word(number: int) -> bytes:
    return (number & 0xFFFFFFFF).to_bytes(4, "little")


def load_paths() -> None:
    """`pathlib` without the reader of addresses, which it has for `as_uri` alone.

    `urllib.parse` and `ipaddress` are a quarter of the time that `pathlib` takes, a twentieth of
    a cold `recall`. Whoever wants them gets the real ones, as does `as_uri`.
    """
    if sys.modules.keys() & {"pathlib", _ADDRESSES}:
        return
    standing_in = ModuleType(_ADDRESSES)
    standing_in.__dict__["quote_from_bytes"] = _quote_from_bytes
    sys.modules[_ADDRESSES] = standing_in
    # A Python whose `pathlib` wants more of it loads it as ever.
    with suppress(ImportError):
        import_module("pathlib")
    del sys.modules[_ADDRESSES]


def _quote_from_bytes(path: bytes) -> str:
    from urllib.parse import quote_from_bytes

    return quote_from_bytes(path)


def load_by_name() -> None:
    """From now on; nothing where the package is no folder, or Python keeps its files elsewhere."""
    package = sys.modules[_PROGRAM]
    is_usual = type(package.__loader__) is SourceFileLoader and sys.pycache_prefix is None
    if is_usual and not sys.flags.optimize:
        sys.meta_path.insert(0, ByName(package.__path__[0]))
