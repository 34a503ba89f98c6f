"""Signs that a life, somebody's safety or a hard limit is at stake, by topic.

Three models that saw four thousand sentences know 'insulin' and 'peanut', not 'warfarin' or
'sesame'; people have thousands of conditions and medicines, and each matters. So they are listed,
in `stakes.txt` of each language. The models learn what each topic is worth, alone and beside who is
spoken of; a list decides nothing by itself (docs/judgement.md). Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from vaultmem.base import Needing, late
from vaultmem.judgement.signs import add_words
from vaultmem.language import vocabulary, word_list

_OF_DOSES = ("amounts", "times a day", "dose needs")
_VOCABULARY = vocabulary("stakes")
_TOPICS = {name: words for name, words in _VOCABULARY.items() if name not in _OF_DOSES}
_DOSE = Needing(
    rf"\b\d+(?:[.,]\d+)?\s?(?:{_VOCABULARY['amounts']})\b|{_VOCABULARY['times a day']}",
    re.IGNORECASE,
    _VOCABULARY["dose needs"].split("|"),
)
_ELIDED = late(r"^(?:[cdjlmnst]|qu|un|all|dall|dell|nell|sull)'(?=\w)")
_IN_CAPITALS = frozenset(("tia",))  # a small stroke; an aunt in Portuguese
_LONG = 7  # letters of a compound, in which parts are sought


class _Words:
    """The words of all topics, by how they are sought."""

    def __init__(self) -> None:
        # As they are written, stars and all: to part 4,200 words took 4 ms of a cold `remember`.
        self.written: dict[str, tuple[str, ...]] = {}
        self.held: list[tuple[str, str]] = []
        self.several: dict[str, list[tuple[str, str]]] = {}  # the words after the first one
        for topic, text in _TOPICS.items():
            words = word_list(text)
            add_words(self.written, words, topic)
            self.held += [(one[1:-1], topic) for one in words if one[0] == "*" == one[-1]]
            for phrase in [word.lower() for word in words if "_" in word]:
                first, _, rest = phrase.partition("_")
                self.several.setdefault(first.rstrip("*"), []).append((rest, topic))

    def of_word(self, word: str) -> Iterator[str]:
        """The topics of one word in lower case, which has no star and no '_'."""
        written = self.written
        yield from written.get(word, ())
        size = len(word)
        # As they are written: 2.9 ms in place of 4.2, and 30,085 words have the topics that they
        # had.
        for length in range(1, size + 1):
            yield from written.get(f"{word[:length]}*", ())
        for length in range(1, size - 1):  # two letters more than an ending
            yield from written.get(f"*{word[-length:]}", ())
        if size >= _LONG:
            for part, topic in self.held:
                if part in word:
                    yield topic

    def of_several(self, words: Sequence[str], place: int) -> Iterator[str]:
        """The topics of sayings of several words that begin at a place."""
        for told, topic in self.several.get(words[place], ()):
            rest = told.split("_")
            there = words[place + 1 : place + 1 + len(rest)]
            if len(there) == len(rest) and all(map(_fits, rest, there)):
                yield topic


def _fits(pattern: str, word: str) -> bool:
    return word.startswith(pattern[:-1]) if pattern[-1] == "*" else word == pattern


_WORDS = _Words()


@lru_cache(maxsize=1 << 13)  # a sentence asks up to six times, and texts are of few words
def _stakes_of_word(word: str) -> frozenset[str]:
    return frozenset(_WORDS.of_word(word))


def stakes_of(text: str, words: Sequence[str]) -> set[str]:
    """The topics of a sentence: sections of `stakes.txt` and 'dose'.

    words  its own in lower case
    """
    bare = [_ELIDED.sub("", word) if "'" in word else word for word in words]
    found = {"dose"} if _DOSE.search(text) else set()
    for place, word in enumerate(bare):
        if word not in _IN_CAPITALS or word.upper() in text:
            found |= _stakes_of_word(word)
        if word in _WORDS.several:
            found.update(_WORDS.of_several(bare, place))
    return found
