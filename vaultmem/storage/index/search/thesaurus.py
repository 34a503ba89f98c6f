"""The thesaurus that comes with the program: words of English that mean about the same.

Distilled once from word vectors (tests/bench/thesaurus.py), so that no model is needed to read it:
243 kB of text, a line a stem. It is read with the first question that has a word of Latin letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from vaultmem.language.stems import Stems
from vaultmem.storage.index.search.near import line_of
from vaultmem.storage.index.search.related import Group, Relations, Tables

# Chosen with the least cosine of the file, .5. More finds more, and puts less of it first: on
# LoCoMo .3 gives R@10 .832 and MRR .659, .5 gives .835 and .655, none .826 and .660. Where passages
# that hold the word itself gained by its neighbours, too, .3 gave .831 and .655.
SHARE = 0.3
# Coffee is near to tea, and no answer to who likes it: neighbours alone leave a question open.
COVERS = 0.5
_MOST_KEPT = 5_000  # stems whose groups are remembered
_FILE = Path(__file__).with_name("english.thesaurus")


class Thesaurus:
    """Neighbours by meaning, beside the words that other relations give."""

    def __init__(self, others: Relations, file: Path = _FILE) -> None:
        """`others` come first: what they give is not given again."""
        self._others = others
        self._file = file
        self._lines = b""
        self._known: dict[str, Sequence[Group]] = {}

    def groups(self, stem: str, word: str = "") -> Sequence[Group]:
        """The groups of the others, then one of all neighbours."""
        known = self._known.get(stem)
        if known is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            known = self._known[stem] = self._groups(stem)
        return known

    def _groups(self, stem: str) -> Sequence[Group]:
        groups = [*self._others.groups(stem)]
        known = frozenset().union(*(group.stems for group in groups))
        near = frozenset(self.near(stem)) - known - {stem}
        if near:
            note = "near to '{}'"
            groups.append(Group(near, SHARE, note, covers=COVERS, is_instead=True))
        return groups

    def asked(self, said: Sequence[str]) -> Sequence[Group]:
        """As the others do: it knows no phrases."""
        return self._others.asked(said)

    def knows(self, stem: str) -> bool:
        """Whether a line is this stem's, or the others know it."""
        return bool(self.near(stem)) or self._others.knows(stem)

    def near(self, stem: str) -> list[str]:
        """Stems that mean about the same, the nearest first; [] where it knows none."""
        if not stem.isascii():
            return []
        if not self._lines:
            self._lines = self._file.read_bytes()
        return line_of(self._lines, stem.encode()).decode().split()


def relations(stems: Stems) -> Relations:
    """Which words stand for others in an index with these stems."""
    from vaultmem.storage.index.search.wordings import Wordings

    tables = Tables(stems)
    return Wordings(Thesaurus(tables) if stems.is_english else tables, stems)
