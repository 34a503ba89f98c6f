"""How like a question passages are, by the senses of their words: where no vectors are installed.

Each word of the question is held against the nearest word of a passage (`judgement.meanings`, a
packaged table of word vectors), and the rare ones weigh most. For small vaults alone: it reads
every passage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import mul

from vaultmem.judgement import nearness_of, rarity, weights, words_of

GAIN = 0.5  # on everyday speech 1 puts the words themselves behind
_LEAST_RARE = 0.25  # of a word of the question that says something
_FIRST = 64  # numbers of a vector that are compared
_MOST_WORDS = 60  # of a passage
_MOST_ASKED = 16  # words of a question, the rarest


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
        self._of: dict[int, float] = {}
        if not told:
            return
        said = [(id_, words_of(text)[:_MOST_WORDS]) for id_, _, text in texts]
        words = dict.fromkeys(word for _, each in said for word in each)
        place = {word: number for number, word in enumerate(words)}
        near = nearness_of([word for word, _ in told], [*words], first=_FIRST)
        weight = sum(rare for _, rare in told)
        like = {}
        for id_, each in said:
            at = [place[word] for word in each]
            best = [max(0.0, *map(row.__getitem__, at)) if at else 0.0 for row in near]
            like[id_] = sum(map(mul, best, (rare for _, rare in told))) / weight
        # In a vault of a dozen notes any sentence is a third like the question: above its words.
        usual = sum(like.values()) / max(1, len(like))  # any sentence has words near to any other
        self._of = {id_: max(0.0, one - usual) for id_, one in like.items()}

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
