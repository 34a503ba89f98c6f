"""Words that tell something about a sentence, by class: `signs.txt` of each language.

They are features of the models (docs/judgement.md) and decide nothing alone: what a word is worth
is learned from labelled sentences. A word that ends in `*` is the beginning of words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from vaultmem.language import vocabulary, word_list

_CLASSES = vocabulary("signs")


def class_table(classes: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The classes of words as they are written, stars and all: to part them took twice as long."""
    written: dict[str, tuple[str, ...]] = {}
    for name, text in classes.items():
        add_words(written, word_list(text), name)
    return written


def classes_of(word: str, written: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The classes of a word in lower case without a star, in a fixed order; () for most words."""
    found = written.get(word, ())
    # Looked up as they are written, with their stars: .3 ms of a cold command in place of .65, and
    # 26,000 words have the classes that they had.
    for length in range(1, len(word) + 1):
        more = written.get(f"{word[:length]}*")
        if more:
            found = (*found, *(name for name in more if name not in found))
    return found


def add_words(table: dict[str, tuple[str, ...]], words: Iterable[str], name: str) -> None:
    """Each of some words has one name more; all new ones at once, a third of the time of each."""
    new: dict[str, tuple[str, ...]] = dict.fromkeys(words, (name,))
    for word in new.keys() & table.keys():
        new[word] = (*table[word], name)
    table.update(new)


_WRITTEN = class_table(_CLASSES)
NAMES = tuple(_CLASSES)


@lru_cache(maxsize=16_384)  # thousands of bullets are of a few thousand words
def signs_of(word: str) -> tuple[str, ...]:
    """What a word is a sign of: its classes in `signs.txt`."""
    return classes_of(word, _WRITTEN)
