"""Whether a word is among others in some form, without a look at each of them. Pure.

A statement is held against dozens, each of twenty words: 84,000 looks at two words in 16 turns of
a session. By their first letters one word in a hundred is left to be looked at.
"""

from __future__ import annotations

from functools import lru_cache

from vaultmem.judgement.features import STEM, is_form

_BEGUN = 3  # letters that two words share at least of which one begins as the other
_ENDED = 6  # and of which one ends as the other
_REMEMBERED = 512  # statements: those of a session, and what is nominated for a new one


def alike(one: str, other: str) -> bool:
    """Whether two words are forms of one: `bouldering`, `boulder`; or one begins the other."""
    if one == other or is_form(one, other):
        return True
    short, long = sorted((one, other), key=len)
    if (len(short) > 4 and long.startswith(short)) or (
        len(short) >= _ENDED and long.endswith(short)
    ):
        return True
    return len(short) > _BEGUN and len(long) - len(short) < 4 and long.startswith(short[:-1])


def is_among(word: str, words: tuple[str, ...]) -> bool:
    """Whether a word is `alike` one of these."""
    begun, ended = _by_edges(words)
    if any(alike(word, other) for other in begun.get(word[:_BEGUN], ())):
        return True
    return len(word) >= _ENDED and any(alike(word, o) for o in ended.get(word[-_ENDED:], ()))


def has_form(word: str, words: tuple[str, ...]) -> bool:
    """Whether one of these is the word, or `is_form` of it."""
    return place_of(word, words) >= 0


def place_of(word: str, words: tuple[str, ...]) -> int:
    """Where a word stands among others; else where a form of it does; -1: nowhere."""
    places, begun = _by_stem(words)
    place = places.get(word, -1)
    if place >= 0 or len(word) < STEM:
        return place
    return next((at for at in begun.get(word[:STEM], ()) if is_form(word, words[at])), -1)


@lru_cache(maxsize=_REMEMBERED)
def _by_edges(words: tuple[str, ...]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Words by the letters that they begin with, and the long ones by those that they end with."""
    begun: dict[str, list[str]] = {}
    ended: dict[str, list[str]] = {}
    for word in words:
        begun.setdefault(word[:_BEGUN], []).append(word)
        if len(word) >= _ENDED:
            ended.setdefault(word[-_ENDED:], []).append(word)
    return begun, ended


@lru_cache(maxsize=_REMEMBERED)
def _by_stem(words: tuple[str, ...]) -> tuple[dict[str, int], dict[str, list[int]]]:
    """The first place of each word, and places by the letters that its forms begin with."""
    places: dict[str, int] = {}
    begun: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        places.setdefault(word, at)
        if len(word) >= STEM:
            begun.setdefault(word[:STEM], []).append(at)
    return places, begun
