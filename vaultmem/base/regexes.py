"""Regular expressions that are compiled when they are needed, and once for all processes.

Compiling takes 0.1 to 20 ms each, and a cold `remember` had 246 of them: a third of its time. A
plain sentence needs few of them; and what one command had to compile, the next one reads from a
file beside the compiled modules, as Python does with those.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from importlib import import_module
from importlib.util import cache_from_source
from marshal import dumps, loads

from vaultmem.base.typed import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from io import FileIO

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


class _Late:
    """Compiled when the first of its methods is asked for; from then on these are its own."""

    def __init__(self, source: str, flags: int) -> None:
        self._told = source, flags

    def __getattr__(self, name: str) -> object:
        if name == "pattern":  # part of another one that is built when its module loads
            return self._told[0]
        if name not in (*_METHODS, "flags", "groups", "groupindex"):
            raise AttributeError(name)
        # At first use: a cold `remember` of one plain sentence compiled 246 patterns, a fifth of
        # its time (tests/test_layers.py holds it below 115).
        made = _compile_once(*self._told)
        for method in _METHODS:
            setattr(self, method, getattr(made, method))
        return getattr(made, name)


class Needing:
    """A pattern that finds nothing in a text without one of some strings: these are sought first.

    needs   in lower case; every text in which the pattern is found has one of them
    beside  the same, of another part of the pattern; () where one of `needs` is enough
    """

    def __init__(
        self, source: str, flags: int, needs: Iterable[str], beside: Iterable[str] = ()
    ) -> None:
        self.source, self.flags, self.needs = source, flags, tuple(needs)
        self.beside = tuple(beside)
        self._pattern = late(source, flags)

    def search(self, text: str, start: int = 0, end: int = 1 << 30) -> re.Match[str] | None:
        """As of the pattern, which sees what stands before `start`."""
        return self._pattern.search(text, start, end) if self._may_be_in(text) else None

    def match(self, text: str) -> re.Match[str] | None:
        """As of the pattern."""
        return self._pattern.match(text) if self._may_be_in(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """As of the pattern."""
        return self._pattern.finditer(text) if self._may_be_in(text) else iter(())

    def _may_be_in(self, text: str) -> bool:
        low = text.lower()
        if not any(map(low.__contains__, self.needs)):
            return False
        return not self.beside or any(map(low.__contains__, self.beside))


def late(source: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, which is called when the pattern is first used."""
    return cast("re.Pattern[str]", _Late(source, flags))


# --- compiled once for all processes ---

_FILE = f"{cache_from_source(__file__)}.patterns"
_SHORT = 10  # characters: a shorter pattern is compiled in the time that reading it takes
_WORTH_WRITING = 300  # characters of new patterns: the whole file is written anew for them
_MOST_BYTES = 16 << 20  # patterns of versions that are gone gather: from here on it begins anew
_BROKEN = (ValueError, TypeError, EOFError, IndexError, KeyError, RuntimeError, AttributeError)
_LENGTH = 8  # bytes of a number

_new: dict[str, tuple[str, bytes]] = {}  # (source, record) of what was compiled here, by `_key`
_places: dict[str, tuple[int, int]] = {}  # (start, length) of each record in the file, by `_key`
_of: tuple[int, ...] = ()  # the file that these are of


def keep_compiled() -> None:
    """At the end of a command: keep what it had to compile for the commands after it.

    Not where Python shall not write compiled files. What cannot be written is compiled again.
    """
    if sys.dont_write_bytecode or sum(len(each) for each, _ in _new.values()) < _WORTH_WRITING:
        return
    kept = {**_every_kept(), **{key: record for key, (_, record) in _new.items()}}
    _new.clear()
    if sum(map(len, kept.values())) > _MOST_BYTES:
        kept = {}
    start, places = 0, {}
    for key, record in kept.items():
        places[key] = start, len(record)
        start += len(record)
    index = dumps(places)
    beside = f"{_FILE}.{os.getpid()}"
    with suppress(OSError):
        try:
            with open(beside, "wb") as file:
                file.writelines((_head(), _number(len(index)), index, *kept.values()))
            os.replace(beside, _FILE)
        except OSError:
            os.unlink(beside)
            raise


def _compile_once(source: str, flags: int) -> re.Pattern[str]:
    """As `re.compile`, from the file if an earlier process left the pattern there."""
    if len(source) < _SHORT:
        return re.compile(source, flags)
    key = f"{int(flags)} {len(source)} {source[:24]} {source[-24:]}"
    with suppress(OSError, *_BROKEN):
        return _read(key, source)
    try:
        told = _parts_of(source, int(flags))
        made, record = _pattern_of(told), dumps(told)
    except (AttributeError, ImportError, TypeError, ValueError):  # a Python with another `re`
        return re.compile(source, flags)
    _new[key] = source, record
    return made


def _parts_of(source: str, flags: int) -> tuple[Any, ...]:
    """What the engine is given to make a pattern, as `re` works it out."""
    parser, compiler = import_module("re._parser"), import_module("re._compiler")
    tree = parser.parse(source, flags)
    code = [*map(int, compiler._code(tree, flags))]  # of operations that have names, too
    named = tree.state.groupdict
    names: list[str | None] = [None] * tree.state.groups
    for name, number in named.items():
        names[number] = name
    all_flags = int(flags | tree.state.flags)
    return source, all_flags, code, tree.state.groups - 1, named, tuple(names)


def _pattern_of(told: tuple[Any, ...]) -> re.Pattern[str]:
    # The engine checks the code that it is given (RuntimeError).
    return cast("re.Pattern[str]", import_module("_sre").compile(*told))


def _head() -> bytes:
    """The Python that reads it and its engine; what another one wrote is not read."""
    return _number(sys.hexversion) + _number(import_module("_sre").MAGIC)


def _number(number: int) -> bytes:
    return number.to_bytes(_LENGTH, "little")


def _read(key: str, source: str) -> re.Pattern[str]:
    """From the file; one of _BROKEN or OSError where it is not there as it should be."""
    with open(_FILE, "rb", buffering=0) as file:
        start, length = _places_in(file)[key]
        file.seek(start)
        told = loads(file.read(length))
    if told[0] != source:
        raise KeyError("another pattern of this length that begins and ends so")
    return _pattern_of(told)


def _places_in(file: FileIO) -> dict[str, tuple[int, int]]:
    """Where the records of the open file lie."""
    global _places, _of
    found = os.fstat(file.fileno())
    stamp = found.st_ino, found.st_mtime_ns, found.st_size
    if stamp != _of:  # another process wrote it anew since it was looked at, or it never was
        head = file.read(len(_head()))
        if head != _head():
            raise ValueError("another Python wrote it")
        index = file.read(int.from_bytes(file.read(_LENGTH), "little"))
        before = len(head) + _LENGTH + len(index)
        _places = {key: (before + start, length) for key, (start, length) in loads(index).items()}
        _of = stamp
    return _places


def _every_kept() -> dict[str, bytes]:
    """Every record of the file, by its key; none where it cannot be read."""
    with suppress(OSError, *_BROKEN), open(_FILE, "rb", buffering=0) as file:
        places = _places_in(file)
        file.seek(0)
        every = file.read()
        return {key: every[start : start + length] for key, (start, length) in places.items()}
    return {}
