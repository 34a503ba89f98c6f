"""How like a question passages are, by the senses of their words: where no vectors are installed.

Each word of the question is held against the nearest word of a passage (`judgement.meanings`, a
packaged table of word vectors), and the rare ones weigh most. For small vaults alone: it reads
every passage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import mul

from vaultmem.judgement import Vector, meaning_of, rarity, weights, words_of

GAIN = 0.5  # on everyday speech 1 puts the words themselves behind
_LEAST_RARE = 0.25  # of a word of the question that says something
_FIRST = 64  # numbers of a vector that are compared
_MOST_WORDS = 60  # of a passage
_MOST_ASKED = 16  # words of a question, the rarest


@lru_cache(maxsize=1 << 15)  # one question is looked up twice or more: in rounds, for what is over
def _nearness(asked: str, word: str) -> float:
    """Of two words, 0 to 1."""
    if asked == word:
        return 1.0
    one, other = _vector(asked), _vector(word)
    return max(0.0, sum(map(mul, one, other))) if one and other else 0.0


@lru_cache(maxsize=1 << 13)
def _vector(word: str) -> Vector | None:
    meaning = meaning_of(word)
    return meaning[:_FIRST] if meaning else None


class Senses:
    """Likeness of every passage to a question, 0 to 1; like `meaning.Likeness`."""

    gain: float = GAIN

    def __init__(self, question: str, texts: Iterable[tuple[int, int, str]]) -> None:
        """texts: (id, first passage of its note, text)."""
        read = weights("pairs")
        told = [
            (word, rare)
            for word in dict.fromkeys(words_of(question))
            if word.isalpha() and (rare := rarity(read, word)) > _LEAST_RARE
        ]
        if len(told) > _MOST_ASKED:  # a text, not a question: 200 words took a second
            told = sorted(told, key=lambda each: -each[1])[:_MOST_ASKED]
        self._asked = told
        self._weight = sum(rare for _, rare in told)
        self._near: dict[str, tuple[float, ...]] = {}
        like = {id_: self._like(text) for id_, _, text in texts} if self._weight else {}
        # In a vault of a dozen notes any sentence is a third like the question: above its words.
        usual = sum(like.values()) / max(1, len(like))  # any sentence has words near to any other
        self._of = {id_: max(0.0, one - usual) for id_, one in like.items()}

    def _like(self, text: str) -> float:
        best = [0.0] * len(self._asked)
        for word in words_of(text)[:_MOST_WORDS]:
            for place, near in enumerate(self._nearness(word)):
                if near > best[place]:
                    best[place] = near
        held: float = sum(map(mul, best, (rare for _, rare in self._asked)))
        return held / self._weight

    def _nearness(self, word: str) -> tuple[float, ...]:
        """Of a word to each of the question's, 0 to 1; worked out once."""
        known = self._near.get(word)
        if known is None:
            known = self._near[word] = tuple(_nearness(asked, word) for asked, _ in self._asked)
        return known

    def nearest(self, limit: int, passes: Callable[[int], bool] | None) -> list[int]:
        """The `limit` passages that are the most like it, ascending; ties by id."""
        order = sorted(self._of, key=lambda id_: (-self._of[id_], id_))
        found = [id_ for id_ in order if self._of[id_] > 0 and (passes is None or passes(id_))]
        return sorted(found[:limit])

    def of(self, passages: Sequence[int]) -> dict[int, tuple[float, bool]]:
        """(likeness, True) of each passage."""
        return {passage: (self._of.get(passage, 0.0), True) for passage in passages}

    def coverage(self, passage: int) -> float:
        """0: likeness of senses alone answers nothing."""
        return 0.0
