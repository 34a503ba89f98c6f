"""The words of a question in other words: of everyday concepts, and of like sense by vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vaultmem.analysis import Stems
from vaultmem.index.related import Group, Relations

if TYPE_CHECKING:
    from collections.abc import Iterable

# What another word gives of the weight of the word that was asked, and how much of holding that
# word holding it is, when it is asked whether there is an answer. Chosen on everyday speech.
_SAME = (0.6, 1.0)
_KINDS = (0.6, 1.0)
_LIKE = (0.4, 1.0)
_WIDER = (0.05, 0.15)
_NEAR = (0.15, 0.25)
_ASKED = (1.0, 1.0)
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
        from vaultmem.index.concepts import is_known

        return self._others.knows(stem) or is_known(stem)

    def asked(self, said: Sequence[str]) -> Sequence[Group]:
        """What answers phrases of a question, one group a phrase; `said` without accents."""
        from vaultmem.index.concepts import asked_by

        share, holds = _ASKED
        return [
            Group(frozenset(self._stems.many(list(words))), share, f"asked by '{phrase}'", holds)
            for phrase, words in asked_by(said).items()
        ]

    def _groups(self, stem: str, word: str) -> Sequence[Group]:
        from vaultmem.index.concepts import concept_of
        from vaultmem.index.near import near_words

        groups = [*self._others.groups(stem, word)]
        taken = {stem}.union(*(group.stems for group in groups))
        concept = concept_of(word)
        like, near = near_words(word)

        def add(words: Iterable[str], strength: tuple[float, float], note: str) -> None:
            stems = frozenset(self._stems.many(list(words))) - taken
            if stems:
                taken.update(stems)
                share, holds = strength
                groups.append(Group(stems, share, note, is_instead=True, holds=holds))

        add(concept.same, _SAME, "another word for '{}'")
        add(concept.kinds, _KINDS, "a kind of '{}'")
        add(like, _LIKE, "of like sense as '{}'")
        add(concept.wider, _WIDER, "'{}' is a kind of it")
        add(near, _NEAR, "near to '{}'")
        return groups
