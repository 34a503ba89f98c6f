"""Words of other languages than English that say nothing of what is asked: 'was ist mein'.

They are rare in a vault that is mostly English, and would weigh there like names. A question is
of a language when two of its words or more may be, and more are than English stop words; one is
enough where it begins the question as only that language does ('Qué número calza Leonel').
"""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.language import STOP_WORDS, languages_of, vocabulary, word_list

_SAID = [
    said
    for each in languages_of("function_words")
    if (said := vocabulary("function_words", each))["telling"]
]
_OPENING = frozenset(word for said in _SAID for word in word_list(said["opening"]))
_TELLING = tuple(frozenset(word_list(said["telling"])) for said in _SAID)
_SHARED = tuple(frozenset(word_list(said["english too"])) for said in _SAID)
_LEAST = 2


def telling_words() -> frozenset[str]:
    """All words that tell a language, of every language."""
    return frozenset().union(*_TELLING, *_SHARED)


def function_words(said: Sequence[str]) -> frozenset[str]:
    """Those words of a folded question that say nothing in its language; English ones are not."""
    asked = frozenset(said)
    silent: frozenset[str] = frozenset()
    for telling, shared in zip(_TELLING, _SHARED, strict=True):
        found = asked & telling
        silent_too = asked & shared
        english = (asked & STOP_WORDS) - shared
        least = 1 if said and said[0] in _OPENING & telling else _LEAST
        if len(found) + len(silent_too) >= least and len(found) > len(english):
            silent |= found | silent_too
    return silent
