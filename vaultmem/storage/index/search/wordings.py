"""The words of a question in other words: of everyday concepts, and of like sense by vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from vaultmem.base import TYPE_CHECKING, NamedTuple
from vaultmem.language import Stems
from vaultmem.storage.index.search.near import line_of, lines_in, near_words
from vaultmem.storage.index.search.related import Group, Relations, Tables

if TYPE_CHECKING:
    pass


class _Strength(NamedTuple):
    share: float  # what another word gives of the weight of the word that was asked
    holds: float  # how much of holding that word holding it is: whether there is an answer
    in_talks: float | None = None  # `share` where talks are searched; None: the same


# Chosen on everyday speech, where .4 finds 5 more of 60 questions of people nobody tuned on than
# .25, and .6 no more; on LoCoMo, whose talks repeat what is asked, .6 puts R@10 from .833 to .828.
_SAME = _Strength(0.4, 1.0, 0.25)
_KINDS = _Strength(0.4, 1.0, 0.25)
_LIKE = _Strength(0.4, 1.0)
_WIDER = _Strength(0.05, 0.15)
_NEAR = _Strength(0.15, 0.25)
_ASKED = _Strength(1.0, 1.0)
_MOST_KEPT = 5_000  # words whose groups are remembered


class Wordings:
    """Other words in seven languages, beside those that other relations give."""

    def __init__(self, others: Relations, stems: Stems) -> None:
        """`others` come first: what they give is not given again."""
        self._others = others
        self._stems = stems
        self._known: dict[tuple[str, str], Sequence[Group]] = {}

    def groups(self, stem: str, word: str = "") -> Sequence[Group]:
        """The groups of the others, then one for each strength."""
        known = self._known.get((stem, word))
        if known is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            known = self._known[stem, word] = self._groups(stem, word or stem)
        return known

    def knows(self, stem: str) -> bool:
        """Whether a table has it, so that nobody misspelt another word."""
        from vaultmem.storage.index.search.concepts import is_known  # saves 1 module

        return self._others.knows(stem) or is_known(stem)

    def asked(self, said: Sequence[str]) -> Sequence[Group]:
        """What answers phrases of a question, one group a phrase; `said` without accents."""
        from vaultmem.storage.index.search.concepts import asked_by  # saves 1 module

        share, holds, in_talks = _ASKED
        return [
            Group(
                frozenset(self._stems.many(list(words))),
                share,
                f"asked by '{phrase}'",
                covers=holds,
                in_talks=in_talks,
                stems_in_talks=frozenset(),
            )
            for phrase, words in asked_by(said).items()
        ]

    def _groups(self, stem: str, word: str) -> Sequence[Group]:
        from vaultmem.storage.index.search.concepts import concept_of  # saves 1 module

        groups = [*self._others.groups(stem, word)]
        taken = {stem}.union(*(group.stems for group in groups))
        taken_in_talks = set(taken)
        concept = concept_of(word)
        like, near = near_words(word)

        def add(words: Sequence[str], usual: Sequence[str], strength: _Strength, note: str) -> None:
            stems = frozenset(self._stems.many(list(words))) - taken
            fewer = frozenset(self._stems.many(list(usual))) - taken_in_talks
            taken.update(stems)
            taken_in_talks.update(fewer)
            if stems or fewer:
                share, holds, in_talks = strength
                groups.append(
                    Group(
                        stems,
                        share,
                        note,
                        is_instead=True,
                        holds=holds,
                        in_talks=in_talks,
                        stems_in_talks=fewer,
                    )
                )

        same, kinds, wider = concept.usual
        add(concept.same, same, _SAME, "another word for '{}'")
        add(concept.kinds, kinds, _KINDS, "a kind of '{}'")
        add(like, like, _LIKE, "of like sense as '{}'")
        add(concept.wider, wider, _WIDER, "'{}' is a kind of it")
        add(near, near, _NEAR, "near to '{}'")
        return groups


# The thesaurus that comes with the program: words of English that mean about the same.
#
# Distilled once from word vectors (tests/bench/thesaurus.py), so that no model is needed to read
# it: 243 kB of text, a line a stem. It is read with the first question that has a word of Latin
# letters.

# Chosen with the least cosine of the file, .5. More finds more, and puts less of it first: on
# LoCoMo .3 gives R@10 .832 and MRR .659, .5 gives .835 and .655, none .826 and .660. Where passages
# that hold the word itself gained by its neighbours, too, .3 gave .831 and .655.
SHARE = 0.3
# Coffee is near to tea, and no answer to who likes it: neighbours alone leave a question open.
COVERS = 0.5
_FILE = Path(__file__).with_name("english.thesaurus")


class Thesaurus:
    """Neighbours by meaning, beside the words that other relations give."""

    def __init__(self, others: Relations, file: Path = _FILE) -> None:
        """`others` come first: what they give is not given again."""
        self._others = others
        self._file = file
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
        return line_of(lines_in(self._file), stem.encode()).decode().split()


def relations(stems: Stems) -> Relations:
    """Which words stand for others in an index with these stems."""

    tables = Tables(stems)
    return Wordings(Thesaurus(tables) if stems.is_english else tables, stems)
