"""Regular expressions that are compiled when they are needed, not when a program starts.

Compiling takes 0.1 to 1 ms each, and a cold `remember` had 246 of them: a third of its time. A
plain sentence needs few of them.
"""

from __future__ import annotations

import re

from vaultmem.base.typed import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
        made = re.compile(*self._told)
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
